import { closeSync, openSync, readSync } from 'node:fs'
import { ignoreErrors } from '../../base/attempt.ts'
import { badSettings } from '../../base/failure.ts'
import { streamedFileProblem } from '../../base/fs.ts'
import { reason } from '../../base/io-reasons.ts'
import { isLocked } from '../../base/lock/lock.ts'
import type { CheckedLine } from '../../base/sealed-lines.ts'
import { jsonProblem, parseJson } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Values } from '../../client/client.ts'
import type { Plan, Step } from '../plan/plan.ts'
import type { PublishedPlace } from '../plan/published-places.ts'
import { createSpool, type Spool } from '../plan/spool.ts'
import type { JournalHeader } from './journal-format.ts'
import { createLineChecker, type LinesSoFar, statedCount } from './journal-lines.ts'
import { type Attempt, type JournalResult, Replay } from './journal-replay.ts'
import { isEntry, parseHeader, parseStep } from './journal-shapes.ts'

/** A run as its journal has it. */
export interface JournaledRun {
  readonly run: string
  readonly file: string
  /** The complete lines. */
  readonly lines: LinesSoFar
  readonly header: JournalHeader
  readonly plan: Plan
  /** The names of the fields of a step that the journal does not keep, by key. */
  readonly omittedFields: ReadonlyMap<string, readonly string[]>
  /** By key; without steps that were refused after they were sent. */
  readonly attempts: ReadonlyMap<string, Attempt>
  /** By key. */
  readonly results: ReadonlyMap<string, JournalResult>
  /** What the site published along with events and did not get its status back, by `recordKey`. */
  readonly published: ReadonlyMap<string, PublishedPlace>
  /** The fields that a step wrote, and those that change along with them, as the answer showed them. */
  valuesAfter(key: string): Values
  /** How long the slowest answer took, in ms; undefined if there was none. */
  readonly slowestAnswer?: number
  /** When the last session began, in ms, and the boot of its machine; empty if that is not known. */
  readonly sessionStart: number
  readonly boot: string
  /** Whether the last session was completed. */
  readonly hasEnded: boolean
  /** Whether a process is executing it now. */
  readonly isRunning: boolean
  /** The first damaged line of the journal, if there is one. */
  readonly damagedLine?: number
  /** How many lines are missing at its end, as far as is known. */
  readonly lostLines: number
}

/**
 * Reads the journal of a run. An incomplete last line is ignored, and so are damaged lines. `createList` makes the lists for the steps and
 * for the values after them.
 */
export function readJournal(file: string, createList: <T>() => Spool<T> = createSpool): JournaledRun {
  const lines = wholeLines(file)
  try {
    return readRun(file, lines, createList)
  } finally {
    lines.return()
  }
}

/** The contents of a checked line; undefined for a damaged one. */
function contentOf({ json, seal }: CheckedLine, isSealed: boolean, file: string): unknown {
  // Earlier versions wrote no checksums; if others have one, the first line has lost its own.
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
    const own = parseStep(line)
    if (own) {
      steps.add(own.step)
      if (own.withheld) omittedFields.set(own.step.key, own.withheld)
    } else if (isEntry(line)) replay.add(line)
    else damagedLine ??= count
  }
  const { attempts, results, published, session, slowestAnswer } = replay
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
    published,
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

/** The header of a journal; undefined for another file, and for one that cannot be read, which the commands that show the run report. */
export const readHeader = (file: string): JournalHeader | undefined =>
  ignoreErrors(() => {
    const [first] = wholeLines(file, headerBlock)
    return first && headerIn(createLineChecker().check(first.text))
  })

const headerIn = ({ json, seal }: CheckedLine): JournalHeader | undefined =>
  seal === 'differs' ? undefined : parseHeader(jsonIn(json))

/** In bytes: a header is about 500 long, unless its plan has many notes. */
const headerBlock = 4096

/** Whether a journal has everything that was written to it. */
export const isWhole = ({ damagedLine, lostLines }: Pick<JournaledRun, 'damagedLine' | 'lostLines'>): boolean =>
  damagedLine === undefined && lostLines === 0

type PlanState = Pick<JournaledRun, 'header' | 'plan' | 'attempts' | 'damagedLine' | 'lostLines'>

/** Whether steps are missing and no line says that one was sent. */
const isPlanCut = ({ header, plan, attempts, damagedLine }: PlanState): boolean =>
  plan.steps.length < header.steps && attempts.size === 0 && damagedLine === undefined

/** Whether a run stopped while its plan was being written, before anything was sent. */
export const stoppedInPlan = (run: PlanState): boolean => isPlanCut(run) && run.lostLines === 0

/** Refuses a run whose journal was cut off in the plan. */
export function checkPlanWhole(run: JournaledRun): void {
  if (isPlanCut(run) && run.lostLines > 0) throw cutInPlan(run.file)
}

/** Refuses a run whose plan was not completely written, so that nothing was sent, or whose journal was cut off in the plan. */
export function checkPlanWritten(run: JournaledRun): void {
  if (stoppedInPlan(run)) throw cutOff(run.file)
  checkPlanWhole(run)
}

/** A notice about a damaged journal; undefined if all of it can be read. */
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
            { count: lostLines, file },
          ),
        ]),
  ]
  return damage.join('; ')
}

const newline = 0x0a

/** In bytes: the longest line contains an answer of a site, which is at most half as long. */
const longestLine = 128 * 1024 ** 2

type WholeLines = Generator<{ text: string; end: number }, void>

/** The complete lines of a file, with the byte offset of their ends. The file stays open until the last line is read, or until `return`. */
function* wholeLines(file: string, blockSize = 1 << 20): WholeLines {
  const fd = openJournal(file)
  try {
    /** The beginning of a line whose end has not been read yet. */
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
    throw badSettings(
      phrase('cannot read the journal {file}: {reason}', { file, reason: reason(error as Error, 'read') }),
      phrase('list the runs with: calctl runs list'),
    )
  }
}

function jsonIn(line: string): unknown {
  const value = ignoreErrors(() => parseJson(line))
  return jsonProblem(value) === undefined ? value : undefined
}

const cutOff = (file: string) =>
  badSettings(phrase('nothing was sent before this run stopped: {file}', { file }), phrase('run the command again'))

const unknownOutcome = (): string =>
  phrase('the outcome of the run is unknown: compare the calendar with your file, with: calctl diff FILE')

const cutInPlan = (file: string) =>
  badSettings(phrase('the journal {file} was cut off in its plan', { file }), unknownOutcome())

const damagedAtStart = (file: string) =>
  badSettings(phrase('{file} is not the journal of a run, or its first line is damaged', { file }), unknownOutcome())
