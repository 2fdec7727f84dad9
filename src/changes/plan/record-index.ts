import { foldText } from '../../base/text/similarity.ts'
import type { Values } from '../../client/client.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { slugOf } from '../../contract/slug.ts'
import { trimRecord } from './record-state.ts'
import { createSpool } from './spool.ts'

/** The records of one list, by ID, slug, name or any fields. */
export interface RecordIndex {
  readonly size: number
  all(): Iterable<Answer>
  byId(id: number): Answer | undefined
  bySlug(slug: string): Answer | undefined
  /** Whether a record has this slug; does not read it from disk. */
  hasSlug(slug: string): boolean
  /** All records with this slug: sites let several drafts have the same one. */
  allBySlug(slug: string): readonly Answer[]
  byName(name: string): readonly Answer[]
  /** The records whose names would give this slug, whatever their slug is. */
  bySlugOfName(slug: string): readonly Answer[]
  /** The records with these values in these fields, regardless of case and accents. */
  byFields(fields: readonly string[], values: Values): readonly Answer[]
}

/** Creates an empty index. Each kind of lookup builds its map when it is first used; the records are in a spool. */
export function createRecordIndex(resource: Resource): RecordIndex & { add(record: Answer): void } {
  const records = createSpool<Answer>()
  const positions = new Map<number, number>()
  const lookups = new Map<string, ReadonlyMap<string, readonly number[]>>()
  const positionsOf = (lookup: string, keyOf: (record: Answer) => string, key: string): readonly number[] => {
    const positionsByKey = lookups.get(lookup) ?? groupPositions(records, keyOf)
    lookups.set(lookup, positionsByKey)
    return positionsByKey.get(key) ?? []
  }
  const find = (lookup: string, keyOf: (record: Answer) => string, key: string): Answer[] =>
    positionsOf(lookup, keyOf, key).flatMap(position => records.at(position) ?? [])
  const slugOfRecord = (record: Answer) => String(record.slug ?? '')
  const findSlug = (slug: string) => find('slug', slugOfRecord, slug)
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
    hasSlug: slug => positionsOf('slug', slugOfRecord, slug).length > 0,
    byName: name => find('name', record => foldText(String(record[resource.title] ?? '')), foldText(name)),
    bySlugOfName: slug => find('slugOfName', record => slugOf(String(record[resource.title] ?? '')), slug),
    byFields: (fields, values) => find(fields.join('+'), record => keyOf(fields, record), keyOf(fields, values)),
  }
}

const keyOf = (fields: readonly string[], values: Values): string =>
  JSON.stringify(fields.map(name => foldText(String(values[name] ?? ''))))

function groupPositions(records: Iterable<Answer>, keyOf: (record: Answer) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  let position = 0
  for (const record of records) {
    const key = keyOf(record)
    const group = groups.get(key)
    if (group) group.push(position)
    else groups.set(key, [position])
    position += 1
  }
  return groups
}
