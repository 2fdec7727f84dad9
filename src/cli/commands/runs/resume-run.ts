import { conflict, Failure } from '../../../base/failure.ts'
import { currentOwner } from '../../../base/lock/owner.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { RunOptions } from '../../../changes/carry-out/front.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { checkNotUndone } from '../../../changes/run/already-applied.ts'
import { findRun } from '../../../changes/run/find-run.ts'
import { damageNotice, type JournaledRun, readJournal } from '../../../changes/run/journal-reader.ts'
import { continueJournal, upTime } from '../../../changes/run/journal-writer.ts'
import type { ResumeClock } from '../../../changes/run/resume.ts'
import { listRuns, lockRun } from '../../../changes/run/runs-folder.ts'
import { countDone, isUncompared, latestUnfinished } from '../../../changes/run/undo-relations.ts'
import { calendarAt, calendarInFile } from '../../../client/calendar.ts'
import type { Client } from '../../../client/client.ts'
import { fileOf } from '../../../client/http/request.ts'
import { documentedNamespace } from '../../../contract/contract.ts'
import { languages } from '../../../contract/languages.ts'
import type { App } from '../../app.ts'
import { profileNamed, profileNames, readConfig } from '../../profiles/config.ts'
import { dataFile, runsFolder } from '../../profiles/user-folders.ts'
import type { Profile, World } from '../../world.ts'
import { frontOf, takeTurnOf } from '../shared/apply-plan.ts'
import { printOutcome } from '../shared/plan-output.ts'

/**
 * The commands on runs: this file resumes a run, and checks that it belongs to the calendar; `undo-runs.ts` undoes and redoes runs, and
 * `show-runs.ts` lists and shows them. Input: names of runs, by default the latest one. `src/changes/run/` and `src/changes/undo/` do the
 * work.
 */

/** Executes the remaining steps of a run, which stays locked. */
export async function resumeRun(app: App, name: string | undefined, options: RunOptions): Promise<void> {
  const folder = runsFolder(app.world)
  const run = (name === undefined ? latestUnfinished(folder) : undefined) ?? findRun(folder, name)
  const lock = lockRun(run)
  try {
    await executeRest(app, readJournal(run.file), options)
  } finally {
    lock.release()
  }
}

async function executeRest(app: App, journal: JournaledRun, options: RunOptions): Promise<void> {
  await app.useLanguage(journal.plan.lang_code)
  const client = await app.writer()
  await checkRunCalendar(app, journal, client)
  checkNotUndone(runsFolder(app.world), journal.run)
  await noticeDamage(app, journal)
  const { prepareResume } = await import('../../../changes/run/resume.ts')
  const now = () => app.world.now().getTime()
  const command = `calctl runs resume ${journal.run}${journal.header.to}`
  const resume = phrase('resume with: {command}', { command })
  const remaining = await untilInterrupted(app, resume, prepareResume(client, journal, resumeClock(app)))
  const total = remaining.plan.steps.length - countDone(journal)
  if (total === 0 && !isUncompared(journal)) {
    await app.notice(phrase('nothing left to do: run {run} is complete', { run: journal.run }))
    const results = new Map(Array.from(journal.results, ([key, { state, id }]) => [key, { state, ...(id && { id }) }]))
    await printOutcome(app, remaining.plan, { results, interrupted: false }, journal.run)
    return checkDecided(app, journal, client)
  }
  const { run } = journal
  await app.notice(
    total === 0
      ? phrase('resuming run {run}: checking whether others created the same records', { run })
      : phrase('resuming run {run}: {total} of {count, plural, one {# step} other {# steps}} left', {
          run,
          total,
          count: remaining.plan.steps.length,
        }),
  )
  const openJournal = () => takeTurnOf(app, journal.plan, () => continueJournal(journal, now()), options.wait)
  const { execute } = await import('../../../changes/carry-out/carry-out.ts')
  await execute(frontOf(app, options), { client, total, journal: openJournal, ...remaining })
  await checkDecided(app, journal, client)
}

