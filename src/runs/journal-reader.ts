import { closeSync, openSync, readSync } from 'node:fs'
import type { Values } from '../client/client.ts'
import { Failure } from '../failure.ts'
import { isLocked } from '../lock/lock.ts'
import { parseOwnerName } from '../lock/owner.ts'
import type { Referrers } from '../plan/back-references.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { createSpool, type Spool } from '../plan/spool.ts'
import { counted } from '../text/words.ts'
import {
  isEntry,
  isStep,
  type JournalEntry,
  type JournalHeader,
  parseHeader,
  type StoredFailure,
} from './journal-format.ts'
import { type CheckedLine, createLineChecker, type LinesSoFar, statedCount } from './journal-lines.ts'

/** The result of a step as its journal has it. */
export interface JournalResult {
  readonly state: 'done' | 'failed' | 'unknown'
  readonly id?: number
  /** Whether the record was made by somebody else. */
  readonly isOthers?: true
  /** Whether a step that is not done has written a part of its fields. */
  readonly isPartDone?: true
  /** The ID of the record that the run created as well, and took back. */
  readonly takenBack?: number
  /** Whether the record was about to be taken back, which was not answered. */
  readonly isBeingTakenBack?: true
  readonly failure?: StoredFailure
}

/** The first time a step was sent. */
export interface Attempt {
  /** In ms. */
  readonly at: number
  /** When it was sent for the last time, in ms. */
  readonly latest: number
  /** How long the machine was up then, in ms. */
  readonly up?: number
  /** Of a create: the highest ID that the run had created by then. */
  readonly newest?: number
  /** Of a delete: the records that linked to the term. */
  readonly users?: Referrers
}

/** A run as its journal has it. */
export interface JournaledRun {
  readonly run: string
  readonly file: string
  /** The whole lines. */
  readonly lines: LinesSoFar
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
  /** When the last session began, in ms, and the boot of its machine; empty where that cannot be seen. */
  readonly sessionStart: number
  readonly boot: string
  /** Whether the last session came to its end. */
  readonly hasEnded: boolean
  /** Whether a process is executing it now. */
  readonly isRunning: boolean
  /** The first line of the journal that is not as it was written, if there is one. */
  readonly damagedLine?: number
  /** How many lines at its end are missing; 0 if none is known to be. */
  readonly lostLines: number
}

/**
 * Reads the journal of a run. A last line that was cut off is ignored, and so are damaged lines before it. `createList` makes
 * the lists that hold the steps and the values after them.
 */
export function readJournal(file: string, createList: <T>() => Spool<T> = createSpool): JournaledRun {
  const lines = wholeLines(file)
  try {
    return readRun(file, lines, createList)
  } finally {
    lines.return()
  }
}

function readRun(file: string, lines: WholeLines, createList: <T>() => Spool<T>): JournaledRun {
  const first = lines.next()
  if (first.done) throw damagedAtStart(file)
  const checker = createLineChecker()
  const firstLine = checker.check(first.value.text)
  const header = headerIn(firstLine)
  if (!header) throw damagedAtStart(file)
  const isSealed = firstLine.seal === 'fits'
  const steps = createList<Step>()
  const omittedFields = new Map<string, readonly string[]>()
  const { replay, session, answers, ...replayed } = createReplay(createList<Values>())
  let length = first.value.end
  let damagedLine: number | undefined
  let count = 1
  for (const { text, end } of lines) {
    count += 1
    length = end
    const { json, seal } = checker.check(text)
    // Earlier versions wrote no checksums: the first line must have lost its own.
    if (!isSealed && seal !== 'none') throw damagedAtStart(file)
    const line = isSealed && seal !== 'fits' ? undefined : parseJson(json)
    if (isStep(line)) {
      steps.add(line.step)
      if (line.withheld) omittedFields.set(line.step.key, line.withheld)
    } else if (isEntry(line)) replay(line)
    else damagedLine ??= count
  }
  const written = Math.max(statedCount(first.value.text) ?? 0, count)
  return {
    run: header.run,
    file,
    lines: { length, count: written, checksum: isSealed ? checker.checksum() : undefined },
    header,
    plan: { ...header.plan, steps, invalid: [] },
    omittedFields,
    ...replayed,
    ...(answers.slowest !== undefined && { slowestAnswer: answers.slowest }),
    sessionStart: session.start || Date.parse(header.started),
    boot: session.boot,
    hasEnded: session.hasEnded,
    isRunning: isLocked(file),
    ...(damagedLine !== undefined && { damagedLine }),
    lostLines: written - count,
  }
}

