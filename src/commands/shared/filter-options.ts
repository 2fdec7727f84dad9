import type { Command } from 'commander'
import type { Values } from '../../client/client.ts'
import { resources } from '../../contract/contract.ts'
import type { Filter } from '../../contract/filter.ts'
import type { Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { addFieldOption, flagName, typedValues } from './field-options.ts'

/** The filters of all resources; what several have is one option. An order narrows nothing. */
const filters: readonly [string, Filter][] = [
  ...new Map(resources.toReversed().flatMap(resource => Object.entries(resource.filters))),
].filter(([name]) => name !== 'order' && name !== 'orderby')

/** Adds the filters of all resources; each narrows the lists of those that have it. */
export function filterOptions(command: Command): Command {
  command.optionsGroup('Filters, of the lists that have them:')
  for (const [name, filter] of filters) addFieldOption(command, name, filter)
  return command
}

/** The filters that were typed; throws `usage` for one that none of these resources has. */
export async function typedFilters(of: readonly Resource[], options: Values): Promise<Values> {
  const typed = await typedValues(filters, options)
  const idle = Object.keys(typed).find(name => !of.some(resource => name in resource.filters))
  if (idle)
    throw new Failure('usage', `${of.map(({ name }) => name).join(' and ')} cannot be narrowed by ${flagName(idle)}`, {
      hint: 'leave it out, or name a resource that has this filter',
    })
  return typed
}
