import type { Command } from 'commander'
import { excluding, forExample, usage } from '../../../base/failure.ts'
import { asOption } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { RefLine } from '../../../changes/plan/making/from-refs.ts'
import type { Ref, Values } from '../../../client/client.ts'
import type { Filter } from '../../../contract/filter.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { isSlug } from '../../../contract/slug.ts'
import type { App } from '../../app.ts'
import { allDatesOption, type CriteriaOptions, criteriaGiven, criteriaOptions } from './criteria-options.ts'
import { addFieldOption, type DayOptions, optionValue, type VerbContext } from './options.ts'
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
  /** Whether the verb would change a record; absent if it would change each. */
  changes?(record: Answer): boolean
}

/** The records that a command line names or selects: how its verb finds them, its arguments, and its options. */
export interface RefChoice<Options extends object = object> {
  readonly selecting: Selecting
  readonly texts: readonly string[]
  readonly options: Options
}

export type SelectionOptions = CriteriaOptions & SeriesOptions & Values

export const filtersOf = ({ resource, taken = [] }: Selecting): [string, Filter][] =>
  Object.entries(resource.filters).filter(([name]) => !/^order/.test(name) && !taken.includes(name))

/** Adds the options that select records as `list` does, so that what was listed can be written. */
export function selectingOptions(command: Command, selecting: Selecting): Command {
  const { resource, taken = [] } = selecting
  if (resource.name === 'events' && !selecting.trashed)
    command
      .optionsGroup('Series:')
      .option('--series', phrase('All events of the series of this one'))
      .option('--from-here', phrase('This event and the later ones of its series'))
  criteriaOptions(command, [resource], 'Selection:', taken as (keyof DayOptions)[])
  for (const [name, filter] of filtersOf(selecting)) addFieldOption(command, name, filter)
  return allDatesOption(command, resource)
}

/** The options that select records, without those that have another meaning for the verb. */
export const withoutTaken = ({ taken = [] }: Selecting, options: SelectionOptions): SelectionOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !taken.includes(name)))

/** The given options of a selection. */
export const selectionGiven = (selecting: Selecting, options: SelectionOptions): string[] => [
  ...criteriaGiven(withoutTaken(selecting, options)),
  ...filtersOf(selecting)
    .filter(([name]) => optionValue(options, name) !== undefined)
    .map(([name]) => asOption(name)),
]

export interface SeriesOptions {
  readonly bySlug?: true
  readonly series?: true
  readonly fromHere?: true
}

/** The option that extends a change to a series, if it is given. */
export const seriesOption = ({ series, fromHere }: SeriesOptions): string | undefined =>
  fromHere ? '--from-here' : series ? '--series' : undefined

/**
 * Whether a verb writes records that stdin names or that are selected, instead of single ones. Throws `usage` if there are none, or both.
 */
export function areMany(selecting: Selecting, texts: readonly string[], options: SelectionOptions): boolean {
  const [selection] = selectionGiven(selecting, options)
  const series = seriesOption(options)
  if (series !== undefined && (texts.length !== 1 || areOnStdin(texts)))
    throw usage(
      phrase('{option} takes one event of the series', { option: series }),
      forExample(`calctl events cancel 12 ${series}`),
    )
  // A title chooses among the records of a selection; an ID needs no selection.
  const isTitle = texts.length === 1 && series === undefined && /[^\d\s-]/.test(texts[0] ?? '')
  if (selection !== undefined && texts.length > 0 && !isTitle)
    throw excluding(selection, areOnStdin(texts) ? '-' : phrase('IDs or slugs'))
  if (selection === undefined && texts.length === 0)
    throw usage(
      phrase('no records given'),
      phrase('pass IDs or slugs, - for stdin, or filters of list, for example: {example}', {
        example: exampleOf(selecting.resource),
      }),
    )
  return selection !== undefined || series !== undefined || areOnStdin(texts)
}

const exampleOf = ({ name }: Resource): string =>
  name === 'events' ? phrase('--on saturday') : "--where 'description=none'"
