import { ignoreFailure } from '../../base/attempt.ts'
import { isObject } from '../../base/text/json.ts'
import type { Field } from '../../contract/field.ts'
import { equal, wallTime } from '../../contract/kinds/kind-values.ts'
import { isUnpublished, noDate } from '../../contract/post-status.ts'
import { isShownEmpty, wasNeverPublished } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Reads, Values } from '../client.ts'

/** The fields whose stored form differs from what the events API shows: it renders texts, costs and addresses, and hides passwords. */
export const storedForms = ({ fields }: Resource): [string, Field][] =>
  Object.entries(fields).filter(([, field]) => hasStoredForm(field))

const renderedTexts = new Set(['title', 'content', 'excerpt'])

/** Whether a site shows a text in its rendered form. */
export const isRenderedText = (field: Field | undefined): boolean => renderedTexts.has(field?.site?.key ?? '')

function hasStoredForm(field: Field): boolean {
  const { kind, site, secret } = field
  if (site?.key === undefined) return false
  return (
    secret === true ||
    site.apart === true ||
    isRenderedText(field) ||
    kind.shape === 'amount' ||
    site.emptyAs !== undefined
  )
}

/** The parts of a record to ask for in lists. */
export function keysOf({ fields, trashable }: Resource): string[] {
  const keys = Object.values(fields).flatMap(({ site }) => site?.key?.replace(/\..*/, '') ?? [])
  return [...new Set(['id', 'link', 'slug', ...(trashable ? ['modified', 'modified_gmt'] : []), ...keys])]
}

/**
 * A record of `wp/v2` in the shape of the events API, as far as possible: linked records have only their IDs, and what `wp/v2` lacks (flags
 * of an event, names of its venue and categories) is missing. `raw` has the stored texts and the password, which must not be printed or
 * written to journals.
 */
export function answerOf(resource: Resource, record: Readonly<Record<string, unknown>>): Answer {
  const answer: Answer = { id: Number(record.id) }
  for (const [name, field] of Object.entries(resource.fields))
    if (field.site?.key !== undefined && !field.secret) {
      const value = valueAt(record, field.site.key)
      const isPlanned = field.site.apart && value === ''
      if (value !== undefined && !isPlanned) answer[name] = shownValue(field, value)
    }
  for (const [name, key] of Object.entries(otherKeys))
    if (record[key] !== undefined) answer[name] = wallTime(record[key])
  const meta = isObject(record.meta) ? record.meta : {}
  const raw = storedForms(resource).map(([name, { site, kind }]) => {
    const stored = storedValue(valueAt(record, site?.key ?? name))
    return [name, kind.beside ? kind.beside.join(stored, meta) : stored]
  })
  return { ...answer, raw: Object.fromEntries(raw.filter(([, value]) => value !== undefined)) }
}

const otherKeys = { slug: 'slug', url: 'link', modified: 'modified', modified_utc: 'modified_gmt' }

function valueAt(record: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = record
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined
  return value
}

const storedValue = (value: unknown): unknown => (isObject(value) ? value.raw : value)

function shownValue(field: Field, value: unknown): unknown {
  return isObject(value) ? String(value.rendered ?? value.raw ?? '').trim() : field.kind.unpatched(value, field)
}

/** The values that `wp/v2` can write, and those that only the events API writes. */
export function splitValues({ fields }: Resource, values: Values): { patch: Values; others: Values } {
  const patch: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (field?.queryOnly || name === 'lang_code') continue
    if (field && isPatchable(field, value)) patch[name] = value
    else others[name] = value
  }
  return { patch, others }
}

/** Whether `wp/v2` takes a value. It cannot move a record to the trash. */
function isPatchable({ kind, site }: Field, value: unknown): boolean {
  if (site?.key === undefined || site.onlyBy === 'events') return false
  return site.key === 'status' ? value !== 'trash' : kind.isPatchable(value)
}

/** The body of a patch, with each value under its key in `wp/v2`. */
export function patchBody({ fields }: Resource, values: Values): Values {
  const body: Record<string, unknown> = {}
  const meta: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (field?.site?.key === undefined) continue
    const [first = '', second] = field.site.key.split('.')
    if (second === undefined) body[first] = field.kind.patched(value, field)
    else Object.assign(meta, { [second]: field.kind.patched(value, field) }, field.kind.beside?.split(value))
  }
  return Object.keys(meta).length > 0 ? { ...body, meta } : body
}

