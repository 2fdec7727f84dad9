import type { Command } from 'commander'
import { type Failure, usage } from '../../../base/failure.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Values } from '../../../client/client.ts'
import { resources } from '../../../contract/contract.ts'
import type { Filter } from '../../../contract/filter.ts'
import type { Resource } from '../../../contract/resource.ts'
import { recordsNoun } from '../../../contract/resource-words.ts'
import { addFieldOption, flagName, typedValues } from './options.ts'

/** The filters of all resources, each name once, without sort orders, because these select nothing. */
const filters: readonly [string, Filter][] = [
  ...new Map(resources.toReversed().flatMap(resource => Object.entries(resource.filters))),
].filter(([name]) => name !== 'order' && name !== 'orderby')

/** Adds the filters of all resources; each applies to the resources that have it. */
export function filterOptions(command: Command): Command {
  for (const [name, filter] of filters) addFieldOption(command, name, filter)
  return command
}

/** Reads the options for filters; throws `usage` for one that none of these resources has. */
export async function typedFilters(selected: readonly Resource[], options: Values): Promise<Values> {
  const typed = await typedValues(filters, options)
  const unusable = Object.keys(typed).find(name => !selected.some(resource => name in resource.filters))
  if (unusable) throw notFilteredBy(selected, flagName(unusable))
  return typed
}

export const notFilteredBy = (selected: readonly Resource[], option: string): Failure =>
  usage(
    phrase('{list} cannot be filtered by {option}', { list: nounsOf(selected), option }),
    phrase('leave it out, or name a resource that has this filter'),
  )

/** `events and venues` */
export const nounsOf = (selected: readonly Resource[]): string => listOf(selected.map(({ name }) => recordsNoun(name)))
