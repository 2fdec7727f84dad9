import { type Failure, forExample, usage } from '../../../base/failure.ts'
import { isObject } from '../../../base/text/json.ts'
import { asOption, listOf } from '../../../base/text/sentence-parts.ts'
import { readJsonAt } from '../../../base/text/strict-json.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Values } from '../../../client/client.ts'
import type { Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { meantInstead } from '../../failures.ts'
import { nounsOf } from './chosen-criteria.ts'

/** The failure for a name in an option that is not that of a field. */
export function noSuchField(option: string, resources: readonly Resource[], name: string, hint?: string): Failure {
  const known = resources.flatMap(({ fields }) => Object.keys(fields))
  return usage(
    phrase('{option}: {list} have no field "{name}"', { option, list: nounsOf(resources), name }),
    meantInstead(name.replaceAll('-', '_'), known, hint ?? phrase('fields: {list}', { list: known.join(', ') })),
  )
}

const exampleData = `--data '{"title":"Concert"}'`

/** Reads `--data`. Throws for an unknown field, which services would ignore without saying so. */
export async function readData(app: App, resource: Resource, source: string): Promise<Values> {
  const examples = listOf([exampleData, '--data @event.json', '--data -'], 'or')
  const data = readJsonAt('--data', await readSource(app, source), forExample(examples))
  if (!isObject(data)) throw usage(phrase('--data: expected one JSON object'), forExample(exampleData))
  const unknown = Object.keys(data).find(name => !resource.fields[name] && name !== 'lang_code')
  if (unknown !== undefined) throw noSuchField('--data', [resource], unknown)
  return data
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

export async function clearedValues(resource: Resource, names: string): Promise<Values> {
  const { pathCalled } = await import('./spoken-fields.ts')
  const cleared = names.split(',').map((name): [string, unknown] => {
    const key = pathCalled(name.trim(), [resource]).replaceAll('-', '_')
    const field = resource.fields[key]
    if (!field) throw noSuchField('--clear', [resource], name.trim())
    if (field.nonEmpty || field.queryOnly)
      throw usage(
        phrase('--clear: {key} cannot be empty', { key }),
        phrase('set a new value with {option}', { option: asOption(key) }),
      )
    return [key, field.kind.empty]
  })
  return Object.fromEntries(cleared)
}
