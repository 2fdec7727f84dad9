import { statSync } from 'node:fs'
import { attempt } from '../../../base/attempt.ts'
import { declined, excluding, Failure, missing } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { PlanOptions } from '../../../changes/carry-out/front.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { type JournaledRun, readHeader, readJournal } from '../../../changes/run/journal-reader.ts'
import { listRuns, lockRun, type RunFile, runInProgress } from '../../../changes/run/runs-folder.ts'
import { readRelatedRuns } from '../../../changes/run/undo-relations.ts'
import { type Direction, isUndo, latestRuns, notUndone, runsToUndo } from '../../../changes/undo/latest-runs.ts'
import type { Client } from '../../../client/client.ts'
import type { App } from '../../app.ts'
import { lastApiWrite } from '../../profiles/site-notes.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { applyPlan } from '../shared/apply-plan.ts'
import { confirm } from '../shared/confirmation.ts'
import { checkRunCalendar, noticeDamage, resumeClock, untilInterrupted } from './resume-run.ts'
import { describeRun } from './show-runs.ts'

export interface UndoOptions extends PlanOptions {
  /** The number of latest runs to take. */
  readonly last?: number
  /** The password to set again on events that have lost theirs. */
  readonly postPassword?: string
}

/** Undoes or redoes runs, by default the latest one of the calendar; several runs one after another, the latest first. */
export async function undoRuns(app: App, direction: Direction, names: readonly string[], typed: UndoOptions) {
  const { last, ...options } = typed
  if (last !== undefined && names.length > 0) throw excluding('--last', phrase('names of runs'))
  const folder = runsFolder(app.world)
  const { calendar } = await app.client({ toPlan: true })
  const runs =
    names.length > 0
      ? await namedRuns(app, folder, direction, names)
      : latestRuns(folder, { calendarId: calendar.id, direction, count: last ?? 1 })
  const [run] = runs
  const isLatest = names.length === 0
  if (run && isLatest && last === undefined && !options.dryRun) {
    checkRecent(app, direction, run)
    await checkNothingSince(app, direction, run, calendar.id)
  }
  if (runs.length === 1 && run) return undoRun(app, run, options, { direction, isLatest })
  for (const { file } of runs) await runClient(app, readJournal(file))
  if (!options.dryRun && !app.globals.yes) await confirmAll(app, direction, runs, calendar.label)
  await undoInTurn(app, direction, runs, options)
}

async function undoInTurn(app: App, direction: Direction, runs: readonly RunFile[], options: UndoOptions) {
  // Each plan is made after the later runs are undone: before that, their changes would look like somebody else's and be kept.
  for (const [index, run] of runs.entries())
    try {
      await undoRun(app, run, options, { direction, isConfirmed: true })
    } catch (error) {
      throw error instanceof Failure ? withOthers(error, direction, runs.slice(index + 1)) : error
    }
}

/** How long ago a run may have ended so that `--yes` takes it back without its name, in ms. */
const recent = 600_000

/** Refuses an older run: if the last command sent nothing, an older run is the latest one, but is not what the user wants to undo. */
function checkRecent(app: App, direction: Direction, { file, run }: RunFile): void {
  const { started = '', to = '' } = readHeader(file) ?? {}
  const ended = Math.max(Date.parse(started), statSync(file).mtimeMs)
  if (!app.globals.yes || !(app.world.now().getTime() - ended > recent)) return
  throw declined(
    phrase('the latest run is older than ten minutes: {run}', { run: describeRun(app, readJournal(file)) }),
    phrase('if this is the run that you mean, name it: calctl {direction} {run}{to} --yes', { direction, run, to }),
  )
}

/** Asks first if `calctl api` has sent a write since: that write is in no run, but may be what the user wants to undo. */
async function checkNothingSince(app: App, direction: Direction, latest: RunFile, calendar: string): Promise<void> {
  const { file, run, order } = latest
  const write = lastApiWrite(app.world, calendar)
  if (!write || order > write.after) return
  const described = describeRun(app, readJournal(file))
  const { request } = write
  const said = phrase('calctl {direction} cannot take back the last write, {request} with calctl api', {
    direction,
    request,
  })
  const failure = declined(
    phrase('{sentence}; the run before it is {run}', { sentence: said, run: described }),
    phrase('if this is the run that you mean, name it: calctl {direction} {run}{to}', {
      direction,
      run,
      to: readHeader(file)?.to ?? '',
    }),
  )
  if (app.globals.yes || !app.canAsk) throw failure
  await app.notice(said)
  await confirm(app, {
    question: phrase('Go on with run {run}, from before it?', { run: described }),
    declined: phrase('nothing was changed'),
  })
}

