import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { UndoOptions } from './runs/undo-runs.ts'
import { wholeNumber } from './shared/options.ts'
import { declareOutput, planOutput } from './shared/output-forms.ts'
import { planOptions } from './shared/plan-options.ts'

export const undoDescription = 'Undo what calctl wrote, except for what was changed since'
export const redoDescription = 'Redo what was undone'

const undoOptions = (command: Command, last: string): Command =>
  planOptions(
    declareOutput(command, planOutput)
      .option('--last <number>', last, wholeNumber('--last', 1))
      .option('--post-password <text>', 'Password for events that lost theirs when they became private'),
  )

/** calctl undo: takes back the latest run, or others by name, except for what was changed since. */
export function undo(command: Command, app: App): void {
  undoOptions(
    command.argument(
      '[run...]',
      'Names of runs, in any order (default: the latest of this calendar that is not undone)',
    ),
    'Undo this many of the latest runs',
  ).action(async (runs: string[], options: UndoOptions) =>
    (await import('./runs/undo-runs.ts')).undoRuns(app, 'undo', runs, options),
  )
}

/** calctl redo: takes back the latest undo, or others by name. */
export function redo(command: Command, app: App): void {
  undoOptions(
    command.argument('[run...]', 'Names of undone runs (default: the one that was undone last)'),
    'Redo this many of the runs that were undone last',
  ).action(async (runs: string[], options: UndoOptions) =>
    (await import('./runs/undo-runs.ts')).undoRuns(app, 'redo', runs, options),
  )
}
