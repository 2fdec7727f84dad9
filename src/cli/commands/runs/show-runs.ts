import { attempt } from '../../../base/attempt.ts'
import { Failure, missing, usage, wrongValue } from '../../../base/failure.ts'
import { listOf, listOfFirst } from '../../../base/text/sentence-parts.ts'
import { readDuration } from '../../../base/time/durations.ts'
import { wallAt } from '../../../base/time/zone.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { type Wording, wordingOf } from '../../../changes/plan/describe.ts'
import type { Action, Plan, Step } from '../../../changes/plan/plan.ts'
import { createCounter } from '../../../changes/plan/spool.ts'
import { countActions, describeStep, planSummary } from '../../../changes/plan/step-lines.ts'
import { effectOf, isRemoval } from '../../../changes/plan/steps.ts'
import { findRun, shortList } from '../../../changes/run/find-run.ts'
import { damageNotice, isWhole, type JournaledRun, readJournal } from '../../../changes/run/journal-reader.ts'
import type { JournalResult } from '../../../changes/run/journal-replay.ts'
import { findOldRuns, removeRuns } from '../../../changes/run/old-runs.ts'
import { listRuns, type RunFile } from '../../../changes/run/runs-folder.ts'
import {
  countDone,
  hasStepsLeft,
  isUncompared,
  type RelatedRun,
  readRelatedRuns,
} from '../../../changes/run/undo-relations.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { hiddenSecret, type ResourceName } from '../../../contract/field.ts'
import { fieldLabel, namedRecord, recordCount } from '../../../contract/resource-words.ts'
import { slugKey } from '../../../contract/slug.ts'
import { shortDate } from '../../../files/print/record-names.ts'
import type { App } from '../../app.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { spokenName } from '../../terminal/spoken-name.ts'
import { wrapSentences } from '../../terminal/wrapped-sentences.ts'
import { confirm } from '../shared/confirmation.ts'
import { isShownAsTable } from '../shared/output-forms.ts'
import { historyShape, runListShape } from '../shared/output-shapes.ts'
import { printRun, type StepState } from '../shared/plan-output.ts'

/** Prints a line for each run, up to a limit. */
export async function showRuns(app: App, limit?: number): Promise<void> {
  const folder = runsFolder(app.world)
  const undone = new Map(Array.from(readRelatedRuns(folder), ({ run, undoneBy }) => [run, undoneBy]))
  const runs = await withinLimit(app, listRuns(folder), limit)
  const rows = runs.map(run => rowOf(app, run, undone.get(run.run)))
  await app.print(runListShape, rows)
  if (rows.length === 0 && isForPeople(app)) await app.notice(phrase('no runs yet'))
}

/** The row for a run. One with an unreadable journal is listed, too; `runs show` gives the reason. */
function rowOf(app: App, { run, file }: RunFile, undoneBy: RelatedRun['undoneBy'] = []): Record<string, unknown> {
  const journal = attempt(() => readJournal(file, createCounter))
  return journal instanceof Failure ? { run, state: 'unreadable' } : runRow(app, journal, undoneBy)
}

function runRow(app: App, run: JournaledRun, undoneBy: RelatedRun['undoneBy']): Record<string, unknown> {
  const { header, plan } = run
  const counts = { done: 0, failed: 0, unknown: 0 }
  for (const { state } of run.results.values()) counts[state] += 1
  const left = header.steps - countDone(run)
  return {
    run: run.run,
    command: commandOf(run) ?? null,
    started: isForPeople(app) ? startColumn(app, run) : header.started,
    state: runState(run, undoneBy),
    steps: header.steps,
    ...counts,
    left,
    calendar: plan.calendar,
    ...(header.undoes && { undoes: header.undoes }),
  }
}

