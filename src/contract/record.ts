/**
 * A record as it is compared: each field is stored, shown, or unknown. Links are compared by ID, texts by their stored form if
 * known, or else as shown. Input: answers. Output: values in the form of requests, and whether two answers are equal.
 */
import { decodeEntities } from '../base/text/escaping.ts'
import type { Field } from './field.ts'
import { equal, isNone } from './kinds/kind-values.ts'
import { noDate } from './post-status.ts'
import { type Answer, type Resource, recordKey, shownFields } from './resource.ts'

export interface Difference {
  readonly before: unknown
  readonly after: unknown
  /** The requested value, if the service did not apply it. */
  readonly asked?: unknown
}

export type Differences = Readonly<Record<string, Difference>>

/** A value that is unknown on either side is neither `same` nor `changed`. */
export type RecordComparison = 'same' | 'changed' | 'unknown'

/** Undefined if the answer does not show stored values. */
export const storedValue = (name: string, { raw }: Answer): unknown => raw?.[name]

/** The stored values that an answer shows. */
export const storedValues = ({ raw }: Answer): Readonly<Record<string, unknown>> => raw ?? {}

/** Adds stored values to a record. */
export const withStored = (record: Answer, values: Readonly<Record<string, unknown>>): Answer =>
  Object.keys(values).length === 0 ? record : { ...record, raw: { ...record.raw, ...values } }

/** Removes the stored values. */
export const onlyShown = ({ raw: _, ...shown }: Answer): Answer => shown

/** Changes the stored values, if the answer has any. */
export const mapStored = (
  { raw, ...shown }: Answer,
  change: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Answer => (raw ? { ...shown, raw: change(raw) } : shown)

/**
 * A shown value, without the placeholder that a site shows for an empty one. Undefined if unknown: answers may leave out empty
 * values, but not those that services always fill in.
 */
export function shownValue(name: string, field: Field, record: Answer): unknown {
  const { kind, site } = field
  if (record[name] === undefined && (kind.isFilledIn || site?.onlyBy === 'patch' || site?.apart)) return undefined
  return kind.canonical(isShownEmpty(name, field, record) ? '' : record[name], field)
}

/** Whether a field is empty although the answer shows a placeholder for it. */
export const isShownEmpty = (name: string, { site }: Field, record: Answer): boolean =>
  site?.emptyAs !== undefined && record[name] === record[site.emptyAs]

/** The stored value, or else the shown one, in the form of requests. */
export const knownValue = (name: string, field: Field, record: Answer): unknown =>
  storedValue(name, record) ?? shownValue(name, field, record)

/** Whether a field is empty, as far as is known. */
export const isEmptyIn = (name: string, field: Field, record: Answer): boolean =>
  isNone(knownValue(name, field, record) ?? '')

/** All forms of a value that files or journals may contain: stored, shown, and as sent. */
export function formsOf(name: string, field: Field, record: Answer): readonly unknown[] {
  const shown = shownValue(name, field, record)
  const decoded = typeof shown === 'string' ? decodeEntities(shown) : undefined
  const sent = typeof shown === 'string' ? roundTrip(name, field, record) : undefined
  return [storedValue(name, record), shown, decoded, sent].filter(form => form !== undefined)
}

/** The value to send so that the field keeps its value. */
export const roundTrip = (name: string, field: Field, record: Answer): unknown =>
  storedValue(name, record) ?? field.kind.roundTrip({ name, field, answer: record })

/**
 * The values that an update must send back: The Events Calendar resets fields that an update of an event, venue or organizer leaves
 * out. These fields have `resets`.
 */
export function preservedFields(resource: Resource, record: Answer, values: Readonly<Record<string, unknown>>) {
  const kept: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!field.site?.resets || (field.site.sameAs !== undefined && field.site.sameAs in values)) continue
    const value = roundTrip(name, field, record)
    if (value !== undefined && value !== null) kept[name] = value
  }
  return kept
}

/** Whether a field says what another one among some values says: of two dates of publication, the local one counts. */
export const repeatsAnother = (name: string, { fields }: Resource, values: object): boolean =>
  Object.keys(values).some(other => fields[other]?.site?.sameAs === name)

