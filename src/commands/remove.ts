import type { App } from '../app.ts'
import type { Values } from '../client/client.ts'
import type { Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { answers, writeAnswer } from './shared/answers.ts'
import { carryOptions } from './shared/apply-plan.ts'
import { addFieldOption, typedValues } from './shared/field-options.ts'
import type { ManyOptions } from './shared/many.ts'
import { areOnStdin, checkSingle, checkUnlocks, orOnStdin } from './shared/refs.ts'
import { forEachOf, readRef, refsArgument, unlocking, type Verb, verbCommand } from './shared/verb.ts'

/** calctl <resource> delete <ref...>: posts go to the trash, terms for good; asks first. */
export const remove: Verb = (parent, resource, app) => {
  const fate = resource.trashable ? 'move to the trash' : 'delete for good'
  const command = refsArgument(
    verbCommand(parent, resource, 'delete', `${fate}: ${resource.name}`),
    resource,
    '<ref...>',
    orOnStdin,
  )
  for (const [name, field] of unlocking(resource)) addFieldOption(command, name, field)
  carryOptions(command)
  answers(command, writeAnswer(resource))
  command.action(async (texts: string[], options: ManyOptions & Values) => {
    const values = await typedValues(unlocking(resource), options)
    if (areOnStdin(texts)) {
      checkUnlocks(resource, values)
      return (await import('./shared/many.ts')).removeMany(app, resource, texts, options)
    }
    checkSingle(options, '-')
    const refs = texts.map(text => readRef(resource, text, options.bySlug))
    if (!options.dryRun) await confirmed(app, resource, fate, texts)
    const client = await app.writer(options)
    await forEachOf(app, resource, refs, ref => client.delete(resource, ref, values))
  })
}

async function confirmed(app: App, resource: Resource, fate: string, refs: readonly string[]): Promise<void> {
  if (app.globals.yes) return
  const what = refs.length === 1 ? `${resource.singular} ${refs[0]}` : `${refs.length} ${resource.name}`
  if (!app.canAsk)
    throw new Failure('declined', `nobody can be asked whether to ${fate} ${what}`, {
      hint: 'to do it without being asked add: --yes',
    })
  const { askYesNo } = await import('../terminal/prompts.ts')
  if (!(await askYesNo(app.world, `${fate} ${what}?`)))
    throw new Failure('declined', `left ${what} as it was`, { hint: 'to do it without being asked add: --yes' })
}
