/**
 * Undo: the plan that reverts a run. Input: the journal of the run, and a client. Output: a plan like any other, with notes on what it
 * cannot undo; `undo-step.ts` makes its steps. The plan may still remove records to which something else refers by now: pass it to
 * `keepStillReferenced`.
 */

import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { showsStored } from '../../client/adapters/shown-stored-records.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { wasNeverPublished } from '../../contract/record.ts'
import { recordKey } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import { findBackReferences } from '../plan/back-references.ts'
import { stepLabel } from '../plan/names.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { SiteReader } from '../plan/site-reader.ts'
import { batches, createSpool, filterItems, type Spool } from '../plan/spool.ts'
import { effectOf, isRemoval } from '../plan/steps.ts'
import { checkPlanWhole, type JournaledRun, readJournal } from '../run/journal-reader.ts'
import { createRightsCheck } from '../run/lacked-rights.ts'
import { undecidedSteps } from '../run/resume.ts'
import { listRuns } from '../run/runs-folder.ts'
import {
  addRelinks,
  currentTerms,
  type DeletedTerm,
  deletedTerms,
  type Relinks,
  type ReturnedTerm,
  relinkSteps,
  relinksOf,
  type Unlinked,
  unlinkedNote,
  withCurrentIds,
} from './deleted-terms.ts'
import { doneSteps, readStepRecords } from './done-steps.ts'
import { lostPasswords } from './hidden-texts.ts'
import { addLostLinks, withoutGivenBack } from './lost-links.ts'
import {
  type DoneStep,
  recognitionOf,
  type Stranger,
  strangerNote,
  type UndoContext,
  undoKey,
  undoOfStep,
} from './undo-step.ts'
import { unpublishSteps } from './unpublish.ts'

interface UndoOptions {
  /** The terms that other undos have created again since. */
  readonly returned?: readonly ReturnedTerm[]
  /** The run that this run itself undid, if it is an undo. */
  readonly undone?: JournaledRun | undefined
  /** The later runs of the calendar, the earliest first. */
  readonly later?: readonly JournaledRun[]
  /** The password to set again on events that have lost theirs. */
  readonly password?: string | undefined
}

interface UndoPlan extends Plan {
  readonly unlinked?: readonly Unlinked[]
  readonly strangers?: readonly Stranger[]
}

/**
 * The plan that undoes a run, beginning with its last step. `made` is the time of the plan, as an ISO date; `unlinked` are the records in
 * the trash that do not get deleted terms back.
 */
export async function undoPlan(
  client: Client,
  journal: JournaledRun,
  made: string,
  { returned = [], undone, later = [], password }: UndoOptions = {},
): Promise<UndoPlan> {
  checkPlanWhole(journal)
  const reader = new SiteReader(client)
  const cameBack = await currentTerms(reader, returned)
  // What the run itself deleted, its undo brings back.
  for (const { step, id } of deletedTerms(journal)) cameBack.delete(recordKey(step.resource, id))
  const run = withCurrentIds(journal, cameBack)
  const deleted = deletedTerms(run)
  const returning = new Map<string, string | number>([
    ...Array.from(cameBack.values(), ({ step, newId }) => [recordKey(step.resource, newId), newId] as const),
    ...deleted.map(({ step, id }) => [recordKey(step.resource, id), undoKey(step)] as const),
    ...(await trashedPlaces(run, reader)),
  ])
  const ownRecords = recordsOfRun(run, ({ action, resource }) => action !== 'update' && resource !== 'events')
  const firstValues = undone && valuesOf(undone)
  const passwords = { lost: lostPasswords(client, [run, ...later]), given: password }
  const relinks = relinksOf(deleted)
  await addLostLinks(client, relinks, run, returning)
  const undo: Undo = { steps: createSpool<Step>(), notes: [], strangers: [], same: 0 }
  for (const batch of batches(doneSteps(run))) {
    const context = {
      ...(await readStepRecords(reader, batch)),
      returning,
      ownRecords,
      passwords,
      unpublishesWhole: await unpublishesWhole(client, run.plan.lang_code, batch),
      ...(firstValues && { firstValues }),
    }
    for (const done of batch) addUndo(undo, withoutGivenBack(done), context, relinks)
  }
  const { steps, notes, strangers, same } = undo
  const unlinked: Unlinked[] = []
  const checkRights = createRightsCheck(client)
  const addChecked = async (step: Step) => {
    await checkRights(step, phrase('{record} would have to be changed as well', { record: stepLabel(step) }))
    steps.add(step)
  }
  for await (const step of relinkSteps(reader, relinks, { unlinked, strangers })) await addChecked(step)
  for await (const step of unpublishSteps(client, reader, run, strangers)) await addChecked(step)
  notes.push(...unlinked.map(unlinkedNote), ...strangers.map(strangerNote))
  const { calendar, lang_code: language } = run.plan
  return {
    calctl: 1,
    calendar,
    ...(language && { lang_code: language }),
    undoes: journal.run,
    made,
    steps,
    same,
    invalid: [],
    ...(unlinked.length > 0 && { unlinked }),
    ...(strangers.length > 0 && { strangers }),
    notes: [...notes, ...undecidedSteps(run).map(undecidedNote), ...damageNotes(run, deleted)],
  }
}

