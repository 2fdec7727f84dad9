import { isObject } from '../../base/text/json.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { nearest } from '../../base/text/similarity.ts'
import { readDate } from '../../base/time/dates.ts'
import { lastDay } from '../../base/time/when.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { Field, ResourceName } from '../../contract/field.ts'
import { isImagePath } from '../../contract/kinds/image-kind.ts'
import { checkValue, expectation } from '../../contract/kinds/kind-values.ts'
import { languages } from '../../contract/languages.ts'
import { isDayAlone, type Resource } from '../../contract/resource.ts'
import { recordsNoun } from '../../contract/resource-words.ts'
import { slugKey } from '../../contract/slug.ts'
import { actions, type FileRecord, type Mistake, type Notice, type Reference, readReferences } from './file-record.ts'

/** A value of a record, by its key: a field, or `id`, `lang_code`, `action`, `origin`. Null empties a field. */
export interface RecordEntry {
  readonly name: string
  readonly value: unknown
  /** The column or key, as in the file. */
  readonly column: string
  /** The expected value, if the kind of file can say it better than the field. */
  readonly expected?: string
  /** A sentence about a value that cannot be read, if "expected …" is not clear enough. */
  readonly message?: string
  /** What to do about a value that cannot be read. */
  readonly advice?: string
  /** The column is a heading of a sheet; if it resembles a known heading, the user has already been asked. */
  readonly isHeading?: true
  /** The value contradicts another one of the row, even if the field would take it. */
  readonly isWrong?: true
  /** The value is a text that is read beside the existing record, such as an hour or a length. */
  readonly isTyped?: true
  /** An existing record keeps what it has. */
  readonly isIfNew?: true
}

/** Builds a record from entries; `match` names the fields that identify it. */
export type Build = (
  resource: Resource,
  entries: readonly RecordEntry[],
  place: string,
  match?: readonly string[],
) => FileRecord

/** In `--map`, a column to be ignored. */
export const ignoredColumn = 'ignore'

/** Creates the function that builds records from entries: it checks every value, and reports each unknown column once. */
export function createBuild(name: string, notice: Notice, skipInvalidCells: boolean | undefined): Build {
  const reported = new Set<string>()
  const noticeUnknown = (resource: Resource, entry: RecordEntry) => {
    const { column, name: key, isHeading } = entry
    const id = `${resource.name} ${column}`
    // Records in JSON are what services answer, and nobody typed their keys.
    if (reported.has(id) || (isReadOnlyKey(key) && !isHeading)) return
    reported.add(id)
    notice(unreadColumn(name, resource, entry))
  }
  let hasNoticedTimes = false
  const noticeTimes = (place: string, [said]: readonly string[]) => {
    if (said === undefined || hasNoticedTimes) return
    hasNoticedTimes = true
    notice(phrase('{file}: {place}: {said}; the same in other records like it', { file: name, place, said }))
  }

  return (resource, entries, place, match) => {
    const draft: Draft = { head: {}, values: {}, cleared: [] }
    const valuesIfNew: Record<string, unknown> = {}
    const mistakes: Mistake[] = []
    const isIgnored = entries.some(({ name, value }) => name === 'action' && isIgnore(value))
    const addMistake = (name: string, mistake: Mistake) => {
      if (isIgnored) return
      if (isNeeded(name, resource) || !skipInvalidCells) mistakes.push(mistake)
      else notice(describeSkipped(place, mistake))
    }
    for (const entry of entries) {
      const name = fieldNamed(resource, entry.name)?.inFiles ?? entry.name
      const read = readEntry(resource, name, entry)
      if (read.kind === 'unknown') noticeUnknown(resource, entry)
      const target = entry.isIfNew ? { ...draft, values: valuesIfNew } : draft
      for (const mistake of addTo(target, name, read)) addMistake(name, { ...inEntry(mistake, entry), field: name })
    }
    const { head, values, cleared } = draft
    noticeTimes(place, normalizeAllDayTimes(values, entries.find(({ name }) => name === 'end_date')?.value))
    return {
      resource: resource.name,
      ...head,
      values: { ...values, ...daysAlone(draft, entries) },
      cleared,
      place,
      mistakes,
      ...(head.id === undefined && 'end_date' in valuesIfNew && { valuesIfNew }),
      ...(match && head.id === undefined && { match }),
    }
  }
}

