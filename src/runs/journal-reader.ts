import { closeSync, openSync, readSync } from 'node:fs'
import type { Values } from '../client/client.ts'
import { Failure } from '../failure.ts'
import { isLocked } from '../lock/lock.ts'
import type { Referrers } from '../plan/back-references.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { createSpool, type Spool } from '../plan/spool.ts'
import {
  isEntry,
  isStep,
  type JournalEntry,
  type JournalHeader,
  parseHeader,
  type StoredFailure,
} from './journal-format.ts'

/** The result of a step as its journal has it. */
interface JournalResult {
  readonly state: 'done' | 'failed' | 'unknown'
  readonly id?: number
  /** Whether the record was made by somebody else. */
  readonly isOthers?: true
  /** Whether a step that is not done has written a part of its fields. */
  readonly isPartDone?: true
  readonly failure?: StoredFailure
}

/** The first time a step was sent. */
export interface Attempt {
  /** In ms. */
  readonly at: number
  /** When it was sent for the last time, in ms. */
  readonly latest: number
  /** Of a create: the highest ID that the run had created by then. */
  readonly newest?: number
  /** Of a delete: the records that linked to the term. */
  readonly users?: Referrers
}

/** A run as its journal has it. */
export interface JournaledRun {
  readonly run: string
  readonly file: string
  /** Of the whole lines, in bytes. */
  readonly length: number
  readonly header: JournalHeader
  readonly plan: Plan
  /** The names of the fields of a step that the journal does not keep, by key. */
  readonly omittedFields: ReadonlyMap<string, readonly string[]>
  /** By key; steps that were sent and then refused are not among them. */
  readonly attempts: ReadonlyMap<string, Attempt>
  /** By key. */
  readonly results: ReadonlyMap<string, JournalResult>
  /** The fields that a step wrote, and those that change with them, as the answer showed them. */
  valuesAfter(key: string): Values
  /** How long the slowest step took to be answered, in ms; undefined if none was. */
  readonly slowestAnswer?: number
  /** When the last session began, in ms. */
  readonly sessionStart: number
  /** Whether the last session came to its end. */
  readonly hasEnded: boolean
  /** Whether a process is executing it now. */
  readonly isRunning: boolean
  /** The first line of the journal that cannot be read, if there is one. */
  readonly damagedLine?: number
}

/**
 * Reads the journal of a run. A last line that was cut off is ignored, and so are damaged lines before it. `createList` makes
 * the lists that hold the steps and the values after them.
 */
export function readJournal(file: string, createList: <T>() => Spool<T> = createSpool): JournaledRun {
  const lines = wholeLines(file)
  const first = lines.next()
  if (first.done) throw cutOff(file)
  const header = parseHeader(parseJson(first.value.text))
  if (!header) throw notJournal(file)
  const steps = createList<Step>()
  const omittedFields = new Map<string, readonly string[]>()
  const { replay, session, answers, ...replayed } = createReplay(createList<Values>())
  let length = first.value.end
  let damagedLine: number | undefined
  let number = 1
  for (const { text, end } of lines) {
    number += 1
    length = end
    const line = parseJson(text)
    if (isStep(line)) {
      steps.add(line.step)
      if (line.withheld) omittedFields.set(line.step.key, line.withheld)
    } else if (isEntry(line)) replay(line)
    else damagedLine ??= number
  }
  return {
    run: header.run,
    file,
    length,
    header,
    plan: { ...header.plan, steps, invalid: [] },
    omittedFields,
    ...replayed,
    ...(answers.slowest !== undefined && { slowestAnswer: answers.slowest }),
    sessionStart: session.start || Date.parse(header.started),
    hasEnded: session.hasEnded,
    isRunning: isLocked(file),
    ...(damagedLine !== undefined && { damagedLine }),
  }
}

/** The header of a journal; undefined for a file that is none, or cannot be read: the commands that show the run say so. */
export function readHeader(file: string): JournalHeader | undefined {
  try {
    const first = wholeLines(file, headerBlock).next()
    return first.done ? undefined : parseHeader(parseJson(first.value.text))
  } catch {
    return undefined
  }
}

