import { isDeepStrictEqual } from 'node:util'
import type { Language } from '../../contract/languages.ts'
import type { Rows, TableName } from './rows.ts'
import type { RowChange, Sequence, Snapshot, Writing } from './store.ts'

type Maps = { readonly [T in TableName]: Map<number, Rows[T]> }

/** The changes of a write: enough to undo it, and to write it to the journal. */
export interface Commit {
  readonly changes: readonly RowChange[]
  readonly before: Sequence
  readonly after: Sequence
}

/** A write that may also set the sequence of IDs. */
export interface Rewriting extends Writing {
  setSequence(sequence: Sequence): void
}

/** All rows of a calendar in memory, and the index of slugs, which follows their changes. */
export interface Tables {
  readonly maps: Maps
  readonly version: number
  bySlug<T extends Sluggable>(name: T, language: Language, slug: string): Rows[T] | undefined
  /** Runs the work; its changes are undone if it throws. */
  commit<T>(work: (writing: Rewriting) => T): { readonly result: T; readonly commit: Commit }
  undo(commit: Commit): void
  onChange(listener: (change: RowChange) => void): void
  /** The current rows, or those before the last commits. */
  snapshot(without?: readonly Commit[]): Snapshot
}

/** Tables that hold these rows. */
export function createTables(start: Snapshot): Tables {
  const maps = mapsOf(start)
  const slugs = createSlugIndex(name => maps[name].values())
  const listeners: ((change: RowChange) => void)[] = []
  let sequence = start.sequence
  let version = 0

  const apply = (change: RowChange): void => {
    setRow(maps, change)
    slugs.follow(change)
    version++
    for (const listener of listeners) listener(change)
  }

  const undo = ({ changes, before }: Pick<Commit, 'changes' | 'before'>): void => {
    for (const change of changes.toReversed()) apply(reverseOf(change))
    sequence = before
  }

  return {
    maps,
    get version() {
      return version
    },
    bySlug(name, language, slug) {
      const id = slugs.find(name, language, slug)
      return id === undefined ? undefined : maps[name].get(id)
    },
    commit(work) {
      const before = sequence
      const changes: RowChange[] = []
      const done = (change: RowChange) => {
        changes.push(change)
        apply(change)
      }
      const writing: Rewriting = {
        nextId(of) {
          sequence = { ...sequence, [of]: sequence[of] + 1 }
          return sequence[of]
        },
        put: (table, row) => done(changeOf(table, row.id, maps[table].get(row.id), row)),
        delete(table, id) {
          const row = maps[table].get(id)
          if (row) done(changeOf(table, id, row, undefined))
        },
        setSequence(to) {
          sequence = to
        },
      }
      try {
        return { result: work(writing), commit: { changes, before, after: sequence } }
      } catch (error) {
        undo({ changes, before })
        throw error
      }
    },
    undo,
    onChange: listener => void listeners.push(listener),
    snapshot: (without = []) =>
      without.length === 0 ? { rows: rowsOf(maps), sequence } : snapshotBefore(maps, sequence, without),
  }
}

function snapshotBefore(maps: Maps, sequence: Sequence, commits: readonly Commit[]): Snapshot {
  const copies = mapsOf({ rows: rowsOf(maps), sequence })
  for (const { changes } of commits.toReversed())
    for (const change of changes.toReversed()) setRow(copies, reverseOf(change))
  return { rows: rowsOf(copies), sequence: commits[0]?.before ?? sequence }
}

/** A write that restores a snapshot, by putting and deleting the rows that differ. */
export const restoring =
  (tables: Tables, snapshot: Snapshot) =>
  (writing: Rewriting): void => {
    for (const name of tableNames) replaceRows(writing, tables.maps[name], name, snapshot.rows[name])
    writing.setSequence(snapshot.sequence)
  }

/** A snapshot from a file, which reuses rows in memory that are equal, and does not go back to IDs that were already assigned. */
export function withHeldRows(held: Snapshot, read: Snapshot): Snapshot {
  const merge = <T extends TableName>(name: T) => {
    const heldById = mapOf<Rows[T]>(held.rows[name])
    return read.rows[name].map(row => {
      const other = heldById.get(row.id)
      return isDeepStrictEqual(row, other) ? (other ?? row) : row
    })
  }
  const rows = {
    events: merge('events'),
    venues: merge('venues'),
    organizers: merge('organizers'),
    categories: merge('categories'),
    tags: merge('tags'),
    images: merge('images'),
  }
  const { post, term } = held.sequence
  return { rows, sequence: { post: Math.max(post, read.sequence.post), term: Math.max(term, read.sequence.term) } }
}

