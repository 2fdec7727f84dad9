import type { Command } from 'commander'
import type { App } from '../app.ts'
import { type PlanOptions, planOptions } from './shared/apply-plan.ts'
import { type RunOptions, runOptions } from './shared/execute-plan.ts'
import { declareOutput, noOutput, planOutput, rowsOutput, runListShape, runShape } from './shared/output-forms.ts'

/** calctl runs: lists, shows, resumes and undoes bulk writes. */
export function runs(noun: Command, app: App): void {
  declareOutput(noun.command('list'), rowsOutput(runListShape))
    .description('List runs, latest first')
    .action(async () => (await import('./runs/show-runs.ts')).showRuns(app))
  declareOutput(noun.command('show'), rowsOutput(runShape))
    .description('Show the steps of a run and their results')
    .argument('[run]', 'Name of the run (default: the latest)')
    .action(async (run?: string) => (await import('./runs/show-runs.ts')).showRun(app, run))
  runOptions(
    declareOutput(noun.command('resume'), planOutput)
      .description('Resume a run that was interrupted or had failures')
      .argument('[run]', 'Name of the run (default: the latest)'),
  ).action(async (run: string | undefined, options: RunOptions) =>
    (await import('./runs/resume-or-undo.ts')).resumeRun(app, run, options),
  )
  planOptions(
    declareOutput(noun.command('undo'), planOutput)
      .description('Undo a run, except for what was changed since')
      .argument('[run]', 'Name of the run (default: the latest)'),
  ).action(async (run: string | undefined, options: PlanOptions) =>
    (await import('./runs/resume-or-undo.ts')).undoRun(app, run, options),
  )
  declareOutput(noun.command('prune'), noOutput)
    .description('Remove old journals; their runs can no longer be resumed or undone')
    .requiredOption('--older-than <duration>', 'Age of the journals to remove, for example 90d')
    .action(async ({ olderThan }: { olderThan: string }) =>
      (await import('./runs/show-runs.ts')).removeOldRuns(app, olderThan),
    )
}
