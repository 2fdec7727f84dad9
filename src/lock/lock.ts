import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../failure.ts'
import { isAlive, nameOf, ownerNamed, self } from './owner.ts'

/** The right to a file, for as long as this process has it. */
export interface Claim {
  /** Says where the file is served, to those who want it. */
  announce(url: string): void
  release(): void
}

/** Who has a claim, as far as that is known, and what it announced. */
export interface Holder {
  readonly pid?: number | undefined
  readonly url?: string | undefined
}

/** How long to wait for a claim. */
export interface ClaimOptions {
  /** How long to wait for another process, in ms. */
  readonly wait: number
  readonly signal?: AbortSignal | undefined
  /** What is thrown when that was in vain. */
  inUse(holder: Holder): Failure
}

/** How often an owner shows that it lives, and how long it is believed without, in ms. */
const beat = { every: 1000, believed: 4000 }

/** Claims a file for this process, as soon as nobody else has it. */
export async function claimFile(file: string, { wait, signal, inUse }: ClaimOptions): Promise<Claim> {
  const deadline = Date.now() + wait
  for (;;) {
    const claim = claimIfFree(file)
    if (claim) return claim
    if (signal?.aborted) throw new Failure('interrupted', `stopped waiting for ${file}`)
    if (Date.now() >= deadline) throw inUse(told(folderOf(file)))
    await sleep(10 + Math.random() * 10)
  }
}

/**
 * Claims a file for this process; undefined while another one, or this one, has it. A claim is a folder beside the file that
 * holds one entry, named after its owner. It comes with its entry inside by a rename, which succeeds onto nothing and onto an
 * empty folder only, so that one of many wins. What a dead owner left is removed by the entry's own name, so that nobody
 * removes a claim that came after it.
 */
export function claimIfFree(file: string): Claim | undefined {
  const folder = folderOf(file)
  const own = nameOf(self())
  const holder = holderOf(folder)
  if (holder !== undefined) {
    if (isHeld(folder, holder)) return undefined
    quietly(() => unlinkSync(join(folder, holder)))
    removeEmpty(folder)
  }
  return take(folder, own) ? claimed(folder, own) : undefined
}

/** Whether a process that lives has the file. */
export function isClaimed(file: string): boolean {
  const folder = folderOf(file)
  const holder = holderOf(folder)
  return holder !== undefined && isHeld(folder, holder)
}

const folderOf = (file: string): string => `${file}.claim`

function claimed(folder: string, own: string): Claim {
  const entry = join(folder, own)
  const beating = setInterval(() => touch(entry), beat.every)
  beating.unref()
  return {
    announce: url => writeFileSync(entry, url),
    release() {
      clearInterval(beating)
      quietly(() => unlinkSync(entry))
      removeEmpty(folder)
    },
  }
}

function take(folder: string, own: string): boolean {
  const made = `${folder}.${own}`
  mkdirSync(made)
  writeFileSync(join(made, own), '')
  try {
    renameSync(made, folder)
    return true
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))) throw error
    // Windows renames no folder onto another, not even onto an empty one.
    removeEmpty(folder)
    return false
  }
}

const holderOf = (folder: string): string | undefined => quietly(() => readdirSync(folder)[0])

/** An owner whose process cannot be seen from here is believed as long as it shows that it lives. */
function isHeld(folder: string, holder: string): boolean {
  const owner = ownerNamed(holder)
  const alive = owner && isAlive(owner)
  if (alive !== undefined) return alive
  const seen = quietly(() => statSync(join(folder, holder)).mtimeMs)
  return seen !== undefined && Date.now() - seen < beat.believed
}

function told(folder: string): Holder {
  const holder = holderOf(folder)
  const url = holder && quietly(() => readFileSync(join(folder, holder), 'utf8'))
  return { pid: ownerNamed(holder ?? '')?.pid, url }
}

const touch = (path: string) => quietly(() => utimesSync(path, new Date(), new Date()))
const removeEmpty = (folder: string) => quietly(() => rmdirSync(folder))

/** What others remove at the same moment is not an error. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