/** Prints the steps of a run with their results. */
export async function showRun(app: App, name?: string): Promise<void> {
  const folder = runsFolder(app.world)
  const run = readJournal(findRun(folder, name).file)
  const undoneBy = [...readRelatedRuns(folder)].find(other => other.run === run.run)?.undoneBy ?? []
  const { output, globals } = app
  const warning = damageNotice(run)
  if (warning) await app.notice(warning)
  if (!globals.fields && (output === 'json' || output === 'yaml'))
    return app.printValue({ ...runRow(app, run, undoneBy), planned: countActions(run.plan), results: resultsOf(run) })
  if (output) {
    const steps = run.omittedFields.size > 0 ? Array.from(run.plan.steps, step => withOmitted(run, step)) : undefined
    return printRun(app, { ...run.plan, ...(steps && { steps }) }, step => stepState(run, step))
  }
  const wording = wordingOf(run.plan)
  for (const step of run.plan.steps) {
    const { state, error } = stepState(run, step)
    const { stdout } = app.world
    const line = `${stdout.isTTY ? `${spokenName(state)}  ` : `${state}\t`}${stepText(run, step, wording)}${error ? `: ${error.message}` : ''}`
    await stdout.write(`${await wrapSentences(line, stdout)}\n`)
  }
  await app.notice(`${describeRun(app, run)}: ${planSummary(run.plan)}; ${spokenName(runState(run, undoneBy))}`)
}

function stepState({ results, attempts }: JournaledRun, { key, id }: Step): StepState {
  const { state = attempts.has(key) ? 'sent' : 'left', id: written = id, failure } = results.get(key) ?? {}
  return { state, id: written, error: failure }
}

const resultsOf = (run: JournaledRun): object[] =>
  Array.from(run.plan.steps, step => {
    const { key, action, resource } = step
    const { state, id = null, error = null } = stepState(run, step)
    const { takenBack } = run.results.get(key) ?? {}
    return { key, action, resource, id, state, ...(takenBack !== undefined && { takenBack }), error }
  })

/** A run for people: `k3f (events update, Sat 21 Nov 19:15, 41 steps)`. */
export function describeRun(app: App, journal: JournaledRun): string {
  const { run, header } = journal
  const steps = phrase('{count, plural, one {# step} other {# steps}}', { count: header.steps })
  return `${run} (${[commandOf(journal), shownStart(app, journal), steps].filter(part => part).join(', ')})`
}

type Started = Pick<JournaledRun, 'header'>

/** When a run started, by the clock of this machine: `2026-11-21 19:15` */
const startOf = ({ world }: App, { header }: Started): string =>
  wallAt(Date.parse(header.started), world.timeZone()).slice(0, 16)

/** `Sat 21 Nov 19:15` */
const shownStart = (app: App, journal: Started): string =>
  shortDate(startOf(app, journal), String(app.world.now().getFullYear()))

/** When a run started, for a column; columns in a pipe are for programs. */
const startColumn = (app: App, journal: Started): string =>
  isShownAsTable(app) ? shownStart(app, journal) : startOf(app, journal)

/** The command that started a run; for an undo, with the run that it undid. */
const commandOf = ({ header: { command, undoes } }: JournaledRun): string | undefined =>
  command && undoes ? `${command} ${undoes}` : command

/** The state of a run, in one word that is the same everywhere. `undoneBy` are the runs that undid it. */
export function runState(journal: JournaledRun, undoneBy: RelatedRun['undoneBy'] = []): string {
  if (journal.isRunning) return 'running'
  if (!isWhole(journal)) return 'damaged'
  if (undoneBy.length > 0) return 'undone'
  if (hasStepsLeft(journal) || isUncompared(journal)) return 'unfinished'
  return countDone(journal) < journal.header.steps ? 'incomplete' : 'done'
}

/** What a run did, with its files: its only step, or the number of steps of each kind. */
export function runSummary(journal: JournaledRun): string {
  const { plan, header } = journal
  const [step] = plan.steps
  if (header.steps === 0) return phrase('nothing was left to do')
  const what = step && plan.steps.length === 1 ? stepText(journal, step) : changesText(plan)
  return plan.files === undefined ? what : `${listOf(plan.files)}: ${what}`
}

function pastTense(action: Action, records: string): string {
  if (action === 'create') return phrase('{records} created', { records })
  if (action === 'update') return phrase('{records} updated', { records })
  if (action === 'trash') return phrase('{records} trashed', { records })
  return action === 'delete' ? phrase('{records} deleted', { records }) : phrase('{records} restored', { records })
}

/** How many changed fields are named. */
const mostFields = 3

