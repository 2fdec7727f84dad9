import { Failure } from '../../../base/failure.ts'
import { capitalized } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { createPlan, dependenciesOf, effectOf, isOnRecord, type Step } from '../../../changes/plan/plan.ts'
import type { StepResult } from '../../../changes/run/result.ts'
import { printable } from '../../../client/adapters/write-result.ts'
import type { Client, Ref } from '../../../client/client.ts'
import { firstOfTwo, Preview } from '../../../client/dry-run.ts'
import { withUploadedImage } from '../../../client/images/sources.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { isPendingUpload } from '../../../contract/kinds/image-kind.ts'
import { type Answer, type Resource, titleOf } from '../../../contract/resource.ts'
import { slugOf } from '../../../contract/slug.ts'
import type { App } from '../../app.ts'
import { confirm, showBefore } from './confirmation.ts'
import { nameFailure } from './refs.ts'
import {
  type ExecutedSteps,
  finishing,
  mayHaveWritten,
  reportWrites,
  showDryRun,
  showRecords,
  throwFailures,
  triedToPrint,
} from './report-outcome.ts'
import { startSingleJournal } from './start-journal.ts'

/** Writes of single records: a plan with few steps, and a run like any other, so that they can be undone. */
export interface SingleWrites<T> {
  readonly client: Client
  readonly resource: Resource
  readonly items: readonly T[]
  /** The step that writes an item, or a record that need not be written. A failure concerns only this item. */
  stepFor(item: T): Promise<Step | Answer>
  /** The sentence about a record that need not be written; by default, that it was not created. */
  already?(record: Answer): string
  /** The ref of an item, for a record that cannot be read. */
  refOf?(item: T): Ref
  /** The steps that create records to which the others link; complete once all other steps are known. */
  readonly linked?: readonly Step[]
  /** Whether the records were read long before: each is then read again, and left alone if somebody has changed the same fields since. */
  readonly readAgain?: true
  /** Notes to print before the steps are sent. */
  notes?(steps: readonly Step[]): readonly string[]
  /** Why none of the writes can be undone; undefined if some can be. */
  notUndoable?(steps: readonly Step[]): string | undefined
  /**
   * Asks whether to go on, after what will be written has been shown; returns the steps, which the answer may change. Throws `declined`
   * after a no.
   */
  readonly approve?: ((steps: readonly Step[]) => Promise<readonly Step[]>) | undefined
  /** Whether a question has already said which translations stay as they are. */
  readonly namedTranslations?: boolean
  readonly dryRun?: boolean | undefined
}

/** The result of an item. */
interface Outcome {
  readonly answer?: Answer | undefined
  readonly failure?: Failure | undefined
}

/**
 * Reads all records, writes them, and says what was done or prints the answers: an object for one item, a list for several. Failures are
 * thrown at the end. A dry run says what would be done instead.
 */
export async function writeEach<T>(app: App, writes: SingleWrites<T>): Promise<void> {
  const { client, items, linked = [], dryRun } = writes
  const readAt = writes.readAgain ? undefined : app.world.now().getTime()
  const drafts: (Step | Outcome)[] = []
  for (const item of items) drafts.push(await draftOf(item, writes))
  // A record that is named twice is written once.
  const own = new Map(drafts.filter(isStep).map(step => [step.key, step]))
  const { steps, note } = await markedSteps(client, own.size > 0 ? [...linked, ...own.values()] : [])
  for (const one of [...(writes.notes?.(steps) ?? []), ...(note ? [note] : [])]) await app.notice(one)
  if (steps.some(isOnRecord)) await confirmSources(app, client, steps, dryRun)
  const failed = drafts.flatMap(draft => (isStep(draft) ? [] : (draft.failure ?? [])))
  if (steps.length === 0) {
    await showExisting(app, writes, drafts)
    throwFailures(failed, items.length)
  } else if (dryRun) {
    await showDryRun(app, client, steps, await previewsOf(client, steps))
    throwFailures(failed, items.length)
    await noticeTranslations(app, writes, steps)
  } else {
    const confirmed = await confirmSteps(app, writes, steps)
    const run = await executeSteps(app, client, confirmed, readAt)
    await reportRun(app, writes, run, drafts)
    await noticeOldSlugs(app, writes, run)
    await noticeTranslations(app, writes, steps, run)
  }
}