/** Says that a column is not read, and what it was perhaps meant to be. */
function unreadColumn(
  file: string,
  resource: Resource,
  { column, name: key, isHeading, advice: field }: RecordEntry,
): string {
  const place = { file, column, records: recordsNoun(resource.name) }
  if (key === 'url')
    return phrase('{file}: ignored "{column}"; if it is the website of {records}, add: --map "{column}=website"', place)
  if (isReadOnlyKey(key)) return phrase('{file}: ignored "{column}", which cannot be written', place)
  if (field !== undefined)
    return phrase('{file}: ignored "{column}": {records} have no such field; to keep it: --map "{column}={field}"', {
      ...place,
      field,
    })
  const suggestion = isHeading ? undefined : nearest(key, Object.keys(resource.fields))
  return suggestion === undefined
    ? phrase('{file}: ignored "{column}": {records} have no such field', place)
    : phrase('{file}: ignored "{column}": {records} have no such field (did you mean {suggestion}?)', {
        ...place,
        suggestion,
      })
}

/** A record while its entries are read. */
interface Draft {
  readonly head: Head
  readonly values: Record<string, unknown>
  readonly cleared: string[]
}

/** Adds a value to a record; returns the mistake if there is one. */
function addTo({ head, values, cleared }: Draft, name: string, read: EntryValue): readonly Mistake[] {
  if (read.kind === 'value') values[name] = read.value
  if (read.kind === 'cleared') cleared.push(name)
  if (read.kind === 'head') Object.assign(head, read.head)
  return read.kind === 'invalid' ? read.mistakes : []
}

/** Whether a record would be another one without this value, or would be published. */
const isNeeded = (name: string, resource: Resource): boolean =>
  name === 'resource' || name === 'status' || heads.has(name) || resource.required.includes(name)

/** The mistake of a value, with what the kind of file says about it. */
const inEntry = (mistake: Mistake, { column, expected, message, advice }: RecordEntry): Mistake => ({
  ...mistake,
  ...(expected && { expected }),
  ...(message && { message }),
  ...(advice && { advice }),
  column: `${column}${mistake.column}`,
})

/** `row 5, Event Website: expected an http or https URL, got "93 123 45 67"` */
function describeSkipped(record: string, { column, expected, value, message }: Mistake): string {
  const place = `${record}${column && `, ${column}`}`
  return message === undefined
    ? phrase('{place}: expected {expected}, got "{value}"; skipped', { place, expected, value })
    : phrase('{place}: {message}; skipped', { place, message })
}

/** Whether the `action` of a record says to ignore it, including its mistakes. */
export const isIgnore = (action: unknown): boolean => String(action).trim().toLowerCase() === 'ignore'

/** The values of a record that are not fields. */
type Head = Partial<Pick<FileRecord, 'id' | 'lang_code' | 'action' | 'origin' | 'image_alt'>>

type EntryValue = FieldValue | { kind: 'head'; head: Head } | { kind: 'unknown' }

const invalid = (value: unknown, mistake: Omit<Mistake, 'column' | 'value'>): FieldValue => ({
  kind: 'invalid',
  mistakes: [{ ...mistake, column: '', value: asText(value) }],
})

function readEntry(resource: Resource, name: string, { value, isWrong, isTyped }: RecordEntry): EntryValue {
  if (isTyped) return { kind: 'value', value }
  if (isWrong) return invalid(value, { expected: phrase('another value') })
  if (name === 'resource') return readResource(resource, value)
  if (value === undefined || name === ignoredColumn) return { kind: 'skipped' }
  const field = fieldNamed(resource, name)
  if (field) return readField(field, value)
  const readHead = name === 'image_alt' && !resource.fields.image ? undefined : heads.get(name)
  if (!readHead) return { kind: 'unknown' }
  if (value === null || value === '') return { kind: 'skipped' }
  const read = readHead(String(value).trim())
  return 'expected' in read ? invalid(value, read) : { kind: 'head', head: read }
}