/** The failure of one of several undos, which stops the others: its hint says how to continue with them. */
function withOthers({ kind, message, details }: Failure, direction: Direction, others: readonly RunFile[]): Failure {
  const [first] = others
  if (!first) return new Failure(kind, message, details)
  const command = `calctl ${direction} ${others.map(({ run }) => run).join(' ')}${readHeader(first.file)?.to ?? ''}`
  const next = phrase('then {direction, select, redo {redo} other {undo}} the others with: {command}', {
    direction,
    command,
  })
  return new Failure(kind, message, { ...details, hint: [details.hint, next].filter(part => part).join('; ') })
}

/**
 * The named runs, the latest first, because an earlier run is in effect only after the later ones are undone. If an earlier redo stopped
 * before its end, those that are already in effect are left out.
 */
async function namedRuns(app: App, folder: string, direction: Direction, names: readonly string[]): Promise<RunFile[]> {
  const found = names.map(name => ({ name, runs: runsToUndo(folder, name, direction) }))
  const runs = found.flatMap(({ runs = [] }) => runs)
  for (const { name, runs: own } of found) {
    if (own) continue
    const failure = notUndone(folder, name)
    if (runs.length === 0) throw failure
    await app.notice(failure.message)
  }
  const unique = new Map(runs.map(run => [run.run, run]))
  return [...unique.values()].toSorted((one, other) => (one.order < other.order ? 1 : -1))
}

async function confirmAll(app: App, direction: Direction, runs: readonly RunFile[], label: string): Promise<void> {
  for (const { file } of runs) await app.notice(describeRun(app, readJournal(file)))
  await confirm(app, {
    question: phrase(
      '{direction, select, redo {Redo} other {Undo}} these {count} runs at {calendar}, the latest first?',
      { direction, count: runs.length, calendar: label },
    ),
    declined: phrase('nothing was changed'),
    hint: phrase('add --yes, or review the plans with --dry-run'),
  })
}

/** The client for a run, in its language. Throws `conflict` for a run of another calendar. */
async function runClient(app: App, journal: JournaledRun): Promise<Client> {
  await app.useLanguage(journal.plan.lang_code)
  const client = await app.client({ toPlan: true })
  await checkRunCalendar(app, journal, client)
  return client
}

/** How a run is undone: in which direction, whether it was confirmed as one of several, and whether it was chosen as the latest. */
interface Undoing {
  readonly direction: Direction
  readonly isConfirmed?: boolean
  readonly isLatest?: boolean
}

/** Undoes a run with a plan, which is shown and confirmed. The run stays locked. */
async function undoRun(app: App, run: RunFile, options: UndoOptions, undoing: Undoing): Promise<void> {
  const { direction, isLatest = false } = undoing
  // A dry run locks nothing.
  const lock = options.dryRun ? undefined : lockRun(run)
  try {
    const journal = readJournal(run.file)
    if (!lock && journal.isRunning) throw runInProgress(run)
    const client = await runClient(app, journal)
    await noticeDamage(app, journal)
    const redone = direction === 'redo' ? journal.header.undoes : undefined
    const earlier = isLatest ? runBefore(app, direction, run.run, client.calendar.id) : undefined
    const described = describeRun(app, journal)
    const sentences = [
      redone === undefined
        ? phrase('undoing run {run}', { run: described })
        : phrase('redoing run {redone}: undoing run {run}', { redone, run: described }),
      earlier && phrase('the run before it is {run}', { run: describeRun(app, readJournal(earlier.file)) }),
    ]
    await app.notice(sentences.filter(sentence => sentence !== undefined).join('; '))
    const later = isLatest && direction === 'undo' ? laterRun(app, run, client.calendar) : undefined
    if (later) await app.notice(later)
    await applyUndo(app, journal, options, undoing)
  } finally {
    lock?.release()
  }
}

async function applyUndo(app: App, journal: JournaledRun, options: UndoOptions, undoing: Undoing): Promise<void> {
  const { isConfirmed = false } = undoing
  const client = await app.client({ toPlan: true })
  const { undecidedStepsFailure, undecidedSteps, withUnansweredSteps } = await import('../../../changes/run/resume.ts')
  const { keepStillReferenced, undoPlan } = await import('../../../changes/undo/undo-plan.ts')
  const { returnedTerms, unlinkedFailure } = await import('../../../changes/undo/deleted-terms.ts')
  const { identityNotice, sharedNotices, uploadsNotice } = await import('../../../changes/undo/done-steps.ts')
  const { strangersFailure } = await import('../../../changes/undo/undo-step.ts')
  // These are not notes of the plan: an undo that keeps what others use is complete.
  for (const line of sharedNotices(journal)) await app.notice(line)
  for (const line of [uploadsNotice(journal), identityNotice(journal)]) if (line) await app.notice(line)
  const { postPassword, ...others } = options
  const settled = withUnansweredSteps(client, journal, resumeClock(app))
  const run = await untilInterrupted(app, phrase('nothing was changed; run the command again'), settled)
  const folder = runsFolder(app.world)
  const undone = readUndone(folder, journal)
  const {
    strangers = [],
    unlinked = [],
    ...whole
  } = await undoPlan(client, run, app.world.now().toISOString(), {
    returned: returnedTerms(folder, run),
    undone,
    later: laterJournals(folder, journal),
    password: postPassword,
  })
  const plan = await keepStillReferenced(client, whole, isUndo(folder, journal) ? undone : undefined)
  await applyPlan(app, plan, others, { isConfirmed })
  const undecided = options.dryRun ? [] : undecidedSteps(run)
  if (undecided.length > 0) throw undecidedStepsFailure(client, run, plan, undecided)
  const left = options.dryRun ? undefined : (strangersFailure(strangers) ?? unlinkedFailure(unlinked))
  if (left) throw left
  if (plan.steps.length > 0 || options.dryRun) return
  await endWithoutSteps(app, journal, plan, undoing)
}