/** Shows the records that need not be written. */
async function showExisting<T>(
  app: App,
  { resource, items, already }: SingleWrites<T>,
  drafts: readonly (Step | Outcome)[],
): Promise<void> {
  const existing = drafts.flatMap(draft => (isStep(draft) ? [] : (draft.answer ?? [])))
  if (already) for (const record of existing) await app.notice(already(record))
  await showRecords(app, resource, existing, { areSeveral: items.length > 1, existed: already === undefined })
}

/** The steps, marked for the journal if the site drops a password, and a sentence about these. */
async function markedSteps(client: Client, drafts: readonly Step[]) {
  if (!drafts.some(({ values }) => values.status !== undefined)) return { steps: drafts }
  const { withDroppedPasswords } = await import('../../../changes/undo/hidden-texts.ts')
  const { steps, note } = await withDroppedPasswords(client, drafts)
  return { steps: [...steps], note }
}

const isStep = (draft: Step | Outcome): draft is Step => 'key' in draft

async function draftOf<T>(item: T, { resource, items, stepFor, refOf }: SingleWrites<T>): Promise<Step | Outcome> {
  try {
    const draft = await stepFor(item)
    return 'key' in draft && 'action' in draft ? (draft as Step) : { answer: draft as Answer }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { failure: refOf && items.length > 1 ? nameFailure(resource, refOf(item), error) : error }
  }
}

/** Says which texts would lose their blocks or shortcodes for good, and asks whether to go on; throws `declined` after a no. */
async function confirmSources(
  app: App,
  client: Client,
  steps: readonly Step[],
  dryRun: boolean | undefined,
): Promise<void> {
  const { sourceNotes } = await import('../../../changes/plan/making/notes.ts')
  const [note] = sourceNotes(client, steps)
  if (note === undefined) return
  if (dryRun || app.globals.yes) return app.notice(note)
  await confirm(app, {
    question: `${capitalized(note)}. ${phrase('Continue?')}`,
    declined: phrase('nothing was sent'),
    hint: phrase('change it in WordPress, or add --yes'),
  })
}

/** Shows what will be written, before a question about it and before asking for the name of a protected profile. */
async function confirmSteps<T>(
  app: App,
  { client, approve }: SingleWrites<T>,
  steps: readonly Step[],
): Promise<readonly Step[]> {
  const isProtected = app.canAsk && (await app.isUnconfirmed())
  if (!isProtected && approve === undefined) return steps
  const { plannedSentences } = await import('../../../changes/plan/describe.ts')
  await showBefore(app, await plannedSentences(client, steps, app.world.now()), steps.length)
  const approved = (await approve?.(steps)) ?? steps
  if (isProtected) await app.confirmProfile()
  return approved
}

/** The requests that would be sent. */
async function previewsOf(client: Client, steps: readonly Step[]): Promise<Preview[]> {
  const { writeStep } = await import('../../../changes/run/send-step.ts')
  const previews: Preview[] = []
  for (const step of steps)
    try {
      const values = await withUploadedImage(client, step.values)
      const { image } = values
      if (isPendingUpload(image))
        await firstOfTwo(
          () => client.uploadedImage(image.$upload),
          () => writeStep(client, step, { ...values, image: idOfUpload }),
        )
      else await writeStep(client, step, values)
    } catch (error) {
      if (!(error instanceof Preview)) throw error
      previews.push(error)
    }
  return previews
}

/** Stands in a dry run for an ID that only the upload will give. */
const idOfUpload = '<ID of the upload>'

/** Executes the steps one after another. The journal of a run that changed nothing is removed. */
async function executeSteps(
  app: App,
  client: Client,
  steps: readonly Step[],
  readAt: number | undefined,
): Promise<ExecutedSteps> {
  const { executePlan } = await import('../../../changes/run/execute.ts')
  const { world } = app
  const plan = createPlan({ client, now: world.now() }, { steps, same: 0, invalid: [] })
  const journal = await startSingleJournal(app, plan)
  const results = new Map<string, StepResult>()
  try {
    await executePlan(plan, {
      client,
      journal,
      now: () => world.now().getTime(),
      sleep: world.sleep,
      jobs: 1,
      readAt,
      signal: world.stopping(),
      onResult: (step, result) => void results.set(step.key, result),
      async onStop(sending) {
        // With -o json, a program may parse stderr.
        if (sending > 0 && app.output !== 'json') await app.notice(finishing(sending))
      },
    })
  } finally {
    await ([...results.values()].some(mayHaveWritten) ? journal?.close() : journal?.discard())
  }
  for (const step of steps) results.set(step.key, await withLinks(client, step, results.get(step.key)))
  return { steps, results, journal }
}