/**
 * A record after a patch: the answer, completed with what only the events API shows. Fields that were not patched keep the form that they
 * had, because the two APIs render texts and costs differently; fields that an empty field is replaced with change along with it.
 */
export function mergedAnswer(resource: Resource, before: Answer, after: Answer, patched: Values): Answer {
  const merged: Answer = { ...before, ...after }
  for (const [name, field] of Object.entries(resource.fields)) {
    if (before[name] === undefined || after[name] === undefined) continue
    if (!hasStoredForm(field)) merged[name] = withEmbedded(field, before[name], after[name])
    else if (!(name in patched))
      merged[name] = isShownEmpty(name, field, before) ? merged[String(field.site?.emptyAs)] : before[name]
  }
  // These describe the cost that the site showed before.
  if ('cost' in patched) delete merged.cost_details
  // As long as a record is not published, both dates are that of the last save.
  const hasNoDate = wasNeverPublished(before) || patched.date === null
  if (hasNoDate && isUnpublished(String(after.status))) merged.date_utc = noDate
  return merged
}

/** Links, with the records that were embedded for them before; any other value as it is. */
function withEmbedded(field: Field, before: unknown, after: unknown): unknown {
  if (!field.kind.identity) return after
  if (equal(field.kind.canonical(before, field), field.kind.canonical(after, field))) return before
  const embedded = (link: unknown): unknown =>
    [before].flat().find(one => isObject(one) && isObject(link) && one.id === link.id) ?? link
  return Array.isArray(after) ? after.map(embedded) : after
}

/**
 * A merged answer in which fields that were not patched are as the events API shows them: `wp/v2` also has links to records in the trash, and
 * says no for flags of which a record has no row, where the events API says yes. One more request if such a field seems to have changed.
 */
export async function withoutFirstReadings(
  client: Reads,
  resource: Resource,
  { before, merged, patched }: { readonly before: Answer; readonly merged: Answer; readonly patched: Values },
): Promise<Answer> {
  const isDoubtful = (name: string, field: Field) =>
    hasMoreLinks(field, before[name], merged[name]) ||
    (field.kind.shape === 'flag' && before[name] !== undefined && before[name] !== merged[name])
  const names = Object.entries(resource.fields).flatMap(([name, field]) =>
    !(name in patched) && isDoubtful(name, field) ? [name] : [],
  )
  if (names.length === 0) return merged
  const shown = await shownAgain(client, resource, merged)
  return { ...merged, ...Object.fromEntries(names.map(name => [name, (shown ?? before)[name]])) }
}

/** Whether a value has links that an earlier one has not. */
export function hasMoreLinks(field: Field, before: unknown, after: unknown): boolean {
  if (field.kind.shape !== 'links' || field.kind.isTerms || before === undefined) return false
  const known = [field.kind.canonical(before, field)].flat()
  return [field.kind.canonical(after, field)].flat().some(id => id !== null && !known.includes(id as number))
}

/** The record as the events API shows it; undefined if it does not, as in the trash: the update has been carried out anyway. */
const shownAgain = (client: Reads, resource: Resource, { id, lang_code }: Answer): Promise<Answer | undefined> =>
  client.get(resource, { id }, { lang_code }).catch(ignoreFailure)

/**
 * The record with the names of newly linked records, and a new cost with the currency of the site, which `wp/v2` does not show. One more
 * request if there are any.
 */
export async function withLinkedRecords(client: Reads, resource: Resource, record: Answer): Promise<Answer> {
  const isComplete = Object.entries(resource.fields).every(([name, { kind }]) => {
    if (kind.shape === 'amount') return record[name] === undefined || record[`${name}_details`] !== undefined
    return [kind.identity && record[name]].flat().every(link => !isObject(link) || Object.keys(link).length > 1)
  })
  const shown = isComplete ? undefined : await shownAgain(client, resource, record)
  return shown ? { ...shown, ...(record.raw && { raw: record.raw }) } : record
}
