import { Failure } from '../../../base/failure.ts'
import { createTurns } from '../../../base/turns.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { CalendarName, Client } from '../../../client/client.ts'
import { isFrom } from '../../../client/site-discovery.ts'
import { resourceNamed, resources } from '../../../contract/contract.ts'
import type { Language } from '../../../contract/languages.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { slugKey, slugOf } from '../../../contract/slug.ts'
import type { FileRecord } from '../../../files/records/file-record.ts'
import { RecordMatcher } from '../match/match.ts'
import { recordSlug, StepKeys } from '../match/step-keys.ts'
import type { Invalid } from '../plan.ts'
import type { SiteReader } from '../site-reader.ts'
import { batches, createSpool, filterItems, type ReadonlyList, type Spool } from '../spool.ts'
import type { BuildContext } from './context.ts'
import { failureOfRecord, invalidRecord, missingRecord } from './invalid.ts'

/** The records of one resource in one language: those with mistakes, or all others. */
export interface RecordGroup {
  readonly resource: Resource
  readonly language: Language | undefined
  readonly records: ReadonlyList<FileRecord>
  /** How many of them have no ID. */
  readonly withoutId: number
  readonly isValid: boolean
}

/** A record of a file, and the existing record that it stands for. */
export interface MatchedRecord {
  readonly record: FileRecord
  /** Set only if it differs from the language of the plan. */
  readonly language?: Language
  /** The key of its step. */
  readonly key: string
  readonly before?: Answer
  /** The fields by which no existing record was found; absent if it was not looked for. */
  readonly identity?: readonly string[]
}

/** What is needed of a matched record once its step has been built: which record of the site it is, and of which series. */
export interface ListedRecord {
  readonly language?: Language
  readonly before?: Pick<Answer, 'id'>
  readonly record: Pick<FileRecord, 'resource' | 'series' | 'translation'> & { readonly values: { slug?: unknown } }
}

export const listedRecord = ({ language, before, record }: MatchedRecord): ListedRecord => ({
  ...(language && { language }),
  ...(before && { before: { id: before.id } }),
  record: {
    resource: record.resource,
    values: { slug: record.values.slug },
    ...(record.series && { series: record.series }),
    ...(record.translation && { translation: record.translation }),
  },
})

/** How the records of a file are matched. */
export interface MatchingOptions {
  /** `create`: all records are new. `update`: none of them is. */
  readonly only?: 'create' | 'update' | undefined
  /** The fields of `--match`, which identify records without ID and slug. */
  readonly match?: readonly string[] | undefined
  /** Whether the whole list is read in any case, as `--prune` needs it. */
  readonly readsWholeList: boolean
  readonly addInvalid: AddInvalid
}

/** Notes why nothing can be done with a record of a file. */
export type AddInvalid = (record: FileRecord, invalid: Invalid) => void

/**
 * Groups records, with those first to which others link; records with mistakes have groups of their own. Each record gets its position,
 * because people look for mistakes in the order of the file. `check` throws for a record with which nothing can be done at all.
 */
export async function groupRecords(
  records: AsyncIterable<FileRecord>,
  calendar: CalendarName,
  defaultLanguage: Language | undefined,
  check: (record: FileRecord) => void,
): Promise<RecordGroup[]> {
  let position = 0
  const groups = new Map<string, RecordGroup & { records: Spool<FileRecord>; withoutId: number }>()
  const turn = createTurns()
  for await (const original of records) {
    await turn()
    check(original)
    const record = normalizeRecord({ ...original, position: position++ }, calendar)
    const language = record.lang_code ?? defaultLanguage
    const isValid = record.mistakes.length === 0
    const key = `${record.resource} ${language ?? ''} ${isValid}`
    const group = groups.get(key) ?? {
      resource: resourceNamed(record.resource),
      language,
      records: createSpool(),
      withoutId: 0,
      isValid,
    }
    group.records.add(record)
    if (record.id === undefined) group.withoutId += 1
    groups.set(key, group)
  }
  // The contract lists events first, and each resource after those that link to it.
  const rank = ({ resource }: RecordGroup) => resources.indexOf(resource)
  return [...groups.values()].toSorted((a, b) => rank(b) - rank(a))
}

/** Matches the records of a group with those of the site; invalid ones are noted with the reason. */
export async function* matchGroup(
  { resource, language, records, withoutId }: RecordGroup,
  { client, zone }: BuildContext,
  reader: SiteReader,
  { only, match, readsWholeList, addInvalid }: MatchingOptions,
): AsyncGenerator<MatchedRecord> {
  const isNew = ({ action }: FileRecord) => only === 'create' || action === 'create'
  const matcher = new RecordMatcher({
    reader,
    resource,
    language,
    match,
    records: filterItems(records, record => !isNew(record)),
    withoutId,
    zone,
    usesEventMatch: only === undefined,
    readsWholeList,
  })
  const isAlwaysNew = (record: FileRecord) => only !== undefined || isNew(record)
  const keys = new StepKeys({ resource, language, match, zone, isAlwaysNew })
  const stepLanguage = language === client.language ? undefined : language
  const matched = async (record: FileRecord, before: Answer | undefined): Promise<MatchedRecord | undefined> => {
    if (!before && record.action === 'ignore') return undefined
    if (!before && !isNew(record) && mustExist(record, only))
      throw await explainMissing(client, resource, language, record)
    const key = keys.keyFor(record, before)
    const identity = before || isAlwaysNew(record) ? undefined : matcher.identityOf(record)
    const named = { ...(stepLanguage && { language: stepLanguage }), key }
    return { record, ...named, ...(before && { before }), ...(identity && { identity }) }
  }
  /** The result of `work`, unless it shows that the record is invalid. */
  const valid = async <T>(record: FileRecord, work: () => T): Promise<Awaited<T> | undefined> => {
    try {
      return await work()
    } catch (error) {
      addInvalid(record, invalidRecord(record, [failureOfRecord(error)]))
      return undefined
    }
  }

  const turn = createTurns()
  for (const batch of batches(records)) {
    await turn()
    await matcher.load(batch.filter(record => !isNew(record)))
    const found = new Map<FileRecord, Answer | undefined>()
    for (const record of batch)
      await valid(record, () => found.set(record, isNew(record) ? undefined : matcher.find(record)))
    const stored = await storedRecords(reader, { resource, language }, found)
    for (const record of found.keys()) {
      const one = await valid(record, () => matched(record, stored.get(found.get(record)?.id ?? 0)))
      if (one) yield one
    }
  }
}

