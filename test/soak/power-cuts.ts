import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type OpenOptions, openStore } from '../../src/service/store/open-calendar-file.ts'
import { addTag } from '../support/temp-calendar-file.ts'
import { type FileOperation, watchFiles } from './file-operations.ts'
import { mulberry32 } from './random.ts'

/** How many states after a power cut were opened, and what was wrong with them. */
export interface PowerCuts {
  readonly states: number
  readonly problems: readonly string[]
}

/** What a calendar was asked to do: the operations on its files, and the writes that were acknowledged after some of them. */
interface Recording {
  readonly base: ReadonlyMap<string, Buffer>
  readonly operations: readonly FileOperation[]
  readonly acknowledged: readonly { readonly name: string; readonly after: number }[]
  readonly asked: ReadonlySet<string>
}

const options = { now: () => new Date('2026-11-21T02:00:00Z'), site: { timezone: 'Europe/Madrid' } }

/**
 * Cuts the power after random operations. A disk may then have any part of what was not flushed: any of the renames, new names and
 * removals in a folder that was not flushed since, any of the blocks of a file, in any order. Every state must open without a
 * repair, with all that was acknowledged.
 */
export async function cutPower(count: number, seed: number): Promise<PowerCuts> {
  const random = mulberry32(seed)
  const recordings = await record()
  const problems: string[] = []
  for (let state = 0; state < count; state++) {
    const recording = recordings[state % recordings.length] as Recording
    const cut = Math.floor(random() * (recording.operations.length + 1))
    const problem = await problemAfter(recording, cut, stateAfter(recording, cut, random))
    if (problem) problems.push(`state ${state}, cut after operation ${cut}: ${problem}`)
  }
  return { states: count, problems }
}

/** The life of a calendar, in parts that begin with everything on disk. */
async function record(): Promise<Recording[]> {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-power-'))
  const file = join(folder, 'calendar.json')
  const part = (work: (write: (name: string, length?: number) => Promise<void>, open: OpenCalendar) => Promise<void>) =>
    recordPart(folder, file, work)
  const recordings = [
    await part(async (write, open) => {
      const store = await open({ create: true })
      await write('first')
      await Promise.all(['a', 'b', 'c', 'd'].map(name => write(name, 700)))
      await store.rewrite()
      await write('second', 1500)
      await Promise.all(['e', 'f'].map(name => write(name)))
      await store.close()
    }),
    await part(async (write, open) => {
      const store = await open({ longJournal: 2000 })
      for (let group = 0; group < 8; group++)
        await Promise.all(Array.from({ length: 1 + (group % 4) }, (_, n) => write(`g${group}-${n}`, 300 * n)))
      await store.close()
    }),
    await part(async (write, open) => {
      // As somebody does by hand.
      writeFileSync(file, readFileSync(file, 'utf8').replace('"first"', '"First"'))
      const store = await open({}, true)
      await write('after the edit', 600)
      await Promise.all(['h', 'i', 'j'].map(name => write(name, 600)))
      await store.close()
    }),
  ]
  rmSync(folder, { recursive: true })
  return recordings
}

type OpenCalendar = (more: Partial<OpenOptions>, isNewBase?: boolean) => ReturnType<typeof openStore>

async function recordPart(
  folder: string,
  file: string,
  work: (write: (name: string, length?: number) => Promise<void>, open: OpenCalendar) => Promise<void>,
): Promise<Recording> {
  const operations: FileOperation[] = []
  const acknowledged: { name: string; after: number }[] = []
  const asked = new Set<string>()
  let base = filesIn(folder)
  let store: Awaited<ReturnType<typeof openStore>>
  const isOfStore = ({ path }: FileOperation) => !path.includes('.lock')
  const stop = await watchFiles(folder, {
    after: operation => void (isOfStore(operation) && operations.push(operation)),
  })
  try {
    await work(
      async (name, length = 10) => {
        asked.add(name)
        const tag = addTag(name)
        await store.write(writing => writing.put('tags', { ...tag(writing), description: 'x'.repeat(length) }))
        acknowledged.push({ name, after: operations.length })
      },
      async (more, isNewBase) => {
        if (isNewBase) {
          base = filesIn(folder)
          operations.length = 0
        }
        store = await openStore({ ...options, file, ...more })
        return store
      },
    )
  } finally {
    stop()
  }
  return { base, operations, acknowledged, asked }
}