/** The run that an undo took back; undefined for other runs, and if its journal can no longer be read. */
function readUndone(folder: string, { header }: JournaledRun): JournaledRun | undefined {
  const undone = listRuns(folder).find(({ run }) => run === header.undoes)
  const journal = undone && attempt(() => readJournal(undone.file))
  return journal instanceof Failure ? undefined : journal
}

/** The later runs of the same calendar, the earliest first, without those whose journals cannot be read. */
function laterJournals(folder: string, { run: undone, plan }: JournaledRun): JournaledRun[] {
  const later: JournaledRun[] = []
  for (const { run, file, header } of readRelatedRuns(folder)) {
    if (run === undone) break
    if (header.plan.calendar.id !== plan.calendar.id) continue
    const journal = attempt(() => readJournal(file))
    if (!(journal instanceof Failure)) later.unshift(journal)
  }
  return later
}

/**
 * Ends an undo that had nothing to do: it fails, unless other undos follow. Unless something was kept, it counts as the undo of the run, so
 * that the next undo without a name takes the run before.
 */
async function endWithoutSteps(app: App, journal: JournaledRun, plan: Plan, undoing: Undoing): Promise<void> {
  const { direction, isConfirmed } = undoing
  const keepsSome = (plan.notes ?? []).length > 0
  if (!keepsSome) await markUndone(app, journal, plan)
  const run = direction === 'undo' ? journal.run : (journal.header.undoes ?? journal.run)
  const message = keepsSome
    ? phrase('nothing was {direction, select, redo {redone} other {undone}}', { direction })
    : phrase('nothing left to {direction, select, redo {redo} other {undo}} of run {run}', { direction, run })
  if (isConfirmed) return app.notice(message)
  const earlier = runBefore(app, direction, journal.run, plan.calendar.id)
  const command = earlier && `calctl ${direction} ${earlier.run}${readHeader(earlier.file)?.to ?? ''}`
  const hint =
    command === undefined
      ? phrase('see the runs with: {command}', { command: 'calctl runs list' })
      : phrase('{direction, select, redo {redo} other {undo}} the run before it with: {command}', {
          direction,
          command,
        })
  throw missing(message, hint)
}

/** Notes that a run needs no undo any more. */
async function markUndone(app: App, { run }: JournaledRun, plan: Plan): Promise<void> {
  if (isUndone(app, run)) return
  const { openJournal } = await import('../shared/apply-plan.ts')
  const journal = await openJournal(app, plan, {})
  await journal?.close()
  const fault = journal?.fault()
  if (fault) throw fault
}

/** A sentence about the run that would be undone or redone next: people who take back the last run may mean that one. */
function runBefore({ world }: App, direction: Direction, run: string, calendarId: string): RunFile | undefined {
  const runs = attempt(() => latestRuns(runsFolder(world), { calendarId, direction, count: 2, locked: run }))
  if (runs instanceof Failure) return undefined
  const index = runs.findIndex(other => other.run === run)
  return index < 0 ? undefined : runs[index + 1]
}

/**
 * A sentence about a later run on the same site: if each language has an address of its own, each is a calendar, and people who take back
 * the last run may mean one in another language.
 */
function laterRun(app: App, { run: undone }: RunFile, { baseUrl }: Client['calendar']): string | undefined {
  for (const { run, file, header, wasUndone } of readRelatedRuns(runsFolder(app.world))) {
    if (run === undone) return undefined
    const { id, label } = header.plan.calendar
    const isOfSite = baseUrl !== undefined && /^https?:/.test(id) && new URL(id).origin === new URL(baseUrl).origin
    if (!isOfSite || wasUndone || header.undoes !== undefined) continue
    const described = describeRun(app, readJournal(file))
    return phrase('run {run} at {label} is later, and was not undone; undo it with: {command}', {
      run: described,
      label,
      command: `calctl undo ${run}${header.to}`,
    })
  }
  return undefined
}

function isUndone({ world }: App, name: string): boolean {
  for (const { run, undoneBy } of readRelatedRuns(runsFolder(world))) if (run === name) return undoneBy.length > 0
  return false
}
