import { Failure, usage } from '../../../base/failure.ts'
/**
 * Finds the record of the site for a record of a file. Input: the records of files in batches, and a reader of the site. Output: an
 * existing record, or nothing if the record is new. Events without ID and slug are matched by title and dates, other records by name.
 * `step-keys.ts` gives each record the key of its step, and refuses a record that comes twice.
 */

import { jointKey, type MatchKey, nameKey, sameKey } from '../../../base/text/match-key.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { ListScope } from '../../../client/find/whole-lists.ts'
import { ambiguousNameFailure } from '../../../client/name-lookup.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { recordCount } from '../../../contract/resource-words.ts'
import { slugKey } from '../../../contract/slug.ts'
import { changedValues } from '../../../contract/three-way-merge.ts'
import type { FileRecord } from '../../../files/records/file-record.ts'
import { fieldList } from '../names.ts'
import type { RecordIndex } from '../record-index.ts'
import type { SiteReader } from '../site-reader.ts'
import { filterItems } from '../spool.ts'
import { defaultEventMatch, isAtInstants, type KeyOptions, recordSlug, withWallTimes } from './step-keys.ts'

/** The records of one resource and language, and how to match them. */
export interface MatchOptions extends Omit<KeyOptions, 'isAlwaysNew'> {
  readonly reader: SiteReader
  /** All records of the file that may exist already. */
  readonly records: Iterable<FileRecord>
  /** How many of them have no ID. */
  readonly withoutId: number
  /** Whether events without ID and slug are matched by title and dates. */
  readonly usesEventMatch: boolean
  /** Whether the whole list is read in any case, as `--prune` needs it. */
  readonly readsWholeList: boolean
}

/**
 * Matches records by ID, else by slug, else by the fields that identify them; records to be restored are matched with the trash. Call
 * `load` with a batch, then `find` for each of its records. If an ID does not exist, a record that was exported elsewhere or long ago (it
 * has an `origin`) is matched by its slug, and any other record does not exist.
 */
export class RecordMatcher {
  private readonly list: ListScope
  private readonly days: ListScope['days']
  private nameMatcher: NameMatcher | undefined
  private trash: RecordIndex | undefined
  /** The records of the site that were read for the current batch. */
  private recordsById: ReadonlyMap<number, Answer> = new Map()
  private index: RecordIndex | undefined
  private findBySlug: (slug: string | undefined) => Answer | undefined = findNothing

  constructor(private readonly options: MatchOptions) {
    const { resource, language, match, readsWholeList } = options
    this.list = { resource, language }
    if (resource.name === 'events' && !match && !readsWholeList) this.days = this.startDays()
  }

  /** Reads what is needed to match these records. */
  async load(batch: readonly FileRecord[]): Promise<void> {
    const { reader, resource, records, withoutId } = this.options
    const live = batch.filter(record => !isRestored(record))
    if (live.length < batch.length) this.trash = await reader.readList({ ...this.list, trashed: true })
    const ids = live.flatMap(({ id }) => id ?? [])
    this.recordsById = await reader.readByIds(this.list, ids)
    const others = live.filter(record => !this.isDecidedById(record))
    const needsIndex = others.some(record => resource.name !== 'events' || this.matchFields(record) !== undefined)
    this.index = needsIndex ? await reader.readList({ ...this.list, days: this.days }) : undefined
    const slugs = others.flatMap(record => recordSlug(record) ?? [])
    const allSlugs = Math.max(withoutId, slugs.length)
    const hidden = others.flatMap(record => (record.values.hide_from_listings ? (recordSlug(record) ?? []) : []))
    this.findBySlug = slugs.length > 0 ? await reader.readBySlugs(this.list, slugs, allSlugs, hidden) : findNothing
    if (this.index && resource.name !== 'events')
      this.nameMatcher ??= new NameMatcher(
        resource,
        filterItems(records, record => !isRestored(record)),
        this.index,
      )
  }

