import type { Command } from 'commander'
import type { App } from '../app.ts'
import { answers, noData, planAnswer, rowsOf, runListShape, runShape } from './shared/answers.ts'
import { type PlanOptions, planOptions } from './shared/apply-plan.ts'
import { type RunOptions, runOptions } from './shared/execute-plan.ts'

/** calctl runs: what bulk writes did, to go on with it or to take it back. */
export function runs(noun: Command, app: App): void {
  answers(noun.command('list'), rowsOf(runListShape))
    .description('list runs, latest first')
    .action(async () => (await import('./runs/show-runs.ts')).list(app))
  answers(noun.command('show'), rowsOf(runShape))
    .description('show what a run planned and did')
    .argument('[run]', 'name of the run (default: the latest)')
    .action(async (run?: string) => (await import('./runs/show-runs.ts')).show(app, run))
  runOptions(
    answers(noun.command('resume'), planAnswer)
      .description('apply the remaining steps of a run')
      .argument('[run]', 'name of the run (default: the latest)'),
  ).action(async (run: string | undefined, flags: RunOptions) =>
    (await import('./runs/resume-or-undo.ts')).resume(app, run, flags),
  )
  planOptions(
    answers(noun.command('undo'), planAnswer)
      .description('undo what a run did')
      .argument('[run]', 'name of the run (default: the latest)'),
  ).action(async (run: string | undefined, options: PlanOptions) =>
    (await import('./runs/resume-or-undo.ts')).undo(app, run, options),
  )
  answers(noun.command('prune'), noData)
    .description('remove old journals; their runs can no longer be resumed or undone')
    .requiredOption('--older-than <duration>', 'age of the journals to remove, for example 90d')
    .action(async ({ olderThan }: { olderThan: string }) => (await import('./runs/show-runs.ts')).prune(app, olderThan))
}
