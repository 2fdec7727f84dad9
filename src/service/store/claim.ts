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
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../failure.ts'
import { isAlive, nameOf, ownerNamed, self } from './owner.ts'

/** The right to a calendar file, for as long as this process has it. */
export interface Claim {
  /** Says where the file is served, to those who wait for it. */
  announce(url: string): void
  release(): void
}

/** How long to wait for a claim. */
export interface ClaimOptions {
  /** How long to wait for another process, in ms. */
  readonly wait: number
  readonly signal?: AbortSignal | undefined
}

/** How often an owner shows that it lives, and how long it is believed without, in ms. */
const beat = { every: 1000, believed: 4000 }

/**
 * Claims a file for this process. A claim is a folder beside the file that holds one entry, named after its owner. It
 * comes with its entry inside by a rename, which succeeds onto nothing and onto an empty folder only, so that one of many wins.
 * What a dead owner left is removed by the entry's own name, so that nobody removes a claim that came after it.
 */
export async function claimFile(file: string, { wait, signal }: ClaimOptions): Promise<Claim> {
  const folder = `${file}.claim`
  const own = nameOf(self())
  const deadline = Date.now() + wait
  for (;;) {
    const holder = holderOf(folder)
    if (holder === undefined || !isHeld(folder, holder)) {
      if (holder !== undefined) quietly(() => unlinkSync(join(folder, holder)))
      if (take(folder, own)) return claimed(folder, own)
    }
    if (signal?.aborted) throw new Failure('interrupted', `stopped waiting for ${file}`)
    if (Date.now() >= deadline) throw inUse(file, folder)
    await sleep(10 + Math.random() * 10)
  }
}

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
  mkdirSync(made, { recursive: true })
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

function inUse(file: string, folder: string): Failure {
  const holder = holderOf(folder)
  const url = holder && quietly(() => readFileSync(join(folder, holder), 'utf8'))
  const pid = holder && ownerNamed(holder)?.pid
  const who = pid ? `process ${pid}` : 'another process'
  return new Failure(
    'unreachable',
    `the calendar file ${file} is in use by ${who}${url ? `, which serves it at ${url}` : ''}`,
    {
      hint: url ? `talk to it with: --base-url ${url}` : `try again when it is done (its claim is ${basename(folder)})`,
    },
  )
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