  /** The existing record for this one; throws `usage` if it could be several. */
  find(record: FileRecord): Answer | undefined {
    try {
      return this.findOne(record)
    } catch (error) {
      // Which record is skipped matters only to --prune, which must keep it.
      const isHarmless = record.action === 'ignore' && !this.options.readsWholeList
      if (isHarmless && error instanceof Failure) return undefined
      throw error
    }
  }

  private findOne(record: FileRecord): Answer | undefined {
    if (isRestored(record)) return this.trash && findInTrash(this.trash, record)
    if (record.id !== undefined && this.isDecidedById(record)) return this.recordsById.get(record.id)
    const fields = this.matchFields(record)
    if (!fields && this.nameMatcher) return this.nameMatcher.find(record)
    const withSlug = this.findBySlug(recordSlug(record))
    if (withSlug || !this.index || !fields) return withSlug
    const candidates = this.index.byFields(fields, withWallTimes(record.values, this.options.zone))
    return this.onlyCandidate(record, fields, candidates)
  }

  private onlyCandidate({ values }: FileRecord, fields: readonly string[], candidates: readonly Answer[]) {
    const atInstants = candidates.filter(event => isAtInstants(event, values))
    // Not every site can tell apart the two instants of a wall time that occurs twice.
    return onlyMatch(this.options.resource, fields, atInstants.length > 0 ? atInstants : candidates)
  }

  /** The fields by which an existing record would have been found. */
  identityOf(record: FileRecord): readonly string[] {
    const { resource } = this.options
    if (resource.name !== 'events') return 'parent' in record.values ? [resource.title, 'parent'] : [resource.title]
    return recordSlug(record) === undefined ? (this.matchFields(record) ?? defaultEventMatch) : ['slug']
  }

  /** Whether the ID alone decides which record this is, or that it does not exist. */
  private isDecidedById({ id, origin }: FileRecord): boolean {
    return id !== undefined && (origin === undefined || this.recordsById.has(id))
  }

  /** The fields by which a record is matched; undefined if one of them has no value. */
  private matchFields(record: FileRecord): readonly string[] | undefined {
    const fields = this.options.match ?? this.defaultMatch(record)
    return fields && jointKey(fields, record.values) !== undefined ? fields : undefined
  }

  private defaultMatch(record: FileRecord): readonly string[] | undefined {
    if (record.match) return record.match
    const isUnidentified = record.id === undefined && recordSlug(record) === undefined
    if (!this.options.usesEventMatch || record.resource !== 'events' || !isUnidentified) return undefined
    // A row without an end may be any event that begins then.
    return defaultEventMatch.filter(name => record.valuesIfNew?.[name] === undefined)
  }

  /** The first and last start day in the file; undefined if a record is matched by something else. */
  private startDays(): ListScope['days'] {
    const days = new Set<string>()
    for (const record of this.options.records) {
      if (record.id !== undefined && record.origin === undefined) continue
      const day = this.defaultMatch(record)?.includes('start_date') ? startDay(record) : undefined
      if (day === undefined) return undefined
      days.add(day)
    }
    const sorted = [...days].toSorted()
    const [first, last] = [sorted[0], sorted.at(-1)]
    return first !== undefined && last !== undefined ? [first, last] : undefined
  }
}

const startDay = ({ values }: FileRecord): string | undefined =>
  /^\d{4}-\d\d-\d\d/.exec(String(values.start_date ?? ''))?.[0]

const findNothing = () => undefined

const isRestored = ({ action }: FileRecord) => action === 'restore'

const findInTrash = (trash: RecordIndex, record: FileRecord): Answer | undefined =>
  record.id === undefined ? trash.bySlug(recordSlug(record)) : trash.byId(record.id)

function onlyMatch(resource: Resource, fields: readonly string[], matches: readonly Answer[]): Answer | undefined {
  if (matches.length < 2) return matches[0]
  const ids = matches.map(({ id }) => id).join(', ')
  throw usage(
    phrase('{records} have the same {fields}: {ids}', {
      records: recordCount(matches.length, resource.name),
      fields: fieldList(fields, resource.name),
      ids,
    }),
    resource.name === 'events'
      ? phrase('give the ID of the one you mean, or match by more fields: --match title+start_date+end_date')
      : phrase('give the ID of the one you mean'),
  )
}

