import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isPendingUpload, uploadName } from '../../contract/kinds/image-kind.ts'
import { isLanguage } from '../../contract/languages.ts'
import { type Answer, recordKey } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import { locationOf, type SiteReader } from '../plan/site-reader.ts'
import { effectOf, isRemoval, resolveReferences } from '../plan/steps.ts'
import type { JournaledRun } from '../run/journal-reader.ts'
import type { DoneStep, UndoContext } from './undo-step.ts'

/** What a run did, and the current state of its records. Input: a journal, and a site. Output: what an undo is made from. */

/** The steps that a run itself carried out, the last one first. */
export function* doneSteps({ plan, results, valuesAfter, omittedFields }: JournaledRun): Generator<DoneStep> {
  const { steps } = plan
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps.at(index)
    if (!step) continue
    const { state, id = step.id, doneByOthers, isPartDone, modified } = results.get(step.key) ?? {}
    if ((state !== 'done' && !isPartDone) || id === undefined || doneByOthers) continue
    const values = resolveReferences(step.values, key => results.get(key)?.id) as Values
    const after = valuesAfter(step.key)
    const omitted = omittedFields.get(step.key) ?? []
    // A plugin for translations may have put the record into another language than the step asked for.
    const { lang_code: landed, ...left } = after
    const taken = isLanguage(landed) ? { ...step, lang_code: landed } : step
    const written = isPartDone ? pick(values, Object.keys(left)) : values
    yield { step: taken, id, values: written, after: left, omitted, ...(modified && { modified }) }
  }
}

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))

/** Notices for records that somebody else created or removed before the run could; the undo leaves them alone. */
export function* sharedNotices({ plan, results }: JournaledRun): Generator<string> {
  for (const step of plan.steps) {
    const { id, doneByOthers } = results.get(step.key) ?? {}
    if (!doneByOthers) continue
    const record = namedRecord(step.resource, String(id))
    yield isRemoval(step)
      ? phrase('kept {record}: the run did not remove it', { record })
      : phrase('kept {record}: the run did not create it', { record })
  }
}

/**
 * The current records of steps. A record that a step removed is looked for in the trash first, any other there last: each record that is
 * missing in a list costs a request.
 */
export async function readStepRecords(
  reader: SiteReader,
  done: readonly DoneStep[],
): Promise<Pick<UndoContext, 'live' | 'trashed'>> {
  const wanted = done.filter(({ step }) => step.action !== 'delete')
  const isRemoved = ({ step }: DoneStep) => effectOf(step) === 'trash'
  const read = (steps: readonly DoneStep[], known: ReadonlyMap<string, Answer>, trashed: boolean) =>
    reader.readCurrent(
      steps.filter(one => !known.has(keyOf(one))).map(one => ({ ...locationOf(one.step, one.id), trashed })),
    )
  const others = wanted.filter(one => !isRemoved(one))
  const removed = await read(wanted.filter(isRemoved), new Map(), true)
  const live = await read([...others, ...wanted.filter(isRemoved)], removed, false)
  const trashable = others.filter(({ step }) => resourceNamed(step.resource).trashable)
  const trashed = new Map([...removed, ...(await read(trashable, live, true))])
  // Only the stored text shows whether somebody has changed it since.
  const stored = wanted.filter(({ step }) => step.action === 'update' || step.action === 'restore')
  for (const records of [live, trashed])
    await reader.addStoredForms(
      stored.map(one => ({ ...locationOf(one.step, one.id), names: textsOf(one) })),
      records,
    )
  await addHidden(reader, wanted, live, trashed)
  return { live, trashed }
}

const keyOf = ({ step, id }: DoneStep): string => recordKey(step.resource, id)

/** The texts of a step; a restore that was a patch knows the stored values of all texts of its record. */
const textsOf = ({ step, values, after }: DoneStep): string[] => Object.keys(step.action === 'restore' ? after : values)

/**
 * Adds a hidden event that the site says is in its trash but does not show anywhere: it is restored as the run saw it. When it was saved
 * last is not known.
 */
async function addHidden(
  reader: SiteReader,
  steps: readonly DoneStep[],
  live: ReadonlyMap<string, Answer>,
  trashed: Map<string, Answer>,
): Promise<void> {
  for (const done of steps) {
    const { before, lang_code: language, resource } = done.step
    if (!before || live.has(keyOf(done)) || trashed.has(keyOf(done))) continue
    const isInTrash = await reader.isInTrash({ resource: resourceNamed(resource), language }, done.id)
    const { modified_utc: _, ...record } = before
    if (isInTrash) trashed.set(keyOf(done), { ...record, id: done.id, status: 'trash' })
  }
}

/** A notice about a run whose journal does not tell when its records were saved; undefined for other runs. */
export function identityNotice({ run, plan, results }: JournaledRun): string | undefined {
  const saved = [...plan.steps].flatMap(({ key, resource }) => {
    const result = resourceNamed(resource).trashable ? results.get(key) : undefined
    return result?.state === 'done' ? result : []
  })
  if (saved.length === 0 || saved.some(({ modified }) => modified !== undefined)) return undefined
  return phrase('run {run} is from an earlier version: its records are recognized by title, slug and start', { run })
}

/** A notice about uploaded images, which an undo leaves on the site; undefined if the run uploaded none. */
export function uploadsNotice({ plan, valuesAfter, results }: JournaledRun): string | undefined {
  const uploads = new Map<unknown, string>()
  for (const { key, values } of plan.steps) {
    const { image } = values
    const id = isPendingUpload(image) && results.get(key)?.state === 'done' ? valuesAfter(key).image : undefined
    if (isPendingUpload(image) && id)
      uploads.set(id, phrase('{name} (image {id})', { name: uploadName(image), id: String(id) }))
  }
  if (uploads.size === 0) return undefined
  const images = listOfFirst([...uploads.values()], namedUploads)
  return phrase('uploaded images stay on the site: {images}', { images })
}

/** How many uploads a notice names. */
const namedUploads = 3
