import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calendarAt } from '../../src/client/calendar.ts'
import { calendarApi, createClient } from '../../src/client/create-client.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { type Outcome, worldOf } from '../support/world.ts'
import { live } from './run-records.ts'

const namespace = 'calendar/events/v1'

/** An earlier time would be before this machine was started: nothing is sure of runs before that. */
const now = new Date()

/** A site like production, and a command line whose journals are in a folder. */
export function siteWithJournals(folder: string, { quirks = true } = {}) {
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks }),
    now: () => now,
    baseUrl: 'http://calendar.test',
    namespace,
  })
  const site = {
    client: createClient(
      calendarApi({ transport: service, calendar: calendarAt('http://calendar.test', namespace), namespace }),
    ),
  }
  let writesLeft = Number.POSITIVE_INFINITY
  let isLastDone = false
  const calctl = worldOf({
    transport: async request => {
      const isLast = request.method !== 'GET' && writesLeft-- === 0
      if (isLast && !isLastDone) throw new Killed()
      const answer = await service(request)
      if (isLast) throw new Killed()
      return { ...answer, headers: { ...answer.headers, date: now.toUTCString() } }
    },
    now,
    env: { XDG_STATE_HOME: folder },
  })
  const runs = join(folder, 'calctl/runs')
  return {
    calctl,
    /** Runs a command that is killed at its next write after so many: before it arrives, or once it is done. */
    async killed(line: string, stdin: string, writes: number, at: 'before' | 'after' = 'before') {
      writesLeft = writes
      isLastDone = at === 'after'
      await calctl(line, stdin).catch(error => {
        if (!(error instanceof Killed)) throw error
      })
      const isOver = writesLeft >= 0
      writesLeft = Number.POSITIVE_INFINITY
      return { isOver }
    },
    /** All live records. */
    state: () => live(site.client),
    /** The journals by file name. */
    journals: (): Record<string, string> =>
      Object.fromEntries(readdirSync(runs).map(name => [name, readFileSync(join(runs, name), 'utf8')])),
    /** Leaves these journals alone in the folder. */
    setJournals(journals: Readonly<Record<string, string | Buffer>>) {
      rmSync(runs, { recursive: true, force: true })
      mkdirSync(runs, { recursive: true })
      for (const [name, text] of Object.entries(journals)) writeFileSync(join(runs, name), text)
    },
  }
}

/** An error that no code handles. */
class Killed extends Error {}

type Site = ReturnType<typeof siteWithJournals>

const day = (number: number) => `2027-0${(number % 9) + 1}-05`
const record = (value: object) => `${JSON.stringify(value)}\n`
const event = (title: string, number: number, more = {}) =>
  record({ resource: 'events', title, start_date: `${day(number)} 19:00`, end_date: `${day(number)} 21:00`, ...more })
const repeated = (count: number, row: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index + 1)).join('')

async function done(outcome: Promise<Outcome>): Promise<Outcome> {
  const { status, out, err } = await outcome
  if (status !== 0) throw new Error(`status ${status}: ${err}`)
  return { status, out, err }
}

/** Records to change, to trash and to delete. */
export async function seedSite({ calctl }: Site, tenth: number): Promise<void> {
  const rows =
    repeated(tenth, number => record({ resource: 'tags', name: `Gone ${number}` })) +
    repeated(3 * tenth, number =>
      event(`Old ${number}`, number, {
        description: 'Then',
        website: 'https://example.org',
        tags: [`Gone ${(number % tenth) + 1}`],
      }),
    )
  await done(calctl('apply - --format ndjson --yes', rows))
}

/** Rows that create, change, trash and delete records: ten for every tenth. */
export const mixedRows = (tenth: number): string =>
  repeated(tenth, number => record({ resource: 'tags', slug: `gone-${number}`, action: 'trash' })) +
  repeated(tenth, number => record({ resource: 'venues', venue: `Hall ${number}`, city: 'Girona' })) +
  repeated(5 * tenth, number => event(`New ${number}`, number, { venue: `Hall ${(number % tenth) + 1}` })) +
  repeated(2 * tenth, number => record({ resource: 'events', slug: `old-${number}`, description: `Now ${number}` })) +
  repeated(tenth, number => record({ resource: 'events', slug: `old-${2 * tenth + number}`, action: 'trash' }))

/** Rows that are created without being looked for. */
export const newRows = (count: number): string => repeated(count, number => event(`Fresh ${number}`, number))

/** A way to spoil a journal, with the sentence that tells a failed test which it was. */
export interface Damage {
  readonly what: string
  readonly text: Buffer
}

/** Damages of a text: cut, with a changed byte, with a line twice, without a line. `random` gives numbers below 1. */
export function* damages(text: string, count: number, random: () => number, first = 0): Generator<Damage> {
  const bytes = Buffer.from(text)
  const lines = text.split('\n').slice(0, -1)
  const at = (length: number) => Math.floor(random() * length)
  const joined = (changed: readonly string[]) => Buffer.from(changed.map(line => `${line}\n`).join(''))
  for (let round = first; round < first + count; round++) {
    const byte = at(bytes.length)
    const line = at(lines.length)
    const kind = round % 5
    if (kind < 2) yield { what: `cut at byte ${byte}`, text: bytes.subarray(0, byte) }
    else if (kind === 2) {
      const flipped = Buffer.from(bytes)
      flipped[byte] = (flipped[byte] ?? 0) ^ (1 << at(8))
      yield { what: `flipped byte ${byte}`, text: flipped }
    } else if (kind === 3) {
      const place = at(lines.length + 1)
      yield { what: `line ${line} again at ${place}`, text: joined(lines.toSpliced(place, 0, lines[line] ?? '')) }
    } else yield { what: `without line ${line}`, text: joined(lines.toSpliced(line, 1)) }
  }
}

/** Mulberry32: the same numbers in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
