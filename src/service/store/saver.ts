import { Refusal } from '../refusal.ts'
import type { Commit } from './tables.ts'

/** Brings commits to disk: those that arrive together share one flush. */
export interface Saver {
  /** Resolves when the commit is on disk. If it rejects, the commit and all that came after it are undone. */
  save(commit: Commit): Promise<void>
  /** Runs work while nothing is being saved; what is saved meanwhile waits. */
  between(work: () => Promise<void>): Promise<void>
}

interface PendingCommit {
  readonly commit: Commit
  resolve(): void
  reject(error: unknown): void
}

/** A saver whose `persist` writes commits to disk, all or none; `undo` takes a commit back out of memory. */
export function createSaver(
  persist: (commits: readonly Commit[]) => Promise<void>,
  undo: (commit: Commit) => void,
): Saver {
  let queue: PendingCommit[] = []
  let running: Promise<void> | undefined

  async function drain(): Promise<void> {
    // Commits of the same turn of the event loop share the first flush.
    await new Promise(resolve => setImmediate(resolve))
    while (queue.length > 0) {
      const group = queue
      queue = []
      try {
        await persist(group.map(({ commit }) => commit))
        for (const { resolve } of group) resolve()
      } catch (error) {
        refuse([...group, ...queue], error)
        queue = []
      }
    }
  }

  function refuse(all: readonly PendingCommit[], error: unknown): void {
    for (const { commit } of all.toReversed()) undo(commit)
    for (const { reject } of all) reject(refusalOf(error))
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
        queue.push({ commit, resolve, reject })
        if (!running) run(drain)
      })
    },
    async between(work) {
      while (running) await running.catch(() => undefined)
      await run(work)
    },
  }
}

function refusalOf(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined) return error
  const message =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'The disk is full; nothing was changed. Reads still work; free some space to write again.'
      : `The disk failed (${code}); nothing was changed. Reads still work.`
  return new Refusal(507, 'calctl_disk', message)
}
