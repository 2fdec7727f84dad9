import type { App } from '../../app.ts'
import type { Client, Ref, Values } from '../../client/client.ts'
import { firstOfTwo, Preview } from '../../client/dry-run.ts'
import { withUploadedImage } from '../../client/image-sources.ts'
import { printable, type UpdateResult } from '../../client/update-drift.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isPendingUpload } from '../../contract/pending-upload.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { answeredNo, Failure } from '../../failure.ts'
import { effectOf, type Step } from '../../plan/plan.ts'
import type { StepResult } from '../../runs/result.ts'
import { showBefore } from './confirmation.ts'
import { nameFailure } from './refs.ts'
import { finishing, triedToPrint } from './report-outcome.ts'
import { type ExecutedSteps, hasWritten, reportWrites, showDryRun, showRecords } from './report-writes.ts'
import { startSingleJournal } from './start-journal.ts'

/** Writes of single records. They are a run like any other, with a journal, so that they can be undone. */
export interface SingleWrites<T> {
  readonly client: Client
  readonly resource: Resource
  readonly items: readonly T[]
  /** The step that writes an item, or a record that needs no write. A failure concerns this item only. */
  stepFor(item: T): Promise<Step | Answer>
  /** What names an item if its record cannot be read. */
  refOf?(item: T): Ref
  /** The steps that create what the others link to; complete once all other steps are known. */
  readonly linked?: readonly Step[]
  /** Whether the records were read long before: each is read again, and left alone if somebody changed the same fields since. */
  readonly readAgain?: true
  /** Sends a step in another way than runs do; undefined for a step that is sent as usual. */
  send?(step: Step, values: Values): Promise<UpdateResult | undefined>
  /** What is worth knowing before the steps are written. */
  notes?(steps: readonly Step[]): readonly string[]
  /** Why none of the writes can be undone; undefined if some can. */
  notUndoable?(steps: readonly Step[]): string | undefined
  /** Asked after what will be written has been shown; Enter means yes. */
  readonly question?: string | undefined
  /** Whether a question said before which translations are left as they are. */
  readonly namedTranslations?: boolean
  readonly dryRun?: boolean | undefined
}

/** The result of an item. */
interface Outcome {
  readonly answer?: Answer | undefined
  readonly failure?: Failure | undefined
}

/**
 * Reads all records, writes them, and says what was done, or prints the answers: an object for one item, a list for several. Failures
 * are thrown at the end. A dry run says what would be done instead.
 */
export async function writeEach<T>(app: App, writes: SingleWrites<T>): Promise<void> {
  const { resource, items, linked = [] } = writes
  const readAt = writes.readAgain ? undefined : app.world.now().getTime()
  const drafts: (Step | Outcome)[] = []
  for (const item of items) drafts.push(await draftOf(item, writes))
  // A record that is named twice is written once.
  const own = new Map(drafts.filter(isStep).map(step => [step.key, step]))
  const steps = own.size > 0 ? [...linked, ...own.values()] : []
  for (const note of writes.notes?.(steps) ?? []) await app.notice(note)
  if (steps.some(({ action, before }) => action !== 'create' && before)) {
    const { confirmSources } = await import('./confirmation.ts')
    await confirmSources(app, writes.client, steps, writes.dryRun)
  }
  if (steps.length > 0 && !writes.dryRun) await confirmSteps(app, writes, steps)
  const run = writes.dryRun || steps.length === 0 ? undefined : await executeSteps(app, steps, readAt, writes)
  if (writes.dryRun && steps.length > 0) await showDryRun(app, writes.client, steps, await previewsOf(steps, writes))
  const outcomes = drafts.map(draft => (isStep(draft) ? outcomeOf(draft, run, items.length > 1) : draft))
  const answers = writes.dryRun && steps.length > 0 ? [] : outcomes.flatMap(({ answer }) => answer ?? [])
  const existing = drafts.flatMap(draft => (isStep(draft) ? [] : (draft.answer ?? [])))
  const show = () => showRecords(app, resource, answers, existing, items.length > 1)
  const unprinted = run ? await triedToPrint(show) : await show()
  const failures = outcomes.flatMap(({ failure }) => failure ?? [])
  await reportWrites(app, writes.client, {
    steps,
    run,
    failures: [...new Set(failures)],
    ...(unprinted && { unprinted }),
    total: items.length,
    notUndoable: writes.notUndoable?.(steps),
  })
  await noticeTranslations(app, writes, steps, run)
}

