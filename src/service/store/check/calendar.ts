import { boolean, choice, type Field, number, timeZone } from '../../../contract/field.ts'
import { languages, say } from '../../../contract/words.ts'
import { unpack } from '../record.ts'
import type { Rows, Site, TableName } from '../rows.ts'
import type { Sequence, Snapshot } from '../store.ts'
import { sequenceOf, tableNames } from '../tables.ts'
import type { Calendar } from '../text.ts'
import { columns } from './columns.ts'
import { type Completing, completing } from './complete.ts'
import { createMistakes, type Mistakes, quoted } from './mistakes.ts'
import { readRecord, unknownName } from './record.ts'
import { checkIds, checkReferences } from './references.ts'
import { nameRows } from './slugs.ts'

const required: { readonly [T in TableName]: readonly string[] } = {
  events: ['id', 'title', 'start_date', 'end_date'],
  venues: ['id', 'venue'],
  organizers: ['id', 'organizer'],
  categories: ['id', 'name'],
  tags: ['id', 'name'],
  images: ['id', 'url'],
}

const siteColumns: Readonly<Record<keyof Site, Field>> = {
  language: choice(say('Llengua', 'Language', 'Lengua'), languages),
  timezone: timeZone(say('Zona horària', 'Time zone', 'Zona horaria')),
  quirks: boolean(say('Com a producció', 'As production', 'Como en producción')),
}

const count = number(say('Darrer identificador', 'Last ID', 'Último identificador'))
const sequenceColumns: Readonly<Record<keyof Sequence, Field>> = { post: count, term: count }

/**
 * The calendar that a file says which calctl did not write, or not last. What it leaves out is filled in, what can be
 * worked out is worked out again. Throws a `Failure` that names the first mistake by its path.
 */
export async function checkCalendar(file: string, data: object, now: Date): Promise<Calendar> {
  const mistakes = createMistakes(file)
  const { calctl, site: saidSite = {}, sequence = {}, ...lists } = data as Record<string, unknown>
  const known: readonly string[] = ['site', 'sequence', ...tableNames]
  for (const name of Object.keys(lists)) if (!known.includes(name)) mistakes.add(name, unknownName(name, known))
  const site: Site = {
    language: 'ca',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    quirks: false,
    ...readRecord(saidSite, siteColumns, [], 'site', mistakes),
  }
  const used: Partial<Sequence> = readRecord(sequence, sequenceColumns, [], 'sequence', mistakes)
  const listOf = <T extends TableName>(name: T) => readList(name, lists[name] ?? [], site, mistakes)
  const read: Snapshot['rows'] = {
    events: listOf('events'),
    venues: listOf('venues'),
    organizers: listOf('organizers'),
    categories: listOf('categories'),
    tags: listOf('tags'),
    images: listOf('images'),
  }
  mistakes.throwIfAny()
  checkIds(read, mistakes)
  checkReferences(read, mistakes)
  const rows = completeAll(read, site, await completing(site, now, mistakes), mistakes)
  mistakes.throwIfAny()
  const { post, term } = sequenceOf(rows)
  return {
    site,
    start: { rows, sequence: { post: Math.max(post, used.post ?? 0), term: Math.max(term, used.term ?? 0) } },
  }
}

function readList<T extends TableName>(name: T, list: unknown, site: Site, mistakes: Mistakes): Rows[T][] {
  if (!Array.isArray(list)) {
    mistakes.add(name, `expected a list of records, found ${quoted(list)}`)
    return []
  }
  const own = name === 'images' ? {} : { lang_code: site.language }
  return list.map((record, index) => {
    const read = readRecord(record, columns[name], required[name], `${name}[${index}]`, mistakes)
    return unpack(name, { ...own, ...read } as Partial<Rows[T]>)
  })
}

function completeAll(rows: Snapshot['rows'], site: Site, complete: Completing, mistakes: Mistakes): Snapshot['rows'] {
  const venues = rows.venues.map(complete.post)
  const organizers = rows.organizers.map(complete.post)
  const events = rows.events.map((row, index) => complete.event(complete.post(row), `events[${index}]`))
  const named = <T extends Exclude<TableName, 'images'>>(name: T, all: readonly Rows[T][]) =>
    nameRows(name, all, site, mistakes)
  return {
    events: named('events', events),
    venues: named('venues', venues),
    organizers: named('organizers', organizers),
    categories: named('categories', rows.categories),
    tags: named('tags', rows.tags),
    images: rows.images,
  }
}