const filesIn = (folder: string): Map<string, Buffer> =>
  new Map(
    readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
      entry.isFile() ? [[entry.name, readFileSync(join(folder, entry.name))] as const] : [],
    ),
  )

/** A file of the modelled disk: what is safe, and what was done to it since. */
interface Inode {
  bytes: Buffer
  pending: { readonly position: number; readonly bytes?: Uint8Array }[]
}

type NameChange = { readonly name: string; readonly inode?: Inode; readonly from?: string }

const blockSize = 512

/** The files after a power cut. */
function stateAfter({ base, operations }: Recording, cut: number, random: () => number): Map<string, Buffer> {
  const safe = new Map<string, Inode>([...base].map(([name, bytes]) => [name, { bytes, pending: [] }]))
  const current = new Map(safe)
  let changes: NameChange[] = []
  const nameOf = (path: string) => basename(path)
  for (const { kind, path, to = '', bytes, position = 0 } of operations.slice(0, cut)) {
    const name = nameOf(path)
    const inode = current.get(name)
    if (kind === 'create') {
      const created: Inode = { bytes: Buffer.alloc(0), pending: [] }
      current.set(name, created)
      changes.push({ name, inode: created })
    } else if (kind === 'write' && inode) inode.pending.push({ position, bytes: bytes ?? new Uint8Array() })
    else if (kind === 'truncate' && inode) inode.pending.push({ position })
    else if (kind === 'rename' && inode) {
      current.delete(name)
      current.set(nameOf(to), inode)
      changes.push({ name: nameOf(to), inode, from: name })
    } else if (kind === 'remove') {
      current.delete(name)
      changes.push({ name })
    } else if (kind === 'flush' && inode) {
      inode.bytes = applied(inode, () => true)
      inode.pending = []
    } else if (kind === 'flush') {
      for (const change of changes) applyChange(safe, change)
      changes = []
    }
  }
  // Sometimes nearly everything reached the disk, sometimes nearly nothing.
  const share = [0, 0.1, 0.5, 0.9, 1][Math.floor(random() * 5)] ?? 0.5
  const isLucky = () => random() < share
  for (const change of changes) if (isLucky()) applyChange(safe, change)
  return new Map([...safe].map(([name, inode]) => [name, applied(inode, isLucky)]))
}

function applyChange(names: Map<string, Inode>, { name, inode, from }: NameChange): void {
  if (from !== undefined) names.delete(from)
  if (inode) names.set(name, inode)
  else names.delete(name)
}

/** The bytes of a file of which each block that was written since the last flush reached the disk or not. */
function applied({ bytes, pending }: Inode, isLucky: () => boolean): Buffer {
  let result = Buffer.from(bytes)
  const grow = (size: number) => {
    if (size > result.length) result = Buffer.concat([result, Buffer.alloc(size - result.length)])
  }
  for (const { position, bytes: written } of pending) {
    if (!written) {
      if (isLucky()) {
        grow(position)
        result = result.subarray(0, position)
      }
      continue
    }
    // The size of a file reaches the disk before or after its blocks.
    if (isLucky()) grow(position + written.length)
    for (let at = 0; at < written.length; ) {
      const end = Math.min(written.length, at + blockSize - ((position + at) % blockSize))
      if (isLucky()) {
        grow(position + end)
        result.set(written.subarray(at, end), position + at)
      }
      at = end
    }
  }
  return result
}

async function problemAfter(
  recording: Recording,
  cut: number,
  files: ReadonlyMap<string, Buffer>,
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-cut-'))
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  const file = join(folder, 'calendar.json')
  const names = (store: Awaited<ReturnType<typeof openStore>>) =>
    [...store.table('tags').values()].map(({ name }) => name)
  try {
    const store = await openStore({ ...options, file })
    const found = names(store)
    const wanted = recording.acknowledged.filter(({ after }) => after <= cut).map(({ name }) => name)
    const lost = wanted.filter(name => !found.includes(name))
    if (lost.length > 0) return `lost ${lost}`
    await store.write(addTag('after'))
    await store.close()
    const again = await openStore({ ...options, file })
    const later = names(again)
    await again.close()
    if (later.join() !== [...found, 'after'].join()) return `${later} after writing to ${found}`
    const left = readdirSync(folder).filter(name => name !== 'calendar.json')
    return left.length > 0 ? `left ${left}` : undefined
  } catch (error) {
    return `does not open: ${error}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}
