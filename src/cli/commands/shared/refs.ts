import type { Command } from 'commander'
import { excluding, usage } from '../../../base/failure.ts'
import { asOption } from '../../../base/text/sentence-parts.ts'
import type { DayRange } from '../../../base/time/calendar-words.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { RefLine } from '../../../changes/plan/making/from-refs.ts'
import type { Ref, Values } from '../../../client/client.ts'
import { type Filter, largestPage } from '../../../contract/filter.ts'
import type { Resource } from '../../../contract/resource.ts'
import { isSlug } from '../../../contract/slug.ts'
import type { App } from '../../app.ts'
import { readCriteria, withAllDates } from './chosen-criteria.ts'
import { allDatesOption, type CriteriaOptions, criteriaGiven, criteriaOptions } from './criteria-options.ts'
import { addFieldOption, type DayOptions, optionValue, typedValues, type VerbContext } from './options.ts'
import { readRef } from './ref-arguments.ts'
import { refsOnStdin } from './refs-on-stdin.ts'

/** Whether refs are read from stdin. */
export const areOnStdin = (texts: readonly string[]): boolean => texts.includes('-')

/** Throws `usage` for a password with refs from stdin or a file: lists are read for these, and no password unlocks a list. */
export function checkUnlocks(resource: Resource, values: Values): void {
  const name = Object.keys(values).find(name => resource.fields[name]?.queryOnly)
  if (name)
    throw usage(
      phrase('{option} cannot unlock {resource} from - or --from', { option: asOption(name), resource: resource.name }),
      phrase('leave it out, or pass their IDs or slugs as arguments'),
    )
}

/** The records that arguments name, or `-` for those on stdin. */
export async function readRefs(
  app: App,
  resource: Resource,
  texts: readonly string[],
  bySlug?: boolean,
): Promise<RefLine[]> {
  if (areOnStdin(texts)) return refsOnStdin(app, resource, texts, bySlug)
  const context = { app, client: await app.client({ toPlan: true }), resource }
  return (await namedRefs(context, texts, bySlug)).map(ref => ({ ref }))
}

/** The refs in these arguments, with IDs in place of titles; titles are looked up only if there are any. */
export async function namedRefs(
  context: VerbContext & { readonly trashed?: boolean },
  texts: readonly string[],
  bySlug?: boolean,
): Promise<readonly Ref[]> {
  const { resource } = context
  const hasSlugs = resource.keys.includes('slug')
  const isTitle = (text: string) => !/^\d*$/.test(text.trim()) && !(hasSlugs && isSlug(text))
  const refs: Ref[] = []
  for (const text of texts) {
    const named = isTitle(text) ? await (await import('./named-refs.ts')).refOfTitle(context, text) : undefined
    refs.push(named ?? readRef(resource, text, bySlug))
  }
  return refs
}

/** How a verb finds the records to write if none are named. */
export interface Selecting {
  readonly resource: Resource
  /** The options that have another meaning for the verb. */
  readonly taken?: readonly string[]
  /** Whether the records are in the trash. */
  readonly trashed?: boolean
}

/** The records that a command line names or selects: how its verb finds them, its arguments, and its options. */
export interface RefChoice<Options extends object = object> {
  readonly selecting: Selecting
  readonly texts: readonly string[]
  readonly options: Options
}

type Options = CriteriaOptions & Values

const filtersOf = ({ resource, taken = [] }: Selecting): [string, Filter][] =>
  Object.entries(resource.filters).filter(([name]) => !/^order/.test(name) && !taken.includes(name))

/** Adds the options that select records as `list` does, so that what was listed can be written. */
export function selectingOptions(command: Command, selecting: Selecting): Command {
  const { resource, taken = [] } = selecting
  criteriaOptions(command, [resource], 'Selection:', taken as (keyof DayOptions)[])
  for (const [name, filter] of filtersOf(selecting)) addFieldOption(command, name, filter)
  return allDatesOption(command, resource)
}

/** The options that select records, without those that have another meaning for the verb. */
const own = ({ taken = [] }: Selecting, options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !taken.includes(name)))

/** The given options of a selection. */
export const selectionGiven = (selecting: Selecting, options: Options): string[] => [
  ...criteriaGiven(own(selecting, options)),
  ...filtersOf(selecting)
    .filter(([name]) => optionValue(options, name) !== undefined)
    .map(([name]) => asOption(name)),
]

/**
 * Whether a verb writes records that stdin names or that are selected, instead of single ones. Throws `usage` if there are none, or both.
 */
export function areMany(selecting: Selecting, texts: readonly string[], options: Options): boolean {
  const [selection] = selectionGiven(selecting, options)
  if (selection !== undefined && texts.length > 0)
    throw excluding(selection, areOnStdin(texts) ? '-' : phrase('IDs or slugs'))
  if (selection === undefined && texts.length === 0)
    throw usage(
      phrase('no records given'),
      phrase('pass IDs or slugs, - for stdin, or filters of list, for example: {example}', {
        example: exampleOf(selecting.resource),
      }),
    )
  return selection !== undefined || areOnStdin(texts)
}

const exampleOf = ({ name }: Resource): string =>
  name === 'events' ? phrase('--on saturday') : "--where 'description=none'"

/** The records that a verb writes. */
export interface SelectedRefs {
  readonly lines: RefLine[]
  /** The days for which events were selected. */
  readonly days?: DayRange | undefined
}

/** The records that the options select, in the order of the list. */
export async function selectRefs(app: App, selecting: Selecting, options: Options): Promise<SelectedRefs> {
  const { resource, trashed = false } = selecting
  const given = own(selecting, options)
  const filters = withAllDates(resource, await typedValues(filtersOf(selecting), given), given)
  const client = await app.client({ toPlan: true })
  const criteria = await readCriteria(app, client, { resources: [resource], filters, options: given })
  const { select, selectedPages } = await import('../../../client/selection/criteria.ts')
  const query = (narrowed: Values) => ({ per_page: largestPage, ...narrowed, ...(trashed && { status: 'trash' }) })
  const lines: RefLine[] = []
  for await (const { records } of selectedPages(client, resource, await select(client, resource, criteria), query))
    for (const { id } of records) lines.push({ ref: { id } })
  if (lines.length === 0) await app.notice(phrase('no {resource} match', { resource: resource.name }))
  return { lines, days: criteria.days }
}
