/**
 * Checks a calendar file that people may have edited: every record against the columns that follow from the contract, then IDs, references
 * and slugs; what is left out is filled in. Output: a calendar, or a `Failure` that names the first mistake by its path, such as
 * `events[3].start_date`.
 */

import { isObject } from '../../../base/text/json.ts'
import { nearest } from '../../../base/text/similarity.ts'
import { readDate } from '../../../base/time/dates.ts'
import { fromUtc, toUtc, wallAt } from '../../../base/time/zone.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { Field } from '../../../contract/field.ts'
import { choice } from '../../../contract/kinds/choice-kinds.ts'
import { checkValue } from '../../../contract/kinds/kind-values.ts'
import { boolean, number } from '../../../contract/kinds/number-kinds.ts'
import { timeZone } from '../../../contract/kinds/text-kinds.ts'
import { languages, say } from '../../../contract/languages.ts'
import { isUnpublished } from '../../../contract/post-status.ts'
import { namedRecord } from '../../../contract/resource-words.ts'
import { numberedSlug, slugOf } from '../../../contract/slug.ts'
import { type CalendarContents, newSite } from '../calendar-text.ts'
import {
  blanks,
  type EventRow,
  type OrganizerRow,
  type Rows,
  type Site,
  type TableName,
  type VenueRow,
} from '../rows.ts'
import type { Sequence, Snapshot } from '../store.ts'
import { emptySnapshot, sequenceOf, tableNames } from '../tables.ts'
import { columns, createMistakes, type Mistakes, quotedKey } from './columns.ts'

/** The columns that a record cannot do without. */
const requiredIn = (name: TableName) => ['id', ...(name === 'images' ? ['url'] : resourceNamed(name).required)]

const siteColumns: Readonly<Record<keyof Site, Field>> = {
  language: choice(say('Llengua', 'Language', 'Idioma'), languages),
  timezone: timeZone(say('Zona horària', 'Time zone', 'Zona horaria')),
  quirks: boolean(say('Com en producció', 'As production', 'Como en producción')),
}

const count = number(say('Darrer identificador', 'Last ID', 'Último identificador'))
const sequenceColumns: Readonly<Record<keyof Sequence, Field>> = { post: count, term: count }

/**
 * Checks a file that somebody has edited or written by hand. Missing values are filled in, and values that follow from others are computed
 * again. Throws a `Failure` that names the first mistake by its path. Modifies `data`, to save memory.
 */
export function checkCalendar(file: string, data: object, now: Date): CalendarContents {
  const mistakes = createMistakes(file)
  const { calctl, checksum, site: siteRecord = {}, sequence = {}, ...lists } = data as Record<string, unknown>
  const known: readonly string[] = ['site', 'sequence', ...tableNames]
  for (const name of Object.keys(lists)) if (!known.includes(name)) mistakes.add(name, unknownFieldMessage(name, known))
  const site = readRecord(siteRecord, { blank: newSite(), columns: siteColumns }, 'site', mistakes)
  const savedSequence = readRecord(
    sequence,
    { blank: emptySnapshot.sequence, columns: sequenceColumns },
    'sequence',
    mistakes,
  )
  mistakes.throwIfAny()
  const { post, event } = createRowCompleter(site, now, mistakes)
  const read = <T extends TableName>(name: T, complete?: (row: Rows[T], path: string) => Rows[T]) =>
    readList(name, lists[name] ?? [], { site, mistakes }, complete)
  const rows: Snapshot['rows'] = {
    events: read('events', (row, path) => event(post(row), path)),
    venues: read('venues', post),
    organizers: read('organizers', post),
    categories: read('categories'),
    tags: read('tags'),
    images: read('images'),
  }
  mistakes.throwIfAny()
  checkIds(rows, mistakes)
  checkReferences(rows, mistakes)
  const withAllSlugs = withSlugs(rows, site, mistakes)
  mistakes.throwIfAny()
  return { site, start: { rows: withAllSlugs, sequence: laterOf(savedSequence, sequenceOf(withAllSlugs)) } }
}

function readList<T extends TableName>(
  name: T,
  list: unknown,
  { site, mistakes }: { readonly site: Site; readonly mistakes: Mistakes },
  complete: (row: Rows[T], path: string) => Rows[T] = row => row,
): Rows[T][] {
  if (!Array.isArray(list)) {
    mistakes.add(name, phrase('expected a list of records, found {value}', { value: quotedKey(list) }))
    return []
  }
  const blank = name === 'images' ? blanks[name] : { ...blanks[name], lang_code: site.language }
  // In production, a post with a description does not need a title.
  const isTitle = (column: string) =>
    name !== 'images' && 'status' in blanks[name] && column === resourceNamed(name).title
  const required = requiredIn(name).filter(column => !(site.quirks && isTitle(column)))
  const table = { blank, columns: columns[name], required }
  // A row replaces its record, so that a large calendar is not in memory twice.
  for (const [index, record] of list.entries()) {
    const path = `${name}[${index}]`
    const before = mistakes.count
    const row = readRecord(record, table, path, mistakes)
    list[index] = mistakes.count === before ? complete(row, path) : row
  }
  return list
}

