import type { App } from '../app.ts'
import type { Ref, Values } from '../client/client.ts'
import type { Resource } from '../contract/resource.ts'
import { counted, nounFor } from '../text/words.ts'
import { planOptions } from './shared/apply-plan.ts'
import { confirm, describeRecords } from './shared/confirmation.ts'
import { addFieldOption, typedValues } from './shared/field-options.ts'
import { declareOutput, writeOutput } from './shared/output-forms.ts'
import type { ManyOptions } from './shared/plan-from-refs.ts'
import { areOnStdin, checkSingle, checkUnlocks, orOnStdin } from './shared/refs.ts'
import { forEachOf, readRef, refsArgument, unlocking, type Verb, verbCommand } from './shared/verb-command.ts'

/** calctl <resource> delete <ref...>: moves posts to the trash, deletes terms permanently; asks first. */
export const remove: Verb = (parent, resource, app) => {
  const command = refsArgument(
    verbCommand(parent, resource, 'delete', describeVerb(resource)),
    resource,
    '<ref...>',
    orOnStdin,
  )
  for (const [name, field] of unlocking(resource)) addFieldOption(command, name, field)
  planOptions(command)
  declareOutput(command, writeOutput(resource))
  command.action(async (texts: string[], options: ManyOptions & Values) => {
    const values = await typedValues(unlocking(resource), options)
    if (areOnStdin(texts)) {
      checkUnlocks(resource, values)
      return (await import('./shared/plan-from-refs.ts')).removeMany(app, resource, texts, options)
    }
    checkSingle(options, '-')
    const refs = texts.map(text => readRef(resource, text, options.bySlug))
    if (!options.dryRun && !app.globals.yes) await confirmRemoval(app, resource, refs, values)
    const client = await app.writer(options)
    await forEachOf(app, resource, refs, ref => client.delete(resource, ref, values))
  })
}

const describeVerb = ({ name, trashable }: Resource): string =>
  trashable ? `Move ${name} to the trash` : `Delete ${name} permanently`

async function confirmRemoval(app: App, resource: Resource, refs: readonly Ref[], values: Values): Promise<void> {
  const [ref] = refs
  const name = refs.length === 1 && ref ? `${resource.singular} ${refText(ref)}` : `${refs.length} ${resource.name}`
  await confirm(app, {
    question: app.canAsk ? await removalQuestion(app, resource, refs, values) : questionAbout(resource, name),
    declined: `kept ${name}`,
  })
}

const refText = (ref: Ref): string => ('id' in ref ? String(ref.id) : ref.slug)

const questionAbout = ({ trashable }: Resource, name: string): string =>
  trashable ? `Move ${name} to the trash?` : `Delete ${name} permanently?`

/**
 * `Move "Mercat de pagès" (57, Sat 2026-11-21 08:00) to the trash?`, `Delete category "Jazz" (27) permanently? 4 events
 * use it.`
 */
async function removalQuestion(app: App, resource: Resource, refs: readonly Ref[], values: Values): Promise<string> {
  // Locks the calendar before it is read, because it is written after the answer.
  const client = await app.client({ toPlan: true })
  const { text, records } = await describeRecords(client, resource, refs, values)
  const uses = resource.trashable ? 0 : records.reduce((sum, { count }) => sum + (Number(count) || 0), 0)
  const question = questionAbout(resource, text)
  if (uses === 0) return question
  return `${question} ${counted(uses, 'event')} ${nounFor(uses, 'uses', 'use')} ${nounFor(refs.length, 'it', 'them')}.`
}