/** The matched records by ID, with the stored values of the fields that the file has. */
async function storedRecords(
  reader: SiteReader,
  scope: Pick<RecordGroup, 'resource' | 'language'>,
  found: ReadonlyMap<FileRecord, Answer | undefined>,
): Promise<Map<number, Answer>> {
  const records = new Map<number, Answer>()
  const compared = new Map<number, Answer>()
  const names = new Set<string>()
  for (const [{ action, values, cleared }, before] of found) {
    if (!before) continue
    records.set(before.id, before)
    if (action === 'trash' || action === 'ignore') continue
    compared.set(before.id, before)
    for (const name of [...Object.keys(values), ...cleared]) names.add(name)
  }
  for (const record of await reader.withRawValues(scope, [...compared.values()], [...names]))
    records.set(record.id, record)
  return records
}

/**
 * Whether a record must exist. One to be trashed may be gone already; one with the ID of another site is looked up by its slug, and may be
 * new.
 */
function mustExist({ id, origin, action }: FileRecord, only: MatchingOptions['only']): boolean {
  if (action === 'trash') return false
  const hasOwnId = id !== undefined && origin === undefined
  return hasOwnId || only === 'update' || action === 'update' || action === 'restore'
}

async function explainMissing(client: Client, resource: Resource, language: Language | undefined, record: FileRecord) {
  const failure = await missingRecord(client, {
    resource,
    ref: refOf(record),
    language,
    trashed: record.action === 'restore',
  })
  const isInOtherLanguage = failure.details.language !== undefined
  // --lang, which the failure suggests, does not change the language of a row that names its own.
  if (!isInOtherLanguage || record.lang_code === undefined) return failure
  return new Failure(failure.kind, failure.message, {
    ...failure.details,
    hint: phrase('change lang_code, or leave it empty'),
  })
}

function refOf(record: FileRecord) {
  if (record.id !== undefined) return { id: record.id }
  const slug = recordSlug(record)
  return slug === undefined ? undefined : { slug }
}

/**
 * A record in the form in which it can be compared with those of a site: with slugs as services write them, without IDs of another site.
 */
function normalizeRecord(record: FileRecord, calendar: CalendarName): FileRecord {
  const normalized = withNormalizedSlug(record)
  if (record.origin === undefined) return normalized
  if (isFrom(record.origin, calendar)) return record.hasSlugOfFile ? withoutSlug(normalized) : normalized
  if (record.translation) return ofOtherCalendar(record, calendar)
  const { id: _, ...others } = normalized
  const { fields } = resourceNamed(record.resource)
  const isForeignId = (name: string, value: unknown) =>
    name === 'author' || (fields[name]?.kind.shape === 'picture' && /^\d+$/.test(String(value)))
  const values = Object.entries(normalized.values).filter(([name, value]) => !isForeignId(name, value))
  return { ...others, values: Object.fromEntries(values) }
}

function withoutSlug(record: FileRecord): FileRecord {
  const { slug, ...values } = record.values
  return { ...record, values }
}

/** Normalizes the slug, because another form would not be found when the file is applied a second time. */
function withNormalizedSlug(record: FileRecord): FileRecord {
  const { values, mistakes } = record
  const { slug } = values
  if (typeof slug !== 'string' || slug === '') return record
  if (slugKey(slug) === undefined) return withoutSlug(record)
  const normalized = slugOf(slug)
  if (normalized === slug) return record
  if (normalized === '') {
    if (record.action === 'ignore') return record
    const mistake = { column: 'slug', expected: phrase('a slug: letters, digits, hyphens'), value: slug }
    return { ...record, mistakes: [...mistakes, mistake] }
  }
  return { ...record, values: { ...values, slug: normalized } }
}

/** The failure for translations from another calendar: they belong to the records that were exported there. */
const ofOtherCalendar = (record: FileRecord, { label }: CalendarName): FileRecord => ({
  ...record,
  mistakes: [
    ...record.mistakes,
    {
      column: 'original',
      expected: label,
      value: String(record.origin),
      message: /^file:/.test(String(record.origin))
        ? phrase('these texts were exported from another calendar, not from {calendar}', { calendar: label })
        : phrase('these texts were exported from {origin}, not from {calendar}', {
            origin: String(record.origin),
            calendar: label,
          }),
      advice: phrase('pass -p with the profile of that calendar'),
    },
  ],
})
