import type { Command } from 'commander'
import { usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { RunOptions } from '../../changes/carry-out/front.ts'
import type { Direction } from '../../changes/undo/latest-runs.ts'
import { resources } from '../../contract/contract.ts'
import type { App } from '../app.ts'
import type { HistoryOf } from './runs/show-runs.ts'
import type { UndoOptions } from './runs/undo-runs.ts'
import { limitDescription, type Verb, verbCommand, wholeNumber } from './shared/options.ts'
import { declareOutput, noOutput, planOutput, rowsOutput } from './shared/output-forms.ts'
import { historyShape, runListShape, runShape } from './shared/output-shapes.ts'
import { planOptions, runOptions } from './shared/plan-options.ts'

/** calctl runs: lists, shows, resumes, undoes and redoes runs. */
export function runs(noun: Command, app: App): void {
  declareOutput(noun.command('list'), rowsOutput(runListShape))
    .description(phrase('List runs, latest first'))
    .option('--limit <number>', limitDescription(), wholeNumber('--limit', 1))
    .action(async (options: { readonly limit?: number }) =>
      (await import('./runs/show-runs.ts')).showRuns(app, options.limit),
    )
  declareOutput(noun.command('show'), rowsOutput(runShape))
    .description(phrase('Show the steps of a run and their results'))
    .argument('[run]', phrase('Name of the run (default: the latest)'))
    .action(async (run?: string) => (await import('./runs/show-runs.ts')).showRun(app, run))
  runOptions(
    declareOutput(noun.command('resume'), planOutput)
      .description(phrase('Resume a run that was interrupted or had failures'))
      .argument('[run]', phrase('Name of the run (default: the latest with steps left)')),
  ).action(async (run: string | undefined, options: RunOptions) =>
    (await import('./runs/resume-run.ts')).resumeRun(app, run, options),
  )
  undo(noun.command('undo').description(phrase('Undo a run, but keep later changes')), app)
  redo(noun.command('redo').description(phrase('Redo undone runs')), app)
  declareOutput(noun.command('prune'), noOutput)
    .description(phrase('Remove old journals; their runs can no longer be undone'))
    .option(
      '--older-than <duration>',
      phrase('Age of the journals to remove, for example 90d; a number is in days'),
      '90d',
    )
    .option('--unfinished', phrase('Also remove journals of unfinished runs, which can then no longer be resumed'))
    .action(async (options: { olderThan: string; unfinished?: true }) =>
      (await import('./runs/show-runs.ts')).pruneJournals(app, options),
    )
}

/** calctl history: what calctl wrote to this calendar or to one record, and when. */
export function history(command: Command, app: App): void {
  declareOutput(command, rowsOutput(historyShape))
    .argument('[record...]', phrase('A record: 12, events/12, events 12 or a slug (default: everything)'))
    .option('--limit <number>', limitDescription(), wholeNumber('--limit', 1))
    .action(async (words: string[], { limit }: { readonly limit?: number }) =>
      (await import('./runs/show-runs.ts')).showHistory(app, limit, words.length > 0 ? readRecord(words) : undefined),
    )
}

function readRecord(words: readonly string[]): HistoryOf {
  const [first = '', ref, ...others] = words.flatMap(word => word.split('/'))
  const resource = resources.find(({ name, singular }) => name === first || singular === first)?.name
  if (others.length === 0 && resource && ref) return { resource, ref }
  if (!resource && first !== '') return { ref: words.join(' ') }
  throw usage(
    phrase('expected one record, got "{words}"', { words: words.join(' ') }),
    phrase('for example: calctl history events/12'),
  )
}

/** calctl <resource> history <ref>: what calctl wrote to one record. */
export const historyOfRecord: Verb = (parent, resource, app) => {
  const description = phrase('Show what calctl wrote to {resource}', { resource: resource.name })
  declareOutput(verbCommand(parent, resource, 'history', description), rowsOutput(historyShape))
    .argument('<ref>', resource.keys.includes('slug') ? phrase('ID or slug') : phrase('ID'))
    .option('--limit <number>', limitDescription(), wholeNumber('--limit', 1))
    .action(async (ref: string, { limit }: { readonly limit?: number }) =>
      (await import('./runs/show-runs.ts')).showHistory(app, limit, { resource: resource.name, ref }),
    )
}

function undoOptions(direction: Direction, names: string, last: string, [command, app]: [Command, App]): void {
  const withLast = declareOutput(command.argument('[run...]', names), planOutput)
    .option('--last <number>', last, wholeNumber('--last', 1))
    .option('--post-password <text>', phrase('Password for events that lost theirs when they became private'))
  planOptions(withLast).action(async (runs: string[], options: UndoOptions) =>
    (await import('./runs/undo-runs.ts')).undoRuns(app, direction, runs, options),
  )
}

/** calctl undo: takes back the latest run, or named ones, except for what has been changed since. */
export function undo(...of: [Command, App]): void {
  const names = phrase(
    'Names of runs, in any order (default: the latest run on this calendar that has not been undone)',
  )
  undoOptions('undo', names, phrase('Undo this many of the latest runs'), of)
}

/** calctl redo: takes back the latest undo, or named ones. */
export function redo(...of: [Command, App]): void {
  const names = phrase('Names of undone runs (default: the one that was undone last)')
  undoOptions('redo', names, phrase('Redo this many of the runs that were undone last'), of)
}
