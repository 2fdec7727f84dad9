import { Argument, type Command } from 'commander'
import type { Values } from '../../client/client.ts'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { App } from '../app.ts'
import type { CheckOptions } from './lint/lint-options.ts'
import { criteriaOptions } from './shared/criteria-options.ts'
import { choiceOption, commaSeparated, filterOptions } from './shared/options.ts'
import { declareOutput, findingShape, planOutput, rowsOutput, ruleShape } from './shared/output-forms.ts'
import { planOptions } from './shared/plan-options.ts'

export const lintDescription = 'Find problems and suggest fixes (exit status 1 if there are any)'

const severities = ['error', 'warning', 'info'] as const

/** calctl lint [resource...]: what is wrong with the records of a calendar. */
export function lint(command: Command, app: App): void {
  command
    .addArgument(
      new Argument('[resource...]', 'Resources to check (default: all to which the filters apply)').choices(
        resources.map(({ name }) => name),
      ),
    )
    .optionsGroup('Rules:')
    .option('--rules', 'List the rules, with the reason for each and how to fix what it finds')
    .option('--only <rules>', 'Only these rules, for example mojibake,html-open', commaSeparated)
    .addOption(choiceOption('--severity <level>', 'Lowest severity to report (default: warning)', severities))
    .addOption(choiceOption('--fail-on <level>', 'Lowest severity for exit status 1 (default: warning)', severities))
    .option('--online', 'Also check links, images and the data for search engines (one request for each)')
    .option('--older-than <age>', 'Also find published events that ended longer ago than this, for example 3y')
    .addHelpText('after', examples)
  filterOptions(criteriaOptions(command, resources))
  planOptions(
    command.optionsGroup('Rules:').option('--fix', 'Fix what can be fixed safely, as a plan that is shown first'),
  )
  const forms = rowsOutput(findingShape)
  declareOutput(command, (args, options) => {
    if (options.fix) return planOutput(args, options)
    return options.rules ? rowsOutput(ruleShape) : { ...forms, forms: [...forms.forms, 'sarif', 'github'] }
  }).action(async (names: ResourceName[], options: CheckOptions & Values & { readonly rules?: true }) => {
    if (options.rules) return (await import('./lint/check-records.ts')).listRules(app, options)
    await (await import('./lint/check-records.ts')).checkRecords(app, names, options, command)
  })
}

const examples = `
Add --severity info to include suggestions.

Examples:
  calctl lint
  calctl lint events --month 2026-12 --severity info
  calctl lint --only mojibake,html-open -o json
  calctl lint -o github --fail-on error
  calctl lint --fix --dry-run`
