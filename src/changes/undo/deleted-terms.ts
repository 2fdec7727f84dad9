/**
 * Categories and tags that a run deleted: an undo creates them again, with new IDs, and returns them to the records that had them. Input:
 * the journals of the run and of later undos. Output: the steps for those records, the new IDs of terms that came back before, and the
 * records that do not get theirs back.
 */

import { conflict, type Failure } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field, ResourceName } from '../../contract/field.ts'
import { type Answer, recordKey } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import { linkedIds, type Referrers } from '../plan/back-references.ts'
import { hasSigns, type Signs } from '../plan/identity.ts'
import { fieldList } from '../plan/names.ts'
import type { Step, StepReference, UpdateStep } from '../plan/plan.ts'
import { locationOf, type RecordLocation, type SiteReader } from '../plan/site-reader.ts'
import { batches, createSpool } from '../plan/spool.ts'
import { isOnRecord, survivorOf } from '../plan/steps.ts'
import { type JournaledRun, readHeader, readJournal } from '../run/journal-reader.ts'
import type { Attempt } from '../run/journal-replay.ts'
import { listRuns, type RunFile } from '../run/runs-folder.ts'
import { type Stranger, strangerOf, undoKey, updateOfOther } from './undo-step.ts'

/** A term that the run deleted. */
export interface DeletedTerm {
  readonly step: Step
  readonly id: number
  /** The records that had it; undefined if that is not known. */
  readonly referrers: Referrers | undefined
}

/** The terms that a run deleted. */
export function deletedTerms({ plan, results, attempts }: JournaledRun): DeletedTerm[] {
  const deleted: DeletedTerm[] = []
  for (const step of plan.steps) {
    if (step.action !== 'delete' || !step.before) continue
    const { state, id } = results.get(step.key) ?? {}
    if (state === 'done' && id !== undefined) deleted.push({ step, id, referrers: attempts.get(step.key)?.users })
  }
  return deleted
}

/** A record that had deleted terms, and what replaces them: terms by field, or a parent. */
interface Relink extends RecordLocation {
  /** What the record was recognized by; absent if the journal does not say. */
  readonly signs?: Signs | undefined
  readonly references: Map<string, (StepReference | number)[]>
}

/** By `recordKey`. */
export type Relinks = Map<string, Relink>

/** The records that had terms that the run deleted. */
export function relinksOf(deleted: readonly DeletedTerm[]): Relinks {
  const relinks: Relinks = new Map()
  for (const { step, referrers = {} } of deleted) {
    const add = (resource: 'events' | 'categories', id: number, field: string) => {
      const { references } = relinkOf(relinks, {
        resource,
        id,
        language: step.lang_code,
        signs: referrers.signs?.[recordKey(resource, id)],
      })
      references.set(field, [...(references.get(field) ?? []), { $ref: undoKey(step) }])
    }
    for (const id of referrers.events ?? []) add('events', id, step.resource)
    for (const id of referrers.categories ?? []) add('categories', id, 'parent')
  }
  return relinks
}

/** What a record gets back; a new one if nothing has been found for it yet. */
export function relinkOf(relinks: Relinks, { language, ...record }: Omit<Relink, 'references'>): Relink {
  const key = recordKey(record.resource, record.id)
  const relink = relinks.get(key) ?? { ...record, ...(language && { language }), references: new Map() }
  relinks.set(key, relink)
  return relink
}

/** The step, which also returns deleted terms if it updates a record that had some; its relink is then used up. */
export function addRelinks(step: Step, relinks: Relinks, live: ReadonlyMap<string, Answer>): Step {
  const key = step.id === undefined ? '' : recordKey(step.resource, step.id)
  const relink = relinks.get(key)
  if (!relink) return step
  relinks.delete(key)
  const record = live.get(key)
  if (!record || step.action !== 'update') return step
  const values = relinkedValues(record, relink)
  return { ...step, ...givenBack(values), values: { ...values, ...step.values } }
}

/** The links to posts among these values; terms come back with new IDs, so that a redo removes other ones. */
function givenBack(values: Values): Pick<UpdateStep, 'givesBack'> {
  const { fields } = resourceNamed('events')
  const names = Object.keys(values).filter(name => fields[name]?.kind.identity && !fields[name].kind.isTerms)
  return names.length > 0 ? { givesBack: names } : {}
}

