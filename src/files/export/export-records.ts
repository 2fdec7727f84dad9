/**
 * Exporting: turns records as a site returns them into records of files, which can be applied to the same site or to another one. Links are
 * by slug, and categories come after their parents, so that another site finds them.
 */

import { Failure } from '../../base/failure.ts'
import { decodeEntities } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { readDate } from '../../base/time/dates.ts'
import { withOffset } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { canHide, unlistedIds } from '../../client/adapters/hidden-records.ts'
import { withPasswordMarks } from '../../client/adapters/record-passwords.ts'
import { isBlanked, secretsIn } from '../../client/adapters/secret-values.ts'
import { mayShowStored } from '../../client/adapters/shown-stored-records.ts'
import { withRawValues } from '../../client/adapters/stored-records.ts'
import type { Client } from '../../client/client.ts'
import { type ListScope, wholeListQuery } from '../../client/find/whole-lists.ts'
import { type Criteria, criteriaFor, select, selectedPages } from '../../client/selection/criteria.ts'
import { exportOrigin } from '../../client/site-discovery.ts'
import { type Field, hiddenSecret } from '../../contract/field.ts'
import { largestPage } from '../../contract/filter.ts'
import type { Language } from '../../contract/languages.ts'
import { noDate } from '../../contract/post-status.ts'
import { storedValue } from '../../contract/record.ts'
import { type Answer, type Resource, writableFields } from '../../contract/resource.ts'
import { namedRecord, recordCount } from '../../contract/resource-words.ts'
import type { WritableRecord } from '../records/file-record.ts'

export interface ExportOptions {
  readonly client: Client
  readonly resources: readonly Resource[]
  /** Empty for the client's own language only. */
  readonly languages: readonly Language[]
  readonly criteria: Criteria
  readonly notice: (text: string) => Promise<void>
}

/**
 * Reads all records of the resources in a form that can be written, one resource after another, with notices of those that cannot be
 * exported.
 */
export async function* exportRecords(options: ExportOptions): AsyncGenerator<WritableRecord> {
  const languages = options.languages.length > 0 ? options.languages : [undefined]
  for (const resource of options.resources) {
    for (const language of languages) {
      let hasLanguage = true
      for await (const record of recordsOf(resource, language, options)) {
        hasLanguage = record.lang_code !== undefined
        yield record
      }
      // A site whose records have no language returns the same records for every language.
      if (!hasLanguage) break
    }
  }
}

async function* recordsOf(
  resource: Resource,
  language: Language | undefined,
  { client, criteria, notice }: ExportOptions,
): AsyncGenerator<WritableRecord> {
  const origin = exportOrigin(client.calendar)
  const write = (...given: [answer: Answer, slugOf?: SlugOf]) => ({ ...writableRecord(resource, ...given), origin })
  const selection = await select(client, resource, criteria)
  const pages = selectedPages(client, resource, selection, filters => wholeListQuery({ resource, language }, filters))
  if (resource.name === 'categories') {
    const records: Answer[] = []
    for await (const page of pages) records.push(...page.records)
    const slugs = new Map(records.map(({ id, slug }) => [id, String(slug)]))
    yield* parentsFirst(records).map(record => write(record, id => slugs.get(id)))
    return
  }
  const count = { locked: 0, hidden: 0, unknown: 0, withPassword: 0 }
  const listed = new Set<number>()
  const writeAll = async function* (records: readonly Answer[]) {
    const stored = await withRawValues(client, resource, records, { language })
    for (const record of await withPasswordMarks(client, { resource, language }, stored)) {
      listed.add(record.id)
      if (record.hide_from_listings === true) count.hidden += 1
      const written = isBlanked(resource, record) ? undefined : write(record)
      const secret = secretOf(resource, written)
      if (secret) count[secret] += 1
      if (written) yield written
    }
  }
  for await (const { records } of pages) yield* writeAll(records)
  const isWhole = criteriaFor(resource, criteria) === undefined
  const unlisted = isWhole && canHide(resource) ? await unlistedIds(client, resource, listed, language) : undefined
  const unreadable: number[] = []
  const others = unlisted ?? []
  for (let start = 0; start < others.length; start += largestPage) {
    const ids = others.slice(start, start + largestPage)
    yield* writeAll(await readAlone(client, ids, { resource, language }, unreadable))
  }

  const calendar = client.calendar.label
  const noticeMissing = (records: string) => notice(`${notExported(language)}: ${records}`)
  for (const sentence of passwordNotes(count, calendar, language)) await notice(sentence)
  if (unreadable.length > 0) {
    const records = namesOf(resource, unreadable)
    await noticeMissing(phrase('{records}, which {calendar} has but does not show', { records, calendar }))
  }
  const mayMiss = canHide(resource) && !unlisted && count.hidden === 0 && !client.capabilities.listsHidden
  if (mayMiss) await noticeMissing(hiddenEvents(calendar, !isWhole && (await mayShowStored(client, language))))
  const trashed = isWhole ? await countTrash(client, resource, language) : 0
  if (trashed > 0)
    await noticeMissing(phrase('{records} in the trash', { records: recordCount(trashed, resource.name) }))
}

const notExported = (language: Language | undefined): string =>
  language ? phrase('not exported in {language}', { language }) : phrase('not exported')

