/**
 * A record as it is compared: for each field what is stored, what the site shows of it, or that it is unknown. Links are compared by
 * their IDs, and texts as they are stored, or else as they are shown. Input: answers. Output: values in the form in which they are
 * written, and whether two answers say the same.
 */
import { decodeEntities } from '../base/text/escaping.ts'
import type { Field } from './field.ts'
import { equal, isNone } from './kinds/kind-values.ts'
import { noDate } from './post-status.ts'
import { type Answer, type Resource, recordKey, shownFields } from './resource.ts'

/** A field before and after a change. */
export interface Difference {
  readonly before: unknown
  readonly after: unknown
  /** The requested value, if it was not applied. */
  readonly asked?: unknown
}

export type Differences = Readonly<Record<string, Difference>>

/** How a field of a record compares with the same field of another one. What is unknown on one side is neither the same nor changed. */
export type Comparison = 'same' | 'changed' | 'unknown'

/** The value of a field as it is stored; undefined if the answer does not show that. */
export const storedValue = (name: string, { raw }: Answer): unknown => raw?.[name]

/** The fields of which is known how they are stored, with their values. */
export const storedValues = ({ raw }: Answer): Readonly<Record<string, unknown>> => raw ?? {}

/** Adds stored values to a record. */
export const withStored = (record: Answer, values: Readonly<Record<string, unknown>>): Answer =>
  Object.keys(values).length === 0 ? record : { ...record, raw: { ...record.raw, ...values } }

/** A record as it is shown, without what is known of how it is stored. */
export const onlyShown = ({ raw: _, ...shown }: Answer): Answer => shown

/** A record with other values in place of those that are known as they are stored, if any are. */
export const mapStored = (
  { raw, ...shown }: Answer,
  change: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Answer => (raw ? { ...shown, raw: change(raw) } : shown)

/**
 * The value of a field as it is shown, without what a site shows instead of an empty one. Undefined if it is unknown: an answer may
 * leave out what is empty, but not what services fill in by themselves.
 */
export function shownValue(name: string, field: Field, record: Answer): unknown {
  const { kind, site } = field
  if (record[name] === undefined && (kind.isFilledIn || site?.onlyBy === 'patch' || site?.apart)) return undefined
  return kind.canonical(isShownEmpty(name, field, record) ? '' : record[name], field)
}

/** Whether a field is empty and the answer shows something else in its place. */
export const isShownEmpty = (name: string, { site }: Field, record: Answer): boolean =>
  site?.emptyAs !== undefined && record[name] === record[site.emptyAs]

/** The value of a field in the form in which it is written: as it is stored, or else as it is shown. */
export const knownValue = (name: string, field: Field, record: Answer): unknown =>
  storedValue(name, record) ?? shownValue(name, field, record)

/** Whether a record has no value for a field, as far as is known. */
export const isEmptyIn = (name: string, field: Field, record: Answer): boolean =>
  isNone(knownValue(name, field, record) ?? '')

/** All forms in which the value of a field may have been written down: stored, shown, or as it was sent. */
export function formsOf(name: string, field: Field, record: Answer): readonly unknown[] {
  const shown = shownValue(name, field, record)
  const decoded = typeof shown === 'string' ? decodeEntities(shown) : undefined
  const sent = typeof shown === 'string' ? roundTrip(name, field, record) : undefined
  return [storedValue(name, record), shown, decoded, sent].filter(form => form !== undefined)
}

/** The value to send so that a field stays as this record has it. */
export const roundTrip = (name: string, field: Field, record: Answer): unknown =>
  storedValue(name, record) ?? field.kind.roundTrip({ name, field, answer: record })

/**
 * What an update with these values sends back, so that it stays as it is: The Events Calendar resets what an update of an event, venue
 * or organizer leaves out. The fields that it resets are marked `resets`.
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

/** The fields of a record in the form that must be sent to get the same record again. */
export function writableValues(
  resource: Resource,
  record: Answer,
  names: Iterable<string> = shownFields(resource).map(([name]) => name),
): Readonly<Record<string, unknown>> {
  const preserved = preservedFields(resource, record, {})
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const field = resource.fields[name]
    if (!field || field.queryOnly || field.secret) continue
    const value = name in preserved ? preserved[name] : writtenValue(name, field, record)
    // A draft has no publication date yet, and services accept no blank one.
    if (value !== undefined && !(typeof value === 'string' && value.startsWith('0000-'))) values[name] = value
  }
  return values
}

