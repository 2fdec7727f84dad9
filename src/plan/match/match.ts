import type { Answer, Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import type { RecordIndex } from '../record-index.ts'
import type { SiteReader } from '../site-reader.ts'
import { filterItems } from '../spool.ts'
import { namesakes } from './by-name.ts'
import { isAtInstants, withWallTimes } from './in-zone.ts'
import { defaultEventMatch, recordSlug } from './step-keys.ts'

/** How the records of a file are recognised at a site. */
export interface Recognition {
  readonly reader: SiteReader
  readonly resource: Resource
  readonly language: Language | undefined
  /** The fields that say which record one without an ID and slug is. */
  readonly match: readonly string[] | undefined
  /** Those that are not to be made anew in any case. */
  readonly records: Iterable<FileRecord>
  /** How many of the records have no ID. */
  readonly unnumbered: number
  /** The zone of events that do not say theirs. */
  readonly zone: string
  /** Whether events that nothing names are looked for by their titles and dates. */
  readonly isUsual: boolean
  /** Whether all there is will be read in any case. */
  readonly isWhole: boolean
}

/** Finds the record that one of a file is about; throws `usage` where it can be several. */
export type Locate = (record: FileRecord) => Answer | undefined

/**
 * Makes what reads the records that some of a file need to be found, and finds them: by ID, else by slug, else by the fields
 * that say which it is. One that is to be restored is looked for in the trash. An ID that is not there any more says nothing of
 * a record that an export has; of any other, it says that there is none.
 */
export function locator(recognition: Recognition): (records: readonly FileRecord[]) => Promise<Locate> {
  const { reader, resource, language, match, records: whole, unnumbered } = recognition
  const place = { resource, language }
  const days =
    match || recognition.isWhole || resource.name !== 'events' ? undefined : daysOf(whole, recognition.isUsual)
  let called: Locate | undefined
  const matched = (record: FileRecord) => {
    const fields = match ?? record.match ?? (recognition.isUsual ? usualMatch(record) : undefined)
    return fields?.every(name => record.values[name] !== undefined) ? fields : undefined
  }
  const isCalled = (record: FileRecord) => resource.name !== 'events' || matched(record) !== undefined

  return async records => {
    const live = records.filter(record => !isTrashed(record))
    const trash = live.length < records.length ? await reader.readList({ ...place, trashed: true }) : undefined
    const withIds = await reader.readByIds(
      place,
      live.flatMap(({ id }) => id ?? []),
    )
    const isTold = ({ id, origin }: FileRecord) => id !== undefined && (origin === undefined || withIds.has(id))
    const others = live.filter(record => !isTold(record))
    const there = others.some(isCalled) ? await reader.readList({ ...place, days }) : undefined
    const slugs = others.flatMap(record => recordSlug(record) ?? [])
    called ??=
      there && resource.name !== 'events'
        ? namesakes(
            resource,
            filterItems(whole, one => !isTrashed(one)),
            there,
          )
        : undefined
    const withSlug =
      slugs.length > 0 ? await reader.readBySlugs(place, slugs, Math.max(unnumbered, slugs.length)) : none
    const find = (record: FileRecord) => {
      if (isTrashed(record)) return trash && inTrash(trash, record)
      if (record.id !== undefined && isTold(record)) return withIds.get(record.id)
      const fields = matched(record)
      if (!fields && called) return called(record)
      const one = withSlug(recordSlug(record) ?? '')
      if (one || !there || !fields) return one
      const found = there.byFields(fields, withWallTimes(record.values, recognition.zone))
      const exact = found.filter(event => isAtInstants(event, record.values))
      // Of a time that comes twice, not every site can tell which is meant.
      return onlyOne(resource, fields, exact.length > 0 ? exact : found)
    }
    // What is pruned must know which is to be left alone; otherwise it does not matter.
    return record => (record.action === 'ignore' && !recognition.isWhole ? unlessUnclear(find, record) : find(record))
  }
}

function unlessUnclear(find: Locate, record: FileRecord): Answer | undefined {
  try {
    return find(record)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

const none = () => undefined

const usualMatch = (record: FileRecord): readonly string[] | undefined =>
  record.resource === 'events' && record.id === undefined && recordSlug(record) === undefined
    ? defaultEventMatch
    : undefined

/** The days on which events begin that are looked for by their dates; undefined where others are to be found too. */
function daysOf(records: Iterable<FileRecord>, isUsual: boolean): readonly [first: string, last: string] | undefined {
  let days: [string, string] | undefined
  for (const record of records) {
    if (record.id !== undefined && record.origin === undefined) continue
    const start = String(record.values.start_date ?? '').slice(0, 10)
    if (
      !(record.match ?? (isUsual ? usualMatch(record) : undefined))?.includes('start_date') ||
      !/^\d{4}-\d\d-\d\d$/.test(start)
    )
      return undefined
    const sorted = [start, ...(days ?? [])].toSorted()
    days = [sorted[0] ?? start, sorted.at(-1) ?? start]
  }
  return days
}

const isTrashed = ({ action }: FileRecord) => action === 'restore'

/** Slugs change in the trash. */
function inTrash(trash: RecordIndex, record: FileRecord): Answer | undefined {
  if (record.id !== undefined) return trash.byId(record.id)
  const slug = recordSlug(record)
  return slug === undefined ? undefined : (trash.bySlug(slug) ?? trash.bySlug(`${slug}__trashed`))
}

function onlyOne(resource: Resource, fields: readonly string[], found: readonly Answer[]): Answer | undefined {
  if (found.length < 2) return found[0]
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('usage', `${found.length} ${resource.name} have this ${fields.join(' and ')}: ${ids}`, {
    hint: `say which by its ID${resource.name === 'events' ? ', or match more fields: --match title+start_date+end_date' : ''}`,
  })
}