/** What the undo of the steps of a run comes to. */
interface Undo {
  readonly steps: Spool<Step>
  readonly notes: string[]
  readonly strangers: Stranger[]
  /** How many steps need none. */
  same: number
}

function addUndo(undo: Undo, done: DoneStep, context: UndoContext, relinks: Relinks): void {
  const { step, stranger, notes = [] } = undoOfStep(done, context)
  undo.notes.push(...notes)
  if (stranger) undo.strangers.push(stranger)
  if (step) undo.steps.add(addRelinks(step, relinks, context.live))
  else if (notes.length === 0 && !stranger) undo.same += 1
}

/** Whether the site can remove the slugs and dates that the records of these steps did not have before they were published. */
async function unpublishesWhole(client: Client, language: Plan['lang_code'], steps: readonly DoneStep[]) {
  const hadNone = ({ before, values }: Step) =>
    before && (before.slug === '' || (wasNeverPublished(before) && 'status' in values))
  const resources = new Set(steps.flatMap(({ step }) => (hadNone(step) ? step.resource : [])))
  for (const name of resources)
    if (!(await showsStored(client, { resource: resourceNamed(name), language }))) return false
  return true
}

/** What a run wrote, by the keys of the steps that undo it. Steps are read where they are, because there may be many. */
function valuesOf({ plan: { steps } }: JournaledRun): (key: string) => Values {
  const positions = new Map(Array.from(steps, (step, index) => [undoKey(step), index]))
  return key => steps.at(positions.get(key) ?? steps.length)?.values ?? {}
}

/** The records of the steps of a run that are done and of this kind, by `recordKey`. */
function recordsOfRun({ plan, results }: JournaledRun, isOfKind: (step: Step) => boolean): Set<string> {
  const records = new Set<string>()
  for (const { key, resource } of filterItems(plan.steps, isOfKind)) {
    const { state, id } = results.get(key) ?? {}
    if (state === 'done' && id !== undefined) records.add(recordKey(resource, id))
  }
  return records
}

/** Whether a plan removes only records that the run which it undoes has created or restored. A saved plan may say that and do something else. */
export function removesOnlyOwn(runs: string | undefined, { undoes, calendar, steps }: Plan): boolean {
  const run = runs === undefined ? undefined : listRuns(runs).find(({ run }) => run === undoes)
  if (!run) return false
  const journal = readJournal(run.file)
  const own = recordsOfRun(journal, ({ action }) => action === 'create' || action === 'restore')
  const isOwn = ({ resource, id = 0 }: Step) => own.has(recordKey(resource, id))
  return journal.plan.calendar.id === calendar.id && Array.from(filterItems(steps, isRemoval)).every(isOwn)
}

/**
 * The venues and organizers that a run trashed: the keys of the steps that restore them, or the IDs of those that somebody has restored.
 * Records that are not those of the run any more are left out.
 */
