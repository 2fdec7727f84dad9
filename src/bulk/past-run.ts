import { readFileSync } from 'node:fs'
import type { Values } from '../client/client.ts'
import { isObject } from '../contract/object.ts'
import { Failure } from '../failure.ts'
import { isAlive, ownerNamed } from '../service/store/owner.ts'
import type { Entry, Header, Told } from './journal.ts'
import type { Plan, Step } from './plan.ts'
import type { Users } from './users.ts'

/** What a journal says became of a step. */
interface Past {
  readonly state: 'done' | 'failed' | 'unknown'
  readonly id?: number
  /** The fields of an update as it left them. */
  readonly left?: Values
  readonly failure?: Told
}

/** When a step was sent first; for a create the highest ID made by then, for a delete those who lost the term. */
export interface Sent {
  readonly at: number
  readonly newest?: number
  readonly users?: Users
}

/** A run as its journal tells it. */
export interface PastRun {
  readonly run: string
  readonly file: string
  /** Of the whole lines, in bytes. */
  readonly length: number
  readonly header: Header
  readonly plan: Plan
  readonly sent: ReadonlyMap<string, Sent>
  readonly past: ReadonlyMap<string, Past>
  /** When it was begun or gone on with last, in ms. */
  readonly begun: number
  /** Whether whoever carried it out last came to an end. */
  readonly ended: boolean
  /** Whether somebody is carrying it out now. */
  readonly isGoingOn: boolean
  /** Where the journal is damaged, if it is: what comes after this line was not read. */
  readonly damagedAt?: number
}

/** Reads the journal of a run. A last line that was cut off is left out; one that is damaged further up ends the reading. */
export function readRun(file: string): PastRun {
  const text = read(file)
  const length = text.lastIndexOf('\n') + 1
  const lines = text.slice(0, length).split('\n').slice(0, -1)
  const [first, ...others] = lines.map(parsed)
  if (!isHeader(first)) throw notOurs(file)
  const { steps, entries, damagedAt } = divided(first, others)
  const { sent, past, session, begun, ended } = replayed(entries)
  const owner = session === undefined ? undefined : ownerNamed(session)
  return {
    run: first.run,
    file,
    length: Buffer.byteLength(text.slice(0, length)),
    header: first,
    plan: { ...first.plan, steps, invalid: [] },
    sent,
    past,
    begun,
    ended,
    isGoingOn: !ended && owner !== undefined && owner.pid !== process.pid && isAlive(owner) === true,
    ...(damagedAt !== undefined && { damagedAt }),
  }
}

/** Refuses what cannot be gone on with: a plan that was never whole, and a journal with a hole in it. */
export function checkWhole({ file, header, plan, sent, damagedAt }: PastRun): void {
  if (damagedAt !== undefined)
    throw new Failure('settings', `the journal ${file} is damaged at line ${damagedAt}`, {
      hint: 'what stands before that line is in: calctl runs show; run the command anew, it leaves alone what is done',
    })
  if (plan.steps.length < header.steps && sent.size === 0)
    throw new Failure('settings', `the journal ${file} was cut off before anything was sent`, {
      hint: 'run the command anew',
    })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure('settings', `cannot read the journal ${file}: ${(error as Error).message}`)
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const isHeader = (value: unknown): value is Header =>
  isObject(value) && 'calctl' in value && 'run' in value && 'plan' in value

const notOurs = (file: string) =>
  new Failure('settings', `${file} is not the journal of a run`, { hint: 'see those there are with: calctl runs list' })

/** The steps come first, as many as the header says. */
function divided(header: Header, lines: readonly unknown[]) {
  const firstBad = lines.findIndex((line, index) => !isObject(line) || index < header.steps !== 'step' in line)
  const good = (firstBad < 0 ? lines : lines.slice(0, firstBad)) as ({ step: Step } | Entry)[]
  return {
    steps: good.flatMap(line => ('step' in line ? [line.step] : [])),
    entries: good.filter((line): line is Entry => !('step' in line)),
    // The header is line 1.
    damagedAt: firstBad < 0 ? undefined : firstBad + 2,
  }
}

function replayed(entries: readonly Entry[]) {
  const sent = new Map<string, Sent>()
  const past = new Map<string, Past>()
  let session: string | undefined
  let begun = 0
  let ended = false
  for (const entry of entries) {
    if ('session' in entry) {
      session = entry.session
      begun = entry.at
      ended = false
    } else if ('ended' in entry) ended = true
    else if ('sent' in entry) {
      const { sent: key, ...when } = entry
      // The first time counts: what is looked for may have been made by any of them.
      if (!sent.has(key)) sent.set(key, when)
      past.delete(key)
    } else if ('done' in entry) {
      const { done: key, ...rest } = entry
      past.set(key, { state: 'done', ...rest })
    } else if ('failed' in entry) {
      past.set(entry.failed, { state: 'failed', failure: entry.failure })
      sent.delete(entry.failed)
    } else past.set(entry.unknown, { state: 'unknown', failure: entry.failure })
  }
  return { sent, past, session, begun, ended }
}
