/** What a run did, and the records of that as they are now. Input: a journal, and a site. Output: what an undo is made of. */

import { listOfFirst } from '../../base/text/words.ts'
import type { Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isPendingUpload, uploadName } from '../../contract/kinds/image-kind.ts'
import { isLanguage } from '../../contract/languages.ts'
import { type Answer, recordKey } from '../../contract/resource.ts'
import { effectOf, isRemoval, resolveReferences } from '../plan/plan.ts'
import type { RecordLocation, SiteReader } from '../plan/site-reader.ts'
import type { JournaledRun } from '../run/journal-reader.ts'
import type { DoneStep, UndoContext } from './undo-step.ts'

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

/**
 * The current records of steps. A record that a step removed is looked for in the trash first, any other there last: each one that
 * is missing in a list costs a request.
 */
export async function readStepRecords(
  reader: SiteReader,
  done: readonly DoneStep[],
): Promise<Pick<UndoContext, 'live' | 'trashed'>> {
  const wanted = done.filter(({ step }) => step.action !== 'delete')
  const isRemoved = ({ step }: DoneStep) => effectOf(step) === 'trash'
  const read = (steps: readonly DoneStep[], known: ReadonlyMap<string, Answer>, trashed: boolean) =>
    reader.readCurrent(steps.filter(one => !known.has(keyOf(one))).map(one => ({ ...locationOf(one), trashed })))
  const others = wanted.filter(one => !isRemoved(one))
  const removed = await read(wanted.filter(isRemoved), new Map(), true)
  const live = await read([...others, ...wanted.filter(isRemoved)], removed, false)
  const trashable = others.filter(({ step }) => resourceNamed(step.resource).trashable)
  const trashed = new Map([...removed, ...(await read(trashable, live, true))])
  // Whether somebody changed a text since can only be told by how it is stored.
  const stored = wanted.filter(({ step }) => step.action === 'update' || step.action === 'restore')
  for (const records of [live, trashed])
    await reader.addStoredForms(
      stored.map(one => ({ ...locationOf(one), names: textsOf(one) })),
      records,
    )
  await addHidden(reader, wanted, live, trashed)
  return { live, trashed }
}

const keyOf = ({ step, id }: DoneStep): string => recordKey(step.resource, id)

const locationOf = ({ step: { resource, language }, id }: DoneStep): RecordLocation => ({ resource, id, language })

/** A restore that patched a record knows the stored values of all its texts. */
const textsOf = ({ step, values, after }: DoneStep): string[] => Object.keys(step.action === 'restore' ? after : values)

/** A site may say that a hidden event is in its trash, and show it nowhere: it is restored as the run saw it. */
async function addHidden(
  reader: SiteReader,
  steps: readonly DoneStep[],
  live: ReadonlyMap<string, Answer>,
  trashed: Map<string, Answer>,
): Promise<void> {
  for (const done of steps) {
    const { before, language, resource } = done.step
    if (!before || live.has(keyOf(done)) || trashed.has(keyOf(done))) continue
    const isInTrash = await reader.isInTrash({ resource: resourceNamed(resource), language }, done.id)
    if (isInTrash) trashed.set(keyOf(done), { ...before, id: done.id, status: 'trash' })
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