function withSlugs(rows: Snapshot['rows'], site: Site, mistakes: Mistakes): Snapshot['rows'] {
  const inTable = <T extends Exclude<TableName, 'images'>>(name: T, all: readonly Rows[T][]) =>
    withSlugsIn(name, all, site, mistakes)
  return {
    events: inTable('events', rows.events),
    venues: inTable('venues', rows.venues),
    organizers: inTable('organizers', rows.organizers),
    categories: inTable('categories', rows.categories),
    tags: inTable('tags', rows.tags),
    images: rows.images,
  }
}

const laterOf = (a: Sequence, b: Sequence): Sequence => ({
  post: Math.max(a.post, b.post),
  term: Math.max(a.term, b.term),
})

/** Checks that slugs are unique within a resource and language, and gives one to every row that has none. */
function withSlugsIn<T extends Exclude<TableName, 'images'>>(
  name: T,
  rows: readonly Rows[T][],
  site: Site,
  mistakes: Mistakes,
): Rows[T][] {
  const taken = new Map<string, number>()
  const keyOf = (row: Rows[T], slug: string) => `${row.lang_code}/${slug.toLowerCase()}`
  rows.forEach((row, index) => {
    if (row.slug === '') return
    const key = keyOf(row, row.slug)
    const first = taken.get(key)
    if (first === undefined) taken.set(key, index)
    else {
      const what = phrase('"{slug}" is already the slug of {other}', { slug: row.slug, other: `${name}[${first}]` })
      mistakes.add(`${name}[${index}].slug`, what)
    }
  })
  const freeSlug = (row: Rows[T], index: number) => {
    const title = Object.entries(row).find(([column]) => column === resourceNamed(name).title)?.[1]
    const slug = numberedSlug(slugOf(String(title)) || String(row.id), wanted => taken.has(keyOf(row, wanted)))
    taken.set(keyOf(row, slug), index)
    return slug
  }
  return rows.map((row, index) => (row.slug || needsNoSlug(row, site) ? row : { ...row, slug: freeSlug(row, index) }))
}

/** In production, what was never published has no slug. */
const needsNoSlug = (row: object, site: Site) => site.quirks && 'status' in row && isUnpublished(String(row.status))

/** What a record may contain; columns that it leaves out are those of `blank`. */
interface RecordForm<R> {
  readonly blank: R
  readonly columns: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
}

/** Reads one record of the file. A required column may not be empty. */
function readRecord<R extends object>(
  record: unknown,
  { blank, columns, required = [] }: RecordForm<R>,
  path: string,
  mistakes: Mistakes,
): R {
  if (!isObject(record)) {
    mistakes.add(path, phrase('expected a record, found {value}', { value: quotedKey(record) }))
    return blank
  }
  const read = { ...blank } as Record<string, unknown>
  for (const name in record) {
    const value = record[name]
    const field = Object.hasOwn(columns, name) ? columns[name] : undefined
    if (!field) mistakes.add(`${path}.${name}`, unknownFieldMessage(name, Object.keys(columns)))
    else if (!isBlank(value) || (value === '' && checkValue(field, value).ok))
      read[name] = readValue(value, field, `${path}.${name}`, mistakes)
  }
  for (const name of required) if (isBlank(record[name] ?? null)) mistakes.add(`${path}.${name}`, phrase('is missing'))
  return read as R
}

/** The message for an unknown name, with the most similar known one. */
function unknownFieldMessage(name: string, known: readonly string[]): string {
  const suggestion = nearest(name, known)
  return suggestion ? phrase('no such field; did you mean {suggestion}?', { suggestion }) : phrase('no such field')
}

const isBlank = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

function readValue(value: unknown, field: Field, path: string, mistakes: Mistakes): unknown {
  const checked = checkValue(field, value)
  if (!checked.ok) {
    if (typeof value !== 'string' || !field.kind.isStoredBySite?.(value)) mistakes.add(path, mismatch(checked, value))
    return value
  }
  return field.kind.shape === 'moment' ? readWall(String(checked.value), path, mistakes) : checked.value
}

const mismatch = ({ expected, example }: { expected: string; example: string }, value: unknown): string =>
  phrase('expected {expected}, such as {example}; found {value}', { expected, example, value: quotedKey(value) })