const hiddenEvents = (calendar: string, areInWhole: boolean): string =>
  areInWhole
    ? phrase('hidden events, which {calendar} does not list; an export without filters has them', { calendar })
    : phrase('hidden events, which {calendar} does not list', { calendar })

/** How many events have passwords. */
function* passwordNotes(
  count: Readonly<Record<'locked' | 'withPassword' | 'unknown', number>>,
  calendar: string,
  language: Language | undefined,
): Generator<string> {
  if (count.locked > 0)
    yield `${notExported(language)}: ${phrase(
      '{count, plural, one {# event with a password} other {# events with a password}}',
      { count: count.locked },
    )}`
  if (count.withPassword > 0)
    yield phrase(
      'exported {count, plural, one {# event with its password} other {# events with their passwords}}: keep the file to yourself',
      { count: count.withPassword },
    )
  if (count.unknown > 0)
    yield phrase(
      'exported {count, plural, one {# event} other {# events}} with "{mark}" in place of a password that {calendar} does not show',
      { count: count.unknown, mark: hiddenSecret, calendar },
    )
}

/** What a file gets of the password of a record: nothing, if it gets nothing of the record; a mark; or the password. */
function secretOf(resource: Resource, written: WritableRecord | undefined) {
  if (!written) return 'locked'
  const [secret] = secretsIn(resource, written.values)
  if (secret === undefined) return undefined
  return written.values[secret] === hiddenSecret ? 'unknown' : 'withPassword'
}

/** At most this many records are named. */
const namedAtMost = 10

function namesOf({ name }: Resource, ids: readonly number[]): string {
  const [first, ...others] = ids
  if (first !== undefined && others.length === 0) return namedRecord(name, first)
  return `${recordCount(ids.length, name)}: ${listOfFirst(ids.map(String), namedAtMost)}`
}

/** Records that lists leave out, read one by one, without those in another language; those that cannot be read are collected. */
async function readAlone(
  client: Client,
  ids: readonly number[],
  { resource, language }: ListScope,
  unreadable: number[],
): Promise<Answer[]> {
  const { default: pMap } = await import('p-map')
  const read = async (id: number): Promise<Answer[]> => {
    try {
      return [await client.get(resource, { id }, language ? { lang_code: language } : {})]
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { status, language: own } = error.details
      if (error.kind !== 'refused' && error.kind !== 'missing' && status !== 403) throw error
      if (own === undefined) unreadable.push(id)
      return []
    }
  }
  const records = (await pMap(ids, read, { concurrency: 4 })).flat()
  return records.filter(({ lang_code }) => !language || !lang_code || lang_code === language)
}

function parentsFirst(records: readonly Answer[]): Answer[] {
  const byId = new Map(records.map(record => [record.id, record]))
  const visited = new Set<Answer>()
  const sorted: Answer[] = []
  const add = (record: Answer) => {
    if (visited.has(record)) return
    visited.add(record)
    const parent = byId.get(Number(record.parent))
    if (parent) add(parent)
    sorted.push(record)
  }
  for (const record of records) add(record)
  return sorted
}

async function countTrash(client: Client, resource: Resource, language: Language | undefined): Promise<number> {
  if (!resource.trashable) return 0
  try {
    const filters = { ...wholeListQuery({ resource, language, trashed: true }), per_page: 1 }
    return (await client.list(resource, filters)).total
  } catch (error) {
    // Without a login, services refuse to list the trash.
    if (error instanceof Failure && (error.kind === 'refused' || error.kind === 'denied')) return 0
    throw error
  }
}

type SlugOf = (id: number) => string | undefined

/** A record in a form that can be written to any site: with links by slug, and costs and websites without what the site adds. */
export function writableRecord(resource: Resource, answer: Answer, slugOf: SlugOf = () => undefined): WritableRecord {
  const values = writableFields(resource)
    .filter(([name]) => name !== 'date_utc')
    .map(entry => [entry[0], writtenValue(resource, entry, answer, slugOf)])
    .filter(([, value]) => !isEmpty(value))
  return {
    resource: resource.name,
    id: answer.id,
    ...(answer.lang_code && { lang_code: answer.lang_code }),
    values: Object.fromEntries(values),
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === noDate ||
  (Array.isArray(value) && value.length === 0)

function writtenValue(
  resource: Resource,
  [name, field]: readonly [string, Field],
  answer: Answer,
  slugOf: SlugOf,
): unknown {
  const stored = storedValue(name, answer)
  if (stored !== undefined) return stored
  const value = answer[name]
  if (field.kind.shape === 'links') {
    const links = [value].flat().flatMap(link => (isObject(link) ? (linkOf(link) ?? []) : []))
    return field.multiple === false ? links[0] : links
  }
  if (field.of) return slugOf(Number(value)) ?? field.kind.written(value)
  if (name === 'date') return publicationDate(answer)
  if (name === resource.title) return decodeEntities(String(value))
  return field.kind.exported({ name, field, answer })
}

/** The publication date, in the zone of the site; a draft has none. */
function publicationDate({ date, date_utc }: Answer): unknown {
  const isMoment = [date, date_utc].every(text => readDate(String(text)) !== undefined)
  return isMoment ? withOffset(String(date), String(date_utc)) : date
}

/** A link by slug, which other sites know, too; by ID only if the record has no slug. */
function linkOf({ slug, id }: Record<string, unknown>): string | number | undefined {
  if (typeof slug === 'string' && slug !== '') return slug
  return typeof id === 'number' ? id : undefined
}
