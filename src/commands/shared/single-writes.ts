import type { App } from '../../app.ts'
import type { Client, Values } from '../../client/client.ts'
import { Preview } from '../../client/dry-run.ts'
import { printable, type UpdateResult } from '../../client/update-drift.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { Failure, someFailed } from '../../failure.ts'
import type { Action, Step } from '../../plan/plan.ts'
import type { Journal } from '../../runs/journal-writer.ts'
import type { StepResult } from '../../runs/result.ts'
import { counted, listOf } from '../../text/words.ts'
import { startSingleJournal } from './start-journal.ts'
import { showRequests } from './verb-command.ts'

/** Writes of single records. They are a run like any other, with a journal, so that they can be undone. */
export interface SingleWrites<T> {
  readonly client: Client
  readonly resource: Resource
  readonly items: readonly T[]
  /** The step that writes an item, or a record that needs no write. A failure concerns this item only. */
  stepFor(item: T): Promise<Step | Answer>
  /** The steps that create what the others link to; complete once all other steps are known. */
  readonly linked?: readonly Step[]
  /** Whether the records were read long before: each is read again, and left alone if somebody changed the same fields since. */
  readonly readAgain?: true
  /** Sends a step in another way than runs do; undefined for a step that is sent as usual. */
  send?(step: Step, values: Values): Promise<UpdateResult | undefined>
  /** Why none of the writes can be undone; undefined if some can. */
  notUndoable?(steps: readonly Step[]): string | undefined
  readonly dryRun?: boolean | undefined
}

/** The result of an item. */
interface Outcome {
  readonly answer?: Answer | undefined
  readonly failure?: Failure | undefined
}

/**
 * Reads all records, writes them, and prints the answers: an object for one item, a list for several. Failures are thrown at the
 * end. A dry run prints the requests instead.
 */
export async function writeEach<T>(app: App, writes: SingleWrites<T>): Promise<void> {
  const { resource, items, linked = [] } = writes
  const readAt = writes.readAgain ? undefined : app.world.now().getTime()
  const drafts: (Step | Outcome)[] = []
  for (const item of items) drafts.push(await draftOf(item, writes))
  // A record that is named twice is written once.
  const own = new Map(drafts.filter(isStep).map(step => [step.key, step]))
  const steps = own.size > 0 ? [...linked, ...own.values()] : []
  if (steps.some(({ action, before }) => action !== 'create' && before)) {
    const { confirmSources } = await import('./source-confirmation.ts')
    await confirmSources(app, writes.client, steps, writes.dryRun)
  }
  const previews = writes.dryRun ? await previewsOf(steps, writes) : []
  const run = writes.dryRun || steps.length === 0 ? undefined : await executeSteps(app, steps, readAt, writes)
  const outcomes = drafts.map(draft => (isStep(draft) ? outcomeOf(draft, run) : draft))
  const answers = outcomes.flatMap(({ answer }) => answer ?? [])
  const failures = new Set(outcomes.flatMap(({ failure }) => failure ?? []))
  const [answer] = answers
  if (previews.length > 0) await showRequests(app, previews)
  else if (items.length > 1) await app.print(resource, answers, { wereWritten: true })
  else if (answer) await app.print(resource, answer, { wereWritten: true })
  const next = run && nextStep(run, writes.notUndoable?.(steps))
  if (run?.fault) throw failureOf([faultOf(run, steps, [...failures])], 1, next)
  if (failures.size > 0) throw failureOf([...failures], items.length, next)
  if (run && next) await app.notice(`${describeWrites(steps, run.results)}; ${next}`)
}

const isStep = (draft: Step | Outcome): draft is Step => 'key' in draft

async function draftOf<T>(item: T, { stepFor }: SingleWrites<T>): Promise<Step | Outcome> {
  try {
    const draft = await stepFor(item)
    return 'key' in draft && 'action' in draft ? (draft as Step) : { answer: draft as Answer }
  } catch (error) {
    if (error instanceof Failure) return { failure: error }
    throw error
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
      await sendStep(step, step.values)
    } catch (error) {
      if (!(error instanceof Preview)) throw error
      previews.push(error)
    }
  return previews
}

