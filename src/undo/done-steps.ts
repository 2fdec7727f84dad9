import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { isLanguage } from '../contract/languages.ts'
import { isPendingUpload, uploadName } from '../contract/pending-upload.ts'
import { type Answer, recordKey } from '../contract/resource.ts'
import { effectOf, isRemoval, resolveReferences, type Step } from '../plan/plan.ts'
import type { RecordLocation, SiteReader } from '../plan/site-reader.ts'
import type { WrittenStep } from '../runs/changes-since.ts'
import type { JournaledRun } from '../runs/journal-reader.ts'
import { listOfFirst } from '../text/words.ts'
import type { LostPasswords } from './dropped-passwords.ts'

/** A step that the run did, or the part of it that was done before it failed. */
export interface DoneStep extends WrittenStep {
  readonly id: number
  /** The fields that it wrote and the journal does not keep: passwords. */
  readonly omitted: readonly string[]
}

/** The context in which steps are undone. */
export interface UndoContext {
  /** The current records of the steps, by `recordKey`. */
  readonly live: ReadonlyMap<string, Answer>
  readonly trashed: ReadonlyMap<string, Answer>
  /**
   * The records that come back, by `recordKey`: with this undo, the keys of the steps that create or restore them; with an earlier
   * one, the IDs that they have now.
   */
  readonly returning: ReadonlyMap<string, string | number>
  /** The records other than events that the run created, trashed, restored or deleted, by `recordKey`. */
  readonly ownRecords: ReadonlySet<string>
  /** Whether the site can take the slug of a draft away that it got when it was published. */
  readonly emptiesSlugs: boolean
  readonly passwords: LostPasswords
  /** For a redo: what the run that had been undone wrote with the step of a key. */
  firstValues?(key: string): Values
}

/** The step that undoes another one, unless there is nothing to do, and notes on what is kept or cannot be undone. */
export interface StepUndo {
  readonly step?: Step
  readonly notes?: readonly string[]
}

/** The steps that a run did itself, the last one first. */
export function* doneSteps({
  plan: { steps },
  results,
  valuesAfter,
  omittedFields,
}: JournaledRun): Generator<DoneStep> {
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps.at(index)
    if (!step) continue
    const { state, id = step.id, isOthers, isPartDone } = results.get(step.key) ?? {}
    if ((state !== 'done' && !isPartDone) || id === undefined || isOthers) continue
    const values = resolveReferences(step.values, key => results.get(key)?.id) as Values
    const after = valuesAfter(step.key)
    const omitted = omittedFields.get(step.key) ?? []
    // A plugin for translations may have put the record in another language than the step asked for.
    const { lang_code: landed, ...left } = after
    const taken = isLanguage(landed) ? { ...step, language: landed } : step
    yield { step: taken, id, values: isPartDone ? pick(values, Object.keys(left)) : values, after: left, omitted }
  }
}

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))

/** Notices for the records that the run meant to create or remove and somebody else had; the undo leaves them as they are. */
export function* sharedNotices({ plan, results }: JournaledRun): Generator<string> {
  for (const step of plan.steps) {
    const { id, isOthers } = results.get(step.key) ?? {}
    const verb = isRemoval(step) ? 'remove' : 'create'
    if (isOthers) yield `kept ${resourceNamed(step.resource).singular} ${id}: the run did not ${verb} it`
  }
}

export const locationOf = ({ resource, language }: Step, id = 0): RecordLocation => ({ resource, id, language })

/**
 * The current records of steps. A record that a step removed is looked for in the trash first, any other there last: each one that
 * is missing in a list costs a request.
 */
export async function readStepRecords(
  reader: SiteReader,
  done: readonly DoneStep[],
): Promise<Pick<UndoContext, 'live' | 'trashed'>> {
  const locations = (isRemoved: boolean) =>
    done
      .filter(({ step }) => step.action !== 'delete' && (effectOf(step) === 'trash') === isRemoved)
      .map(({ step, id }) => locationOf(step, id))
  const read = (wanted: readonly RecordLocation[], known: ReadonlyMap<string, Answer>, trashed: boolean) =>
    reader.readCurrent(
      wanted.filter(({ resource, id }) => !known.has(recordKey(resource, id))).map(one => ({ ...one, trashed })),
    )
  const removed = locations(true)
  const others = locations(false)
  const trashed = await read(removed, new Map(), true)
  const live = await read([...others, ...removed], trashed, false)
  const trashedSince = await read(
    others.filter(({ resource }) => resourceNamed(resource).trashable),
    live,
    true,
  )
  const inTrash = new Map([...trashed, ...trashedSince])
  for (const records of [live, inTrash]) await addStoredValues(reader, done, records)
  await addHidden(reader, done, live, inTrash)
  return { live, trashed: inTrash }
}

/** A site may say that a hidden event is in its trash, and show it nowhere: it is restored as the run saw it. */
async function addHidden(
  reader: SiteReader,
  done: readonly DoneStep[],
  live: ReadonlyMap<string, Answer>,
  trashed: Map<string, Answer>,
): Promise<void> {
  for (const { step, id } of done) {
    const { before, language } = step
    const resource = resourceNamed(step.resource)
    const key = recordKey(step.resource, id)
    if (!before || live.has(key) || trashed.has(key)) continue
    if (await reader.isInTrash({ resource, language }, id)) trashed.set(key, { ...before, id, status: 'trash' })
  }
}

/** What is said of the images that a run uploaded, which an undo leaves on the site; undefined if there are none. */
export function uploadsNotice({ plan, valuesAfter, results }: JournaledRun): string | undefined {
  const uploads = new Map<unknown, string>()
  for (const { key, values } of plan.steps) {
    const { image } = values
    const id = isPendingUpload(image) && results.get(key)?.state === 'done' ? valuesAfter(key).image : undefined
    if (isPendingUpload(image) && id) uploads.set(id, `${uploadName(image)} (image ${id})`)
  }
  if (uploads.size === 0) return undefined
  return `uploaded images stay on the site: ${listOfFirst([...uploads.values()], namedUploads, 'other')}`
}

/** How many uploads a notice names. */
const namedUploads = 3

/**
 * Reads the stored values of the texts that steps wrote, to tell whether somebody changed them since. A restore that patched a record
 * knows the stored values of all its texts.
 */
async function addStoredValues(
  reader: SiteReader,
  done: readonly DoneStep[],
  records: Map<string, Answer>,
): Promise<void> {
  const wanted = done
    .filter(({ step: { action } }) => action === 'update' || action === 'restore')
    .map(({ step, id, values, after }) => ({
      ...locationOf(step, id),
      names: Object.keys(step.action === 'restore' ? after : values),
    }))
  await reader.addStoredForms(wanted, records)
}
