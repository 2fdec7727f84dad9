import type { Values } from '../client/client.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { slugOf } from '../contract/slug.ts'
import { foldText } from '../text/normalize.ts'
import { trimRecord } from './record-state.ts'
import { createSpool } from './spool.ts'

/** The records of a resource in one language, found by their IDs and by what people call them. */
export interface RecordIndex {
  readonly size: number
  all(): Iterable<Answer>
  byId(id: number): Answer | undefined
  bySlug(slug: string): Answer | undefined
  byName(name: string): readonly Answer[]
  /** Those whose names make this slug. */
  bySlugOfName(slug: string): readonly Answer[]
  /** Those whose values of these fields agree. */
  byFields(fields: readonly string[], values: Values): readonly Answer[]
}

/** Gathers records; what they are found by is looked at when it is first asked for. */
export function createRecordIndex(resource: Resource): RecordIndex & { add(record: Answer): void } {
  const records = createSpool<Answer>()
  const places = new Map<number, number>()
  const indexes = new Map<string, ReadonlyMap<string, readonly number[]>>()
  const found = (name: string, keyOf: (record: Answer) => string, key: string): Answer[] => {
    const index = indexes.get(name) ?? grouped(records, keyOf)
    indexes.set(name, index)
    return (index.get(key) ?? []).flatMap(place => records.at(place) ?? [])
  }
  return {
    get size() {
      return records.length
    },
    add(record) {
      places.set(record.id, records.length)
      records.add(trimRecord(resource, record))
    },
    all: () => records,
    byId(id) {
      const place = places.get(id)
      return place === undefined ? undefined : records.at(place)
    },
    bySlug: slug => found('slug', record => String(record.slug ?? ''), slug)[0],
    byName: name => found('name', record => foldText(String(record[resource.title] ?? '')), foldText(name)),
    bySlugOfName: slug => found('slugged', record => slugOf(String(record[resource.title] ?? '')), slug),
    byFields: (fields, values) => found(fields.join('+'), record => keyOf(fields, record), keyOf(fields, values)),
  }
}

const keyOf = (fields: readonly string[], values: Values): string =>
  JSON.stringify(fields.map(name => foldText(String(values[name] ?? ''))))

/** The places of records, by a key. */
function grouped(records: Iterable<Answer>, keyOf: (record: Answer) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  let place = 0
  for (const record of records) {
    const key = keyOf(record)
    const group = groups.get(key)
    if (group) group.push(place)
    else groups.set(key, [place])
    place += 1
  }
  return groups
}
