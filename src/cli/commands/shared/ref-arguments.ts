import { Argument, type Command } from 'commander'
import { usage } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Ref } from '../../../client/client.ts'
import type { Field } from '../../../contract/field.ts'
import type { Resource } from '../../../contract/resource.ts'
import { recordsNoun } from '../../../contract/resource-words.ts'

/** How many refs a command takes: one, several, or possibly none because they come from stdin or are selected. */
type Takes = 'one' | 'several' | 'stdin'

/** What a command takes as its last argument, after refs of any number, which commander cannot describe. */
export const lastArguments = new WeakMap<Command, 'date'>()

/** Adds the argument for refs, and `--by-slug` if the resource has slugs. */
export function refsArgument(command: Command, resource: Resource, takes: Takes = 'several'): Command {
  const hasSlugs = resource.keys.includes('slug')
  const name = { one: '<ref>', several: '<ref...>', stdin: '[ref...]' }[takes]
  command.addArgument(new Argument(name, refsDescription(hasSlugs, takes)))
  return hasSlugs ? command.optionsGroup('Selection:').option('--by-slug', phrase('Treat numbers as slugs')) : command
}

function refsDescription(hasSlugs: boolean, takes: Takes): string {
  if (takes === 'stdin')
    return hasSlugs
      ? phrase('IDs, slugs or exact titles, or - to read IDs or slugs from stdin, one per line')
      : phrase('IDs or names, or - to read IDs from stdin, one per line')
  return hasSlugs ? phrase('IDs, slugs or exact titles') : phrase('IDs or names')
}

/** The passwords of existing records, which unlock them. */
export const unlocking = (resource: Resource): [string, Field][] =>
  Object.entries(resource.fields).filter(([, field]) => field.queryOnly)

/** Parses a ref: digits are an ID, unless --by-slug is given; anything else is a slug. */
export function readRef(resource: Resource, text: string, bySlug = false): Ref {
  if (text.trim() === '')
    throw usage(
      resource.keys.includes('slug')
        ? phrase('expected an ID or a slug, got an empty string')
        : phrase('expected an ID, got an empty string'),
      phrase('list {records} with: {command}', {
        records: recordsNoun(resource.name),
        command: `calctl ${resource.name} list`,
      }),
    )
  if (/^\d+$/.test(text) && !bySlug) return { id: readId(text) }
  if (resource.keys.includes('slug')) return { slug: text }
  throw usage(
    phrase('expected the ID of a {record}, got "{text}"', { record: resource.singular, text }),
    phrase('find the ID with: {command}', { command: `calctl ${resource.name} list --slug ${text} --no-hide-empty` }),
  )
}

function readId(text: string): number {
  const id = Number(text)
  if (Number.isSafeInteger(id)) return id
  throw usage(phrase('{text} is too large for an ID', { text }), phrase('if it is a slug, add --by-slug'))
}