function readWall(text: string, path: string, mistakes: Mistakes): string {
  const date = readDate(text)
  if (!date || date.offset !== undefined) mistakes.add(path, mismatch(localDate(), text))
  return date?.wall ?? text
}

const localDate = () => ({
  expected: phrase('a local date and time without offset'),
  example: '2026-12-05 19:00',
})

/** Checks that no ID occurs twice: posts and images share one sequence, and so do terms. */
function checkIds(rows: Snapshot['rows'], mistakes: Mistakes): void {
  for (const names of [
    ['events', 'venues', 'organizers', 'images'],
    ['categories', 'tags'],
  ] as const) {
    const paths = new Map<number, string>()
    for (const name of names)
      rows[name].forEach(({ id }, index) => {
        const path = `${name}[${index}]`
        const first = paths.get(id)
        if (first === undefined) paths.set(id, path)
        else mistakes.add(`${path}.id`, phrase('{id} is already the id of {other}', { id, other: first }))
      })
  }
}

/** Checks that what records refer to exists, and that no category is its own ancestor. */
function checkReferences(rows: Snapshot['rows'], mistakes: Mistakes): void {
  const idsIn = new Map<string, ReadonlySet<number>>(
    tableNames.map(name => [name, new Set(rows[name].map(({ id }) => id))]),
  )
  for (const name of tableNames)
    for (const [column, { of }] of Object.entries<Field>(columns[name])) {
      if (of === undefined) continue
      rows[name].forEach((row, index) => {
        for (const id of [Reflect.get(row, column)].flat())
          if (id !== null && !idsIn.get(of)?.has(id))
            mistakes.add(`${name}[${index}].${column}`, phrase('there is no {record}', { record: namedRecord(of, id) }))
      })
    }
  const parents = new Map(rows.categories.map(({ id, parent }) => [id, parent]))
  rows.categories.forEach(({ id }, index) => {
    if (isOwnAncestor(id, parents))
      mistakes.add(
        `categories[${index}].parent`,
        phrase('{record} is its own ancestor', { record: namedRecord('categories', id) }),
      )
  })
}

function isOwnAncestor(id: number, parents: ReadonlyMap<number, number | null>): boolean {
  const seen = new Set<number>()
  for (let next = parents.get(id); next && !seen.has(next); next = parents.get(next)) {
    if (next === id) return true
    seen.add(next)
  }
  return false
}

/** Fills in what a record of an edited file leaves out, and computes what depends on it. */
interface RowCompleter {
  post<R extends EventRow | VenueRow | OrganizerRow>(row: R): R
  event(row: EventRow, path: string): EventRow
}

/** Completes records of a site at a moment, which counts as their publication date if they have none. */
function createRowCompleter(site: Site, now: Date, mistakes: Mistakes): RowCompleter {
  const wallNow = wallAt(now.getTime(), site.timezone)

  /** A correct UTC time stays as it is: if a wall time occurs twice, it tells which of the two is meant. */
  const utcOf = cached((wall: string, utc: string, zone: string) =>
    utc !== '' && fromUtc(utc, zone) === wall ? utc : toUtc(wall, zone),
  )
  const publishedUtc = (wall: string, utc: string) => (isNever(utc) ? utc : utcOf(wall, utc, site.timezone))

  return {
    post(row) {
      const date = row.date || wallNow
      const modified = row.modified || date
      return {
        ...row,
        date,
        date_utc: publishedUtc(date, row.date_utc),
        modified,
        modified_utc: publishedUtc(modified, row.modified_utc),
      }
    },
    event(row, path) {
      const timezone = row.timezone || site.timezone
      const start_date = row.all_day ? `${row.start_date.slice(0, 10)} 00:00:00` : row.start_date
      const end_date = row.all_day ? `${row.end_date.slice(0, 10)} 23:59:59` : row.end_date
      const utc_start_date = utcOf(start_date, row.utc_start_date, timezone)
      const utc_end_date = utcOf(end_date, row.utc_end_date, timezone)
      if (utc_end_date < utc_start_date)
        mistakes.add(
          `${path}.end_date`,
          phrase('{end} is before the start, {start}', { end: end_date, start: start_date }),
        )
      return { ...row, timezone, start_date, end_date, utc_start_date, utc_end_date }
    },
  }
}

const isNever = (utc: string) => utc.startsWith('0000')

/** Many events share their dates, and time zones are slow. */
function cached(work: (wall: string, utc: string, zone: string) => string): typeof work {
  const results = new Map<string, string>()
  return (wall, utc, zone) => {
    const key = `${wall} ${utc} ${zone}`
    const answer = results.get(key) ?? work(wall, utc, zone)
    results.set(key, answer)
    return answer
  }
}