/** The existing records with one name. */
interface Namesakes {
  /** Those that certainly belong to a record of the file, by its place in the file. */
  readonly matches: ReadonlyMap<FileRecord['place'], Answer>
  /** The others, by ID. */
  readonly unmatched: Map<number, Answer>
}

/**
 * Matches venues, organizers, categories and tags by slug and name. If several have the same name, the records of an export are told apart
 * by their slugs and other fields, always with the same result. For other records the file must say by ID which one is meant: `find` throws
 * `usage`.
 */
export class NameMatcher {
  /** The IDs of existing records that are in the file. */
  private readonly idsInFile = new Set<number>()
  /** The records of the file that have no such ID and share their name with others, by name. */
  private readonly sharedNames = new Map<MatchKey | undefined, FileRecord[]>()
  private readonly recordsByName = new Map<MatchKey | undefined, Namesakes>()

  constructor(
    private readonly resource: Resource,
    records: Iterable<FileRecord>,
    private readonly index: RecordIndex,
  ) {
    const counts = new Map<MatchKey, number>()
    for (const record of records) {
      const name = this.nameOf(record)
      if (record.id !== undefined && this.hasOwnId(record)) this.idsInFile.add(record.id)
      else if (name) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    for (const [name, count] of counts) if (count > 1) this.sharedNames.set(name, [])
    if (this.sharedNames.size === 0) return
    for (const record of records) if (!this.hasOwnId(record)) this.sharedNames.get(this.nameOf(record))?.push(record)
  }

  /** The existing record for a record of the file. */
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

  private nameOf({ values }: FileRecord): MatchKey | undefined {
    return nameKey(values[this.resource.title])
  }

  /** Whether a record still has the ID that it was exported with: the ID may belong to another record by now, or to none. */
  private hasOwnId({ id, origin }: FileRecord): boolean {
    return id !== undefined && (origin === undefined || this.index.byId(id) !== undefined)
  }

  private matchNamesakes(name: MatchKey | undefined, records: readonly FileRecord[]): Namesakes {
    const withSlug = records.flatMap(record => this.index.bySlug(recordSlug(record)) ?? [])
    const candidates = [...this.index.byName(name), ...withSlug].filter(({ id }) => !this.idsInFile.has(id))
    const unmatched = new Map<number, Answer>()
    for (const candidate of candidates.toSorted((a, b) => a.id - b.id)) unmatched.set(candidate.id, candidate)
    return { matches: this.takeMatches(records, unmatched), unmatched }
  }

  /** Matches records by one criterion after another, beginning with the most certain; removes the matches from `unmatched`. */
  private takeMatches(records: readonly FileRecord[], unmatched: Map<number, Answer>): Map<string, Answer> {
    const matches = new Map<string, Answer>()
    const withSlug = records.filter(record => recordSlug(record) !== undefined).toSorted(bySlugNumber)
    const hasSlug = (record: FileRecord, { slug }: Answer) => sameKey(slugKey(slug), recordSlug(record))
    const isEqual = ({ values }: FileRecord, candidate: Answer) =>
      values[this.resource.title] !== undefined &&
      Object.keys(changedValues(this.resource, candidate, comparedValues(this.resource, values))).length === 0
    const criteria: ((record: FileRecord, candidate: Answer) => boolean)[] = [
      (record, candidate) => hasSlug(record, candidate) && (records.length === 1 || isEqual(record, candidate)),
      // Before the slug alone: in a copy of a site, the slugs of records with one name are numbered anew, by their time of creation.
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

/** The values of a record without its slug, which most sites choose themselves and number anew in a copy. */
const comparedValues = ({ fields }: Resource, values: FileRecord['values']): FileRecord['values'] =>
  Object.fromEntries(Object.entries(values).filter(([name]) => fields[name]?.site?.onlyBy !== 'patch'))

/** The order in which records of one name were created: `sala`, `sala-2`, `sala-10`. */
const bySlugNumber = (a: FileRecord, b: FileRecord): number =>
  (recordSlug(a) ?? '').localeCompare(recordSlug(b) ?? '', 'en', { numeric: true })
