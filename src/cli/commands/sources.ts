import type { Command } from 'commander'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { deciders, sourceKinds } from '../../sources/source.ts'
import type { App } from '../app.ts'
import { linksOption } from './shared/change-options.ts'
import { choiceOption, fieldNames, wholeNumber } from './shared/options.ts'
import { declareOutput, documentOutput, noOutput, planOutput, rowsOutput } from './shared/output-forms.ts'
import { reviewShape, sourceStatusShape, whyShape } from './shared/output-shapes.ts'
import { planOptions, saveOption } from './shared/plan-options.ts'
import type { AddOptions } from './sources/add-source.ts'
import type { ApplySourcesOptions } from './sources/apply-sources.ts'
import type { ReviewOptions } from './sources/review-sources.ts'
import type { MemoryChoice } from './sources/show-sources.ts'

/** calctl sources: places from which events come again and again. */
export function sources(noun: Command, app: App): void {
  declareOutput(noun.command('add'), noOutput)
    .description(phrase('Read a source once, and add it to the sources.yaml of this folder'))
    .argument('<name>', phrase('Name of the new source'))
    .argument('<place>', phrase('Path, or address on the web: a feed, a sheet, a page with events, open data, a site'))
    .addOption(choiceOption('--kind <kind>', phrase('What is there, if the answer does not show it'), sourceKinds))
    .addHelpText('after', addNotes())
    .action(async (name: string, place: string, options: AddOptions) =>
      (await import('./sources/add-source.ts')).addSource(app, { name, place, ...options }),
    )
  const planned = (command: Command) => linksOption(command, resourceNamed('events'))
  planned(
    saveOption(declareOutput(noun.command('plan'), planOutput)).description(phrase('Show what apply would change')),
  ).action(async (options: ApplySourcesOptions) =>
    (await import('./sources/apply-sources.ts')).applySources(app, { ...options, dryRun: true }),
  )
  planOptions(
    planned(declareOutput(noun.command('apply'), planOutput))
      .description(phrase('Write what the sources of this folder say otherwise than before'))
      .addHelpText('after', applyNotes()),
  ).action(async (options: ApplySourcesOptions) =>
    (await import('./sources/apply-sources.ts')).applySources(app, options),
  )
  reports(noun, app)
  declareOutput(noun.command('remove'), noOutput)
    .description(phrase('Remove a source from sources.yaml, and forget what it said; its events stay'))
    .argument('<name>', phrase('Name of the source'))
    .action(async (name: string) => (await import('./sources/remove-source.ts')).removeSource(app, name))
  declareOutput(noun.command('schema'), documentOutput)
    .description(phrase('Print the JSON Schema of sources.yaml, for editors'))
    .action(async () => app.printValue((await import('../../sources/sources-file.ts')).sourcesSchema()))
}

/** The commands that read the memory of sources. */
function reports(noun: Command, app: App): void {
  const ofMemory = (command: Command) =>
    command.option(
      '--feed <address>',
      phrase('The feed that calctl apply follows (default: the sources of this folder)'),
    )
  ofMemory(declareOutput(noun.command('status'), rowsOutput(sourceStatusShape)))
    .description(phrase('Show for each source when it was read, its events, conflicts and errors'))
    .action(async (options: MemoryChoice) => (await import('./sources/show-sources.ts')).showSources(app, options))
  ofMemory(declareOutput(noun.command('why'), rowsOutput(whyShape)))
    .description(phrase('Show for each field of an event which source said it, and when'))
    .argument('<event>', phrase('ID'), wholeNumber('<event>', 1))
    .action(async (id: number, options: MemoryChoice) =>
      (await import('./sources/show-sources.ts')).showWhy(app, id, options),
    )
  const answers = ['take', 'bringBack', 'same', 'notSame']
  const review = (_: readonly unknown[], options: Readonly<Record<string, unknown>>) =>
    answers.some(name => options[name] !== undefined) ? noOutput : rowsOutput(reviewShape)
  ofMemory(declareOutput(noun.command('review'), review))
    .description(phrase('Show what only a person can settle: conflicts, rejected events, possible duplicates'))
    .argument('[event...]', phrase('IDs or keys of events (default: all that wait)'))
    .addOption(
      choiceOption('--take <side>', phrase('Settle conflicts: the value of the source, or the local one'), deciders),
    )
    .option('--field <names>', phrase('Settle only these fields'), fieldNames)
    .option('--bring-back', phrase('Let the next run write again what was rejected or undone'))
    .option('--same <id>', phrase('The event is this one'), wholeNumber('--same', 1))
    .option('--not-same', phrase('The event is none of those that it resembles'))
    .action(async (refs: string[], options: ReviewOptions) =>
      (await import('./sources/review-sources.ts')).reviewSources(app, refs, options),
    )
}

const applyNotes = () => `
${phrase('What somebody changed on the site stays. Where the source changed the same field, the value of the site stays and waits in calctl sources review; the exit status is 7, once.')}`

const addNotes = () => `
${phrase('All other settings of a source are in sources.yaml: categories, status of new events, places, what to leave out.')}`
