import { type Command, Option } from 'commander'
import { excluding, type Failure, forExample, misread, usage, wrongValue } from '../../../base/failure.ts'
import { isObject } from '../../../base/text/json.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { parseStrictJson } from '../../../base/text/strict-json.ts'
import { doubtful } from '../../../base/time/dates.ts'
import { lengthText, readLengths, readShift } from '../../../base/time/durations.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Step } from '../../../changes/plan/plan.ts'
import type { Change, ChangeContext } from '../../../client/change.ts'
import type { Client, Values } from '../../../client/client.ts'
import type { CreatesMissing, NameCare, NameSource } from '../../../client/name-lookup.ts'
import type { Field } from '../../../contract/field.ts'
import type { Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { meantInstead } from '../../failures.ts'
import { nameCare } from './confirmation.ts'
import { addFieldOption, flagName, typedValues } from './options.ts'

/** The options of a change other than its fields. */
export interface ChangeOptions {
  readonly shift?: number
  readonly duration?: number
  readonly keepInstant?: true
  readonly createMissing?: CreatesMissing
  readonly allowSimilar?: true
}

/** The fields with several links, with their names in --add-… and --remove-…. */
const manyLinks = (resource: Resource, prefix: 'add' | 'remove'): [string, Field][] =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.kind.shape === 'links' && field.multiple !== false)
    .map(([name, field]) => [`${prefix}_${name}`, field])

/**
 * Adds the options that change a record relative to its current state: `--add-tags`, `--remove-tags`, `--shift`,
 * `--keep-instant`.
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
    command
      .option('--shift <duration>', phrase('Move the start and end, for example by +7d, -2w, +1h or -30m'), shift)
      .option('--keep-instant', phrase('With --timezone: keep the instant, not the local time'))
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
  const { shift, duration, keepInstant } = options
  const change = { values, add: await relative('add'), remove: await relative('remove'), shift, duration, keepInstant }
  checkConflicts(change)
  return change
}

function checkConflicts({ values, add, remove, shift, duration, keepInstant }: Change): void {
  const both = Object.keys({ ...add, ...remove }).find(name => name in values)
  if (both) throw excluding(flagName(both), flagName(`${add && both in add ? 'add' : 'remove'}_${both}`))
  const end = ['start_date', 'end_date'].find(name => name in values)
  if (shift !== undefined && end) throw excluding('--shift', flagName(end))
  checkDuration(values, duration)
  if (shift !== undefined && duration !== undefined) throw excluding('--shift', '--duration')
  if (shift !== undefined && keepInstant) throw excluding('--shift', '--keep-instant')
  if (keepInstant && values.timezone === undefined)
    throw usage(phrase('--keep-instant requires --timezone'), forExample('--timezone Europe/Madrid'))
}

/** Throws `usage` if the end is given twice. */
export function checkDuration(values: Values, duration: number | undefined): void {
  if (duration !== undefined && 'end_date' in values) throw excluding('--duration', flagName('end_date'))
}

/** Whether a change would change anything. */
export const changesNothing = (resource: Resource, { values, add = {}, remove = {}, shift, duration }: Change) =>
  shift === undefined &&
  duration === undefined &&
  Object.keys({ ...add, ...remove }).length === 0 &&
  Object.keys(values).every(name => resource.fields[name]?.queryOnly)

/** The context in which the changes of a command are resolved, and the steps that create what they name with --create-missing. */
export async function changeContext(
  app: App,
  client: Client,
  options: ChangeOptions & { readonly patch?: true; readonly isCopy?: true },
): Promise<ChangeContext & { readonly linked: readonly Step[]; readonly said: ReadonlySet<string> }> {
  const { createNameLookup, createsMissing } = await import('../../../client/name-lookup.ts')
  const { createNameSearch } = await import('../../../client/find/name-search.ts')
  const { createAllow } = await import('../../../client/adapters/allowed-values.ts')
  const { createMarks } = await import('../../../client/adapters/event-marks.ts')
  const source = createNameSearch(client)
  const care = options.allowSimilar ? undefined : nameCare(app)
  const links = options.createMissing ? await linksOf(source, care, options.createMissing) : undefined
  const said = new Set<string>()
  return {
    now: app.world.now(),
    zone: app.world.timeZone(),
    siteZone: client.timezone,
    names: links?.names ?? createNameLookup(source, { care, say: sentence => void said.add(sentence) }),
    notice: app.notice,
    known: client,
    endsInWallTime: !client.capabilities.keepsOffsets,
    isPatch: options.patch ?? false,
    allow: createAllow(client, { isPatch: options.patch ?? false, isCopy: options.isCopy ?? false }),
    marks: createMarks(client, { notice: app.notice, createsTag: createsMissing(options.createMissing, 'tags') }),
    linked: links?.steps ?? [],
    said: links?.said ?? said,
  }
}

