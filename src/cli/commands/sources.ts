import type { Command } from 'commander'
import { phrase } from '../../base/words/phrase.ts'
import { sourceKinds } from '../../sources/source.ts'
import type { App } from '../app.ts'
import { choiceOption } from './shared/options.ts'
import { declareOutput, documentOutput, noOutput } from './shared/output-forms.ts'
import type { AddOptions } from './sources/add-source.ts'

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
  declareOutput(noun.command('schema'), documentOutput)
    .description(phrase('Print the JSON Schema of sources.yaml, for editors'))
    .action(async () => app.printValue((await import('../../sources/sources-file.ts')).sourcesSchema()))
}

const addNotes = () => `
${phrase('All other settings of a source are in sources.yaml: categories, status of new events, places, what to leave out.')}

Examples:
  calctl sources add theatre https://example.org/agenda.ics
  calctl sources add schools schools.xlsx`