/** All rows of a sheet have the same resource. */
function readResource({ name }: Resource, value: unknown): FieldValue {
  const text = asText(value ?? '').trim()
  if (text === '' || text === name) return { kind: 'skipped' }
  return invalid(text, { expected: phrase('the kind of the other records, {records}', { records: name }) })
}

/** Whether a text is an ID: integers beyond 2^53 would be rounded to the ID of another record. */
const isId = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))

type HeadReading = Head | Pick<Mistake, 'expected' | 'suggestion'>

function choiceFrom(name: 'lang_code' | 'action', choices: readonly string[], text: string): HeadReading {
  const written = text.toLowerCase()
  if (choices.includes(written)) return { [name]: written }
  const suggestion = nearest(written, choices)
  return { expected: phrase('one of {choices}', { choices: choices.join(', ') }), suggestion }
}

const heads = new Map<string, (text: string) => HeadReading>([
  ['id', text => (isId(text) ? { id: Number(text) } : { expected: phrase('an ID') })],
  ['origin', text => ({ origin: text })],
  ['image_alt', text => ({ image_alt: text })],
  ['lang_code', text => choiceFrom('lang_code', languages, text)],
  ['action', text => choiceFrom('action', actions, text)],
])

/** The field with this name, if the resource has one. */
export const fieldNamed = (resource: Resource, name: string): Field | undefined =>
  Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined

/** Keys beside the fields that services answer or calendar files store, and that cannot be written. */
const readOnlyKeys: ReadonlySet<string> = new Set(
  `global_id global_id_lineage modified modified_utc url urls rest_url timezone_abbr custom_fields
  json_ld count taxonomy term_group term_taxonomy_id filter geo_lat geo_lng trashed_from post_parent`.split(/\s+/),
)

/** Whether a key that is not a field comes from a service, and so is not a mistake. */
export const isReadOnlyKey = (key: string): boolean => readOnlyKeys.has(key) || /^utc_|_details$/.test(key)

/** The option that says to which resource the records of all files belong. */
export const resourceOption = `--resource ${resources.map(({ name }) => name).join('|')}`

/**
 * The resource whose records have fields with these names; undefined if several are possible. Events have fields with the same names as the
 * titles of other resources (`venue`, `organizer`), so a field that only one resource has decides.
 */
export function resourceOfNames(names: ReadonlySet<string>): ResourceName | undefined {
  const events = resourceNamed('events')
  const withTitle = resources.filter(({ title }) => names.has(title))
  const withOwnField = resources.filter(resource => hasOwnField(resource, names))
  const withBoth = withTitle.filter(resource => withOwnField.includes(resource))
  if (withTitle.includes(events) || (withOwnField.includes(events) && withBoth.length === 0)) return 'events'
  let candidates = withBoth
  if (withTitle.length === 0) candidates = withOwnField
  if (withTitle.length === 1) candidates = withTitle
  return candidates.length === 1 ? candidates[0]?.name : undefined
}

/** Whether one of the names is a field that no other resource has. */
const hasOwnField = (resource: Resource, names: ReadonlySet<string>): boolean =>
  Object.keys(resource.fields).some(
    field => names.has(field) && !resources.some(other => other !== resource && field in other.fields),
  )

/** The value of a field in a file: normalized, a request to empty the field, nothing to write, or invalid. */
type FieldValue =
  | { kind: 'value'; value: unknown }
  | { kind: 'cleared' | 'skipped' }
  | { kind: 'invalid'; mistakes: Mistake[] }

/** Checks a value for a field and normalizes it. */
function readField(field: Field, given: unknown): FieldValue {
  const value = field.kind.inFile(given, field)
  if (value === undefined) return { kind: 'skipped' }
  if (isEmptying(field, value)) {
    if (field.nonEmpty) return invalid('', expectation(field))
    return { kind: field.queryOnly ? 'skipped' : 'cleared' }
  }
  if (isUnsafeInteger(given)) return invalid(given, expectation(field))
  if (isReferenceByName(field, value)) return { kind: 'value', value: value.trim() }

  const mistakes: Mistake[] = []
  const normalized = field.kind.shape === 'links' ? linksIn(field, value, mistakes) : value
  if (mistakes.length > 0) return { kind: 'invalid', mistakes }
  // The path of an image is relative to the file, whose reader resolves it.
  if (field.kind.shape === 'picture' && isImagePath(normalized)) return { kind: 'value', value: normalized.trim() }
  const checked = checkValue(field, normalized)
  if (!checked.ok) {
    const { expected, example } = checked
    return invalid(given, { expected, example, suggestion: nearest(String(given), field.choices ?? []) })
  }
  return { kind: 'value', value: field.kind.shape === 'moment' ? wallTimeOf(String(checked.value)) : checked.value }
}