/** What became of the steps. */
interface ExecutedSteps {
  readonly results: ReadonlyMap<string, StepResult>
  readonly journal: Journal | undefined
  /** Why the journal could not be written to the end: the steps after that were not sent. */
  readonly fault?: Failure | undefined
}

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
    await (isWritten(results) ? journal?.close() : journal?.discard())
  }
  return { results, journal, fault: journal?.fault() }
}

const isWritten = (results: ReadonlyMap<string, StepResult>): boolean => [...results.values()].some(hasWritten)

const hasWritten = ({ state, after }: StepResult): boolean =>
  state === 'done' || state === 'unknown' || after !== undefined

const notSent = (dependency: StepResult | undefined): StepResult => ({
  state: 'skipped',
  ...(dependency?.failure && { failure: dependency.failure }),
})

function outcomeOf({ key }: Step, run: ExecutedSteps | undefined): Outcome {
  const result = run?.results.get(key)
  if (!result) return {}
  const { state, record, failure } = result
  if (state === 'skipped') return { failure: failure ?? new Failure('interrupted', 'interrupted') }
  return { answer: failure?.details.record ?? (record && printable(record)), failure }
}

/** What to type after the writes, if there is anything to take back or to find out. */
function nextStep({ results, journal }: ExecutedSteps, notUndoable: string | undefined): string | undefined {
  if (!journal) return undefined
  const written = [...results.values()].filter(hasWritten)
  const named = `${journal.run}${journal.to}`
  if (written.some(({ state }) => state === 'unknown'))
    return `find out, and finish it, with: calctl runs resume ${named}`
  return written.length > 0 ? (notUndoable ?? `undo with: calctl undo ${named}`) : undefined
}

/** The failure of writes whose journal could not be written to the end; it is removed if they changed nothing. */
function faultOf({ results, journal, fault }: ExecutedSteps, steps: readonly Step[], causes: readonly Failure[]) {
  if (!isWritten(results))
    return new Failure('settings', `${fault?.message}; nothing was changed`, {
      hint: 'free some space, then run the command again',
      ...(causes.length > 0 && { causes }),
    })
  const left = steps.length - results.size
  const done = [describeWrites(steps, results) || 'the outcome is unknown', ...(left > 0 ? [`${left} not sent`] : [])]
  return new Failure('partial', `${done.join(', ')}; the journal may lack some of that`, {
    hint: `free some space, then look up what it lacks, and do the rest, with: calctl runs resume ${journal?.run}${journal?.to}`,
    causes: [...causes, ...(fault ? [fault] : [])],
  })
}

/** One failure as it is, several together; both with what to type next. */
function failureOf(failures: readonly Failure[], total: number, next: string | undefined): Failure {
  const [only] = failures
  const failure = total > 1 || !only ? someFailed(failures, total) : only
  if (next === undefined) return failure
  const hint = [failure.details.hint, next].filter(part => part).join('; ')
  return new Failure(failure.kind, failure.message, { ...failure.details, hint })
}

const verbs: Readonly<Record<Action, string>> = {
  create: 'created',
  update: 'updated',
  trash: 'trashed',
  delete: 'deleted',
  restore: 'restored',
}

/** `created venue 5 and event 12`, `updated 3 events` */
function describeWrites(steps: readonly Step[], results: ReadonlyMap<string, StepResult>): string {
  const groups = new Map<string, { action: Action; resource: Resource; ids: number[] }>()
  for (const { key, action, resource } of steps) {
    const id = results.get(key)?.id
    if (id === undefined) continue
    const name = `${action} ${resource}`
    const group = groups.get(name) ?? { action, resource: resourceNamed(resource), ids: [] }
    group.ids.push(id)
    groups.set(name, group)
  }
  let verb = ''
  const parts = Array.from(groups.values(), ({ action, resource: { singular, name }, ids }) => {
    const isNewVerb = verb !== verbs[action]
    verb = verbs[action]
    const what = ids.length === 1 ? `${singular} ${ids[0]}` : counted(ids.length, singular, name)
    return isNewVerb ? `${verb} ${what}` : what
  })
  return listOf(parts)
}
