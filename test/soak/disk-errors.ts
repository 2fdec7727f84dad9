import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../../src/base/failure.ts'
import { Refusal } from '../../src/service/refusal.ts'
import { openStore } from '../../src/service/store/open-calendar-file.ts'
import { addTag } from '../support/temp-calendar-file.ts'
import { watchFiles } from './file-operations.ts'

/** How many faults were tried, how many writes they refused, and what was wrong afterwards. */
export interface DiskErrors {
  readonly faults: number
  readonly refused: number
  readonly problems: readonly string[]
}

type Store = Awaited<ReturnType<typeof openStore>>

const options = { now: () => new Date('2026-11-21T02:00:00Z'), site: { timezone: 'Europe/Madrid' }, longJournal: 2000 }

/** The errors of disks, and how many operations in a row have them. */
const kinds = [
  { code: 'EIO', length: 1 },
  { code: 'ENOSPC', length: 1 },
  { code: 'EIO', length: 4 },
  { code: 'ENOSPC', length: Number.POSITIVE_INFINITY },
  { code: 'EIO', length: Number.POSITIVE_INFINITY },
  { code: 'EROFS', length: 2 },
] as const

/**
 * Lets the disk fail at one operation after another, once, for a while or until it is repaired: what was refused must never be
 * there, what was acknowledged must always be, and after the repair everything must work.
 */
export async function failDisk(count: number): Promise<DiskErrors> {
  const problems: string[] = []
  let refused = 0
  for (let fault = 0; fault < count; fault++) {
    const kind = kinds[fault % kinds.length] ?? kinds[0]
    const at = Math.floor((fault * 97) / kinds.length) % 97
    const outcome = await oneFault(at, kind.code, kind.length)
    refused += outcome.refused
    problems.push(...outcome.problems.map(problem => `${kind.code} at operation ${at} (${kind.length}): ${problem}`))
  }
  return { faults: count, refused, problems }
}

async function oneFault(at: number, code: string, length: number): Promise<{ refused: number; problems: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-errors-'))
  const file = join(folder, 'calendar.json')
  const acknowledged = new Set<string>()
  const refused = new Set<string>()
  /** Refused, and said to be there perhaps if the process ends before the disk works again. */
  const unclear = new Set<string>()
  const problems: string[] = []
  let operation = 0
  let isRepaired = false
  const stop = await watchFiles(folder, {
    before({ kind }) {
      const number = operation++
      if (isRepaired || kind === 'remove' || number < at || number >= at + length) return
      throw Object.assign(new Error(code), { code, syscall: kind })
    },
  })
  const opened = async (): Promise<Store | undefined> => {
    try {
      return await openStore({ ...options, file, wait: 0 })
    } catch (error) {
      if (!(error instanceof Failure)) problems.push(`opening failed with ${error}`)
      return undefined
    }
  }
  const write = async (store: Store, name: string) => {
    try {
      await store.write(writing => writing.put('tags', { ...addTag(name)(writing), description: 'x'.repeat(300) }))
      acknowledged.add(name)
    } catch (error) {
      if (!(error instanceof Refusal)) problems.push(`a write failed with ${error}`)
      refused.add(name)
      if (error instanceof Refusal && error.code === 'calctl_disk_unclear') unclear.add(name)
    }
  }
  const checkNames = (when: string, found: readonly string[]) => {
    const lost = [...acknowledged].filter(name => !found.includes(name))
    const kept = [...refused].filter(name => found.includes(name))
    if (lost.length > 0) problems.push(`${when}: lost ${lost}`)
    if (kept.length > 0) problems.push(`${when}: kept ${kept}, which was refused`)
  }
  try {
    let store = await opened()
    for (let round = 0; round < 4; round++) {
      if (!store) break
      const current = store
      await write(current, `${round}-alone`)
      await Promise.all([1, 2, 3].map(n => write(current, `${round}-${n}`)))
      checkNames('in memory', namesOf(current))
      if (round !== 1) continue
      await current.close()
      for (const name of unclear) refused.delete(name)
      store = await opened()
    }
    isRepaired = true
    store ??= await opened()
    if (!store) return { refused: refused.size, problems: [...problems, 'does not open after the repair'] }
    await write(store, 'repaired')
    if (refused.has('repaired')) problems.push('refused a write after the repair')
    checkNames('after a kill', await namesIn(folder))
    await store.close()
    checkNames('after closing', await namesIn(folder))
    const left = readdirSync(folder).filter(name => name !== 'calendar.json')
    if (left.length > 0) problems.push(`left ${left}`)
  } catch (error) {
    problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { refused: refused.size, problems }
}

const namesOf = (store: Store): string[] => [...store.table('tags').values()].map(({ name }) => name)

/** The names in a copy of the files as they are now, made at once. */
async function namesIn(folder: string): Promise<string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'calctl-copy-'))
  for (const name of readdirSync(folder).filter(name => /\.(json|journal)$/.test(name)))
    writeFileSync(join(copy, name), readFileSync(join(folder, name)))
  const store = await openStore({ ...options, file: join(copy, 'calendar.json'), readOnly: true })
  const names = namesOf(store)
  await store.close()
  rmSync(copy, { recursive: true })
  return names
}
