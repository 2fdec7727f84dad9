import { ambiguousName } from '../../client/name-lookup.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import { foldText } from '../../text/normalize.ts'
import { changedValues } from '../diff.ts'
import type { RecordIndex } from '../record-index.ts'
import { recordSlug } from './step-keys.ts'

/** The records that are there of one name, and which of them those of a file are. */
interface Namesakes {
  readonly found: ReadonlyMap<FileRecord['place'], Answer>
  /** Those that no record of the file is for certain, by ID. */
  readonly left: Map<number, Answer>
}

/**
 * Makes what finds the venue, organizer, category or tag that a record of a file is, by its slug and its name. Where several
 * have that name, those of an export are told apart by their slugs and by what else is said of them, the same whenever they
 * are looked for; of others it must be said by ID which is meant: throws `usage`.
 */
export function namesakes(
  resource: Resource,
  records: Iterable<FileRecord>,
  there: RecordIndex,
): (record: FileRecord) => Answer | undefined {
  const nameOf = ({ values }: FileRecord) => foldText(String(values[resource.title] ?? ''))
  const isNumbered = ({ id, origin }: FileRecord) => id !== undefined && (origin === undefined || there.byId(id))
  const { numbered, shared } = looked(records, isNumbered, nameOf)
  const groups = new Map<string, Namesakes>()

  const gather = (members: readonly FileRecord[], name: string): Namesakes => {
    const bySlug = members.flatMap(record => there.bySlug(recordSlug(record) ?? '') ?? [])
    const candidates = [...there.byName(name), ...bySlug].filter(({ id }) => !numbered.has(id))
    const left = new Map(candidates.toSorted((one, other) => one.id - other.id).map(one => [one.id, one]))
    return { found: told(resource, members, left), left }
  }

  return record => {
    const name = nameOf(record)
    const group = groups.get(name) ?? gather(shared.get(name) ?? [record], name)
    if (shared.has(name)) groups.set(name, group)
    const [first, ...others] = group.left.values()
    const found = group.found.get(record.place)
    if (found || !first) return found
    if (others.length > 0) throw ambiguousName(resource, String(record.values[resource.title]), [first, ...others])
    group.left.delete(first.id)
    return first
  }
}

/** The IDs that the records of a file have, and those of the others that share a name, by that name. */
function looked(
  records: Iterable<FileRecord>,
  isNumbered: (record: FileRecord) => unknown,
  nameOf: (record: FileRecord) => string,
) {
  const numbered = new Set<number | undefined>()
  const counts = new Map<string, number>()
  for (const record of records)
    if (isNumbered(record)) numbered.add(record.id)
    else counts.set(nameOf(record), (counts.get(nameOf(record)) ?? 0) + 1)
  const shared = new Map<string, FileRecord[]>()
  for (const [name, count] of counts) if (count > 1) shared.set(name, [])
  if (shared.size > 0) for (const record of records) if (!isNumbered(record)) shared.get(nameOf(record))?.push(record)
  return { numbered, shared }
}

/** Tells which record is which, the surest first, and takes those from what is left. */
function told(resource: Resource, records: readonly FileRecord[], left: Map<number, Answer>): Map<string, Answer> {
  const found = new Map<string, Answer>()
  const slugged = records.filter(record => recordSlug(record) !== undefined).toSorted(bySlug)
  const hasSlug = (record: FileRecord, { slug }: Answer) => slug === recordSlug(record)
  const isAlike = ({ values }: FileRecord, one: Answer) =>
    values[resource.title] !== undefined && Object.keys(changedValues(resource, one, values)).length === 0
  const isTold: ((record: FileRecord, one: Answer) => boolean)[] = [
    (record, one) => hasSlug(record, one) && (records.length === 1 || isAlike(record, one)),
    // A copy made the slugs of namesakes anew, in whatever order they came.
    isAlike,
    hasSlug,
    ({ origin }) => origin !== undefined,
  ]
  for (const isIt of isTold)
    for (const record of slugged) {
      const one = found.has(record.place) ? undefined : [...left.values()].find(one => isIt(record, one))
      if (!one) continue
      found.set(record.place, one)
      left.delete(one.id)
    }
  return found
}

/** In the order in which namesakes were made: `sala`, `sala-2`, `sala-10`. */
const bySlug = (one: FileRecord, other: FileRecord): number =>
  (recordSlug(one) ?? '').localeCompare(recordSlug(other) ?? '', 'en', { numeric: true })
