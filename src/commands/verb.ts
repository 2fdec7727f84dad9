import { Argument, type Command } from 'commander'
import type { App } from '../app.ts'
import type { Ref } from '../client/client.ts'
import type { Field } from '../contract/field.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { Failure, someFailed } from '../failure.ts'

/** A command that every resource has: adds itself under the resource's noun. */
export type Verb = (parent: Command, resource: Resource, app: App) => void

type VerbName = keyof Resource['examples']

/** The verb's command under its noun, with the contract's examples in its help. */
export function verbCommand(parent: Command, resource: Resource, name: VerbName, description: string): Command {
  const examples = resource.examples[name] ?? []
  const command = parent.command(name).description(description)
  return examples.length === 0
    ? command
    : command.addHelpText('after', `\nExamples:\n${examples.map(line => `  ${line}`).join('\n')}`)
}

/** Adds `<ref...>` and, where a resource has slugs, `--by-slug`. */
export function refsArgument(command: Command, resource: Resource): Command {
  const hasSlugs = resource.keys.includes('slug')
  command.addArgument(new Argument('<ref...>', hasSlugs ? 'IDs or slugs' : 'IDs'))
  return hasSlugs ? command.option('--by-slug', 'digits are a slug too') : command
}

/** The fields that name nothing new but unlock an existing record. */
export const unlocking = (resource: Resource): [string, Field][] =>
  Object.entries(resource.fields).filter(([, field]) => field.itemOnly)

/** Digits are an id, anything else a slug. */
export function readRef(resource: Resource, text: string, bySlug = false): Ref {
  if (/^\d+$/.test(text) && !bySlug) return { id: Number(text) }
  if (resource.keys.includes('slug')) return { slug: text }
  throw new Failure('usage', `${resource.name} have IDs only, got "${text}"`, {
    hint: `find the ID with: calctl ${resource.name} list --slug ${text} --no-hide-empty`,
  })
}

/** Does one thing to each record and prints what came of it: an object for one ref, a list for several; failures are told at the end. */
export async function forEachRef(
  app: App,
  resource: Resource,
  refs: readonly Ref[],
  work: (ref: Ref) => Promise<Answer>,
): Promise<void> {
  const [only, ...others] = refs
  if (only && others.length === 0) return app.print(resource, await work(only))
  const answers: Answer[] = []
  const failures: Failure[] = []
  for (const ref of refs) {
    try {
      answers.push(await work(ref))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failures.push(error)
    }
  }
  await app.print(resource, answers)
  if (failures.length > 0) throw someFailed(failures, refs.length)
}
