import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../../src/base/failure.ts'
import { openStore } from '../../src/service/store/open-calendar-file.ts'
import { addTag } from '../support/temp-calendar-file.ts'
import { mulberry32 } from './random.ts'

/** How many journals were cut, and how many damaged, and what was wrong. */
export interface JournalCuts {
  readonly cuts: number
  readonly flips: number
  /** Damaged journals that were reported; the others were damaged where nothing was acknowledged. */
  readonly reported: number
  readonly problems: readonly string[]
}

const options = { now: () => new Date('2026-11-21T02:00:00Z'), site: { timezone: 'Europe/Madrid' } }

/** In bytes: `0123abcd {"base":`. */
const shortestBeginning = 18

/**
 * Cuts the journal of a calendar at one byte after another, as a kill during a write does, and changes bits of it. What was cut must
 * open with everything that is whole; damage must be reported, and never drop what was acknowledged without a word.
 */
export async function cutJournals(cuts: number, flips: number, seed: number): Promise<JournalCuts> {
  const random = mulberry32(seed)
  const folder = mkdtempSync(join(tmpdir(), 'calctl-journals-'))
  const file = join(folder, 'calendar.json')
  const { calendar, journal, names } = await written(file)
  const lines = journal.toString('latin1').split('\n')
  /** How many records are in the first bytes of the journal. */
  const wholeIn = (length: number) =>
    names.length - lines.slice(journal.toString('latin1', 0, length).split('\n').length - 1).filter(hasEntry).length
  const problems: string[] = []
  let reported = 0
  const openWith = async (bytes: Buffer): Promise<string[] | Failure> => {
    writeFileSync(file, calendar)
    writeFileSync(`${file}.journal`, bytes)
    try {
      const store = await openStore({ ...options, file, readOnly: true })
      const found = [...store.table('tags').values()].map(({ name }) => name)
      await store.close()
      return found
    } catch (error) {
      if (error instanceof Failure) return error
      throw error
    }
  }
  for (let cut = 0; cut < cuts; cut++) {
    const length = Math.floor((cut * journal.length) / cuts)
    const found = await openWith(journal.subarray(0, length))
    const wanted = names.slice(0, wholeIn(length))
    // What is too short to be known as a journal has nothing in it, and may be somebody else's file.
    if (length < shortestBeginning && found instanceof Failure && /not a journal of calctl/.test(found.message))
      continue
    if (found instanceof Failure || found.join() !== wanted.join())
      problems.push(`cut at ${length}: ${found instanceof Failure ? found.message : found}, not ${wanted}`)
  }
  for (let flip = 0; flip < flips; flip++) {
    const at = Math.floor(random() * journal.length)
    const damaged = Buffer.from(journal)
    damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    const found = await openWith(damaged)
    if (found instanceof Failure) reported++
    else problems.push(`a changed bit at ${at} went unnoticed: ${found}`)
  }
  rmSync(folder, { recursive: true })
  return { cuts, flips, reported, problems }
}

const hasEntry = (line: string) => line.includes('"changes"')

/** A calendar whose journal has writes made alone and together, as after a kill. */
async function written(file: string): Promise<{ calendar: Buffer; journal: Buffer; names: string[] }> {
  const store = await openStore({ ...options, file, create: true })
  const names: string[] = []
  for (let group = 0; group < 6; group++) {
    const some = Array.from({ length: 1 + (group % 3) }, (_, n) => `Tag ${group}-${n}`)
    await Promise.all(some.map(name => store.write(addTag(name))))
    names.push(...some)
  }
  const result = { calendar: readFileSync(file), journal: readFileSync(`${file}.journal`), names }
  await store.close()
  return result
}
