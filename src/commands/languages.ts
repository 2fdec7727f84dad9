import { Argument, type Command } from 'commander'
import type { App } from '../app.ts'
import type { Values } from '../client/client.ts'
import { resourceNamed, resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import type { StatusOptions } from './languages/show-status.ts'
import { criteriaOptions } from './shared/criteria-options.ts'
import { filterOptions } from './shared/field-options.ts'
import { fieldNames } from './shared/option-parsers.ts'
import { declareOutput, rowsOutput, statusShape } from './shared/output-forms.ts'

export const languagesDescription = 'See what is missing in which language'

/** calctl languages: the translations of records. */
export function languages(command: Command, app: App): void {
  status(
    command.command('status').description('Show what is there in each language; exit status 1 if something is missing'),
    app,
  )
}

function status(command: Command, app: App): void {
  command.addArgument(
    new Argument('[resource]', 'Resource to look at').choices(resources.map(({ name }) => name)).default('events'),
  )
  filterOptions(criteriaOptions(command, resources))
    .option('--all-dates', 'Include past events and those in the distant future')
    .optionsGroup('Translations:')
    .option('--gaps', 'Show only what is not complete: missing, drafts, older, the same text, other facts')
    .option(
      '--match <fields>',
      'Find translations with other slugs by these fields, for example start_date+venue',
      fieldNames,
    )
    .addHelpText('after', examples)
  declareOutput(command, rowsOutput(statusShape)).action(
    async (name: ResourceName, options: StatusOptions & Values) => {
      const { showStatus } = await import('./languages/show-status.ts')
      await showStatus(app, resourceNamed(name), options)
    },
  )
}

const examples = `
Examples:
  calctl languages status
  calctl languages status --gaps -o csv > to-translate.csv
  calctl languages status venues
  calctl languages status --month december --match start_date+venue`