/** The header of a journal; undefined for a file that is none, or cannot be read: the commands that show the run say so. */
export function readHeader(file: string): JournalHeader | undefined {
  try {
    const [first] = wholeLines(file, headerBlock)
    return first && headerIn(createLineChecker().check(first.text))
  } catch {
    return undefined
  }
}

const headerIn = ({ json, seal }: CheckedLine): JournalHeader | undefined =>
  seal === 'differs' ? undefined : parseHeader(parseJson(json))

/** In bytes: a header is about 500 long, unless its plan has many notes. */
const headerBlock = 4096

/** Whether everything that was written to a journal is there. */
export const isWhole = ({ damagedLine, lostLines }: Pick<JournaledRun, 'damagedLine' | 'lostLines'>): boolean =>
  damagedLine === undefined && lostLines === 0

/** Refuses a run whose plan was not written to the end, of which nothing was sent, or whose journal was cut off in the plan. */
export function checkPlanWritten(run: JournaledRun): void {
  const { file, header, plan, attempts, lostLines, damagedLine } = run
  if (plan.steps.length >= header.steps || attempts.size > 0 || damagedLine !== undefined) return
  throw lostLines > 0 ? cutInPlan(file) : cutOff(file)
}

/** A notice for a damaged journal; undefined if all of it can be read. */
export function damageNotice(run: JournaledRun): string | undefined {
  const { file, damagedLine, lostLines } = run
  if (isWhole(run)) return undefined
  const damage = [
    ...(damagedLine === undefined ? [] : [`line ${damagedLine} of the journal ${file} is damaged and was ignored`]),
    ...(lostLines === 0 ? [] : [`the last ${counted(lostLines, 'line')} of the journal ${file} are missing`]),
  ]
  return damage.join('; ')
}

/** Collects the entries of a journal, in their order. */
function createReplay(valuesList: Spool<Values>) {
  const attempts = new Map<string, Attempt>()
  const results = new Map<string, JournalResult>()
  const positions = new Map<string, number>()
  const session = { start: 0, boot: '', hasEnded: false }
  const sentAt = new Map<string, number>()
  const answers: { slowest?: number } = {}
  const addValues = (key: string, values: Values | undefined) => {
    if (!values) return
    positions.set(key, valuesList.length)
    valuesList.add(values)
  }
  const replay = (entry: JournalEntry) => {
    if ('session' in entry) {
      const boot = parseOwnerName(entry.session)?.boot ?? ''
      Object.assign(session, { start: entry.at, boot, hasEnded: false })
    } else if ('ended' in entry) session.hasEnded = true
    else if ('sent' in entry) {
      const { sent: key, ...attempt } = entry
      // Any of several attempts may have created the record that resume looks for, so the first one counts.
      const { at, up } = attempt
      const { users } = attempt
      attempts.set(key, {
        ...(attempts.get(key) ?? attempt),
        latest: at,
        ...(up !== undefined && { up }),
        // Somebody may have put more into a term before its delete was sent again.
        ...(users && { users }),
      })
      results.delete(key)
      sentAt.set(key, entry.at)
    } else if ('takingBack' in entry) {
      const { takingBack: key, id, left } = entry
      results.set(key, { state: 'done', id, isBeingTakenBack: true })
      addValues(key, left)
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

type WholeLines = Generator<{ text: string; end: number }, void>

/** The whole lines of a file, with where each ends, in bytes. The file stays open until the last line is read, or until `return`. */
function* wholeLines(file: string, blockSize = 1 << 20): WholeLines {
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
  new Failure('settings', `nothing was sent before this run stopped: ${file}`, { hint: 'run the command again' })

const unknownOutcome = 'what the run did is not known: compare the calendar with your file, with: calctl diff FILE'

const cutInPlan = (file: string) =>
  new Failure('settings', `the journal ${file} was cut off in its plan`, { hint: unknownOutcome })

const damagedAtStart = (file: string) =>
  new Failure('settings', `${file} is not the journal of a run, or its first line is damaged`, { hint: unknownOutcome })
