import { ambiguousNameFailure } from '../../client/name-lookup.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { changedValues } from '../../contract/three-way-merge.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import { foldText } from '../../text/similarity.ts'
import type { RecordIndex } from '../record-index.ts'
import { recordSlug } from './step-keys.ts'

/** The existing records of one name. */
interface Namesakes {
  /** Those that are certainly a record of the file, by its place in the file. */
  readonly matches: ReadonlyMap<FileRecord['place'], Answer>
  /** The others, by ID. */
  readonly unmatched: Map<number, Answer>
}

/**
 * Matches venues, organizers, categories and tags by slug and name. If several have the same name, the records of an export
 * are told apart by their slugs and their other fields, with the same result each time. Of other records the file must say by
 * ID which one is meant: `find` throws `usage`.
 */
export class NameMatcher {
  /** The IDs of existing records that records of the file have. */
  private readonly idsInFile = new Set<number>()
  /** The records of the file without such an ID that share their name with another, by that name. */
  private readonly sharedNames = new Map<string, FileRecord[]>()
  private readonly recordsByName = new Map<string, Namesakes>()

  constructor(
    private readonly resource: Resource,
    records: Iterable<FileRecord>,
    private readonly index: RecordIndex,
  ) {
    const counts = new Map<string, number>()
    for (const record of records) {
      const name = this.nameOf(record)
      if (record.id !== undefined && this.hasOwnId(record)) this.idsInFile.add(record.id)
      else counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    for (const [name, count] of counts) if (count > 1) this.sharedNames.set(name, [])
    if (this.sharedNames.size === 0) return
    for (const record of records) if (!this.hasOwnId(record)) this.sharedNames.get(this.nameOf(record))?.push(record)
  }

  /** The existing record that a record of the file is. */
  find(record: FileRecord): Answer | undefined {
    const name = this.nameOf(record)
    const records = this.sharedNames.get(name)
    const namesakes = this.recordsByName.get(name) ?? this.matchNamesakes(name, records ?? [record])
    if (records) this.recordsByName.set(name, namesakes)
    const match = namesakes.matches.get(record.place)
    if (match) return match
    const [first, ...others] = namesakes.unmatched.values()
    if (!first) return undefined
    if (others.length > 0)
      throw ambiguousNameFailure(this.resource, String(record.values[this.resource.title]), [first, ...others])
    namesakes.unmatched.delete(first.id)
    return first
  }

  private nameOf({ values }: FileRecord): string {
    return foldText(String(values[this.resource.title] ?? ''))
  }

  /** The ID of an exported record may meanwhile belong to another record, or to none. */
  private hasOwnId({ id, origin }: FileRecord): boolean {
    return id !== undefined && (origin === undefined || this.index.byId(id) !== undefined)
  }

  private matchNamesakes(name: string, records: readonly FileRecord[]): Namesakes {
    const withSlug = records.flatMap(record => this.index.bySlug(recordSlug(record) ?? '') ?? [])
    const candidates = [...this.index.byName(name), ...withSlug].filter(({ id }) => !this.idsInFile.has(id))
    const unmatched = new Map<number, Answer>()
    for (const candidate of candidates.toSorted((a, b) => a.id - b.id)) unmatched.set(candidate.id, candidate)
    return { matches: this.takeMatches(records, unmatched), unmatched }
  }

  /** Matches records by one criterion after another, the surest first; removes the matches from `unmatched`. */
  private takeMatches(records: readonly FileRecord[], unmatched: Map<number, Answer>): Map<string, Answer> {
    const matches = new Map<string, Answer>()
    const withSlug = records.filter(record => recordSlug(record) !== undefined).toSorted(bySlugNumber)
    const hasSlug = (record: FileRecord, { slug }: Answer) => slug === recordSlug(record)
    const isEqual = ({ values }: FileRecord, candidate: Answer) =>
      values[this.resource.title] !== undefined &&
      Object.keys(changedValues(this.resource, candidate, comparedValues(this.resource, values))).length === 0
    const criteria: ((record: FileRecord, candidate: Answer) => boolean)[] = [
      (record, candidate) => hasSlug(record, candidate) && (records.length === 1 || isEqual(record, candidate)),
      // Before the slug alone: a copy to another site numbers the slugs of namesakes again, in the order of their creation.
      isEqual,
      hasSlug,
      ({ origin }) => origin !== undefined,
    ]
    for (const isMatch of criteria)
      for (const record of withSlug) {
        if (matches.has(record.place)) continue
        const match = [...unmatched.values()].find(candidate => isMatch(record, candidate))
        if (!match) continue
        matches.set(record.place, match)
        unmatched.delete(match.id)
      }
    return matches
  }
}

/** The values of a record without a slug that most sites give themselves, and number again in a copy. */
const comparedValues = ({ fields }: Resource, values: FileRecord['values']): FileRecord['values'] =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !fields[name]?.patchOnly))

/** The order in which namesakes were created: `sala`, `sala-2`, `sala-10`. */
const bySlugNumber = (a: FileRecord, b: FileRecord): number =>
  (recordSlug(a) ?? '').localeCompare(recordSlug(b) ?? '', 'en', { numeric: true })
