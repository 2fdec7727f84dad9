import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Values } from '../../client/client.ts'
import type { Field } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import { excluding, Failure } from '../../failure.ts'
import { isObject, parseStrictJson } from '../../text/json.ts'
import { nearest } from '../../text/similarity.ts'
import { addFieldOption, flagName, typedValues } from './field-options.ts'

/** Adds an option per field, and `--data`. */
export function dataOptions(command: Command, fields: readonly [string, Field][]): Command {
  command.optionsGroup('Fields:')
  for (const [name, field] of fields) addFieldOption(command, name, field)
  return command.option('--data <json>', 'Fields as JSON text, @file, or - for stdin; options take precedence')
}

/** The values to write: `--data`, then `--clear`, then the options; later ones take precedence. */
export async function readValues(
  app: App,
  resource: Resource,
  fields: readonly [string, Field][],
  options: Readonly<Record<string, unknown>> & { readonly data?: string; readonly clear?: string },
): Promise<Values> {
  const typed = await typedValues(fields, options)
  const cleared = options.clear === undefined ? {} : clearedValues(resource, options.clear)
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
  await checkDates(app, resource, values)
  return values
}

/** Services ignore unknown fields silently, so a typo would go unnoticed. */
function checkNames(resource: Resource, data: Values): void {
  const unknown = Object.keys(data).find(name => !resource.fields[name] && name !== 'lang_code')
  if (unknown !== undefined) throw noSuchField('--data', resource, unknown)
}

function noSuchField(option: string, resource: Resource, name: string): Failure {
  const known = Object.keys(resource.fields)
  const suggestion = nearest(name.replaceAll('-', '_'), known)
  return new Failure('usage', `${option}: ${resource.name} have no field "${name}"`, {
    hint: suggestion ? `did you mean ${suggestion}?` : `fields: ${known.join(', ')}`,
  })
}

async function checkDates(app: App, resource: Resource, values: Values): Promise<void> {
  const isDated = Object.keys(values).some(name => resource.fields[name]?.kind.shape === 'moment')
  if (!isDated) return
  const { checkDates } = await import('../../client/resolve-change.ts')
  checkDates(resource, values, app.world.now(), app.world.timeZone())
}

async function readData(app: App, source: string): Promise<Values> {
  const data = parseJson(await readSource(app, source))
  if (!isObject(data))
    throw new Failure('usage', '--data: expected one JSON object', {
      hint: `for example: --data '{"title":"Concert"}'`,
    })
  return data
}

async function readSource(app: App, source: string): Promise<string> {
  if (source === '-') return readAll(app)
  return source.startsWith('@') ? readFile(app, source.slice(1)) : source
}

function parseJson(text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (error) {
    throw new Failure('usage', `--data: malformed JSON: ${(error as Error).message}`, {
      hint: `for example: --data '{"title":"Concert"}', --data @event.json or --data -`,
    })
  }
}

async function readFile(app: App, name: string): Promise<string> {
  const { bytesOfFile } = await import('./input.ts')
  const bytes = bytesOfFile(app, name, { option: '--data', hint: 'pass a JSON file: --data @event.json' })
  return textOf(app, bytes, `--data: ${name}`)
}

async function readAll(app: App): Promise<string> {
  if (app.world.stdin.isTTY) await app.notice('reading JSON from the terminal; press Ctrl-D to end')
  const { readInput } = await import('./input.ts')
  return textOf(app, readInput(app, '-'), '--data')
}

async function textOf(app: App, bytes: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const { decodeText, joinText } = await import('../../files/text-streams.ts')
  const notices: string[] = []
  const text = await joinText(decodeText(bytes, name, notice => notices.push(notice)))
  for (const notice of notices) await app.notice(notice)
  return text
}

function clearedValues(resource: Resource, names: string): Values {
  const cleared = names.split(',').map((name): [string, unknown] => {
    const key = name.trim().replaceAll('-', '_')
    const field = resource.fields[key]
    if (!field) throw noSuchField('--clear', resource, name.trim())
    if (field.nonEmpty || field.queryOnly)
      throw new Failure('usage', `--clear: ${key} cannot be empty`, { hint: `set a new value with ${flagName(key)}` })
    return [key, field.kind.empty]
  })
  return Object.fromEntries(cleared)
}