/** Says which translations do not have what was changed: a text of one language is no business of the others. */
async function noticeTranslations<T>(
  app: App,
  { client: writer, resource, namedTranslations }: SingleWrites<T>,
  steps: readonly Step[],
  run: ExecutedSteps | undefined,
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

/** Shows what will be written before it is asked about, and before the name of a protected profile is asked for. */
async function confirmSteps<T>(app: App, { client, question }: SingleWrites<T>, steps: readonly Step[]): Promise<void> {
  const isProtected = app.canAsk && (await app.isUnconfirmed())
  if (!isProtected && question === undefined) return
  const { plannedSentences } = await import('./write-sentences.ts')
  await showBefore(app, await plannedSentences(client, steps, app.world.now()), steps.length)
  if (isProtected) {
    await app.confirmProfile()
    return
  }
  const { askYesNo } = await import('../../terminal/prompts.ts')
  if (question !== undefined && !(await askYesNo(app.world, question, true))) throw answeredNo('nothing was written')
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

/** The function that sends a step and returns the whole record, as people want to see it. */
async function createSender<T>({ client, send }: SingleWrites<T>) {
  const { writeStep } = await import('../../runs/write-step.ts')
  const { withLinkedRecords } = await import('../../client/safe-update.ts')
  return async (step: Step, values: Values, checkAgain?: () => Promise<void>): Promise<UpdateResult> => {
    const result = (await send?.(step, values)) ?? (await writeStep(client, step, values, checkAgain))
    return step.before ? withLinkedRecords(client, resourceNamed(step.resource), result) : result
  }
}

async function previewsOf<T>(steps: readonly Step[], writes: SingleWrites<T>): Promise<Preview[]> {
  const sendStep = await createSender(writes)
  const previews: Preview[] = []
  for (const step of steps)
    try {
      const values = await withUploadedImage(writes.client, step.values)
      const { image } = values
      if (isPendingUpload(image))
        await firstOfTwo(
          () => writes.client.uploadedImage(image.$upload),
          () => sendStep(step, { ...values, image: idOfUpload }),
        )
      else await sendStep(step, values)
    } catch (error) {
      if (!(error instanceof Preview)) throw error
      previews.push(error)
    }
  return previews
}

/** What a dry run shows in place of an ID that only the upload will give. */
const idOfUpload = '<ID of the upload>'

async function executeSteps<T>(
  app: App,
  steps: readonly Step[],
  readAt: number | undefined,
  writes: SingleWrites<T>,
): Promise<ExecutedSteps> {
  const { createPlan } = await import('../../plan/build/context.ts')
  const { dependenciesOf } = await import('../../plan/plan.ts')
  const { resultEntry } = await import('../../runs/journal-format.ts')
  const { createStepCheck } = await import('../../runs/check-steps.ts')
  const { createStepSender } = await import('../../runs/send-step.ts')
  const { world } = app
  const { client } = writes
  const now = () => world.now().getTime()
  const plan = createPlan({ client, now: world.now() }, { steps, same: 0, invalid: [] })
  const journal = await startSingleJournal(app, plan)
  const writtenIds = new Map<string, number>()
  const results = new Map<string, StepResult>()
  const write = await createSender(writes)
  const sendStep = createStepSender(plan, { client, journal, now, sleep: world.sleep, writtenIds, write })
  const check = createStepCheck(plan, {
    client,
    now,
    signal: world.stopping(),
    readAt,
    wasSent: () => false,
    writtenIds,
    ownRecords: new Set(),
  })
  const checkAndSend = async (step: Step, position: number): Promise<StepResult> => {
    const checked = await check(step, () => steps.slice(position))
    return 'result' in checked ? checked.result : sendStep(checked.step)
  }
  // With -o json, a program may parse stderr.
  const noteStop = () => void (app.output !== 'json' && app.notice(finishing(1)))
  world.stopping().addEventListener('abort', noteStop)
  try {
    for (const [position, step] of steps.entries()) {
      const missing = dependenciesOf(step).find(key => !writtenIds.has(key))
      const result = missing === undefined ? await checkAndSend(step, position) : notSent(results.get(missing))
      if (result.state === 'skipped' && journal?.fault()) break
      results.set(step.key, result)
      if (result.id !== undefined) writtenIds.set(step.key, result.id)
      const entry = resultEntry(step.key, result, now())
      if (entry) journal?.write(entry)
      if (journal?.fault()) break
    }
    journal?.write({ ended: now() })
  } finally {
    world.stopping().removeEventListener('abort', noteStop)
    await ([...results.values()].some(hasWritten) ? journal?.close() : journal?.discard())
  }
  return { results, journal, fault: journal?.fault() }
}

const notSent = (dependency: StepResult | undefined): StepResult => ({
  state: 'skipped',
  ...(dependency?.failure && { failure: dependency.failure }),
})

function outcomeOf({ key, resource, id }: Step, run: ExecutedSteps | undefined, isOneOf: boolean): Outcome {
  const result = run?.results.get(key)
  if (!result) return {}
  const { state, record } = result
  const { failure: cause } = result
  const failure = cause && isOneOf && id !== undefined ? nameFailure(resourceNamed(resource), { id }, cause) : cause
  if (state === 'skipped') return { failure: failure ?? new Failure('interrupted', 'interrupted') }
  return { answer: failure?.details.record ?? (record && printable(record)), failure }
}
