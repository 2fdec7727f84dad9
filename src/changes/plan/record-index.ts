import { jointKey, KeyIndex, keyOf, type MatchKey, nameKey } from '../../base/text/match-key.ts'
import type { Values } from '../../client/client.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { slugKey, slugOf } from '../../contract/slug.ts'
import { trimRecord } from './record-state.ts'
import { createSpool } from './spool.ts'

/** The records of one list, by ID, slug, name or any fields. Records without one of these are not found by it, nor by an empty one. */
export interface RecordIndex {
  readonly size: number
  all(): Iterable<Answer>
  byId(id: number): Answer | undefined
  bySlug(slug: string | undefined): Answer | undefined
  /** Whether a record has this slug; does not read it from disk. */
  hasSlug(slug: string): boolean
  /** All records with this slug: sites let several drafts have the same one. */
  allBySlug(slug: unknown): readonly Answer[]
  byName(name: unknown): readonly Answer[]
  /** The records whose names would give this slug, whatever their slug is. */
  bySlugOfName(slug: string): readonly Answer[]
  /** The records with these values in these fields, regardless of case and accents. */
  byFields(fields: readonly string[], values: Values): readonly Answer[]
}

/** Creates an empty index. Each kind of lookup builds its map when it is first used; the records are in a spool. */
export function createRecordIndex(resource: Resource): RecordIndex & { add(record: Answer): void } {
  const records = createSpool<Answer>()
  const positions = new Map<number, number>()
  const lookups = new Map<string, KeyIndex<number>>()
  const positionsOf = (lookup: string, keyIn: KeyIn, key: MatchKey | undefined): readonly number[] => {
    const positionsByKey = lookups.get(lookup) ?? indexPositions(records, keyIn)
    lookups.set(lookup, positionsByKey)
    return positionsByKey.get(key)
  }
  const find = (lookup: string, keyIn: KeyIn, key: MatchKey | undefined): Answer[] =>
    positionsOf(lookup, keyIn, key).flatMap(position => records.at(position) ?? [])
  const slugIn: KeyIn = ({ slug }) => slugKey(slug)
  const findSlug = (slug: unknown) => find('slug', slugIn, slugKey(slug))
  const nameIn = (record: Answer) => record[resource.title]
  return {
    get size() {
      return records.length
    },
    add(record) {
      positions.set(record.id, records.length)
      records.add(trimRecord(resource, record))
    },
    all: () => records,
    byId(id) {
      const position = positions.get(id)
      return position === undefined ? undefined : records.at(position)
    },
    bySlug: slug => findSlug(slug)[0],
    allBySlug: findSlug,
    hasSlug: slug => positionsOf('slug', slugIn, slugKey(slug)).length > 0,
    byName: name => find('name', record => nameKey(nameIn(record)), nameKey(name)),
    bySlugOfName: slug => find('slugOfName', record => keyOf(slugOf(String(nameIn(record) ?? ''))), keyOf(slug)),
    byFields: (fields, values) => find(fields.join('+'), record => jointKey(fields, record), jointKey(fields, values)),
  }
}

type KeyIn = (record: Answer) => MatchKey | undefined

function indexPositions(records: Iterable<Answer>, keyIn: KeyIn): KeyIndex<number> {
  const index = new KeyIndex<number>()
  let position = 0
  for (const record of records) index.add(keyIn(record), position++)
  return index
}