function relinkedValues(record: Answer, { resource, references }: Relink): Values {
  const values: Record<string, unknown> = {}
  for (const [name, links] of references) {
    const { kind, multiple } = resourceNamed(resource).fields[name] ?? {}
    const current = linkedIds(record, name)
    if (name === 'parent') values[name] = links[0]
    else if (kind?.isTerms) values[name] = [...current, ...links]
    // Somebody has chosen another venue or organizer since.
    else if (!current.some(Boolean)) values[name] = multiple === false ? links[0] : links
  }
  return values
}

/** The steps for the relinks that no other step of the undo has used up; records in the trash are added to `unlinked`. */
export async function* relinkSteps(
  reader: SiteReader,
  relinks: Relinks,
  { unlinked, strangers }: { readonly unlinked: Unlinked[]; readonly strangers: Stranger[] },
): AsyncGenerator<Step> {
  for (const batch of batches(relinks.values())) {
    const live = await reader.readCurrent(batch)
    unlinked.push(...(await inTrash(reader, batch, live)))
    for (const relink of batch) {
      const { resource, id } = relink
      const record = live.get(recordKey(resource, id))
      const step = record && relinkStep(record, relink)
      if (step && hasSigns(resource, record, relink.signs)) yield step
      else if (step) strangers.push(strangerOf(relink, 'another'))
    }
  }
}

async function inTrash(reader: SiteReader, relinks: readonly Relink[], live: ReadonlyMap<string, Answer>) {
  const missing = relinks.filter(({ resource, id }) => resource === 'events' && !live.has(recordKey(resource, id)))
  const trashed = await reader.readCurrent(missing.map(relink => ({ ...relink, trashed: true })))
  return missing.flatMap(({ resource, id, references }) =>
    trashed.has(recordKey(resource, id)) ? { resource, id, fields: [...references.keys()] } : [],
  )
}

/** The step that gives a record its links back; undefined if it does not need them. */
function relinkStep(record: Answer, relink: Relink): Step | undefined {
  const values = relinkedValues(record, relink)
  if (Object.keys(values).length === 0) return undefined
  return { ...updateOfOther(relink, record, values), ...givenBack(values) }
}

/** A record in the trash, which does not get deleted terms back. */
export type Unlinked = Pick<Relink, 'resource' | 'id'> & { readonly fields: readonly string[] }

/** `event 12 is in the trash: it does not get its tags back` */
export const unlinkedNote = ({ resource, id, fields }: Unlinked): string =>
  phrase('{record} is in the trash: it does not get its {fields} back', {
    record: namedRecord(resource, id),
    fields: fieldList(fields, resource),
  })

/** The failure of an undo that could not return deleted terms to records in the trash; undefined if there are none. */
export function unlinkedFailure(unlinked: readonly Unlinked[]): Failure | undefined {
  const [first, ...others] = unlinked
  if (!first) return undefined
  const ids = unlinked.map(({ id }) => id)
  const note = unlinkedNote(first)
  const message = others.length > 0 ? phrase('{note}; {count} more like it', { note, count: others.length }) : note
  return conflict(
    message,
    phrase('restore {count, plural, one {it} other {them}} with: {restore}; then add the terms again with: {update}', {
      count: ids.length,
      restore: `calctl ${first.resource} restore ${ids.join(' ')}`,
      update: `calctl ${first.resource} update`,
    }),
  )
}

/** A category or tag that a run deleted and a later undo created again. */
export interface ReturnedTerm {
  /** The step that deleted it. */
  readonly step: Step
  readonly id: number
  readonly newId: number
}

/**
 * The terms that were created again since a run, the latest first. Records in the trash had lost them, which could not be seen when the
 * terms were deleted: they get them back when they are restored themselves.
 */
export function returnedTerms(folder: string, { run, plan }: JournaledRun): ReturnedTerm[] {
  const runs = listRuns(folder)
  const later = runs.slice(
    0,
    runs.findIndex(other => other.run === run),
  )
  return later.flatMap(({ file }) => {
    const header = readHeader(file)
    const undone = runs.find(other => other.run === header?.undoes)
    return undone && header?.plan.calendar.id === plan.calendar.id ? createdAgain(undone, file) : []
  })
}

