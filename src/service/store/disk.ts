import { existsSync, fdatasync, fdatasyncSync, promises, renameSync, statSync, writeSync } from 'node:fs'
import { dirname, parse } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'

/** How the journal writes. Any of these may throw a system error after doing a part of its work. */
export interface Disk {
  write(fd: number, bytes: Uint8Array, position: number): void
  /** Resolves when everything written is safe from a power cut. */
  flush(fd: number): Promise<void>
}

/** The real disk. */
export const disk: Disk = {
  write(fd, bytes, position) {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, position + done)
  },
  flush: createFlush(),
}

/** In ms: about as long as passing work to another thread and back takes. */
const quick = 1

/** Flushes on this thread while the disk is quick; for a slow disk, flushes on another thread, so that requests continue. */
function createFlush(): Disk['flush'] {
  const elsewhere = promisify((fd: number, done: (error: Error | null) => void) => fdatasync(fd, done))
  let took = Number.POSITIVE_INFINITY
  return async fd => {
    const start = performance.now()
    if (took < quick) fdatasyncSync(fd)
    else await elsewhere(fd)
    took = performance.now() - start
  }
}

/** Whether an error comes from the operating system, rather than from a bug. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error

/** Tells whether two calendar files have the same contents. */
export interface Fingerprint {
  readonly size: number
  readonly checksum: number
}

/** The fingerprint of a file's contents. */
export const fingerprintOf = (bytes: Uint8Array): Fingerprint => ({ size: bytes.length, checksum: crc32(bytes) })

export const isSameFingerprint = (a: Fingerprint | undefined, b: Fingerprint | undefined): boolean =>
  a !== undefined && a.size === b?.size && a.checksum === b.checksum

/** What changes when another program writes or replaces a file; reading it takes a few microseconds. */
export interface FileStamp {
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
}

export const isSameStamp = (a: FileStamp | undefined, b: FileStamp | undefined): boolean =>
  a?.ino === b?.ino && a?.mtimeMs === b?.mtimeMs && a?.size === b?.size && a?.ctimeMs === b?.ctimeMs

interface Replacement {
  /** The permissions of a new file; an existing one keeps its own. */
  readonly mode?: number | undefined
  /** Called when the new text is safe on disk, just before it replaces the file; if it throws, that does not happen. */
  before?(fingerprint: Fingerprint): Promise<void>
  /** Called just after the text has replaced the file, which is durable only when its folder has been flushed. */
  after?(fingerprint: Fingerprint): void
}

/** Replaces a file atomically. If that fails before `after`, the file is as it was. */
export async function replaceFile(file: string, text: AsyncIterable<string>, options: Replacement = {}): Promise<void> {
  const { before, after, mode = 0o666 & ~process.umask() } = options
  // A name of its own, because another process may write one, too.
  const draft = `${file}.${process.pid}-${Math.random().toString(36).slice(2, 10)}.new`
  try {
    const fingerprint = await writeDraft(draft, text, modeOf(file) ?? mode)
    await before?.(fingerprint)
    // Without a pause, so that as little as possible can happen to the file in between.
    renameSync(draft, file)
    after?.(fingerprint)
  } catch (error) {
    await promises.rm(draft, { force: true }).catch(() => {})
    throw error
  }
  await flushFolder(dirname(file))
}

/** Whether a name is that of a draft of a file, or of a copy of it: of `town.json`, or of `town.conflict.json`. */
export function isDraftOf(file: string, name: string): boolean {
  const { base, name: stem, ext } = parse(file)
  const [, target] = /^(.+?)\.\d+-[a-z\d]+\.new$/.exec(name) ?? []
  return target === base || (target !== undefined && copyName.test(withoutEnds(target, `${stem}.`, ext || '.json')))
}

const copyName = /^(conflict|replaced)(-\d+)?$/

const withoutEnds = (text: string, start: string, end: string): string =>
  text.startsWith(start) && text.endsWith(end) ? text.slice(start.length, text.length - end.length) : ''

async function writeDraft(draft: string, text: AsyncIterable<string>, mode: number): Promise<Fingerprint> {
  const handle = await promises.open(draft, 'wx', 0o600)
  let [size, checksum] = [0, 0]
  try {
    await handle.chmod(mode)
    for await (const piece of text) {
      const bytes = Buffer.from(piece)
      await handle.appendFile(bytes)
      size += bytes.length
      checksum = crc32(bytes, checksum)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { size, checksum }
}

/** The permissions of a file; undefined if it does not exist. */
export const modeOf = (file: string): number | undefined => {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  return mode === undefined ? undefined : mode & 0o7777
}

/** Error codes for folders that cannot be flushed, or not by this user; other errors mean that the disk failed. */
const cannotFlush = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES', 'EPERM'])

/** Makes renames and new files in the folder durable. Windows cannot open folders, and needs no flush. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  try {
    const handle = await promises.open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!cannotFlush.has(String((error as NodeJS.ErrnoException).code))) throw error
  }
}

/** The first of some numbered paths, from 1 on, that does not exist yet. */
export function freePath(numbered: (number: number) => string): string {
  for (let number = 1; ; number++) {
    const path = numbered(number)
    if (!existsSync(path)) return path
  }
}
