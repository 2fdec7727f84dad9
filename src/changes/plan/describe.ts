import { isObject } from '../../base/text/json.ts'
import { listOf, sizeText } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { type Field, hiddenSecret, type ResourceName } from '../../contract/field.ts'
import { isPendingUpload, type PendingUpload } from '../../contract/kinds/image-kind.ts'
import { statusLabel } from '../../contract/post-status.ts'
import { repeatsAnother, storedValue } from '../../contract/record.ts'
import { type Answer, quoted, type Resource } from '../../contract/resource.ts'
import { namedRecord, recordCount } from '../../contract/resource-words.ts'
import { changedValues } from '../../contract/three-way-merge.ts'
import { recordInFull, recordName, shortDate } from '../../files/print/record-names.ts'
import { fieldName } from './names.ts'
import { overviewOf } from './overview.ts'
import type { Action, Plan, Step } from './plan.ts'
import type { ReadonlyList } from './spool.ts'
import { effectOf } from './steps.ts'

/** The name of a record by its key: `venues 12`, or the key of the step that creates or restores it. */
export type NameOf = (key: string) => string | undefined

/** The name of a record by its ID. */
export type KnownName = (resource: ResourceName, id: number) => string | undefined

/** What the words for steps depend on. */
export interface Wording {
  readonly nameOf: NameOf
  /** The year in which they are read. */
  readonly year: string
  /** Whether the steps are in several languages, so that each record is named with its own. */
  readonly hasLanguages?: boolean
  /** Whether texts are shown in full, as where a person approves them. */
  readonly isWhole?: boolean
}

const namedBy = (known: KnownName, resource: ResourceName, id: string | undefined): string | undefined => {
  const name = id === undefined ? undefined : known(resource, Number(id))
  return name === undefined ? undefined : quoted(name)
}

/** How to word the steps of a plan. */
export const wordingOf = (
  { steps, made }: Pick<Plan, 'steps' | 'made'>,
  known: KnownName = () => undefined,
  done: readonly AnsweredStep[] = [],
): Wording => {
  const linked = linkNames(steps, done)
  const nameOf = (key: string) => {
    const [, resource = '', id] = /^(\w+) (\d+)$/.exec(key) ?? []
    return linked(key) ?? namedBy(known, resource as ResourceName, id)
  }
  return { nameOf, year: made.slice(0, 4), hasLanguages: overviewOf({ steps }).languages.size > 1 }
}

/**
 * The names of the records that steps link to, with those that answers have. A plan can have thousands of steps on disk, so only the names
 * of records that are referred to are kept in memory.
 */
export function linkNames(steps: ReadonlyList<Step>, done: readonly AnsweredStep[] = []): NameOf {
  const names = new Map<string, string>()
  const { referenced, haveRecords } = overviewOf({ steps })
  let missing = referenced.size
  for (const { resource, before } of haveRecords ? steps : [])
    if (before) addEmbedded(names, resourceNamed(resource), before)
  for (const { step, record } of done) addEmbedded(names, resourceNamed(step.resource), record)
  for (const step of missing > 0 ? steps : []) {
    if (!referenced.has(step.key)) continue
    names.set(step.key, nameOfStep(step))
    missing -= 1
    if (missing === 0) break
  }
  return key => names.get(key)
}

function nameOfStep({ resource, action, before, values }: Step): string {
  const { title } = resourceNamed(resource)
  const value = before?.[title] ?? values[title]
  const name = value === undefined ? '' : quoted(String(value))
  return action === 'create' ? phrase('new {name}', { name }) : name
}

/** The names of linked records, which services embed. */
function addEmbedded(names: Map<string, string>, { fields }: Resource, record: Answer): void {
  for (const [name, { of }] of Object.entries(fields))
    for (const item of of ? [record[name]].flat() : []) {
      const title = of && isObject(item) ? item[resourceNamed(of).title] : undefined
      if (isObject(item) && typeof title === 'string') names.set(`${of} ${item.id}`, quoted(title))
    }
}

/** `title "Concert" → "Concert de Nadal"`, `venue "Plaça Major" → "Sala"`, for each field that a step sets. */
export function changeTexts(step: Step, wording: Wording): string[] {
  const resource = resourceNamed(step.resource)
  // The name of a new record is not repeated.
  const named = step.action === 'create' ? [resource.title, 'start_date'] : []
  return Object.keys(step.values)
    .filter(name => !named.includes(name) && !repeatsAnother(name, resource, step.values))
    .flatMap(name => changeOf(step, name, wording) ?? [])
}