/** Integers beyond 2^53 were rounded when they were parsed, so an ID may be that of another record. */
const isUnsafeInteger = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value)

/** A field for the ID of a record also takes a slug or name. */
const isReferenceByName = (field: Field, value: unknown): value is string =>
  field.of !== undefined && !field.kind.identity && typeof value === 'string' && !/^\s*\d*\s*$/.test(value)

const isEmptying = (field: Field, value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0 && JSON.stringify(field.kind.empty) === '[]')

/** Links in the form in which they are written, of what a service answered or a person wrote. */
function linksIn(field: Field, value: unknown, mistakes: Mistake[]): unknown {
  const references = referencesIn(field, value).map(part =>
    isObject(part) ? referenceTo(field, part, mistakes) : (part as Reference),
  )
  for (const reference of references)
    if (isUnsafeInteger(reference)) mistakes.push({ column: '', expected: phrase('an ID'), value: asText(value) })
  return field.multiple === false && references.length === 1 ? references[0] : references
}

function referencesIn(field: Field, value: unknown): unknown[] {
  if (typeof value !== 'string') return [value].flat()
  return field.multiple === false ? [value] : readReferences(value)
}

/**
 * The reference to a record that is given as an object. A record from an answer has a slug, which other sites know, too; any other object
 * is a record to be created.
 */
function referenceTo(field: Field, object: Readonly<Record<string, unknown>>, mistakes: Mistake[]): Reference {
  const slug = slugKey(object.slug)
  if (slug !== undefined) return slug
  if (typeof object.id === 'number') return object.id
  const resource = resourceNamed(field.of ?? 'venues')
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) {
    const inner = fieldNamed(resource, name)
    if (!inner) continue
    const read = readField(inner, value)
    if (read.kind === 'value') values[name] = read.value
    if (read.kind === 'invalid')
      mistakes.push(...read.mistakes.map(mistake => ({ ...mistake, column: `.${name}${mistake.column}` })))
  }
  return field.kind.isTerms && typeof values.name === 'string' ? values.name : values
}

/** The days without an hour in a record that may exist, whose hours are kept. */
function daysAlone({ head, values }: Draft, entries: readonly RecordEntry[]): Record<string, unknown> {
  if ((head.id ?? values.slug) === undefined || values.all_day === true) return {}
  const days = entries.filter(({ name, value }) => /^(start|end)_date$/.test(name) && isDayAlone(value))
  return Object.fromEntries(days.map(({ name, value }) => [name, value]))
}

function wallTimeOf(text: string): string {
  const date = readDate(text)
  return date && date.offset === undefined ? date.wall : text
}

/**
 * Whole days for an all-day event: services answer them from the first to the last second, whatever time was sent. Returns what is said
 * about it: the times that are left out. `written` is the end as the file has it.
 */
function normalizeAllDayTimes(values: Record<string, unknown>, written: unknown): string[] {
  if (values.all_day !== true) return []
  const ends = { start_date: '00:00:00', end_date: '23:59:59' }
  const leftOut: string[] = []
  const end = typeof values.end_date === 'string' && !isDayAlone(written) ? values.end_date : ''
  const last = lastDay(end.slice(0, 16), String(values.start_date), end)
  if (end !== '') values.end_date = last.wall
  for (const [name, end] of Object.entries(ends)) {
    const wall = values[name]
    if (typeof wall !== 'string' || wall.length !== 19) continue
    const time = wall.slice(11)
    if (!Object.values(ends).includes(time)) leftOut.push(time.slice(0, 5))
    values[name] = `${wall.slice(0, 10)} ${end}`
  }
  if (leftOut.length === 0) return last.said
  return [...last.said, phrase('lasts all day: left out {times}', { times: listOf(leftOut) })]
}

/** A value in a message. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
