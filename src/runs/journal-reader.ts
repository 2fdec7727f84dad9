import { closeSync, openSync, readSync } from 'node:fs'
import type { Values } from '../client/client.ts'
import { withCalendar } from '../client/origin.ts'
import { isObject } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { isClaimed } from '../lock/lock.ts'
import type { Referrers } from '../plan/back-references.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { createSpool, type Spool } from '../plan/spool.ts'
import type { Entry, Header, StepLine, Told } from './journal-writer.ts'

/** What a journal says became of a step. */
interface Past {
  readonly state: 'done' | 'failed' | 'unknown'
  readonly id?: number
  /** Whether the record was somebody else's. */
  readonly isOthers?: true
  readonly failure?: Told
}

/** When a step was sent first; for a create the highest ID made by then, for a delete those who lost the term. */
export interface Sent {
  readonly at: number
  readonly newest?: number
  readonly users?: Referrers
}

/** A run as its journal tells it. */
export interface PastRun {
  readonly run: string
  readonly file: string
  /** Of the whole lines, in bytes. */
  readonly length: number
  readonly header: Header
  readonly plan: Plan
  /** The fields that a step had and that the journal does not keep, by its key. */
  readonly withheld: ReadonlyMap<string, readonly string[]>
  readonly sent: ReadonlyMap<string, Sent>
  readonly past: ReadonlyMap<string, Past>
  /** The fields that a step asked for, and those that change with them, as it left them. */
  leftBy(key: string): Values
  /** When it was begun or gone on with last, in ms. */
  readonly begun: number
  /** Whether whoever carried it out last came to an end. */
  readonly ended: boolean
  /** Whether a process has it now. */
  readonly isGoingOn: boolean
  /** The first line of the journal that cannot be read, if there is one: what it said is not known. */
  readonly damagedAt?: number
}

/**
 * Reads the journal of a run. A last line that was cut off is left out, and so is one that is damaged further up. `list` makes
 * what its steps, and what they left, are kept in.
 */
export function readRun(file: string, list: <T>() => Spool<T> = createSpool): PastRun {
  const lines = linesOf(file)
  const first = lines.next()
  if (first.done) throw cutOff(file)
  const header = asHeader(parsed(first.value.text))
  if (!header) throw notOurs(file)
  const steps = list<Step>()
  const withheld = new Map<string, readonly string[]>()
  const { replay, ...told } = replaying(list<Values>())
  let length = first.value.end
  let damagedAt: number | undefined
  // The header is line 1.
  let number = 1
  for (const { text, end } of lines) {
    number += 1
    length = end
    const line = parsed(text)
    if (isStep(line)) {
      steps.add(line.step)
      if (line.withheld) withheld.set(line.step.key, line.withheld)
    } else if (isEntry(line)) replay(line)
    else damagedAt ??= number
  }
  const { begun, ended } = told.state
  return {
    run: header.run,
    file,
    length,
    header,
    plan: { ...header.plan, steps, invalid: [] },
    withheld,
    ...told,
    begun: begun || Date.parse(header.started),
    ended,
    isGoingOn: isClaimed(file),
    ...(damagedAt !== undefined && { damagedAt }),
  }
}

/** Refuses a plan that was never whole: nothing of it was sent. */
export function checkWhole({ file, header, plan, sent, damagedAt }: PastRun): void {
  if (damagedAt === undefined && plan.steps.length < header.steps && sent.size === 0) throw cutOff(file)
}

/** What is not known of a run whose journal is damaged; undefined where all is. */
export const damage = ({ file, damagedAt }: PastRun): string | undefined =>
  damagedAt === undefined ? undefined : `the journal ${file} is damaged at line ${damagedAt}: what it said is not known`

/** So many bytes are read at once. */
const block = 1 << 20

const newline = 0x0a

/** The whole lines of a file, with where each ends, in bytes. */
function* linesOf(file: string): Generator<{ text: string; end: number }> {
  const fd = opened(file)
  try {
    let rest = Buffer.alloc(0)
    let end = 0
    for (let position = 0; ; ) {
      const bytes = Buffer.allocUnsafe(block)
      const count = readSync(fd, bytes, 0, block, position)
      if (count === 0) return
      position += count
      rest = Buffer.concat([rest, bytes.subarray(0, count)])
      for (let stop = rest.indexOf(newline); stop >= 0; stop = rest.indexOf(newline)) {
        end += stop + 1
        yield { text: rest.toString('utf8', 0, stop), end }
        rest = rest.subarray(stop + 1)
      }
    }
  } finally {
    closeSync(fd)
  }
}

function opened(file: string): number {
  try {
    return openSync(file, 'r')
  } catch (error) {
    throw new Failure('settings', `cannot read the journal ${file}: ${(error as Error).message}`, {
      hint: 'see the journals there are with: calctl runs list',
    })
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The first line of a journal, whichever version wrote it; undefined for anything else. */
export function asHeader(value: unknown): Header | undefined {
  if (!isObject(value) || !('calctl' in value) || !('run' in value) || !isObject(value.plan)) return undefined
  return { ...value, plan: withCalendar(value.plan) } as unknown as Header
}

const isStep = (value: unknown): value is StepLine => isObject(value) && 'step' in value

const entries = ['session', 'sent', 'done', 'failed', 'unknown', 'ended']

const isEntry = (value: unknown): value is Entry => isObject(value) && entries.some(name => name in value)

const cutOff = (file: string) =>
  new Failure('settings', `the journal ${file} was cut off before anything was sent`, { hint: 'run the command anew' })

const notOurs = (file: string) =>
  new Failure('settings', `${file} is not the journal of a run`, { hint: 'see those there are with: calctl runs list' })

/** Takes the entries of a journal one after another, and tells what they come to. */
function replaying(lefts: Spool<Values>) {
  const sent = new Map<string, Sent>()
  const past = new Map<string, Past>()
  const places = new Map<string, number>()
  const state = { begun: 0, ended: false }
  const replay = (entry: Entry) => {
    if ('session' in entry) Object.assign(state, { begun: entry.at, ended: false })
    else if ('ended' in entry) state.ended = true
    else if ('sent' in entry) {
      const { sent: key, ...when } = entry
      // The first time counts: what is looked for may have been made by any of them.
      if (!sent.has(key)) sent.set(key, when)
      past.delete(key)
    } else if ('done' in entry) {
      const { done: key, left, ...rest } = entry
      past.set(key, { state: 'done', ...rest })
      if (!left) return
      places.set(key, lefts.length)
      lefts.add(left)
    } else if ('failed' in entry) {
      past.set(entry.failed, { state: 'failed', failure: entry.failure })
      sent.delete(entry.failed)
    } else past.set(entry.unknown, { state: 'unknown', failure: entry.failure })
  }
  const leftBy = (key: string): Values => lefts.at(places.get(key) ?? -1) ?? {}
  return { sent, past, state, leftBy, replay }
}