/** The result of a step with the whole record, for people. */
async function withLinks(client: Client, step: Step, result: StepResult = { state: 'skipped' }): Promise<StepResult> {
  const { record } = result
  if (!record || !step.before) return result
  const { withLinkedRecords } = await import('../../../client/adapters/wp-record.ts')
  return { ...result, record: await withLinkedRecords(client, resourceNamed(step.resource), record) }
}

/** Prints the records, and says what was done. */
async function reportRun<T>(
  app: App,
  { client, resource, items, notUndoable }: SingleWrites<T>,
  run: ExecutedSteps,
  drafts: readonly (Step | Outcome)[],
): Promise<void> {
  const areSeveral = items.length > 1
  const outcomes = drafts.map(draft => (isStep(draft) ? outcomeOf(draft, run, areSeveral) : draft))
  const answers = outcomes.flatMap(({ answer }) => answer ?? [])
  const unprinted = await triedToPrint(() => showRecords(app, resource, answers, { areSeveral }))
  const failures = [...new Set(outcomes.flatMap(({ failure }) => failure ?? []))]
  const report = { failures, unprinted, total: items.length, notUndoable: notUndoable?.(run.steps) }
  await reportWrites(app, client, run, report)
}

function outcomeOf(step: Step, run: ExecutedSteps, isOneOf: boolean): Outcome {
  const { state, record, failure: own } = run.results.get(step.key) ?? { state: 'skipped' }
  const cause = state === 'skipped' ? whyNotSent(step, run) : own
  const isNamed = cause !== undefined && isOneOf && step.id !== undefined
  const failure = isNamed ? nameFailure(resourceNamed(step.resource), { id: step.id }, cause) : cause
  return { answer: record ? printable(record) : failure?.details.record, failure }
}

/**
 * Why a step was not sent: a record to which it links failed, or the run was interrupted. A fault of the journal is reported separately.
 */
function whyNotSent(step: Step, { results, journal }: ExecutedSteps): Failure | undefined {
  if (journal?.fault()) return undefined
  const needed = dependenciesOf(step).map(key => results.get(key))
  return needed.find(result => result?.failure)?.failure ?? new Failure('interrupted', phrase('interrupted'))
}

/** Says that the address of a record still has the words of its title before the correction. */
async function noticeOldSlugs<T>(app: App, { client, resource }: SingleWrites<T>, run: ExecutedSteps): Promise<void> {
  const { title: name } = resource
  if (app.globals.quiet || !client.capabilities.hasPages || !('slug' in resource.fields)) return
  for (const { key, action, before, values } of run.steps) {
    const { record, state } = run.results.get(key) ?? {}
    if (action !== 'update' || state !== 'done' || !before || !record || values.slug !== undefined) continue
    const [old, slug] = [slugOf(titleOf(resource, before)), String(record.slug ?? '')]
    const wanted = slugOf(titleOf(resource, record))
    const isOld = values[name] !== undefined && old !== '' && slug.replace(/-\d+$/, '') === old && wanted !== old
    if (!isOld) continue
    const command = `calctl ${resource.name} update ${record.id} --slug ${wanted}${client.calendar.flags ?? ''}`
    await app.notice(
      phrase('the address still has the old title, "{slug}"; change it with: {command}', { slug, command }),
    )
  }
}

/** Says which translations do not have the change. A text in one language does not concern the others. */
async function noticeTranslations<T>(
  app: App,
  { client: writer, resource, namedTranslations }: SingleWrites<T>,
  steps: readonly Step[],
  run?: ExecutedSteps,
): Promise<void> {
  if (app.globals.quiet || namedTranslations) return
  // The client of a dry run does not know the addresses of other languages.
  const clients = run ? [writer] : [writer, await app.client({ toPlan: true })]
  const client = clients.find(one => one.languages().all.length > 1)
  if (!client) return
  const { concernsTranslations, leftTranslations } = await import('./translations.ts')
  const concerned = steps.filter(concernsTranslations)
  const [first] = concerned
  if (!first) return
  const records = concerned.flatMap(({ key, before }) => before ?? run?.results.get(key)?.record ?? [])
  const left = await leftTranslations(app, client, resource, { action: effectOf(first), records })
  if (left) await app.notice(left)
}
