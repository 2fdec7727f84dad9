import { Argument, type Command } from 'commander'
import { Failure, someFailed } from '../../../base/failure.ts'
import type { Ref } from '../../../client/client.ts'
import type { Preview } from '../../../client/dry-run.ts'
import type { Field } from '../../../contract/field.ts'
import type { Answer, Resource, VerbName } from '../../../contract/resource.ts'
import type { Row } from '../../../files/print/form.ts'
import type { App } from '../../app.ts'
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
  return hasSlugs ? command.optionsGroup('Selection:').option('--by-slug', 'Treat numbers as slugs') : command
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
  throw new Failure('usage', `expected the ID of a ${resource.singular}, got "${text}"`, {
    hint: `find the ID with: calctl ${resource.name} list --slug ${text} --no-hide-empty`,
  })
}

function readId(text: string): number {
  const id = Number(text)
  if (Number.isSafeInteger(id)) return id
  throw new Failure('usage', `${text} is too large for an ID`, { hint: 'if it is a slug, add --by-slug' })
}

/** Reads each ref and prints the records: an object for one, a list for several. Failures are thrown at the end. */
export async function readEach(
  app: App,
  resource: Resource,
  refs: readonly Ref[],
  read: (ref: Ref) => Promise<Answer>,
): Promise<void> {
  const answers: Answer[] = []
  const failures: Failure[] = []
  for (const ref of refs)
    try {
      answers.push(await read(ref))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failures.push(error)
    }
  const [answer] = answers
  if (refs.length > 1) await app.print(resource, answers)
  else if (answer) await app.print(resource, answer)
  const [failure] = failures
  if (failure) throw refs.length > 1 ? someFailed(failures, refs.length) : failure
}

/** Prints requests as JSON by default, because their bodies are nested. */
export async function showRequests(app: App, previews: readonly Preview[]): Promise<void> {
  const requests: Row[] = previews.flatMap(preview => preview.asData())
  const [request] = requests
  const single = requests.length === 1 && request ? request : requests
  if (app.output || app.globals.fields) await app.print(requestShape, single)
  else await app.printValue(single)
}
