import { capitalized } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Policy } from '../../changes/carry-out/front.ts'
import type { Plan } from '../../changes/plan/plan.ts'
import type { Client, Ref, Values } from '../../client/client.ts'
import { statuses } from '../../contract/post-status.ts'
import type { Resource } from '../../contract/resource.ts'
import { namedRecord, recordCount } from '../../contract/resource-words.ts'
import { recordInFull } from '../../files/print/record-names.ts'
import type { App } from '../app.ts'
import { buildContext } from './shared/build-context.ts'
import { confirm, showBefore } from './shared/confirmation.ts'
import { translationOptions } from './shared/language-options.ts'
import { addFieldOption, choiceOption, typedValues, type Verb, verbCommand } from './shared/options.ts'
import { declareOutput, writeOutput } from './shared/output-forms.ts'
import { carryOutFor, chosenLines, type ManyOptions } from './shared/plan-from-refs.ts'
import { planOptions } from './shared/plan-options.ts'
import { refsArgument, unlocking } from './shared/ref-arguments.ts'
import { areMany, checkUnlocks, selectingOptions } from './shared/refs.ts'

/** calctl <resource> delete <ref...>: moves posts to the trash, deletes terms permanently; asks first. */
export const remove: Verb = (parent, resource, app) => {
  const command = refsArgument(verbCommand(parent, resource, 'delete', describeVerb(resource)), resource, 'stdin')
  const selecting = { resource }
  selectingOptions(command, selecting)
  for (const [name, field] of unlocking(resource)) addFieldOption(command, name, field)
  translationOptions(command)
  planOptions(command)
  declareOutput(command, writeOutput(resource))
  command.action(async (texts: string[], options: ManyOptions & Values) => {
    const access = await typedValues(unlocking(resource), options)
    if (areMany(selecting, texts, options) || options.allLanguages) checkUnlocks(resource, access)
    const chosen = await chosenLines(app, { selecting, texts, options }, { access })
    const { planRemoval } = await import('../../changes/plan/making/from-refs.ts')
    const plan = await planRemoval(await buildContext(app, {}, chosen.isNamed), chosen, access)
    const policy: Policy =
      chosen.isNamed || chosen.seriesOf
        ? { ask: (removal, notes) => askToRemove(app, resource, removal, notes), namesRecords: true }
        : {}
    await carryOutFor(app, { plan, chosen, options, policy })
  })
}

const describeVerb = ({ name, trashable }: Resource): string =>
  trashable
    ? phrase('Move {resource} to the trash', { resource: name })
    : phrase('Delete {resource} permanently', { resource: name })

/** Asks about records that were named, by their names, and with what uses them. */
async function askToRemove(app: App, resource: Resource, plan: Plan, notes: readonly string[]): Promise<Plan> {
  const records = Array.from(plan.steps).flatMap(({ before }) => before ?? [])
  const year = plan.made.slice(0, 4)
  const names = records.map(record => recordInFull(resource, { record, year }))
  if (app.canAsk && records.length > 1) await showBefore(app, names, records.length)
  const what =
    records.length > 1
      ? phrase('these {count} {resource}', { count: records.length, resource: resource.name })
      : (names[0] ?? '')
  const question = [removalQuestion(resource, what), ...notes.map(note => `${capitalized(note)}.`)].join(' ')
  // Typing the name of a protected profile counts as yes.
  if (app.canAsk && (await app.confirmProfile(question))) return plan
  const kept =
    records.length === 1 ? namedRecord(resource.name, records[0]?.id ?? '') : recordCount(records.length, resource.name)
  await confirm(app, { question, declined: phrase('kept {records}', { records: kept }) })
  return plan
}

/** `Move to the trash: "Mercat de pagès", Sat 21 Nov 08:00 (57)?`, `Delete category "Jazz" (27) permanently?` */
const removalQuestion = ({ trashable }: Resource, what: string): string =>
  trashable ? phrase('Move to the trash: {what}?', { what }) : phrase('Delete {what} permanently?', { what })

/** calctl <resource> restore <ref...>: restores records from the trash, as drafts unless --status is given. */
export const restore: Verb = (parent, resource, app) => {
  if (!resource.trashable) return
  const description = phrase('Restore {resource} from the trash', { resource: resource.name })
  const command = verbCommand(parent, resource, 'restore', description)
  const selecting = { resource, taken: ['status'], trashed: true }
  refsArgument(command, resource, 'stdin').addOption(
    choiceOption(
      '--status <status>',
      phrase('Status to restore to (default: draft)'),
      statuses.filter(word => word !== 'trash'),
    ),
  )
  selectingOptions(command, selecting)
  translationOptions(command)
  declareOutput(command, writeOutput(resource))
  planOptions(command).action(async (texts: string[], options: ManyOptions & Values & { readonly status?: string }) => {
    const { readForRestore } = await import('../../client/adapters/reconcile.ts')
    const read = (client: Client, ref: Ref) => readForRestore(client, resource, ref)
    const chosen = await chosenLines(app, { selecting, texts, options }, { read })
    const { planRestoration } = await import('../../changes/plan/making/from-refs.ts')
    const plan = await planRestoration(await buildContext(app, {}, chosen.isNamed), chosen, options.status)
    await carryOutFor(app, { plan, chosen, options })
  })
}
