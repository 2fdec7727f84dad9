import { Failure } from '../../base/failure.ts'
import { nameKey, sameKey } from '../../base/text/match-key.ts'
import { phrase } from '../../base/words/phrase.ts'
import { missingIn, patchedAfterwards } from '../../client/adapters/new-record-result.ts'
import { similarRecords } from '../../client/adapters/reconcile.ts'
import { isBlanked } from '../../client/adapters/secret-values.ts'
import type { Client, Values } from '../../client/client.ts'
import { findBySlug, findHolder } from '../../client/find/slugs.ts'
import { wholeListQuery } from '../../client/find/whole-lists.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Language } from '../../contract/languages.ts'
import { writableValues } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { slugKey, slugOf } from '../../contract/slug.ts'
import { isApplied } from '../../contract/three-way-merge.ts'
import { fieldList, stepLabel } from '../plan/names.ts'
import type { Step } from '../plan/plan.ts'
import { createRecordIndex } from '../plan/record-index.ts'
import { identityOf, resolveReferences } from '../plan/steps.ts'
import type { StepResult } from './result.ts'

/** Up to this many records are searched for one by one; for more of them, a list is read. */
const maxSearches = 3

/** The creates whose records would be in one list. */
interface CreateGroup {
  readonly resource: Resource
  readonly language: Language | undefined
  readonly creates: CreateKey[]
}

interface CreateKey {
  readonly key: string
  readonly match: readonly string[]
  readonly values: Values
  /** Whether the record is hidden from lists. */
  readonly isHidden: boolean
  /** Records with which it must not be matched. */
  readonly others: readonly number[]
}

/**
 * The existing records that creates, or restores in a redo, would double, by key: those with the same values in the fields by which the
 * plan found no record. Two machines may apply one file at the same time. Reads one list for all steps of a resource, for events only
 * around their days.
 */
export async function findExisting(
  client: Client,
  steps: readonly Step[],
  idOf: (key: string) => number | undefined,
): Promise<Map<string, readonly Answer[]>> {
  const existing = new Map<string, readonly Answer[]>()
  for (const group of groupsOf(client, steps, idOf)) {
    const { resource, creates } = group
    const list = creates.length > maxSearches ? await listAround(client, group) : undefined
    const lookup = list && createLookup(resource, list)
    for (const { key, match, values, isHidden, others } of creates) {
      const similar = lookup ? lookup(values) : await similarTo(client, group, match, values)
      // Lists leave out hidden events.
      const hidden = isHidden ? (await findBySlug(client, resource, values)).records : []
      const candidates = [...similar, ...hidden].filter(({ id }) => !others.includes(id))
      const matches = candidates.filter(record => isMatch(resource, match, values, record))
      if (matches.length > 0) existing.set(key, matches)
    }
  }
  return existing
}

/**
 * The result of a create whose record somebody else has created; all machines agree on the one with the lowest ID. It counts as done, so
 * that other steps can link to it, and has a failure if its values differ from those of the step.
 */
export function createdMeanwhile(step: Step, values: Values, others: Iterable<Answer>): StepResult | undefined {
  const [first] = [...others].toSorted((one, other) => one.id - other.id)
  if (!first) return undefined
  const failure = otherValuesFailure(step, values, first)
  return { state: 'done', id: first.id, doneByOthers: true, ...(failure && { failure }) }
}

function otherValuesFailure(step: Step, values: Values, record: Answer): Failure | undefined {
  const resource = resourceNamed(step.resource)
  // Fields that only a patch writes may not have been written yet.
  const drift = isBlanked(resource, record)
    ? {}
    : missingIn(resource, patchedAfterwards(resource, values).others, record)
  const fields = Object.keys(drift)
  if (fields.length === 0) return undefined
  const message = phrase('{record} was created by someone else with different values: {fields}', {
    record: stepLabel(step),
    fields: fieldList(fields, step.resource),
  })
  return new Failure('conflict', message, {
    hint: phrase('it was kept, with the ID {id}; run the command again to change it', { id: record.id }),
    drift,
  })
}

/** The fields that identify a record if the plan does not say. */
const defaultMatch = ({ title, fields }: Resource): string[] =>
  fields.start_date && fields.end_date ? [title, 'start_date', 'end_date'] : [title]

function groupsOf(client: Client, steps: readonly Step[], idOf: (key: string) => number | undefined): CreateGroup[] {
  const groups = new Map<string, CreateGroup>()
  for (const step of steps) {
    const { key, resource: name, lang_code: language = client.language, before } = step
    const identity = identityOf(step)
    const { match, existing = [] } = step.action === 'create' ? step : {}
    const resource = resourceNamed(name)
    const id = `${name} ${language ?? ''}`
    const group = groups.get(id) ?? { resource, language, creates: [] }
    groups.set(id, group)
    group.creates.push({
      key,
      match: identity ? Object.keys(identity) : (match ?? defaultMatch(resource)),
      values: {
        ...(before && writableValues(resource, before)),
        ...(resolveReferences(step.values, idOf) as Values),
        ...identity,
      },
      isHidden: Boolean((before ?? step.values).hide_from_listings),
      others: existing.map(({ id }) => id),
    })
  }
  return [...groups.values()]
}

/** The list in which creates may have doubles; undefined if searching for each takes fewer requests. */
async function listAround(client: Client, group: CreateGroup): Promise<Answer[] | undefined> {
  const { resource, language, creates } = group
  const own = language === client.language ? undefined : language
  const records: Answer[] = []
  for await (const page of client.pages(resource, wholeListQuery({ resource, language: own, days: daysOf(creates) }))) {
    if (page.pages > creates.length) return undefined
    records.push(...page.records)
  }
  return records
}

function daysOf(creates: CreateGroup['creates']): readonly [string, string] | undefined {
  const days = creates.map(({ values }) => String(values.start_date ?? '').slice(0, 10)).toSorted()
  const [first, last] = [days[0], days.at(-1)]
  return first && last && days.every(day => /^\d{4}-\d\d-\d\d$/.test(day)) ? [first, last] : undefined
}

async function similarTo(
  client: Client,
  { resource, language }: CreateGroup,
  match: readonly string[],
  values: Values,
): Promise<Answer[]> {
  const own = language === client.language ? undefined : language
  const query = own ? { ...values, lang_code: own } : values
  if (!match.includes('slug') || !resource.keys.includes('slug')) return similarRecords(client, resource, query)
  // Somebody may have changed the name of the record.
  const holder = await findHolder(client, resource, slugOf(String(values.slug)), query)
  return holder ? [holder] : []
}

/** Finds the records with the slug or the name of a create. */
function createLookup(resource: Resource, records: readonly Answer[]): (values: Values) => readonly Answer[] {
  const index = createRecordIndex(resource)
  for (const record of records) index.add(record)
  return values => {
    const found = [...index.allBySlug(values.slug), ...index.byName(values[resource.title])]
    return [...new Map(found.map(record => [record.id, record])).values()]
  }
}

function isMatch(resource: Resource, match: readonly string[], values: Values, record: Answer): boolean {
  return match.every(name => {
    const field = resource.fields[name]
    if (name === resource.title) return sameKey(nameKey(values[name]), nameKey(record[name]))
    if (name === 'slug' && slugKey(values.slug) === undefined) return false
    if (!field || values[name] === undefined) return true
    return isApplied(name, field, values[name], record)
  })
}