/** The change of a field; undefined for an end that only moves along with its start. */
function changeOf({ resource, before, values }: Step, name: string, wording: Wording): string | undefined {
  const field = resourceNamed(resource).fields[name]
  const isWholeDay = values.all_day === true || (values.all_day !== false && before?.all_day === true)
  const format = (value: unknown, start: unknown) =>
    name === 'end_date' && !isWholeDay && isOnDayOf(start, value)
      ? String(value).slice(11, 16)
      : formatValue(field, value, { ...wording, isWholeDay })
  const after = format(values[name], values.start_date ?? before?.start_date)
  const label = changeLabel(name, resource)
  const isSwitch = typeof values[name] === 'boolean'
  // A new record is without what is off.
  if (!before && isSwitch) return values[name] ? label : undefined
  if (!before || field?.secret) return `${label} ${after}`
  // A site shows texts in their rendered form, but they are written as they are stored; of what it stores elsewhere, only the stored value
  // is known.
  const isShown = field?.kind.shape !== 'prose' && !field?.site?.apart
  const stored = isShown ? undefined : storedValue(name, before)
  const earlier = format(stored ?? before[name], before.start_date)
  const isAlike = /^\d\d:\d\d$/.test(after) && earlier === after && before[name] !== values[name]
  if (isAlike) return undefined
  return isSwitch
    ? phrase('{field} {before} → {after}', { field: label, before: earlier, after })
    : `${label} ${earlier} → ${after}`
}

/** Whether an end is on the day of its start: then only its time is shown. */
const isOnDayOf = (start: unknown, end: unknown): boolean =>
  typeof start === 'string' && typeof end === 'string' && start.slice(0, 10) === end.slice(0, 10)

/** The name of a field in the sentence about its change. */
function changeLabel(name: string, resource: ResourceName): string {
  if (name === 'start_date') return phrase('starts')
  return name === 'end_date' ? phrase('ends') : fieldName(name, resource)
}

interface ValueWording extends Wording {
  readonly isWholeDay: boolean
}

/** A value in a sentence; linked records by name if it is known, otherwise by ID. */
function formatValue(field: Field | undefined, value: unknown, wording: ValueWording): string {
  if (field?.secret && value) return quoted(hiddenSecret)
  if (isPendingUpload(value)) return uploadText(value)
  const plain = field && isEmbedded(value) ? field.kind.canonical(value, field) : value
  if (isNone(field, plain)) return phrase('(none)')
  if (Array.isArray(plain)) return plain.map(item => formatValue(field, item, wording)).join(' + ')
  if (isObject(plain))
    return '$ref' in plain ? nameOfRef(plain.$ref, wording) : (field?.kind.text(plain) ?? JSON.stringify(plain))
  if (field?.of) return wording.nameOf(`${field.of} ${plain}`) ?? String(plain)
  return scalarText(field, plain, wording)
}

/** Whether a value means none: services answer `false` for no image, and 0 for no venue. */
function isNone(field: Field | undefined, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return (field?.kind.shape === 'picture' && value === false) || (field?.of !== undefined && value === 0)
}

function scalarText(field: Field | undefined, plain: unknown, wording: ValueWording): string {
  if (typeof plain === 'boolean') return plain ? phrase('yes') : phrase('no')
  if (typeof plain !== 'string' || field?.choices) return statusLabel(String(plain))
  return field?.kind.shape === 'moment'
    ? shortDate(plain, wording.year, wording.isWholeDay)
    : quoted(plain, wording.isWhole ? plain.length : undefined)
}

const nameOfRef = (key: unknown, { nameOf }: Wording): string => nameOf(String(key)) ?? String(key)

/** An image that is not on the site yet: `"poster.jpg" (12 kB)`, or a copy of an image on the web. */
function uploadText({ $upload: upload }: PendingUpload): string {
  if ('url' in upload) return phrase('a copy of {url}', { url: quoted(upload.url) })
  return `${quoted(upload.name)} (${sizeText(upload.size)})`
}

/** Whether a link is embedded in an answer: then it has an ID, which a record that is sent to be created has not. */
const isEmbedded = (value: unknown): boolean => [value].flat().some(item => isObject(item) && 'id' in item)

/** A step that was carried out, and the record in its answer. */
export interface AnsweredStep {
  readonly step: Step
  readonly record: Answer
}