/** `35 events created, 2 venues created, 4 events updated (cost, venue)` */
function changesText({ steps }: Pick<Plan, 'steps'>): string {
  const groups = new Map<string, { readonly step: Step; count: number; readonly fields: Set<string> }>()
  for (const step of steps) {
    const key = `${step.resource} ${effectOf(step)}`
    const group = groups.get(key) ?? { step, count: 0, fields: new Set<string>() }
    group.count += 1
    if (effectOf(step) === 'update') for (const name of Object.keys(step.values)) group.fields.add(name)
    groups.set(key, group)
  }
  return Array.from(groups.values(), ({ step, count, fields }) => {
    const records = recordCount(count, step.resource)
    return fields.size > 0
      ? phrase('{records} updated ({fields})', {
          records,
          fields: listOfFirst(labelsOf(step.resource, fields), mostFields),
        })
      : pastTense(effectOf(step), records)
  }).join(', ')
}

const labelsOf = (resource: ResourceName, names: Iterable<string>): string[] =>
  Array.from(names, name => fieldLabel(name, resourceNamed(resource).fields[name]))

/** `~ "Concert", Sat 5 Dec 19:00 (12): title "Concert" → "Recital"`; a created record has its ID. */
export function stepText(journal: JournaledRun, step: Step, wording: Wording = wordingOf(journal.plan)): string {
  const result = journal.results.get(step.key)
  const text = describeStep(withOmitted(journal, step), wording, step.id ?? result?.id)
  return [text, ...remarksOn(step, result)].join('; ')
}

/** What a run did to a record that somebody else created or removed as well. */
function remarksOn(step: Step, { doneByOthers, takenBack, isBeingTakenBack, id }: Partial<JournalResult> = {}) {
  if (isBeingTakenBack)
    return [phrase('{id} had to be removed, because someone else created one first', { id: String(id) })]
  if (takenBack !== undefined)
    return [phrase('someone else created it first; {id}, created by this run, was removed', { id: takenBack })]
  if (doneByOthers)
    return [isRemoval(step) ? phrase('someone else removed it first') : phrase('someone else created it first')]
  return []
}

/** A step with marks in place of passwords, which the journal does not keep. */
function withOmitted({ omittedFields }: JournaledRun, step: Step): Step {
  const { fields } = resourceNamed(step.resource)
  const names = (omittedFields.get(step.key) ?? []).filter(name => fields[name]?.secret)
  if (names.length === 0) return step
  return { ...step, values: { ...step.values, ...Object.fromEntries(names.map(name => [name, hiddenSecret])) } }
}

/** The number of lines on a terminal without --limit. */
const linesOnTerminal = 50

/** The first lines of a list, with a notice of how many there are. */
export async function withinLimit<T>(app: App, all: readonly T[], limit: number | undefined): Promise<readonly T[]> {
  const { output, world } = app
  const most = limit ?? (output === undefined && world.stdout.isTTY ? linesOnTerminal : all.length)
  if (all.length > most)
    await app.notice(phrase('showing {most} of {count}; for all add: --limit {count}', { most, count: all.length }))
  return all.slice(0, most)
}

/** Whether the output is for people, not for a program. */
export const isForPeople = ({ output }: App): boolean => output === undefined || output === 'table'

/** Removes the journals of runs that ended longer ago than, for example, `90d`; those with steps left only if asked to. */
export async function pruneJournals(app: App, options: { olderThan: string; unfinished?: true }): Promise<void> {
  const { olderThan } = options
  const before = app.world.now().getTime() - ageOf(olderThan)
  const { finished, unfinished } = findOldRuns(runsFolder(app.world), before)
  const toRemove = options.unfinished ? [...finished, ...unfinished] : finished
  if (unfinished.length > 0 && !options.unfinished)
    await app.notice(
      phrase('kept {runs}: not finished; to remove {count, plural, one {it} other {them}} too, add --unfinished', {
        runs: shortList(unfinished, 10),
        count: unfinished.length,
      }),
    )
  if (toRemove.length === 0)
    return app.notice(phrase('no journals of finished runs older than {olderThan}', { olderThan }))
  if (!app.globals.yes)
    await confirm(app, {
      question: phrase(
        'Remove {count, plural, one {# journal} other {# journals}}: {runs}? Their runs can no longer be undone.',
        { count: toRemove.length, runs: shortList(toRemove, 10) },
      ),
      declined: phrase('nothing was removed'),
    })
  removeRuns(toRemove)
  await app.notice(phrase('removed {names}', { names: shortList(toRemove, 10) }))
}

