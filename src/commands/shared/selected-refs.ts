import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Values } from '../../client/client.ts'
import { type Filter, largestPage } from '../../contract/filter.ts'
import type { Resource } from '../../contract/resource.ts'
import { excluding, Failure } from '../../failure.ts'
import type { RefLine } from '../../plan/build/from-refs.ts'
import type { DayRange } from '../../time/day-range.ts'
import {
  allDatesOption,
  type CriteriaOptions,
  criteriaGiven,
  criteriaOptions,
  readCriteria,
  withAllDates,
} from './criteria-options.ts'
import type { DayOptions } from './day-options.ts'
import { addFieldOption, flagName, optionValue, typedValues } from './field-options.ts'
import { areOnStdin } from './refs.ts'

/** How a verb finds the records that it writes if they are not named. */
export interface Selecting {
  readonly resource: Resource
  /** The options that mean something else for the verb. */
  readonly taken?: readonly string[]
  /** Whether the records are in the trash. */
  readonly trashed?: boolean
}

type Options = CriteriaOptions & Values

const filtersOf = ({ resource, taken = [] }: Selecting): [string, Filter][] =>
  Object.entries(resource.filters).filter(([name]) => !/^order/.test(name) && !taken.includes(name))

/** Adds the options that select the records of a verb as `list` selects them, so that what was listed can be written. */
export function selectingOptions(command: Command, selecting: Selecting): Command {
  const { resource, taken = [] } = selecting
  criteriaOptions(command, [resource], 'Selection:', taken as (keyof DayOptions)[])
  for (const [name, filter] of filtersOf(selecting)) addFieldOption(command, name, filter)
  return allDatesOption(command, resource)
}

/** The options that select records, without those that mean something else for the verb. */
const own = ({ taken = [] }: Selecting, options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !taken.includes(name)))

/** The options of a selection that are given. */
export const selectionGiven = (selecting: Selecting, options: Options): string[] => [
  ...criteriaGiven(own(selecting, options)),
  ...filtersOf(selecting)
    .filter(([name]) => optionValue(options, name) !== undefined)
    .map(([name]) => flagName(name)),
]

/** Whether a verb writes records that are named on stdin or selected, and not single ones. Throws `usage` if there are none, or both. */
export function areMany(selecting: Selecting, texts: readonly string[], options: Options): boolean {
  const [selection] = selectionGiven(selecting, options)
  if (selection !== undefined && texts.length > 0) throw excluding(selection, areOnStdin(texts) ? '-' : 'IDs or slugs')
  if (selection === undefined && texts.length === 0)
    throw new Failure('usage', 'no records given', {
      hint: `pass IDs or slugs, - for stdin, or what list takes, for example: ${exampleOf(selecting.resource)}`,
    })
  return selection !== undefined || areOnStdin(texts)
}

const exampleOf = ({ name }: Resource): string => (name === 'events' ? '--on saturday' : "--where 'description=none'")

/** The records that a verb writes. */
export interface SelectedRefs {
  readonly lines: RefLine[]
  /** The days of which events were asked for. */
  readonly days?: DayRange | undefined
}

/** The records that the options select, in the order of the list. */
export async function selectRefs(app: App, selecting: Selecting, options: Options): Promise<SelectedRefs> {
  const { resource, trashed = false } = selecting
  const given = own(selecting, options)
  const filters = withAllDates(resource, await typedValues(filtersOf(selecting), given), given)
  const client = await app.client({ toPlan: true })
  const criteria = await readCriteria(app, client, [resource], filters, given)
  const { select } = await import('../../client/selection/criteria.ts')
  const { selectedPages } = await import('../../client/selection/selected-records.ts')
  const query = (narrowed: Values) => ({ per_page: largestPage, ...narrowed, ...(trashed && { status: 'trash' }) })
  const lines: RefLine[] = []
  for await (const { records } of selectedPages(client, resource, await select(client, resource, criteria), query))
    for (const { id } of records) lines.push({ ref: { id } })
  if (lines.length === 0) await app.notice(`no ${resource.name} match`)
  return { lines, days: criteria.days }
}