/** Throws `conflict` after the rest of an undo if it is still unknown what the run had created, like `undo` itself. */
async function checkDecided(app: App, { header, plan }: JournaledRun, client: Client): Promise<void> {
  const undone = listRuns(runsFolder(app.world)).find(({ run }) => run === header.undoes)
  if (!undone) return
  const { undecidedStepsFailure, undecidedSteps, withUnansweredSteps } = await import('../../../changes/run/resume.ts')
  const { undoKey } = await import('../../../changes/undo/undo-step.ts')
  const run = await withUnansweredSteps(client, readJournal(undone.file), resumeClock(app))
  // Records that the undo has removed cannot be looked up.
  const taken = new Set(Array.from(plan.steps, ({ key }) => key))
  const undecided = undecidedSteps(run).filter(step => !taken.has(undoKey(step)))
  if (undecided.length > 0) throw undecidedStepsFailure(client, run, plan, undecided)
}

export const resumeClock = ({ world }: App): ResumeClock => ({
  now: () => world.now().getTime(),
  upSince: () => Date.now() - upTime(),
  up: upTime,
  boot: currentOwner().boot,
  sleep: world.sleep,
})

/** Ends work that only reads as soon as the user interrupts it. */
export function untilInterrupted<T>({ world }: App, hint: string, work: Promise<T>): Promise<T> {
  const signal = world.stopping()
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Failure('interrupted', phrase('interrupted'), { hint }))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/**
 * Throws `conflict` for a run of another calendar, or of another language than that of --lang: IDs are valid in one calendar, and records
 * are found in one language.
 */
export async function checkRunCalendar({ world }: App, { run, plan }: JournaledRun, client: Client): Promise<void> {
  const { calendar, lang_code: language } = plan
  const isSame = calendar.id === client.calendar.id
  if (isSame && language === client.language) return
  const isOtherNamespace = !isSame && calendar.label === client.calendar.label
  const describe = ({ id, label }: Plan['calendar'], language?: string) => {
    const place = isOtherNamespace ? id : label
    return language ? phrase('{label} in {language}', { label: place, language }) : place
  }
  throw conflict(
    phrase('run {run} was applied to {other}, not to {own}', {
      run,
      other: describe(calendar, language),
      own: describe(client.calendar, client.language),
    }),
    isSame ? languageHint(language) : phrase('add {flags}', { flags: await connectionFlags(world, plan) }),
  )
}

const languageHint = (language: string | undefined): string =>
  language ? phrase('add {flags}', { flags: `--lang ${language}` }) : phrase('leave out --lang and unset CALCTL_LANG')

/** Prints which line of a journal cannot be read. */
export async function noticeDamage(app: App, journal: JournaledRun): Promise<void> {
  const warning = damageNotice(journal)
  if (warning) await app.notice(warning)
}

/** The options that connect to the calendar of a plan in its language: a profile if one has it, otherwise its base URL. */
export async function connectionFlags(
  world: World,
  { calendar: { id }, lang_code: language }: Pick<Plan, 'calendar' | 'lang_code'>,
): Promise<string> {
  const config = await readConfig(world)
  const languageFlag = language ? ` --lang ${language}` : ''
  for (const name of profileNames(config)) {
    const profile = profileNamed(config, name) ?? {}
    if (calendarIdOf(world, profile, profile.baseUrl) === id) return `--profile ${name}${languageFlag}`
    const other = languages.find(one => {
      const baseUrl = profile.baseUrls?.[one]
      return baseUrl !== undefined && calendarIdOf(world, profile, baseUrl) === id
    })
    if (other) return `--profile ${name} --lang ${other}`
  }
  return `${baseUrlFlags(id)}${languageFlag}`
}

function calendarIdOf(world: World, { namespace = documentedNamespace }: Profile, baseUrl: string | undefined): string {
  const file = baseUrl === undefined ? dataFile(world) : fileOf(baseUrl)
  return (file === undefined ? calendarAt(baseUrl ?? '', namespace) : calendarInFile(file)).id
}

/** The ID of a calendar joins its base URL and its namespace; wherever it is split, requests go to the same URLs. */
function baseUrlFlags(id: string): string {
  if (id === 'demo:') return '--demo'
  if (id.startsWith('file:')) return `--base-url ${shellWord(id)}`
  if (id.endsWith(`/${documentedNamespace}`))
    return `--base-url ${shellWord(id.slice(0, -documentedNamespace.length - 1))}`
  const [, baseUrl = '', namespace] = /^(https?:\/\/[^/]+(?:\/.*?)??)\/([^/]+(?:\/[^/]+){0,2})$/.exec(id) ?? []
  return `--base-url ${shellWord(baseUrl)} --namespace ${namespace}`
}
