import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client, Ref, Values } from '../../client/client.ts'
import { statuses } from '../../contract/post-status.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { namedRecord, recordCount } from '../../contract/resource-words.ts'
import type { App } from '../app.ts'
import { confirm, describeUses, showBefore } from './shared/confirmation.ts'
import { translationOptions } from './shared/language-options.ts'
import {
  addFieldOption,
  choiceOption,
  readRef,
  refsArgument,
  typedValues,
  unlocking,
  type Verb,
  verbCommand,
} from './shared/options.ts'
import { declareOutput, writeOutput } from './shared/output-forms.ts'
import type { ManyOptions } from './shared/plan-from-refs.ts'
import { planOptions } from './shared/plan-options.ts'
import { areMany, checkSingle, checkUnlocks, nameFailure, selectingOptions, withTitles } from './shared/refs.ts'

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
    const values = await typedValues(unlocking(resource), options)
    if (areMany(selecting, texts, options) || options.allLanguages) {
      checkUnlocks(resource, values)
      return (await import('./shared/plan-from-refs.ts')).removeMany(app, { selecting, texts, options })
    }
    checkSingle(options, '-')
    const typed = texts.map(text => readRef(resource, text, options.bySlug))
    // Locks the calendar before it is read, because it is written after the answer.
    const client = await app.writer({ ...options, confirmed: 'later' })
    const refs = await withTitles(app, client, resource, typed)
    const records = await readAll(client, resource, refs, values)
    const hidden = await hiddenLinksOf(client, resource, records)
    const asks = !options.dryRun && !app.globals.yes
    const removal = { resource, records, hidden }
    if (asks) await confirmRemoval(app, client, removal)
    else await noticeLosses(app, client, removal, options.dryRun)
    const { recordTarget, removalStep } = await import('../../changes/plan/making/step.ts')
    const { writeEach } = await import('./shared/single-writes.ts')
    await writeEach(app, {
      client,
      resource,
      items: records,
      dryRun: options.dryRun,
      namedTranslations: asks,
      async stepFor(record) {
        if (record instanceof Failure) throw record
        return removalStep(recordTarget(resource, record), record, values)
      },
    })
  })
}

const describeVerb = ({ name, trashable }: Resource): string =>
  trashable
    ? phrase('Move {resource} to the trash', { resource: name })
    : phrase('Delete {resource} permanently', { resource: name })

/** The current records to remove, from which they can be restored; a failure for each that cannot be read. */
async function readAll(
  client: Client,
  resource: Resource,
  refs: readonly Ref[],
  values: Values,
): Promise<(Answer | Failure)[]> {
  const { createRefsReader } = await import('./shared/refs.ts')
  const read = await createRefsReader(client, { resource, refs }, values)
  const records: (Answer | Failure)[] = []
  for (const ref of refs)
    try {
      records.push(await read(ref))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      records.push(refs.length > 1 ? nameFailure(resource, ref, error) : error)
    }
  return records
}

const foundOf = (records: readonly (Answer | Failure)[]): Answer[] =>
  records.filter((record): record is Answer => !(record instanceof Failure))

/** A sentence about what an undo could not give back to hidden events. */
async function hiddenLinksOf(
  client: Client,
  resource: Resource,
  records: readonly (Answer | Failure)[],
): Promise<string | undefined> {
  if (resource.trashable) return undefined
  const { recordTarget, removalStep } = await import('../../changes/plan/making/step.ts')
  const { hiddenLinksNote } = await import('../../changes/plan/making/notes.ts')
  const steps = foundOf(records).map(record => removalStep(recordTarget(resource, record), record, {}))
  return hiddenLinksNote(client, steps)
}

/** What to remove, and what an undo could not give back. */
interface Removal {
  readonly resource: Resource
  readonly records: readonly (Answer | Failure)[]
  readonly hidden: string | undefined
}

/** Prints what the question would say. */
async function noticeLosses(
  app: App,
  client: Client,
  { resource, records, hidden }: Removal,
  dryRun: boolean | undefined,
): Promise<void> {
  const uses = dryRun ? await usesOf(client, resource, foundOf(records)) : undefined
  for (const text of [hidden, uses]) if (text) await app.notice(text)
}

/** Asks about the records that exist; the failures of the others are reported with the results. */
async function confirmRemoval(app: App, client: Client, { resource, records, hidden }: Removal): Promise<void> {
  const found = foundOf(records)
  const [record] = found
  if (!record) return
  for (const record of records) if (record instanceof Failure) await app.notice(record.message)
  const { recordInFull } = await import('../../files/print/readable.ts')
  const year = app.world.now().toISOString().slice(0, 4)
  const names = found.map(record => recordInFull(resource, { record, year }))
  if (app.canAsk && found.length > 1) await showBefore(app, names, found.length)
  const question = removalQuestion(
    resource,
    found.length > 1
      ? phrase('these {count} {resource}', { count: found.length, resource: resource.name })
      : (names[0] ?? ''),
  )
  const { leftTranslations } = await import('./shared/translations.ts')
  const action = resource.trashable ? 'trash' : 'delete'
  const left = await leftTranslations(app, client, resource, { action, records: found })
  const uses = await usesOf(client, resource, found)
  const whole = [left && `${left}.`, hidden && `${hidden}.`, question, uses && `${uses}.`]
    .filter(part => part)
    .join(' ')
  // Typing the name of a protected profile counts as yes.
  if (app.canAsk && (await app.confirmProfile(whole))) return
  await confirm(app, {
    question: whole,
    declined:
      found.length === 1
        ? phrase('kept {records}', { records: namedRecord(resource.name, record.id) })
        : phrase('kept {records}', { records: recordCount(found.length, resource.name) }),
  })
}

/** `Move to the trash: "Mercat de pagès", Sat 21 Nov 08:00 (57)?`, `Delete category "Jazz" (27) permanently?` */
const removalQuestion = ({ trashable }: Resource, what: string): string =>
  trashable ? phrase('Move to the trash: {what}?', { what }) : phrase('Delete {what} permanently?', { what })

const usesOf = (client: Client, resource: Resource, records: readonly Answer[]): Promise<string | undefined> =>
  describeUses(client, resource, records)

/** calctl <resource> restore <ref...>: restores records from the trash, as drafts unless --status is given. */
export const restore: Verb = (parent, resource, app) => {
  if (!resource.trashable) return
  const command = verbCommand(
    parent,
    resource,
    'restore',
    phrase('Restore {resource} from the trash', { resource: resource.name }),
  )
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
    if (areMany(selecting, texts, options) || options.allLanguages)
      return (await import('./shared/plan-from-refs.ts')).restoreMany(app, { selecting, texts, options })
    checkSingle(options, '-')
    const refs = texts.map(text => readRef(resource, text, options.bySlug))
    const client = await app.writer({ ...options, confirmed: 'later' })
    const { readForRestore } = await import('../../client/adapters/reconcile.ts')
    const { recordTarget, restoreStep } = await import('../../changes/plan/making/step.ts')
    const { writeEach } = await import('./shared/single-writes.ts')
    await writeEach(app, {
      client,
      resource,
      items: refs,
      refOf: ref => ref,
      dryRun: options.dryRun,
      stepFor: async ref => {
        const before = await readForRestore(client, resource, ref)
        return restoreStep(recordTarget(resource, before), before, { status: options.status })
      },
    })
  })
}
