/**
 * Checking a calendar file that people may have edited: every record against the columns that follow from the contract, then
 * IDs, references and slugs; what is left out is filled in. Out: a calendar, or a `Failure` that names the first mistake by its
 * path, such as `events[3].start_date`.
 */

import { resourceNamed } from '../../../contract/contract.ts'
import type { Field } from '../../../contract/field.ts'
import { boolean, number } from '../../../contract/kinds/number-kinds.ts'
import { choice, timeZone } from '../../../contract/kinds/text-kinds.ts'
import { languages, say } from '../../../contract/languages.ts'
import { isUnpublished } from '../../../contract/post-status.ts'
import { numberedSlug, slugOf } from '../../../contract/slug.ts'
import { type CalendarContents, newSite } from '../calendar-text.ts'
import { blanks, type Rows, type Site, type TableName } from '../rows.ts'
import type { Sequence, Snapshot } from '../store.ts'
import { emptySnapshot, sequenceOf, tableNames } from '../tables.ts'
import { columns, createMistakes, type Mistakes, quoted } from './columns.ts'
import { readRecord, unknownFieldMessage } from './read-record.ts'
import { checkIds, checkReferences } from './references.ts'
import { createRowCompleter } from './row-completer.ts'

/** The columns that a record cannot do without. */
const requiredIn = (name: TableName) => ['id', ...(name === 'images' ? ['url'] : resourceNamed(name).required)]

const siteColumns: Readonly<Record<keyof Site, Field>> = {
  language: choice(say('Llengua', 'Language', 'Lengua'), languages),
  timezone: timeZone(say('Zona horària', 'Time zone', 'Zona horaria')),
  quirks: boolean(say('Com a producció', 'As production', 'Como en producción')),
}

const count = number(say('Darrer identificador', 'Last ID', 'Último identificador'))
const sequenceColumns: Readonly<Record<keyof Sequence, Field>> = { post: count, term: count }

/**
 * Checks a file that somebody edited or wrote by hand. Missing values are filled in, and values that follow from others are
 * computed again. Throws a `Failure` that names the first mistake by its path. Modifies `data`, to save memory.
 */
export function checkCalendar(file: string, data: object, now: Date): CalendarContents {
  const mistakes = createMistakes(file)
  const { calctl, checksum, site: siteRecord = {}, sequence = {}, ...lists } = data as Record<string, unknown>
  const known: readonly string[] = ['site', 'sequence', ...tableNames]
  for (const name of Object.keys(lists)) if (!known.includes(name)) mistakes.add(name, unknownFieldMessage(name, known))
  const site = readRecord(siteRecord, newSite(), siteColumns, [], 'site', mistakes)
  const savedSequence = readRecord(sequence, emptySnapshot.sequence, sequenceColumns, [], 'sequence', mistakes)
  mistakes.throwIfAny()
  const { post, event } = createRowCompleter(site, now, mistakes)
  const read = <T extends TableName>(name: T, complete?: (row: Rows[T], path: string) => Rows[T]) =>
    readList(name, lists[name] ?? [], site, mistakes, complete)
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
  site: Site,
  mistakes: Mistakes,
  complete: (row: Rows[T], path: string) => Rows[T] = row => row,
): Rows[T][] {
  if (!Array.isArray(list)) {
    mistakes.add(name, `expected a list of records, found ${quoted(list)}`)
    return []
  }
  const blank = name === 'images' ? blanks[name] : { ...blanks[name], lang_code: site.language }
  // In production, a post that has a description can do without a title.
  const isTitle = (column: string) =>
    name !== 'images' && 'status' in blanks[name] && column === resourceNamed(name).title
  const needed = requiredIn(name).filter(column => !(site.quirks && isTitle(column)))
  // A row takes the place of its record, so that a large calendar is not in memory twice.
  for (const [index, record] of list.entries()) {
    const path = `${name}[${index}]`
    const before = mistakes.count
    const row = readRecord(record, blank, columns[name], needed, path, mistakes)
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
    else mistakes.add(`${name}[${index}].slug`, `"${row.slug}" is the slug of ${name}[${first}] already`)
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