/** The values that must be sent to create an equal record. */
export function writableValues(
  resource: Resource,
  record: Answer,
  names: Iterable<string> = shownFields(resource).map(([name]) => name),
): Readonly<Record<string, unknown>> {
  const preserved = preservedFields(resource, record, {})
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const field = resource.fields[name]
    // Nobody gave a draft its date, and services reject a blank one.
    if (!field || field.queryOnly || field.secret || floats(field, record)) continue
    const value = name in preserved ? preserved[name] : writtenValue(name, field, record)
    if (value !== undefined) values[name] = value
  }
  return values
}

function writtenValue(name: string, field: Field, record: Answer): unknown {
  const stored = storedValue(name, record)
  const shown = shownValue(name, field, record)
  return stored !== undefined || shown === undefined ? stored : field.kind.written(shown)
}

/**
 * Compares a field of two records. Links to `ignored` records, by `recordKey`, do not count: the same run creates or deletes them.
 */
export function compared(
  name: string,
  field: Field,
  records: readonly [Answer, Answer],
  ignored: ReadonlySet<string> = new Set(),
): RecordComparison {
  const form = areStored(name, records) ? (value: unknown) => value : withoutPageNumbers
  const [one, other] = comparableValues(name, field, records).map(value => withoutLinks(field, form(value), ignored))
  if (one === undefined || other === undefined) return 'unknown'
  return equal(one, other) ? 'same' : 'changed'
}

/** Compares a field with a value of unknown form: stored, shown or as sent. Links to `ignored` records do not count. */
export function comparedWith(
  { name, field, record }: { readonly name: string; readonly field: Field; readonly record: Answer },
  written: unknown,
  ignored: ReadonlySet<string> = new Set(),
): RecordComparison {
  const form = storedValue(name, record) === undefined ? withoutPageNumbers : (value: unknown) => value
  const plain = (value: unknown) => withoutLinks(field, form(value), ignored)
  const forms = formsOf(name, field, record).map(plain)
  if (written === undefined || forms.length === 0) return 'unknown'
  const isSame = forms.some(one => equal(one, plain(written))) || (isNone(plain(written)) && isNone(forms[0]))
  return isSame ? 'same' : 'changed'
}

/** Whether a field was changed between two answers. A floating date proves nothing. */
export function changeOf(
  name: string,
  field: Field,
  records: readonly [Answer, Answer],
  ignored?: ReadonlySet<string>,
): RecordComparison {
  return records.some(record => floats(field, record)) ? 'unknown' : compared(name, field, records, ignored)
}

/** Whether a date is only that of the last save. */
export const floats = (field: Field, record: Answer): boolean =>
  field.site?.floats === true && wasNeverPublished(record)

/** Whether a record has no date of publication: it floats until it is published. */
export const wasNeverPublished = ({ date_utc }: Answer): boolean => date_utc === noDate

/** The values of a field in two records: both stored, if known, otherwise both as shown. */
export const comparableValues = (name: string, field: Field, records: readonly [Answer, Answer]): unknown[] =>
  records.map(record => (areStored(name, records) ? storedValue(name, record) : shownValue(name, field, record)))

const areStored = (name: string, records: readonly Answer[]): boolean =>
  records.every(record => storedValue(name, record) !== undefined)

/**
 * A rendered text without the counters in element names: WordPress counts galleries and blocks per page, so a record in a list has
 * other numbers than alone.
 */
const withoutPageNumbers = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('<')
    ? value.replace(elementName, name => name.replace(/\d+/g, ''))
    : value

const elementName = /\s(?:(?:id|class|for|aria-[a-z]+)=(?:'[\w\s:-]*'|"[\w\s:-]*")|href=(?:'#[\w:-]*'|"#[\w:-]*"))/g

/** Canonical links without those to some records. */
function withoutLinks({ of, multiple }: Field, value: unknown, records: ReadonlySet<string>): unknown {
  if (!of || value === undefined || records.size === 0) return value
  const links = [value].flat().filter(id => typeof id === 'number' && id > 0 && !records.has(recordKey(of, id)))
  return multiple === false ? (links[0] ?? null) : links
}

export function differences(
  resource: Resource,
  before: Answer,
  after: Answer,
  ignored?: ReadonlySet<string>,
): Differences {
  const changed = shownFields(resource).filter(
    ([name, field]) => changeOf(name, field, [before, after], ignored) === 'changed',
  )
  return Object.fromEntries(
    changed.map(([name, field]): [string, Difference] => {
      const [one, other] = comparableValues(name, field, [before, after])
      return [name, { before: one, after: other }]
    }),
  )
}