/** In ms. A bare number is in days, like the default. */
function ageOf(text: string): number {
  const age = readDuration(/^\d+$/.test(text.trim()) ? `${text.trim()}d` : text)
  if (age === undefined) throw wrongValue('--older-than', phrase('a duration'), text, '90d')
  return age
}

/** A record whose history is shown. An ID without a resource may belong to an event or to a tag. */
export interface HistoryOf {
  readonly resource?: ResourceName | undefined
  /** An ID or a slug. */
  readonly ref: string
}

/** Prints what calctl wrote to this calendar, the latest first: a line for each run, or for each write to one record. */
export async function showHistory(app: App, limit?: number, of?: HistoryOf): Promise<void> {
  const { calendar } = await app.client({ mayBeNew: true })
  const all = [...readRelatedRuns(runsFolder(app.world))]
  const own = all.filter(({ header }) => header.plan.calendar.id === calendar.id)
  const others = all.length - own.length
  const runs = (of ? own : await withinLimit(app, own, limit)).map(run => ({ run, journal: readJournal(run.file) }))
  const lines = of ? await withinLimit(app, recordLines(runs, of), limit) : runs.map(runLine)
  if (of && lines.length === 0) throw nothingWritten(of, all)
  await app.print(
    historyShape,
    lines.map(({ run, journal, ...line }) => ({
      run: run.run,
      started: isForPeople(app) ? startColumn(app, run) : run.header.started,
      command: run.header.command ?? null,
      ...line,
      state: line.state,
    })),
  )
  if (!of && runs.length === 0 && isForPeople(app)) await app.notice(phrase('nothing was written to this calendar yet'))
  if (!of && others > 0)
    await app.notice(
      phrase('{count, plural, one {# run} other {# runs}} of other calendars: see calctl runs list', { count: others }),
    )
}

interface HistoryLine {
  readonly run: RelatedRun
  readonly journal: JournaledRun
  readonly state: string
  readonly what: string
}

const runLine = ({ run, journal }: Pick<HistoryLine, 'run' | 'journal'>): HistoryLine => ({
  run,
  journal,
  state: runState(journal, run.undoneBy),
  what: runSummary(journal),
})

/** The writes to a record. Its slug may have changed, so a slug is looked up first. */
function recordLines(runs: readonly Pick<HistoryLine, 'run' | 'journal'>[], of: HistoryOf): HistoryLine[] {
  const isId = /^\d+$/.test(of.ref)
  const writes = runs.flatMap(({ run, journal }) =>
    [...journal.plan.steps]
      .toReversed()
      .filter(({ resource }) => !of.resource || resource === of.resource)
      .map(step => historyWrite(run, journal, step)),
  )
  const named = writes.filter(({ ids, names }) => (isId ? ids : names).includes(of.ref))
  const keys = new Set(named.flatMap(({ records }) => records))
  return writes
    .filter(({ records }) => records.some(key => keys.has(key)))
    .map(({ run, journal, state, step }) => ({ run, journal, state, what: stepText(journal, step) }))
}

/** A write, with what names its record; `records` tell apart the records of all writes. */
function historyWrite(run: RelatedRun, journal: JournaledRun, step: Step) {
  const { id = step.id, state = 'not sent', takenBack } = journal.results.get(step.key) ?? {}
  const ids = [id, takenBack].filter(one => one !== undefined).map(String)
  const isUndone = state === 'done' && run.undoneBy.length > 0
  const { title } = resourceNamed(step.resource)
  return {
    run,
    journal,
    step,
    state: isUndone ? 'undone' : state,
    ids,
    names: [step.before, step.values, journal.valuesAfter(step.key)].flatMap(one => [slugKey(one?.slug), one?.[title]]),
    // A create that was not sent has no ID.
    records: ids.length > 0 ? ids.map(one => `${step.resource} ${one}`) : [`${run.run} ${step.key}`],
  }
}

function nothingWritten({ resource, ref }: HistoryOf, runs: readonly RelatedRun[]): Failure {
  if (!resource && runs.some(({ run }) => run === ref))
    return usage(
      phrase('{run} is a run, not a record', { run: ref }),
      phrase('use: {command}', { command: `calctl runs show ${ref}` }),
    )
  return missing(
    phrase('calctl wrote nothing to {record} in this calendar', {
      record: resource ? namedRecord(resource, ref) : ref,
    }),
    phrase('see its writes with: calctl history; journals of finished runs are kept for 90 days'),
  )
}