function writtenValue(name: string, field: Field, record: Answer): unknown {
  const stored = storedValue(name, record)
  const shown = shownValue(name, field, record)
  return stored !== undefined || shown === undefined ? stored : field.kind.written(shown)
}

/**
 * How a field compares in two records. `ignored` are records that links do not count to, by `recordKey`: those that come and go with
 * the same run.
 */
export function compared(
  name: string,
  field: Field,
  records: readonly [Answer, Answer],
  ignored: ReadonlySet<string> = new Set(),
): Comparison {
  const form = areStored(name, records) ? (value: unknown) => value : withoutPageNumbers
  const [one, other] = comparableValues(name, field, records).map(value => withoutLinks(field, form(value), ignored))
  if (one === undefined || other === undefined) return 'unknown'
  return equal(one, other) ? 'same' : 'changed'
}

/** A field of a record. */
interface FieldOfRecord {
  readonly name: string
  readonly field: Field
  readonly record: Answer
}

/**
 * How a field compares with a value that was written down in a form that nobody knows: as it was stored, shown or sent. Links to
 * `ignored` records do not count.
 */
export function comparedWith(
  { name, field, record }: FieldOfRecord,
  written: unknown,
  ignored: ReadonlySet<string> = new Set(),
): Comparison {
  const form = storedValue(name, record) === undefined ? withoutPageNumbers : (value: unknown) => value
  const plain = (value: unknown) => withoutLinks(field, form(value), ignored)
  const forms = formsOf(name, field, record).map(plain)
  if (written === undefined || forms.length === 0) return 'unknown'
  const isSame = forms.some(one => equal(one, plain(written))) || (isNone(plain(written)) && isNone(forms[0]))
  return isSame ? 'same' : 'changed'
}

/** Whether somebody changed a field from one record to the other. A date that floats says nothing. */
export function changeOf(
  name: string,
  field: Field,
  records: readonly [Answer, Answer],
  ignored?: ReadonlySet<string>,
): Comparison {
  return records.some(record => floats(field, record)) ? 'unknown' : compared(name, field, records, ignored)
}

/** Whether a date is that of the last save, whatever was sent: that of a record which was never published. */
export const floats = (field: Field, record: Answer): boolean =>
  field.site?.floats === true && record.date_utc === noDate

/** The values of a field in two records: as they are stored if both show that, otherwise as both show them. */
export const comparableValues = (name: string, field: Field, records: readonly [Answer, Answer]): unknown[] =>
  records.map(record => (areStored(name, records) ? storedValue(name, record) : shownValue(name, field, record)))

const areStored = (name: string, records: readonly Answer[]): boolean =>
  records.every(record => storedValue(name, record) !== undefined)

/**
 * A rendered text without the numbers in the names of its elements: WordPress counts galleries and blocks through a page, so that a
 * record in a list has other ones than alone.
 */
const withoutPageNumbers = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('<')
    ? value.replace(elementName, name => name.replace(/\d+/g, ''))
    : value

const elementName = /\s(?:(?:id|class|for|aria-[a-z]+)=(?:'[\w\s:-]*'|"[\w\s:-]*")|href=(?:'#[\w:-]*'|"#[\w:-]*"))/g

/** The canonical value of links without those to some records. */
function withoutLinks({ of, multiple }: Field, value: unknown, records: ReadonlySet<string>): unknown {
  if (!of || value === undefined || records.size === 0) return value
  const links = [value].flat().filter(id => typeof id === 'number' && id > 0 && !records.has(recordKey(of, id)))
  return multiple === false ? (links[0] ?? null) : links
}

/** The fields in which two records differ. */
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
