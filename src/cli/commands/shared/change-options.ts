import { type Command, Option } from 'commander'
import { excluding, misread, wrongValue } from '../../../base/failure.ts'
import { asOption, listOf } from '../../../base/text/sentence-parts.ts'
import { doubtful } from '../../../base/time/dates.ts'
import { lengthText, readLengths, readShift } from '../../../base/time/durations.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Change } from '../../../client/change.ts'
import type { Values } from '../../../client/client.ts'
import type { CreatesMissing } from '../../../client/name-lookup.ts'
import type { Field } from '../../../contract/field.ts'
import type { Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { clearedValues, readData } from './data-option.ts'
import { addFieldOption, typedValues } from './options.ts'

/** The options of a change other than its fields. */
export interface ChangeOptions {
  readonly shift?: number
  readonly duration?: number
  readonly createMissing?: CreatesMissing
  readonly allowSimilar?: true
}

/** The fields with several links, with their names in --add-… and --remove-…. */
const manyLinks = (resource: Resource, prefix: 'add' | 'remove'): [string, Field][] =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.kind.shape === 'links' && field.multiple !== false)
    .map(([name, field]) => [`${prefix}_${name}`, field])

/**
 * Adds the options that change a record relative to its current state: `--add-tags`, `--remove-tags`, `--shift`.
 */
export function changeOptions(command: Command, resource: Resource): Command {
  const describe = {
    add: (links: string) => phrase('Add these {resource}, and keep the others', { resource: links }),
    remove: (links: string) => phrase('Remove these {resource}, and keep the others', { resource: links }),
  }
  for (const prefix of ['add', 'remove'] as const)
    for (const [name, field] of manyLinks(resource, prefix))
      addFieldOption(command, name, field, describe[prefix](field.of ?? ''))
  if ('start_date' in resource.fields)
    command.option('--shift <duration>', phrase('Move the start and end, for example by +7d, -2w, +1h or -30m'), shift)
  return linksOption(durationOption(command, resource), resource)
}

/** Adds `--duration` for events. */
export const durationOption = (command: Command, resource: Resource): Command =>
  'end_date' in resource.fields
    ? command.option(
        '--duration <length>',
        phrase('Length of the event in place of its end, for example 2h, 90m, 1h30 or 3d'),
        length,
      )
    : command

function length(text: string): number {
  const [ms, ...others] = readLengths(text)
  if (ms === undefined) throw wrongValue('--duration', phrase('how long the event lasts'), text, '2h')
  if (others.length === 0) return ms
  throw misread('--duration', text, doubtful(text, [ms, ...others].map(lengthText)))
}

/** Adds `--create-missing` and `--allow-similar` if a resource links to others by name. */
export const linksOption = (command: Command, resource: Resource): Command =>
  Object.values(resource.fields).some(field => field.kind.shape === 'links')
    ? command
        .addOption(createMissingOption())
        .option('--allow-similar', phrase('Also create records whose names are close to existing ones'))
    : command

export const createMissingOption = (): Option =>
  new Option(
    '--create-missing [kinds]',
    phrase('Create venues, organizers, categories and tags that do not exist yet, or only these kinds'),
  ).argParser(createdKinds)

function createdKinds(text: string): CreatesMissing {
  if (text === 'all') return true
  const kinds = text.split(',').map(kind => linkedKinds.find(name => name === kind.trim()))
  if (kinds.every(kind => kind !== undefined)) return kinds
  throw wrongValue('--create-missing', listOf([...linkedKinds, 'all'], 'or'), text, 'venues,tags')
}

const linkedKinds = ['venues', 'organizers', 'categories', 'tags'] as const

function shift(text: string): number {
  const ms = readShift(text)
  if (ms === undefined)
    throw wrongValue(
      '--shift',
      phrase('a duration'),
      text,
      phrase('{one} or {other}', { one: '+7d', other: '--shift -30m' }),
    )
  return ms
}

/** The whole change: the values to set, and what depends on each record. */
export async function readChange(
  resource: Resource,
  values: Values,
  options: ChangeOptions & Readonly<Record<string, unknown>>,
): Promise<Change> {
  const relative = async (prefix: 'add' | 'remove') => {
    const typed = await typedValues(manyLinks(resource, prefix), options)
    return Object.fromEntries(Object.entries(typed).map(([name, value]) => [name.slice(prefix.length + 1), value]))
  }
  const { shift, duration } = options
  const change = { values, add: await relative('add'), remove: await relative('remove'), shift, duration }
  checkConflicts(change)
  return change
}

function checkConflicts({ values, add, remove, shift, duration }: Change): void {
  const both = Object.keys({ ...add, ...remove }).find(name => name in values)
  if (both) throw excluding(asOption(both), asOption(`${add && both in add ? 'add' : 'remove'}_${both}`))
  const end = ['start_date', 'end_date'].find(name => name in values)
  if (shift !== undefined && end) throw excluding('--shift', asOption(end))
  checkDuration(values, duration)
  if (shift !== undefined && duration !== undefined) throw excluding('--shift', '--duration')
}

/** Throws `usage` if the end is given twice. */
export function checkDuration(values: Values, duration: number | undefined): void {
  if (duration !== undefined && 'end_date' in values) throw excluding('--duration', asOption('end_date'))
}

/** Adds an option per field, and `--data`. */
export function dataOptions(command: Command, fields: readonly [string, Field][]): Command {
  command.optionsGroup('Fields:')
  for (const [name, field] of fields) addFieldOption(command, name, field)
  return command
    .optionsGroup('Changes:')
    .option('--data <json>', phrase('Fields as JSON text, @file, or - for stdin; options take precedence'))
}

/** The values to write: `--data`, then `--clear`, then the options; later ones take precedence. */
export async function readValues(
  app: App,
  resource: Resource,
  fields: readonly [string, Field][],
  options: Readonly<Record<string, unknown>> & { readonly data?: string; readonly clear?: string },
): Promise<Values> {
  const typed = await typedValues(fields, options)
  const cleared = options.clear === undefined ? {} : await clearedValues(resource, options.clear)
  const both = Object.keys(cleared).find(name => name in typed)
  if (both) throw excluding(`--clear ${both}`, asOption(both))
  const given = options.data === undefined ? {} : await readData(app, resource, options.data)
  const takes = (name: string) => fields.some(([known]) => known === name)
  const data = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      takes(name) ? name : (resource.fields[name]?.inFiles ?? name),
      value,
    ]),
  )
  const values = { ...data, ...cleared, ...typed }
  if (!Object.keys(values).some(name => resource.fields[name]?.kind.shape === 'moment')) return values
  const { checkDates, withBothEnds } = await import('../../../client/dates-of-change.ts')
  const { world } = app
  const [now, zone] = [world.now(), world.timeZone()]
  const dated = withBothEnds(values, { now, zone, notice: app.notice })
  checkDates(resource, dated, now, zone)
  return dated
}
