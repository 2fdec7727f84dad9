import { closeSync, openSync, readSync } from 'node:fs'
import { exitStatus, Failure } from '../../base/failure.ts'
import { reason, streamedFileProblem } from '../../base/fs.ts'
import { isLocked } from '../../base/lock/lock.ts'
import type { CheckedLine } from '../../base/sealed-lines.ts'
import { isObject, jsonProblem, parseJson } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Values } from '../../client/client.ts'
import { withCalendar } from '../../client/site-discovery.ts'
import type { Referrers } from '../plan/back-references.ts'
import type { Plan, Step } from '../plan/plan.ts'
import {
  count,
  listShape,
  momentShape,
  object,
  oneOfShape,
  optional,
  planShape,
  type ShapeCheck,
  shaped,
  step,
  textShape,
  trueShape,
} from '../plan/plan-shapes.ts'
import { createSpool, type Spool } from '../plan/spool.ts'
import type { JournalEntry, JournalHeader, JournalStep, StoredFailure } from './journal-format.ts'
import { createLineChecker, type LinesSoFar, statedCount } from './journal-lines.ts'
import { type Attempt, type JournalResult, Replay } from './journal-replay.ts'

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

/** What a line that was checked holds; undefined for one that is damaged. */
function contentOf({ json, seal }: CheckedLine, isSealed: boolean, file: string): unknown {
  // Earlier versions wrote no checksums: the first line must have lost its own.
  if (!isSealed && seal !== 'none') throw damagedAtStart(file)
  return isSealed && seal !== 'fits' ? undefined : jsonIn(json)
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
  const replay = new Replay(createList<Values>(), Date.parse(header.started))
  let length = first.value.end
  let damagedLine: number | undefined
  let count = 1
  for (const { text, end } of lines) {
    count += 1
    length = end
    const line = contentOf(checker.check(text), isSealed, file)
    if (isStep(line)) {
      steps.add(line.step)
      if (line.withheld) omittedFields.set(line.step.key, line.withheld)
    } else if (isEntry(line)) replay.add(line)
    else damagedLine ??= count
  }
  const { attempts, results, session, slowestAnswer } = replay
  const written = Math.max(statedCount(first.value.text) ?? 0, count)
  return {
    run: header.run,
    file,
    lines: { length, count: written, checksum: isSealed ? checker.checksum() : undefined },
    header,
    plan: { ...header.plan, steps, invalid: [] },
    omittedFields,
    attempts,
    results,
    valuesAfter: key => replay.valuesAfter(key),
    ...(slowestAnswer !== undefined && { slowestAnswer }),
    sessionStart: session.start,
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

/** Whether a run may have got no answer to a step, as far as its lines say without reading what is in them. */
export function hasUnansweredSteps(file: string): boolean {
  let last = ''
  for (const { text } of wholeLines(file)) {
    if (text.startsWith('{"unknown"')) return true
    last = text
  }
  return !last.startsWith('{"ended"')
}

const headerIn = ({ json, seal }: CheckedLine): JournalHeader | undefined =>
  seal === 'differs' ? undefined : parseHeader(jsonIn(json))

/** In bytes: a header is about 500 long, unless its plan has many notes. */
const headerBlock = 4096

/** Whether everything that was written to a journal is there. */
export const isWhole = ({ damagedLine, lostLines }: Pick<JournaledRun, 'damagedLine' | 'lostLines'>): boolean =>
  damagedLine === undefined && lostLines === 0

type PlanState = Pick<JournaledRun, 'header' | 'plan' | 'attempts' | 'damagedLine' | 'lostLines'>

/** Whether steps are missing and nothing says that any was sent. */
const isPlanCut = ({ header, plan, attempts, damagedLine }: PlanState): boolean =>
  plan.steps.length < header.steps && attempts.size === 0 && damagedLine === undefined

/** Whether a run stopped while its plan was being written, before anything was sent. */
export const stoppedInPlan = (run: PlanState): boolean => isPlanCut(run) && run.lostLines === 0

/** Refuses a run whose journal was cut off in the plan. */
export function checkPlanWhole(run: JournaledRun): void {
  if (isPlanCut(run) && run.lostLines > 0) throw cutInPlan(run.file)
}

/** Refuses a run whose plan was not written to the end, of which nothing was sent, or whose journal was cut off in the plan. */
export function checkPlanWritten(run: JournaledRun): void {
  if (stoppedInPlan(run)) throw cutOff(run.file)
  checkPlanWhole(run)
}

/** A notice for a damaged journal; undefined if all of it can be read. */
export function damageNotice(run: JournaledRun): string | undefined {
  const { file, damagedLine, lostLines } = run
  if (isWhole(run)) return undefined
  const damage = [
    ...(damagedLine === undefined
      ? []
      : [phrase('line {line} of the journal {file} is damaged and was ignored', { line: damagedLine, file })]),
    ...(lostLines === 0
      ? []
      : [
          phrase(
            'the last {count, plural, one {line of the journal {file} is} other {# lines of the journal {file} are}} missing',
            {
              count: lostLines,
              file,
            },
          ),
        ]),
  ]
  return damage.join('; ')
}

const newline = 0x0a

/** In bytes: no line holds more than an answer of a site, which has at most half of it. */
const longestLine = 128 * 1024 ** 2

type WholeLines = Generator<{ text: string; end: number }, void>

/** The whole lines of a file, with where each ends, in bytes. The file stays open until the last line is read, or until `return`. */
function* wholeLines(file: string, blockSize = 1 << 20): WholeLines {
  const fd = openJournal(file)
  try {
    /** The beginning of a line whose end was not read yet. */
    let begun: Buffer[] = []
    let end = 0
    for (let position = 0; position - end <= longestLine; ) {
      const bytes = Buffer.allocUnsafe(blockSize)
      const count = readSync(fd, bytes, 0, blockSize, position)
      if (count === 0) return
      let start = 0
      for (let stop = bytes.indexOf(newline); stop >= 0 && stop < count; stop = bytes.indexOf(newline, start)) {
        const text = Buffer.concat([...begun, bytes.subarray(start, stop)]).toString()
        begun = []
        start = stop + 1
        end = position + start
        yield { text, end }
      }
      begun.push(bytes.subarray(start, count))
      position += count
    }
  } finally {
    closeSync(fd)
  }
}

function openJournal(file: string): number {
  try {
    const problem = streamedFileProblem(file)
    if (problem !== undefined) throw new Error(problem)
    return openSync(file, 'r')
  } catch (error) {
    throw new Failure(
      'settings',
      phrase('cannot read the journal {file}: {reason}', { file, reason: reason(error as Error, 'read') }),
      {
        hint: phrase('list the runs with: calctl runs list'),
      },
    )
  }
}

function jsonIn(line: string): unknown {
  try {
    const value = parseJson(line)
    return jsonProblem(value) === undefined ? value : undefined
  } catch {
    return undefined
  }
}

const cutOff = (file: string) =>
  new Failure('settings', phrase('nothing was sent before this run stopped: {file}', { file }), {
    hint: phrase('run the command again'),
  })

const unknownOutcome = (): string =>
  phrase('the outcome of the run is unknown: compare the calendar with your file, with: calctl diff FILE')

const cutInPlan = (file: string) =>
  new Failure('settings', phrase('the journal {file} was cut off in its plan', { file }), { hint: unknownOutcome() })

const damagedAtStart = (file: string) =>
  new Failure('settings', phrase('{file} is not the journal of a run, or its first line is damaged', { file }), {
    hint: unknownOutcome(),
  })

/**
 * Whether the lines of a journal are what a version of calctl wrote: they have everything that a reader relies on, in the right form.
 * Journals of earlier versions have no checksums, and a line whose checksum fits may be another program's. In: a line as JSON. Out: a
 * header, a step or an entry; anything else is damage.
 */

const time: ShapeCheck = {
  expected: () => phrase('a time'),
  test: value => typeof value === 'number' && !Number.isNaN(new Date(value).getTime()),
}

const header = shaped<JournalHeader>({
  calctl: oneOfShape([1]),
  run: textShape,
  started: momentShape,
  plan: shaped(planShape),
  steps: count,
  to: textShape,
  command: optional(textShape),
  undoes: optional(textShape),
})

/** The header in the first line of a journal, whichever version wrote it; undefined for anything else. */
function parseHeader(line: unknown): JournalHeader | undefined {
  if (!isObject(line)) return undefined
  const read = { ...line, plan: withCalendar(line.plan) }
  return header.test(read) ? (read as unknown as JournalHeader) : undefined
}

const journalStep = shaped<JournalStep>({
  step,
  withheld: optional(listShape(textShape, () => phrase('a list of fields'))),
})

const isStep = (line: unknown): line is JournalStep => journalStep.test(line)

const failure = shaped<StoredFailure>({
  kind: oneOfShape(Object.keys(exitStatus)),
  message: textShape,
  hint: optional(textShape),
})

const ids = optional(listShape(count, () => phrase('a list of IDs')))

const referrers = shaped<Referrers>({ events: ids, categories: ids })

/** By the name that tells them apart. */
const entries: { readonly [Name in EntryName]: ShapeCheck } = {
  session: shaped<Entry<'session'>>({ session: textShape, at: time }),
  sent: shaped<Entry<'sent'>>({
    sent: textShape,
    at: time,
    up: optional(count),
    newest: optional(count),
    users: optional(referrers),
  }),
  takingBack: shaped<Entry<'takingBack'>>({ takingBack: textShape, id: count, at: time, left: object }),
  done: shaped<Entry<'done'>>({
    done: textShape,
    id: count,
    at: optional(time),
    doneByOthers: optional(trueShape),
    takenBack: optional(count),
    left: optional(object),
    failure: optional(failure),
  }),
  failed: shaped<Entry<'failed'>>({ failed: textShape, failure, left: optional(object) }),
  unknown: shaped<Entry<'unknown'>>({ unknown: textShape, failure, left: optional(object) }),
  ended: shaped<Entry<'ended'>>({ ended: time }),
}

type EntryName = 'session' | 'sent' | 'takingBack' | 'done' | 'failed' | 'unknown' | 'ended'

type Entry<Name extends EntryName> = Extract<JournalEntry, Readonly<Record<Name, unknown>>>

const isEntry = (line: unknown): line is JournalEntry =>
  isObject(line) && Object.entries(entries).some(([name, check]) => name in line && check.test(line))