async function trashedPlaces(run: JournaledRun, reader: SiteReader): Promise<Map<string, string | number>> {
  const wasTrashed = ({ step }: DoneStep) => effectOf(step) === 'trash' && step.resource !== 'events'
  const places = new Map<string, string | number>()
  for (const batch of batches(doneSteps(run))) {
    const done = batch.filter(wasTrashed)
    const { live, trashed } = await readStepRecords(reader, done)
    for (const one of done) {
      const { step, id } = one
      const key = recordKey(step.resource, id)
      const current = trashed.get(key) ?? live.get(key)
      if (current && recognitionOf(one, current) === 'same') places.set(key, trashed.has(key) ? undoKey(step) : id)
    }
  }
  return places
}

/** A note of the plan; without it, an undo would count as complete. */
const undecidedNote = (step: Step): string =>
  phrase('{record} may have been created: it was sent and not answered', { record: stepLabel(step) })

/** Notes on what is missing in a damaged journal. */
function* damageNotes({ plan, header, results }: JournaledRun, deleted: readonly DeletedTerm[]): Generator<string> {
  for (const { step, referrers } of deleted)
    if (!referrers)
      yield phrase('{record} is restored without its records: the journal does not list them', {
        record: stepLabel(step),
      })
  if (plan.steps.length === header.steps) return
  const known = new Set(Array.from(plan.steps, ({ key }) => key))
  for (const [key, { state, id }] of results)
    if (state === 'done' && !known.has(key))
      yield phrase('kept the record {id} of the step {key}: the journal does not have the values that it wrote', {
        key: JSON.stringify(key),
        id: String(id),
      })
}

/** How many records are named in a note. */
const namedReferrers = 3

/**
 * Keeps venues, organizers, categories and tags to which something else refers by now: their steps are taken out of the plan, and a note
 * says which records use them. Records that the same plan removes or unlinks do not count. A redo
 * removes again what the run that it repeats has removed, whatever uses it.
 */
export async function keepStillReferenced(client: Client, plan: Plan, repeated?: JournaledRun): Promise<Plan> {
  const removedBefore = repeated ? recordsOfRun(repeated, isRemoval) : new Set()
  const mayKeep = (step: Step) =>
    isRemoval(step) && step.resource !== 'events' && !removedBefore.has(recordKey(step.resource, step.id ?? 0))
  const removals = [...filterItems(plan.steps, mayKeep)]
  if (removals.length === 0) return plan
  const unlinked = fieldsUnlinkedBy(plan.steps)
  const referrers = new Map<string, string[]>()
  for await (const { step, resource, record, field } of findBackReferences(client, removals)) {
    const fields = unlinked.get(recordKey(resource, record.id))
    if (fields === 'all' || fields?.has(field)) continue
    referrers.set(step.key, [...(referrers.get(step.key) ?? []), namedRecord(resource, record.id)])
  }
  if (referrers.size === 0) return plan
  const steps = createSpool<Step>()
  for (const step of plan.steps) if (!referrers.has(step.key)) steps.add(step)
  const notes = removals.flatMap(step => {
    const names = referrers.get(step.key)
    if (!names) return []
    const records = listOfFirst(names, namedReferrers)
    return [phrase('kept {record}: still used by {records}', { record: stepLabel(step), records })]
  })
  return { ...plan, steps, notes: [...(plan.notes ?? []), ...notes] }
}

/** The fields that a plan writes, by `recordKey`, so that their old links are gone after it; `all` for records that it removes. */
function fieldsUnlinkedBy(steps: Iterable<Step>): Map<string, ReadonlySet<string> | 'all'> {
  const unlinked = new Map<string, ReadonlySet<string> | 'all'>()
  for (const step of steps)
    if (step.id !== undefined && (step.resource === 'events' || step.resource === 'categories'))
      unlinked.set(recordKey(step.resource, step.id), isRemoval(step) ? 'all' : new Set(Object.keys(step.values)))
  return unlinked
}