/** A lookup that plans records for names that do not exist, and their steps. */
async function linksOf(source: NameSource, care: NameCare | undefined, createsMissing: CreatesMissing) {
  const { createLinkResolver } = await import('../../../changes/plan/making/links.ts')
  const links = createLinkResolver(() => source, { isSingle: true })
  const names = links.namesFor({ language: undefined, createsMissing, care })
  return { steps: links.steps, said: links.notes, names }
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
  if (both) throw excluding(`--clear ${both}`, flagName(both))
  const given = options.data === undefined ? {} : await readData(app, options.data)
  checkNames(resource, given)
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

/** Throws for an unknown field, which services would ignore without saying so. */
function checkNames(resource: Resource, data: Values): void {
  const unknown = Object.keys(data).find(name => !resource.fields[name] && name !== 'lang_code')
  if (unknown !== undefined) throw noSuchField('--data', resource, unknown)
}

function noSuchField(option: string, resource: Resource, name: string): Failure {
  const known = Object.keys(resource.fields)
  return usage(
    phrase('{option}: {resource} have no field "{name}"', { option, resource: resource.name, name }),
    meantInstead(name.replaceAll('-', '_'), known, phrase('fields: {list}', { list: known.join(', ') })),
  )
}

const exampleData = `--data '{"title":"Concert"}'`

async function readData(app: App, source: string): Promise<Values> {
  const data = parseJson(await readSource(app, source))
  if (!isObject(data)) throw usage(phrase('--data: expected one JSON object'), forExample(exampleData))
  return data
}

function parseJson(text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (error) {
    throw usage(
      phrase('--data: malformed JSON: {reason}', { reason: (error as Error).message }),
      forExample(listOf([exampleData, '--data @event.json', '--data -'], 'or')),
    )
  }
}

/** The text itself, that of a `@file`, or for `-` that of stdin. */
async function readSource(app: App, source: string): Promise<string> {
  if (source !== '-' && !source.startsWith('@')) return source
  const { bytesOfFile, readInput } = await import('./input.ts')
  const name = source.slice(1)
  const naming = { option: '--data', hint: phrase('pass a JSON file: --data @event.json') }
  if (source !== '-') return textOf(app, bytesOfFile(app, name, naming), `--data: ${name}`)
  if (app.world.stdin.isTTY) await app.notice(phrase('reading JSON from the terminal; press Ctrl-D to end'))
  return textOf(app, readInput(app, '-'), '--data')
}

async function textOf(app: App, bytes: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const { decodeText, joinText } = await import('../../../files/text-streams.ts')
  const notices: string[] = []
  const text = await joinText(decodeText(bytes, name, notice => notices.push(notice)))
  for (const notice of notices) await app.notice(notice)
  return text
}

async function clearedValues(resource: Resource, names: string): Promise<Values> {
  const { pathCalled } = await import('./spoken-fields.ts')
  const cleared = names.split(',').map((name): [string, unknown] => {
    const key = pathCalled(name.trim(), [resource]).replaceAll('-', '_')
    const field = resource.fields[key]
    if (!field) throw noSuchField('--clear', resource, name.trim())
    if (field.nonEmpty || field.queryOnly)
      throw usage(
        phrase('--clear: {key} cannot be empty', { key }),
        phrase('set a new value with {option}', { option: flagName(key) }),
      )
    return [key, field.kind.empty]
  })
  return Object.fromEntries(cleared)
}
