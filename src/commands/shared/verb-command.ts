import { Argument, type Command } from 'commander'
import type { App } from '../../app.ts'
import type { Ref } from '../../client/client.ts'
import { Preview } from '../../client/dry-run.ts'
import type { Field } from '../../contract/field.ts'
import type { Answer, Resource, VerbName } from '../../contract/resource.ts'
import { Failure, someFailed } from '../../failure.ts'
import type { Row } from '../../terminal/form.ts'
import { requestShape } from './output-forms.ts'

/** A command that every resource has: adds itself under the resource's noun. */
export type Verb = (parent: Command, resource: Resource, app: App) => void

/** The verb's command under its noun, with the contract's examples in its help. */
export function verbCommand(parent: Command, resource: Resource, name: VerbName, description: string): Command {
  const examples = resource.examples[name] ?? []
  const command = parent.command(name).description(description)
  return examples.length === 0
    ? command
    : command.addHelpText('after', `\nExamples:\n${examples.map(line => `  ${line}`).join('\n')}`)
}

/** Adds the argument for refs, and `--by-slug` if the resource has slugs. */
export function refsArgument(command: Command, resource: Resource, name = '<ref...>', more = ''): Command {
  const hasSlugs = resource.keys.includes('slug')
  command.addArgument(new Argument(name, `${hasSlugs ? 'IDs or slugs' : 'IDs'}${more}`))
  return hasSlugs ? command.option('--by-slug', 'Treat numbers as slugs') : command
}

/** The fields that unlock an existing record, such as the password of an event. */
export const unlocking = (resource: Resource): [string, Field][] =>
  Object.entries(resource.fields).filter(([, field]) => field.queryOnly)

/** Parses a ref: digits are an ID, unless --by-slug is given; anything else is a slug. */
export function readRef(resource: Resource, text: string, bySlug = false): Ref {
  if (text.trim() === '')
    throw new Failure(
      'usage',
      `expected an ID${resource.keys.includes('slug') ? ' or a slug' : ''}, got an empty string`,
      {
        hint: `list ${resource.name} with: calctl ${resource.name} list`,
      },
    )
  if (/^\d+$/.test(text) && !bySlug) return { id: readId(text) }
  if (resource.keys.includes('slug')) return { slug: text }
  throw new Failure('usage', `${resource.name} have no slugs: expected an ID, got "${text}"`, {
    hint: `find the ID with: calctl ${resource.name} list --slug ${text} --no-hide-empty`,
  })
}

function readId(text: string): number {
  const id = Number(text)
  if (Number.isSafeInteger(id)) return id
  throw new Failure('usage', `${text} is too large for an ID`, { hint: 'if it is a slug, add --by-slug' })
}

/**
 * Runs an operation on each ref or record and prints the results: an object for one, a list for several. Failures are thrown at the
 * end. A dry run prints the requests instead.
 */
export async function forEachOf<T>(
  app: App,
  resource: Resource,
  items: readonly T[],
  work: (item: T) => Promise<Answer>,
  { wereWritten = true } = {},
): Promise<void> {
  const answers: Answer[] = []
  const previews: Preview[] = []
  const failures: Failure[] = []
  for (const item of items) {
    try {
      answers.push(await work(item))
    } catch (error) {
      if (error instanceof Preview) previews.push(error)
      else if (error instanceof Failure) failures.push(error)
      else throw error
      if (error instanceof Failure && error.details.record) answers.push(error.details.record)
    }
  }
  const [answer] = answers
  if (previews.length > 0) await showRequests(app, previews)
  else if (items.length > 1) await app.print(resource, answers, { wereWritten })
  else if (answer) await app.print(resource, answer, { wereWritten })
  const [failure] = failures
  if (failure) throw items.length > 1 ? someFailed(failures, items.length) : failure
}

/** Prints requests as JSON by default, because their bodies are nested. */
async function showRequests(app: App, previews: readonly Preview[]): Promise<void> {
  const requests: Row[] = previews.map(preview => preview.asData())
  const [request] = requests
  const single = requests.length === 1 && request ? request : requests
  if (app.output || app.globals.fields) await app.print(requestShape, single)
  else await app.printValue(single)
}
