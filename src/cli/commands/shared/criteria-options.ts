import type { Command } from 'commander'
import { phrase } from '../../../base/words/phrase.ts'
import { dateFilterNames } from '../../../contract/filter.ts'
import type { Resource } from '../../../contract/resource.ts'
import { type DayOptions, dayOptions, daysGiven, repeatable } from './options.ts'
import type { TypedCriteria } from './read-criteria.ts'

/** The options that select records besides the API's filters, the same for every command that takes several records. */
export interface CriteriaOptions extends TypedCriteria {
  readonly allDates?: true
}

/** Adds `--on` and the like for events, `--where` and `--modified-after`, in a group of the help. */
export function criteriaOptions(
  command: Command,
  resources: readonly Resource[],
  group = 'Filters:',
  withoutDays: readonly (keyof DayOptions)[] = [],
): Command {
  command.optionsGroup(group)
  if (resources.some(({ name }) => name === 'events')) dayOptions(command, withoutDays)
  return conditionOptions(command, resources)
}

/** Adds the options for which the API has no filters. */
export function conditionOptions(command: Command, resources: readonly Resource[]): Command {
  command.option(
    '--where <condition>',
    phrase("Only records that meet this condition, for example 'image=none', 'cost>20' or 'title~jazz'; repeatable"),
    repeatable,
  )
  if (resources.some(({ trashable }) => trashable))
    command.option(
      '--modified-after <date>',
      phrase('Only records changed after this time, or after the end of this day'),
    )
  return command
}

/** Adds `--all-dates` if a list has default dates. */
export function allDatesOption(command: Command, { filters }: Resource): Command {
  if (dateFilterNames(filters).length === 0) return command
  return command.option('--all-dates', phrase('Include past events and those in the distant future'))
}

/** The given criteria, by the names of their options. */
export const criteriaGiven = (options: CriteriaOptions): string[] => [
  ...daysGiven(options).map(name => `--${name}`),
  ...(options.where ? ['--where'] : []),
  ...(options.modifiedAfter === undefined ? [] : ['--modified-after']),
]
