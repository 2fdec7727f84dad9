import type { App } from '../../app.ts'
import { Failure } from '../../failure.ts'
import { actionSigns, countActions, planSummary, type Step } from '../../plan/plan.ts'
import { createCounter } from '../../plan/spool.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { damageNotice, isWhole, type JournaledRun, readJournal } from '../../runs/journal-reader.ts'
import { stepLabel } from '../../runs/result.ts'
import { findRun, listRuns, type RunFile } from '../../runs/runs-folder.ts'
import { countDone } from '../../runs/undo-relations.ts'
import { counted } from '../../text/words.ts'
import { wallAt } from '../../time/zone.ts'
import { runListShape } from '../shared/output-forms.ts'
import { printRun, type StepState } from '../shared/plan-output.ts'

/** Prints a line for every run. */
export async function showRuns(app: App): Promise<void> {
  await app.print(runListShape, listRuns(runsFolder(app.world)).map(rowOf))
}

/** An unreadable journal does not keep the other runs from being listed; `runs show` gives the reason. */
function rowOf({ run, file }: RunFile): Record<string, unknown> {
  try {
    return runRow(readJournal(file, createCounter))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { run, state: 'unreadable' }
  }
}

function runRow(run: JournaledRun): Record<string, unknown> {
  const { header, plan } = run
  const counts = { done: 0, failed: 0, unknown: 0 }
  for (const { state } of run.results.values()) counts[state] += 1
  const left = header.steps - counts.done
  return {
    run: run.run,
    command: commandOf(run) ?? null,
    started: header.started,
    state: stateOf(run, left),
    steps: header.steps,
    ...counts,
    left,
    calendar: plan.calendar,
    ...(header.undoes && { undoes: header.undoes }),
  }
}

function stateOf(run: JournaledRun, left: number): string {
  if (run.isRunning) return 'running'
  if (!isWhole(run)) return 'damaged'
  return left > 0 ? 'unfinished' : 'done'
}

/** Prints the steps of a run with their results. */
export async function showRun(app: App, name?: string): Promise<void> {
  const run = readJournal(findRun(runsFolder(app.world), name).file)
  const { output, globals } = app
  const warning = damageNotice(run)
  if (warning) await app.notice(warning)
  if (!globals.fields && (output === 'json' || output === 'yaml'))
    return app.printValue({ ...runRow(run), planned: countActions(run.plan), results: resultsOf(run) })
  if (output) return printRun(app, run.plan, step => stepState(run, step))
  for (const step of run.plan.steps) {
    const { state, error } = stepState(run, step)
    await app.world.stdout.write(
      `${state}\t${actionSigns[step.action]} ${stepLabel(step)}${error ? `: ${error}` : ''}\n`,
    )
  }
  await app.notice(
    `${describeRun(app, run)}: ${planSummary(run.plan)}; ${stateOf(run, run.header.steps - countDone(run))}`,
  )
}

function stepState({ results, attempts }: JournaledRun, { key, id }: Step): StepState {
  const { state = attempts.has(key) ? 'sent' : 'left', id: written = id, failure } = results.get(key) ?? {}
  return { state, id: written, error: failure?.message }
}

const resultsOf = ({ plan, results, attempts }: JournaledRun): object[] =>
  Array.from(plan.steps, ({ key, action, resource, id }) => {
    const {
      state = attempts.has(key) ? 'sent' : 'left',
      id: written = id ?? null,
      failure = null,
    } = results.get(key) ?? {}
    return { key, action, resource, id: written, state, failure }
  })

/** A run for people: `k3f (events update, 2026-11-21 19:15, 41 steps)`. */
export function describeRun({ world }: App, journal: JournaledRun): string {
  const { run, header } = journal
  const when = wallAt(Date.parse(header.started), world.timeZone()).slice(0, 16)
  const steps = counted(header.steps, 'step')
  return `${run} (${[commandOf(journal), when, steps].filter(part => part).join(', ')})`
}

/** The command that started a run; for an undo, with the run that it undid. */
const commandOf = ({ header: { command, undoes } }: JournaledRun): string | undefined =>
  command && undoes ? `${command} ${undoes}` : command