function createdAgain(undone: RunFile, file: string): ReturnedTerm[] {
  const { results } = readJournal(file)
  return deletedTerms(readJournal(undone.file)).flatMap(({ step, id }) => {
    const { state, id: newId } = results.get(undoKey(step)) ?? {}
    return state === 'done' && newId !== undefined ? [{ step, id, newId }] : []
  })
}

/** The returned terms that still exist, by the `recordKey` of the deleted term. */
export async function currentTerms(
  reader: SiteReader,
  terms: readonly ReturnedTerm[],
): Promise<Map<string, ReturnedTerm>> {
  const newest = new Map<string, ReturnedTerm>()
  for (const term of terms) {
    const key = recordKey(term.step.resource, term.id)
    // The term may have been deleted and created again since.
    if (!newest.has(key)) newest.set(key, newest.get(recordKey(term.step.resource, term.newId)) ?? term)
  }
  const current = await reader.readCurrent(Array.from(newest.values(), ({ step, newId }) => locationOf(step, newId)))
  const isThere = ([, { step, newId }]: [string, ReturnedTerm]) => current.has(recordKey(step.resource, newId))
  return new Map([...newest].filter(isThere))
}

/** A run with the IDs that its terms have now. `returned` has the terms that came back with new ones, by the `recordKey` of the old one. */
export function withCurrentIds(run: JournaledRun, returned: ReadonlyMap<string, ReturnedTerm>): JournaledRun {
  if (returned.size === 0) return run
  const idOf = (resource: ResourceName, id: number) => returned.get(recordKey(resource, id))?.newId ?? id
  const steps = createSpool<Step>()
  const results = new Map(run.results)
  const resources = new Map<string, ResourceName>()
  for (const step of run.plan.steps) {
    const { key, resource } = step
    steps.add(stepWithIds(step, idOf))
    resources.set(key, resource)
    const result = results.get(key)
    if (result?.id !== undefined) results.set(key, { ...result, id: idOf(resource, result.id) })
  }
  const attempts = Array.from(run.attempts, ([key, attempt]): [string, Attempt] => {
    const { users } = attempt
    const categories = users?.categories?.map(id => idOf('categories', id))
    return [key, categories ? { ...attempt, users: { ...users, categories } } : attempt]
  })
  return {
    ...run,
    plan: { ...run.plan, steps },
    results,
    attempts: new Map(attempts),
    valuesAfter(key) {
      const resource = resources.get(key)
      return resource ? linksWithIds(resource, run.valuesAfter(key), idOf) : run.valuesAfter(key)
    },
  }
}

type IdOf = (resource: ResourceName, id: number) => number

function stepWithIds(step: Step, idOf: IdOf): Step {
  const { resource } = step
  const values = linksWithIds(resource, step.values, idOf)
  if (!isOnRecord(step)) return { ...step, values }
  const id = idOf(resource, step.id)
  const into = survivorOf(step)
  return {
    ...step,
    id,
    values,
    before: { ...step.before, ...linksWithIds(resource, step.before, idOf), id },
    ...(into !== undefined && { into: idOf(resource, into) }),
  }
}

const ascending = (one: number, other: number) => one - other

/** Values or a record, with the current IDs of the records to which its fields link. */
function linksWithIds<T extends Values>(resource: ResourceName, values: T, idOf: IdOf): T {
  const { fields } = resourceNamed(resource)
  const withId = (of: ResourceName, link: unknown): unknown => {
    if (isObject(link) && typeof link.id === 'number') return { ...link, id: idOf(of, link.id) }
    return typeof link === 'number' ? idOf(of, link) : link
  }
  const withIds = ({ of, kind }: Field, value: unknown): unknown => {
    if (!of || !Array.isArray(value)) return of ? withId(of, value) : value
    const links = value.map(link => withId(of, link))
    // Answers have terms in the order of their IDs.
    return kind.isTerms && links.every(link => typeof link === 'number') ? links.toSorted(ascending) : links
  }
  const links = Object.entries(values).flatMap(([name, value]) => {
    const field = fields[name]
    return field?.of ? [[name, withIds(field, value)]] : []
  })
  return { ...values, ...Object.fromEntries(links) }
}
