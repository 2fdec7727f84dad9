import type { App } from '../../app.ts'
import { Failure, wrongValue } from '../../failure.ts'
import { actionSigns, countActions, planSummary } from '../../plan/plan.ts'
import { createCounter } from '../../plan/spool.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { journalFile, pruneRuns, runNamed, runsIn } from '../../runs/folder.ts'
import { damage, type PastRun, readRun } from '../../runs/journal-reader.ts'
import { nameOf } from '../../runs/result.ts'
import { readDuration } from '../../time/typed-dates.ts'
import { called, commandOf } from './called.ts'

const columns = ['run', 'command', 'started', 'state', 'steps', 'done', 'failed', 'unknown', 'left', 'calendar.label']
const shape = {
  columns,
  fields: Object.fromEntries([...columns, 'calendar.id', 'undoes', 'plan'].map(name => [name, true])),
}

/** Prints a line for every run. */
export async function list(app: App): Promise<void> {
  const folder = runsFolder(app.world)
  await app.print(
    shape,
    runsIn(folder).map(run => listed(folder, run)),
  )
}

/** What cannot be read says so when it is shown, and keeps no others from being listed. */
function listed(folder: string, run: string): Record<string, unknown> {
  try {
    return described(readRun(journalFile(folder, run), createCounter))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { run, state: 'unreadable' }
  }
}

function described(past: PastRun): Record<string, unknown> {
  const { header, plan } = past
  const found = { done: 0, failed: 0, unknown: 0 }
  for (const { state } of past.past.values()) found[state] += 1
  const left = header.steps - found.done
  return {
    run: past.run,
    command: commandOf(past) ?? null,
    started: header.started,
    state: stateOf(past, left),
    steps: header.steps,
    ...found,
    left,
    calendar: plan.calendar,
    ...(header.undoes && { undoes: header.undoes }),
  }
}

function stateOf({ isGoingOn, damagedAt }: PastRun, left: number): string {
  if (isGoingOn) return 'going on'
  if (damagedAt !== undefined) return 'damaged'
  return left > 0 ? 'not finished' : 'done'
}

/** Prints what a run planned and what became of each step. */
export async function show(app: App, name?: string): Promise<void> {
  const folder = runsFolder(app.world)
  const past = readRun(journalFile(folder, runNamed(folder, name)))
  const { json, output } = app.globals
  const told = damage(past)
  if (told) await app.notice(told)
  if (json || output)
    return app.printValue({ ...described(past), planned: countActions(past.plan), results: resultsOf(past) })
  for (const step of past.plan.steps) {
    const { state = past.sent.has(step.key) ? 'sent' : 'left', failure } = past.past.get(step.key) ?? {}
    const line = `${state}\t${actionSigns[step.action]} ${nameOf(step)}${failure ? `: ${failure.message}` : ''}\n`
    await app.world.stdout.write(line)
  }
  await app.notice(
    `${called(app, past)}: ${planSummary(past.plan)}; ${stateOf(past, past.header.steps - doneIn(past))}`,
  )
}

const doneIn = ({ past }: PastRun): number => [...past.values()].filter(({ state }) => state === 'done').length

const resultsOf = ({ plan, past, sent }: PastRun): object[] =>
  Array.from(plan.steps, ({ key, action, resource, id }) => {
    const { state = sent.has(key) ? 'sent' : 'left', id: written = id ?? null, failure = null } = past.get(key) ?? {}
    return { key, action, resource, id: written, state, failure }
  })

/** Removes journals that were not written to for as long as given: `90d`. */
export async function prune(app: App, olderThan: string): Promise<void> {
  const age = readDuration(olderThan)
  if (age === undefined) throw wrongValue('--older-than', 'a duration', olderThan, '90d')
  const removed = pruneRuns(runsFolder(app.world), app.world.now().getTime() - age)
  await app.notice(removed.length > 0 ? `removed ${removed.join(', ')}` : 'nothing is that old')
}