/** What was done, one sentence for each record: `Changed "Mercat" (57): title "Mercat de pagès" → "Mercat"`. */
export function doneSentences(client: Client, done: readonly AnsweredStep[], now: Date): string[] {
  const plan = { steps: done.map(({ step }) => step), made: now.toISOString() }
  const wording = wordingOf(plan, client.knownName, done)
  return done.map(one => doneSentence(one, wording))
}

function doneSentence({ step, record }: AnsweredStep, wording: Wording): string {
  const resource = resourceNamed(step.resource)
  const inFull = recordInFull(resource, { record, year: wording.year })
  const action = effectOf(step)
  if (action === 'trash') return phrase('Moved to the trash: {record}', { record: inFull })
  if (action === 'delete') return phrase('Deleted {record}', { record: inFull })
  if (action !== 'update') return madeSentence(action, [inFull, ...addedCurrency(step, record)].join(', '), record)
  const changes = changeTexts(withShownPrices(withRealChanges(resource, step), record), wording).join(', ')
  const name = recordName(resource, { record })
  return changes === ''
    ? phrase('Saved {record}, which already had these values', { record: name })
    : phrase('Changed {record}: {changes}', { record: name, changes })
}

/** A step with the prices as the site shows them now, with its currency. */
const withShownPrices = (step: Step, record: Answer): Step => ({
  ...step,
  values: Object.fromEntries(
    Object.entries(step.values).map(([name, value]) => [name, isPrice(step, name) ? (record[name] ?? value) : value]),
  ),
})

const isPrice = ({ resource }: Step, name: string): boolean =>
  resourceNamed(resource).fields[name]?.kind.shape === 'amount'

/** The prices of a new record to which the site has added its currency. */
const addedCurrency = (step: Step, record: Answer): string[] =>
  Object.entries(step.values).flatMap(([name, value]) =>
    isPrice(step, name) && /^[\d\s.,–—-]+$/.test(String(value)) && record[name] !== value
      ? String(record[name] ?? '')
      : [],
  )

/** The sentence for a new or restored record, with its status if not everybody can see it. */
function madeSentence(action: 'create' | 'restore', record: string, { status }: Answer): string {
  if (status === undefined || status === 'publish')
    return action === 'create' ? phrase('Created {record}', { record }) : phrase('Restored {record}', { record })
  const places = { record, status: statusLabel(String(status)) }
  return action === 'create'
    ? phrase('Created {record}, status {status}', places)
    : phrase('Restored {record}, status {status}', places)
}

/** Whether a step changes its record: the values of an update may all be there already. */
export const changesRecord = (step: Step): boolean =>
  effectOf(step) !== 'update' || Object.keys(withRealChanges(resourceNamed(step.resource), step).values).length > 0

/** A step with only the fields that it changes, without passwords of records. */
export function withRealChanges(resource: Resource, step: Step): Step {
  const { before, values } = step
  const real = before ? changedValues(resource, before, values) : values
  const isShown = (name: string) =>
    !resource.fields[name]?.queryOnly && (name in real || resource.fields[name]?.secret === true)
  return { ...step, values: Object.fromEntries(Object.entries(values).filter(([name]) => isShown(name))) }
}

/** `created venue 5 and event 12`, `updated 3 events` */
export function describeWrites(steps: readonly Step[], results: ReadonlyMap<string, { readonly id?: number }>): string {
  const groups = new Map<Action, Map<ResourceName, number[]>>()
  for (const { key, action, resource } of steps) {
    const id = results.get(key)?.id
    if (id === undefined) continue
    const written = groups.get(action) ?? new Map<ResourceName, number[]>()
    groups.set(action, written)
    written.set(resource, [...(written.get(resource) ?? []), id])
  }
  return listOf(Array.from(groups, ([action, written]) => writtenRecords(action, written)))
}

function writtenRecords(action: Action, written: ReadonlyMap<ResourceName, readonly number[]>): string {
  const count = [...written.values()].flat().length
  const records = listOf(
    Array.from(written, ([resource, ids]) =>
      ids.length === 1 ? namedRecord(resource, String(ids[0])) : recordCount(ids.length, resource),
    ),
  )
  const places = { count, records }
  if (action === 'create') return phrase('{count, plural, one {created {records}} other {created {records}}}', places)
  if (action === 'update') return phrase('{count, plural, one {updated {records}} other {updated {records}}}', places)
  if (action === 'restore')
    return phrase('{count, plural, one {restored {records}} other {restored {records}}}', places)
  return action === 'trash'
    ? phrase('{count, plural, one {trashed {records}} other {trashed {records}}}', places)
    : phrase('{count, plural, one {deleted {records}} other {deleted {records}}}', places)
}
