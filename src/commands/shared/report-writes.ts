import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import type { Preview } from '../../client/dry-run.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { Failure, someFailed } from '../../failure.ts'
import type { Action, Step } from '../../plan/plan.ts'
import type { Journal } from '../../runs/journal-writer.ts'
import type { StepResult } from '../../runs/result.ts'
import { recordName } from '../../terminal/record-name.ts'
import { capitalized, counted, listOf } from '../../text/words.ts'
import { showRequests } from './verb-command.ts'

/** What became of the steps. */
export interface ExecutedSteps {
  readonly results: ReadonlyMap<string, StepResult>
  readonly journal: Journal | undefined
  /** Why the journal could not be written to the end: the steps after that were not sent. */
  readonly fault?: Failure | undefined
}

/** What is reported about writes of single records. */
interface WrittenSteps {
  readonly steps: readonly Step[]
  /** Unset if nothing was to be sent. */
  readonly run: ExecutedSteps | undefined
  readonly failures: readonly Failure[]
  /** Why the answers could not be printed. */
  readonly unprinted?: Failure | undefined
  /** The number of records that were to be written. */
  readonly total: number
  /** Why none of the writes can be undone; undefined if some can. */
  readonly notUndoable: string | undefined
}

/** Says what was done and how to undo it; throws what went wrong, with what to type next. */
export async function reportWrites(app: App, client: Client, written: WrittenSteps): Promise<void> {
  const { steps, run, failures, unprinted, total, notUndoable } = written
  const next = run && (await nextStep(steps, run, notUndoable))
  const sentences = run ? await sentencesOf(app, client, steps, run) : []
  const isDone = !run?.fault && failures.length === 0 && !unprinted
  for (const line of isDone ? withNext(sentences, next) : sentences) await app.notice(line)
  if (run?.fault) throw failureOf([faultOf(run, steps, failures)], 1, next)
  if (failures.length > 0) throw failureOf(failures, total, next)
  if (unprinted) throw failureOf([unprinted], 1, next)
}

/**
 * Prints the records that were written. On a terminal a sentence says what was done, so they are printed only if they are asked for,
 * and where nothing else is said.
 */
export async function showRecords(
  app: App,
  resource: Resource,
  answers: readonly Answer[],
  existing: readonly Answer[],
  areSeveral: boolean,
): Promise<void> {
  const [answer] = answers
  if (printsRecords(app)) {
    if (areSeveral) await app.print(resource, answers, { wereWritten: true })
    else if (answer) await app.print(resource, answer, { wereWritten: true })
  } else for (const record of existing) await app.notice(existsAlready(resource, record))
}

const printsRecords = ({ output, globals, world }: App): boolean =>
  output !== undefined || globals.fields !== undefined || globals.quiet === true || !world.stdout.isTTY

const existsAlready = (resource: Resource, record: Answer): string =>
  `${capitalized(recordName(resource, { record }))} exists already; nothing was created`

/** Up to so many records get a sentence of their own. */
const mostSentences = 10

async function sentencesOf(app: App, client: Client, steps: readonly Step[], { results }: ExecutedSteps) {
  const done = steps.flatMap(step => {
    const { state, record, failure } = results.get(step.key) ?? {}
    return state === 'done' && record && !failure ? { step, record } : []
  })
  if (done.length > mostSentences) return [capitalized(describeWrites(steps, results))]
  const { doneSentences } = await import('./write-sentences.ts')
  return doneSentences(client, done, app.world.now())
}

/** The sentences with what to type next: behind the only one, and after several. */
function withNext(sentences: readonly string[], next: NextStep | undefined): readonly string[] {
  const [sentence] = sentences
  if (!next) return sentences
  const text = next.undo === undefined ? capitalized(next.hint) : `Undo: ${next.undo}`
  return sentences.length === 1 ? [`${sentence}. ${text}`] : [...sentences, text]
}

/** Says what would be done. The requests are shown on stderr with --debug, and printed instead if data is asked for. */
export async function showDryRun(app: App, client: Client, steps: readonly Step[], previews: readonly Preview[]) {
  if (app.output || app.globals.fields) return showRequests(app, previews)
  const { plannedSentences } = await import('./write-sentences.ts')
  for (const line of await plannedSentences(client, steps, app.world.now())) await app.world.stdout.write(`${line}\n`)
  if (!app.globals.debug) return
  const { hideSecrets } = await import('../../text/secret-parameters.ts')
  for (const request of previews.flatMap(preview => preview.asData()))
    await app.world.stderr.write(`not sent: ${JSON.stringify(hideSecrets(request), null, 2)}\n`, 'json')
}

const isWritten = (results: ReadonlyMap<string, StepResult>): boolean => [...results.values()].some(hasWritten)

/** Whether a step changed something, or may have. */
export const hasWritten = ({ state, after }: StepResult): boolean =>
  state === 'done' || state === 'unknown' || after !== undefined

/** What to type after the writes, if there is anything to take back or to find out. */
async function nextStep(
  steps: readonly Step[],
  { results, journal }: ExecutedSteps,
  notUndoable: string | undefined,
): Promise<NextStep | undefined> {
  if (!journal) return undefined
  const named = `${journal.run}${journal.to}`
  if ([...results.values()].some(({ state }) => state === 'unknown'))
    return { hint: `find out, and finish it, with: calctl runs resume ${named}` }
  const { changesRecord } = await import('./write-sentences.ts')
  const hasChanged = steps.some(step => {
    const result = results.get(step.key)
    // A failure says that something else may have changed.
    return result && hasWritten(result) && (result.failure !== undefined || changesRecord(step))
  })
  if (!hasChanged) return undefined
  const undo = `calctl undo ${named}`
  return notUndoable === undefined ? { hint: `undo with: ${undo}`, undo } : { hint: notUndoable }
}

/** What to type next. */
interface NextStep {
  readonly hint: string
  /** The command that takes the writes back, if that is what to type. */
  readonly undo?: string
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
    hint: `free some space, then complete the journal and the run with: calctl runs resume ${journal?.run}${journal?.to}`,
    causes: [...causes, ...(fault ? [fault] : [])],
  })
}

/** One failure as it is, several together; both with what to type next. */
function failureOf(failures: readonly Failure[], total: number, next: NextStep | undefined): Failure {
  const [only] = failures
  const failure = total > 1 || !only ? someFailed(failures, total) : only
  if (next === undefined) return failure
  const hint = [failure.details.hint, next.hint].filter(part => part).join('; ')
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