/** A key for a row among those of all tables. */
export const rowKey = (table: TableName, id: number): string => `${table} ${id}`

function replaceRows<T extends TableName>(
  writing: Writing,
  now: ReadonlyMap<number, Rows[T]>,
  name: T,
  wanted: readonly Rows[T][],
): void {
  const kept = new Set(wanted.map(row => row.id))
  for (const id of [...now.keys()]) if (!kept.has(id)) writing.delete(name, id)
  for (const row of wanted) if (now.get(row.id) !== row) writing.put(name, row)
}

/** The cast says what the parameters do, that both rows are of the table: TypeScript does not follow it through a union. */
const changeOf = <T extends TableName>(table: T, id: number, before: Rows[T] | undefined, after: Rows[T] | undefined) =>
  ({ table, id, before, after }) as RowChange

const reverseOf = ({ table, id, before, after }: RowChange): RowChange => changeOf(table, id, after, before)

function setRow(maps: Maps, { table, id, after }: RowChange): void {
  const rows: Map<number, Rows[TableName]> = maps[table]
  if (after) rows.set(id, after)
  else rows.delete(id)
}

/** The file's lists, in its order. */
export const tableNames = ['events', 'venues', 'organizers', 'categories', 'tags', 'images'] as const

/** An empty calendar. */
export const emptySnapshot: Snapshot = {
  rows: { events: [], venues: [], organizers: [], categories: [], tags: [], images: [] },
  sequence: { post: 0, term: 0 },
}

/** The highest IDs of these rows, which must have been assigned. */
export function sequenceOf({ events, venues, organizers, images, categories, tags }: Snapshot['rows']): Sequence {
  return { post: highest(events, venues, organizers, images), term: highest(categories, tags) }
}

const highest = (...tables: (readonly { readonly id: number }[])[]) =>
  tables.flat().reduce((highest, { id }) => Math.max(highest, id), 0)

function mapOf<Row extends { id: number }>(rows: readonly Row[]): Map<number, Row> {
  const map = new Map<number, Row>()
  for (const row of rows) map.set(row.id, row)
  return map
}

const mapsOf = ({ rows }: Snapshot): Maps => ({
  events: mapOf(rows.events),
  venues: mapOf(rows.venues),
  organizers: mapOf(rows.organizers),
  categories: mapOf(rows.categories),
  tags: mapOf(rows.tags),
  images: mapOf(rows.images),
})

const rowsOf = (maps: Maps): Snapshot['rows'] => ({
  events: [...maps.events.values()],
  venues: [...maps.venues.values()],
  organizers: [...maps.organizers.values()],
  categories: [...maps.categories.values()],
  tags: [...maps.tags.values()],
  images: [...maps.images.values()],
})

/** The tables whose rows have slugs. */
type Sluggable = Exclude<TableName, 'images'>

/** Finds rows by language and slug. The index of a table is built when it is first used. */
interface SlugIndex {
  find(name: Sluggable, language: Language, slug: string): number | undefined
  follow(change: RowChange): void
}

/** Slugs of the rows that `rowsOf` gives. */
function createSlugIndex(rowsOf: (name: Sluggable) => Iterable<Rows[Sluggable]>): SlugIndex {
  const indexes = new Map<TableName, Map<string, number>>()
  const indexOf = (name: Sluggable) => {
    const known = indexes.get(name)
    if (known) return known
    const index = new Map<string, number>()
    for (const row of rowsOf(name)) add(index, row)
    indexes.set(name, index)
    return index
  }
  return {
    find: (name, language, slug) => indexOf(name).get(keyOf(language, slug)),
    follow({ table, before, after }) {
      const index = indexes.get(table)
      if (!index) return
      if (before && 'slug' in before) remove(index, before)
      if (after && 'slug' in after) add(index, after)
    },
  }
}

const keyOf = (language: Language, slug: string) => `${language}/${slug.toLowerCase()}`

function add(index: Map<string, number>, { id, lang_code, slug }: Rows[Sluggable]): void {
  if (slug !== '') index.set(keyOf(lang_code, slug), id)
}

function remove(index: Map<string, number>, { id, lang_code, slug }: Rows[Sluggable]): void {
  const key = keyOf(lang_code, slug)
  // Two rows may trade slugs within one write: the one that took it keeps it.
  if (index.get(key) === id) index.delete(key)
}