/** In bytes: a header is about 500 long, unless its plan has many notes. */
const headerBlock = 4096

/** Refuses a run whose plan was not written to the end: nothing of it was sent. */
export function checkPlanWritten({ file, header, plan, attempts, damagedLine }: JournaledRun): void {
  if (damagedLine === undefined && plan.steps.length < header.steps && attempts.size === 0) throw cutOff(file)
}

/** A notice for a damaged journal; undefined if all of it can be read. */
export const damageNotice = ({ file, damagedLine }: JournaledRun): string | undefined =>
  damagedLine === undefined ? undefined : `line ${damagedLine} of the journal ${file} is damaged and was ignored`

/** Collects the entries of a journal, in their order. */
function createReplay(valuesList: Spool<Values>) {
  const attempts = new Map<string, Attempt>()
  const results = new Map<string, JournalResult>()
  const positions = new Map<string, number>()
  const session = { start: 0, hasEnded: false }
  const sentAt = new Map<string, number>()
  const answers: { slowest?: number } = {}
  const addValues = (key: string, values: Values | undefined) => {
    if (!values) return
    positions.set(key, valuesList.length)
    valuesList.add(values)
  }
  const replay = (entry: JournalEntry) => {
    if ('session' in entry) Object.assign(session, { start: entry.at, hasEnded: false })
    else if ('ended' in entry) session.hasEnded = true
    else if ('sent' in entry) {
      const { sent: key, ...attempt } = entry
      // Any of several attempts may have created the record that resume looks for, so the first one counts.
      attempts.set(key, { ...(attempts.get(key) ?? attempt), latest: entry.at })
      results.delete(key)
      sentAt.set(key, entry.at)
    } else if ('done' in entry) {
      const { done: key, left, at, ...result } = entry
      const sent = sentAt.get(key)
      sentAt.delete(key)
      if (sent !== undefined && at !== undefined) answers.slowest = Math.max(answers.slowest ?? 0, at - sent)
      results.set(key, { state: 'done', ...result })
      addValues(key, left)
    } else if ('failed' in entry) {
      const { failed: key, left, failure } = entry
      results.set(key, { state: 'failed', failure, ...(left && { isPartDone: true }) })
      attempts.delete(key)
      addValues(key, left)
    } else {
      const { unknown: key, left, failure } = entry
      results.set(key, { state: 'unknown', failure, ...(left && { isPartDone: true }) })
      addValues(key, left)
    }
  }
  const valuesAfter = (key: string): Values => valuesList.at(positions.get(key) ?? -1) ?? {}
  return { attempts, results, session, answers, valuesAfter, replay }
}

const newline = 0x0a

/** The whole lines of a file, with where each ends, in bytes. */
function* wholeLines(file: string, blockSize = 1 << 20): Generator<{ text: string; end: number }> {
  const fd = openJournal(file)
  try {
    let buffer = Buffer.alloc(0)
    let end = 0
    for (let position = 0; ; ) {
      const bytes = Buffer.allocUnsafe(blockSize)
      const count = readSync(fd, bytes, 0, blockSize, position)
      if (count === 0) return
      position += count
      buffer = Buffer.concat([buffer, bytes.subarray(0, count)])
      for (let stop = buffer.indexOf(newline); stop >= 0; stop = buffer.indexOf(newline)) {
        end += stop + 1
        yield { text: buffer.toString('utf8', 0, stop), end }
        buffer = buffer.subarray(stop + 1)
      }
    }
  } finally {
    closeSync(fd)
  }
}

function openJournal(file: string): number {
  try {
    return openSync(file, 'r')
  } catch (error) {
    throw new Failure('settings', `cannot read the journal ${file}: ${(error as Error).message}`, {
      hint: 'list the runs with: calctl runs list',
    })
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const cutOff = (file: string) =>
  new Failure('settings', `the journal ${file} has no steps that were sent`, { hint: 'run the command again' })

const notJournal = (file: string) =>
  new Failure('settings', `${file} is not the journal of a run`, { hint: 'list the runs with: calctl runs list' })
