import { Refusal } from '../refusal.ts'
import type { Commit } from './tables.ts'

/** Saves commits on disk: those that arrive together share one flush. */
export interface Saver {
  /** Resolves when the commit is on disk. If it rejects, the commit and all later ones are undone. */
  save(commit: Commit): Promise<void>
  /** Runs work while nothing is being saved; commits wait for it. */
  between(work: () => Promise<void>): Promise<void>
  /** The commits that are in memory and not on disk. */
  pending(): readonly Commit[]
  /** Resolves when they are on disk (true) or one of them was undone (false); undefined if there are none. */
  whenSaved(): Promise<boolean> | undefined
}

interface PendingCommit {
  readonly commit: Commit
  resolve(): void
  reject(error: unknown): void
  /** Called with whether the commit was saved. */
  readonly listeners: ((isSaved: boolean) => void)[]
}

/** A saver whose `persist` writes commits to disk, all or none; `undo` reverts a commit in memory. */
export function createSaver(
  persist: (commits: readonly Commit[]) => Promise<void>,
  undo: (commit: Commit) => void,
): Saver {
  /** What is being saved. */
  let group: readonly PendingCommit[] = []
  let queue: PendingCommit[] = []
  let running: Promise<void> | undefined

  async function drain(): Promise<void> {
    // Commits of the same turn of the event loop share the first flush.
    await new Promise(resolve => setImmediate(resolve))
    while (queue.length > 0) {
      group = queue
      queue = []
      try {
        await persist(group.map(({ commit }) => commit))
        const saved = group
        group = []
        for (const { resolve, listeners } of saved) {
          resolve()
          for (const listener of listeners) listener(true)
        }
      } catch (error) {
        const refused = [...group, ...queue]
        group = []
        queue = []
        refuse(refused, error)
      }
    }
  }

  function refuse(all: readonly PendingCommit[], error: unknown): void {
    for (const { commit } of all.toReversed()) undo(commit)
    for (const { reject, listeners } of all) {
      reject(refusalOf(error))
      for (const listener of listeners) listener(false)
    }
  }

  function run(work: () => Promise<void>): Promise<void> {
    running = work().finally(() => {
      running = undefined
      if (queue.length > 0) run(drain)
    })
    return running
  }

  return {
    save(commit) {
      return new Promise((resolve, reject) => {
        queue.push({ commit, resolve, reject, listeners: [] })
        if (!running) run(drain)
      })
    },
    async between(work) {
      while (running) await running.catch(() => undefined)
      await run(work)
    },
    pending: () => [...group, ...queue].map(({ commit }) => commit),
    whenSaved() {
      const last = queue.at(-1) ?? group.at(-1)
      return last && new Promise(resolve => last.listeners.push(resolve))
    },
  }
}

/** The refusal for an error of the disk; other errors unchanged. */
export function refusalOf(error: unknown, isClear = true): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined) return error
  if (!isClear)
    return new Refusal(
      507,
      'calctl_disk_unclear',
      `The disk failed (${code}), and what was written cannot be taken back yet. It may be there after a restart; writes are refused until the disk works again. Reads still work.`,
    )
  const message =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'The disk is full; nothing was changed. Reads still work; free some space to write again.'
      : `The disk failed (${code}); nothing was changed. Reads still work.`
  return new Refusal(507, 'calctl_disk', message)
}
