import type { Command } from 'commander'
import type { App } from '../app.ts'
import { limitDescription, wholeNumber } from './shared/options.ts'
import { declareOutput, noOutput, planOutput, rowsOutput, runListShape, runShape } from './shared/output-forms.ts'
import { type RunOptions, runOptions } from './shared/plan-options.ts'
import { redo, redoDescription, undo, undoDescription } from './undo.ts'

/** calctl runs: lists, shows, resumes, undoes and redoes what calctl wrote. */
export function runs(noun: Command, app: App): void {
  declareOutput(noun.command('list'), rowsOutput(runListShape))
    .description('List runs, latest first')
    .option('--limit <number>', limitDescription, wholeNumber('--limit', 1))
    .action(async (options: { readonly limit?: number }) =>
      (await import('./runs/show-runs.ts')).showRuns(app, options.limit),
    )
  declareOutput(noun.command('show'), rowsOutput(runShape))
    .description('Show the steps of a run and their results')
    .argument('[run]', 'Name of the run (default: the latest)')
    .action(async (run?: string) => (await import('./runs/show-runs.ts')).showRun(app, run))
  runOptions(
    declareOutput(noun.command('resume'), planOutput)
      .description('Resume a run that was interrupted or had failures')
      .argument('[run]', 'Name of the run (default: the latest with steps left)'),
  ).action(async (run: string | undefined, options: RunOptions) =>
    (await import('./runs/resume-run.ts')).resumeRun(app, run, options),
  )
  undo(noun.command('undo').description(undoDescription), app)
  redo(noun.command('redo').description(redoDescription), app)
  declareOutput(noun.command('prune'), noOutput)
    .description('Remove old journals; their runs can no longer be undone')
    .option('--older-than <duration>', 'Age of the journals to remove, for example 90d; a number is in days', '90d')
    .option('--unfinished', 'Also those of runs with steps left, which can then no longer be resumed')
    .action(async (options: { olderThan: string; unfinished?: true }) =>
      (await import('./runs/show-runs.ts')).pruneJournals(app, options),
    )
}
