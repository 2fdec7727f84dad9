/**
 * What a site stores but does not show in its answers, and what its lists leave out: hidden records and the trash. Input: records, or IDs
 * and slugs. Output: records with `raw`, or the records that were found; nothing where the site does not show it.
 */

import { memoizeByObject } from '../../base/memoize.ts'
import { isObject } from '../../base/text/json.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field } from '../../contract/field.ts'
import { roundTrip } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { slugKey } from '../../contract/slug.ts'
import type { Reads, Values, WordPress } from '../client.ts'
import { type ListScope, readShownPages } from '../find/whole-lists.ts'
import { largestList, listByIds } from './wp-client.ts'
import { hasMoreLinks, isRenderedText, splitValues, storedForms } from './wp-record.ts'

interface StoredParts {
  /** The fields to read; all by default. */
  readonly names?: readonly string[] | undefined
  readonly language?: unknown
  /** Adds more of what `wp/v2` shows to the record. */
  complete?(record: Answer, row: Answer): Answer
}

/**
 * Records with `raw`: their texts as they are stored, and always their stored cost, which every patch sends along. No request is needed
 * where the rendered form shows a value exactly; the others are read a hundred at a time. Records that the site does not show stay as they
 * are.
 */
export async function withRawValues(
  client: Reads,
  resource: Resource,
  records: readonly Answer[],
  { names, language, complete = record => record }: StoredParts = {},
): Promise<Answer[]> {
  const wordpress = records.length > 0 ? await client.wordpress(language) : undefined
  const forms = storedForms(resource).filter(
    ([name, { kind }]) => kind.shape === 'amount' || (names?.includes(name) ?? true),
  )
  if (!wordpress || forms.length === 0) return [...records]
  const known = records.map(record => ({ record, raw: knownRaw(forms, record) }))
  const unknown = known.flatMap(({ record, raw }) => (raw ? [] : record.id))
  const read = unknown.length > 0 ? await readStored(wordpress, resource, unknown) : undefined
  return known.map(({ record, raw }) => {
    const row = read?.get(record.id)
    const stored = raw ?? row?.raw
    const known = stored ? { ...record, raw: { ...record.raw, ...stored } } : record
    return row ? complete(known, row) : known
  })
}

/** After this many records in a row that cannot be read alone either, the remaining ones count as records that this user may not edit. */
const mostHidden = 3

/**
 * The records as `wp/v2` has them. Its lists leave out what the user may not edit and, on some sites, what is in another language; what is
 * missing is read one by one.
 */
async function readStored(wordpress: WordPress, resource: Resource, ids: readonly number[]) {
  const records = await listByIds(wordpress, resource, ids)
  if (!records) return undefined
  let hidden = 0
  for (const id of ids.filter(id => !records.has(id))) {
    const record = await wordpress.get(resource, id)
    if (record) records.set(id, record)
    hidden = record ? 0 : hidden + 1
    if (hidden === mostHidden) break
  }
  return records
}

/** The stored values, if the rendered ones show all of them. */
function knownRaw(forms: readonly [string, Field][], record: Answer): Answer['raw'] | undefined {
  const raw: Record<string, unknown> = {}
  for (const [name, field] of forms) {
    const stored = record.raw?.[name] ?? storedForm(name, field, record)
    if (stored === undefined) return undefined
    raw[name] = stored
  }
  return raw
}

/** The stored form of a value whose rendered form shows it exactly. */
function storedForm(name: string, field: Field, record: Answer): unknown {
  const shown = record[name] ?? ''
  // A site shows amounts: `$10` is stored as `10`, or as `10 at the door`.
  if (field.kind.shape === 'amount') return shown === '' ? '' : undefined
  if (field.site?.emptyAs !== undefined) return roundTrip(name, field, record)
  if (typeof shown !== 'string') return undefined
  if (field.site?.key === 'title') return isUnrendered(shown) ? shown : undefined
  // A description that shows no text can still have blocks and shortcodes.
  return field.site?.key === 'excerpt' && shown === '' ? '' : undefined
}

/** Whether a title has none of the characters that WordPress replaces, or puts in place of others. */
const isUnrendered = (text: string): boolean => !/[&<>‘’“”″′–—…×™]/.test(text)

/** The cost that an update has just stored, if its answer shows a single number: the cost without the symbol that the site adds. */
export function costJustStored({ cost, cost_details: details }: Answer): string | undefined {
  const shown = String(cost ?? '')
  if (shown === '') return ''
  if (!isObject(details) || !Array.isArray(details.values) || details.values.length !== 1) return undefined
  if (details.currency_symbol !== '' || details.currency_code) return undefined
  return /^[^\d\p{L}\s.,-]?(\d+([.,]\d+)?)[^\d\p{L}\s.,-]?$/u.exec(shown)?.[1]
}

/** Whether lists of the events API can leave out records of a resource, whatever the query. */
export const canHide = ({ fields }: Resource): boolean => 'hide_from_listings' in fields

/** In characters: some servers refuse longer queries. */
const longestQuery = 3000

/** The IDs of the records with these slugs, including those that lists leave out; empty if the site does not show them. */
export async function idsOfSlugs(
  client: Reads,
  resource: Resource,
  slugs: readonly string[],
  { language, trashed = false }: { readonly language?: unknown; readonly trashed?: boolean | undefined },
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  const wanted = slugs.flatMap(slug => slugKey(slug) ?? [])
  const wordpress = wanted.length > 0 && canHide(resource) ? await client.wordpress(language) : undefined
  if (!wordpress) return ids
  for (const slug of chunksOf(wanted)) {
    const found = await wordpress.list(resource, { slug, status: trashed ? 'trash' : 'any', _fields: 'id,slug' })
    for (const { id, slug } of found?.records ?? []) if (slugKey(slug)) ids.set(String(slug), id)
  }
  return ids
}

function chunksOf(slugs: readonly string[]): string[] {
  const chunks: string[] = []
  let chunk: string[] = []
  let length = 0
  for (const slug of slugs) {
    if (chunk.length === largestList || length + slug.length > longestQuery) {
      chunks.push(chunk.join(','))
      chunk = []
      length = 0
    }
    chunk.push(slug)
    length += slug.length
  }
  return [...chunks, chunk.join(',')]
}

/** Records with a text, also those that lists leave out, a hundred at most; undefined if the site does not show them. */
export async function storedWithText(client: Reads, resource: Resource, text: string): Promise<Answer[] | undefined> {
  if (client.capabilities.listsHidden || !canHide(resource)) return []
  const wordpress = await client.wordpress(client.language)
  return (await wordpress?.list(resource, { search: text, status: 'any' }))?.records
}

/** Hidden records in the trash, which the events API shows neither one by one nor in lists. */
export async function hiddenInTrash(client: Reads, resource: Resource, query: Values): Promise<Answer[]> {
  const { lang_code: language, ...others } = query
  const wordpress = canHide(resource) ? await client.wordpress(language) : undefined
  const page = await wordpress?.list(resource, { ...others, status: 'trash' })
  return (page?.records ?? []).map(record => ({ ...record, hide_from_listings: true }))
}

/**
 * The IDs of all records outside the trash that lists leave out; undefined if the site does not show them. One request for each hundred.
 */
export async function unlistedIds(
  client: Reads,
  resource: Resource,
  listed: ReadonlySet<number>,
  language: unknown,
): Promise<number[] | undefined> {
  const wordpress = canHide(resource) ? await client.wordpress(language) : undefined
  const shown = wordpress && (await listAll(client, wordpress, resource, { _fields: 'id', lang_code: language }))
  return shown?.records.map(({ id }) => id).filter(id => !listed.has(id))
}

/**
 * The records that link to any of the given ones by a field, including those that lists leave out; empty if the site does not show them.
 * `wp/v2` filters only by terms: for a field that WordPress stores as `meta`, all records are read with their links.
 */
export async function linkedRecords(
  client: Reads,
  resource: Resource,
  { field, ids, language }: { readonly field: string; readonly ids: readonly number[]; readonly language: unknown },
): Promise<Answer[]> {
  const key = resource.fields[field]?.site?.key
  if (!canHide(resource) || key === undefined) return []
  const wordpress = await client.wordpress(language)
  const filter = key.startsWith('meta.') ? {} : { [key]: ids.join(',') }
  const listed =
    wordpress && (await listAll(client, wordpress, resource, { ...filter, _fields: `id,title,slug,${key}` }))
  return listed?.records ?? []
}

/**
 * All records with these fields as they are stored, also those that lists leave out; undefined if the site does not show them all: it
 * counts those of others, and shows them only to those who may edit them.
 */
export async function storedRecords(
  client: Reads,
  resource: Resource,
  names: readonly string[],
  language: unknown,
): Promise<Answer[] | undefined> {
  const wordpress = await client.wordpress(language)
  const keys = names.flatMap(name => resource.fields[name]?.site?.key ?? [])
  const listed = wordpress && (await listAll(client, wordpress, resource, { _fields: ['id', ...keys].join(',') }))
  return listed && listed.records.length >= listed.total ? listed.records : undefined
}

/** All pages of a list, and how many records the site counts; undefined if it does not show the list. */
async function listAll({ calendar }: Reads, wordpress: WordPress, resource: Resource, query: Values) {
  const list = async (filters: Values) =>
    (await wordpress.list(resource, filters)) ?? { records: [], total: 0, pages: 0 }
  const filters = { status: 'any', orderby: 'id', order: 'asc', ...query }
  const records: Answer[] = []
  let total = 0
  const pages = readShownPages({ resource, filters, list, calendar, wanted: Number.POSITIVE_INFINITY })
  for await (const page of pages) {
    records.push(...page.records)
    total = page.total
  }
  return wordpress.isClosed(resource) ? undefined : { records, total }
}

/** Whether the site shows the stored records of a resource. At most one request. */
export async function showsStored(client: Reads, { resource, language }: ListScope): Promise<boolean> {
  const wordpress = await client.wordpress(language)
  return (await wordpress?.isOpen(resource)) ?? false
}

/** Whether the site may show stored records to this user, as far as is known. Sends no request. */
export const mayShowStored = async (client: Reads, language?: unknown): Promise<boolean> =>
  (await client.wordpress(language)) !== undefined

/** Whether stored records show all of these values. */
export const areStored = (resource: Resource, values: Values): boolean =>
  Object.keys(splitValues(resource, values).others).length === 0

/** Stored records by ID, a hundred in each request; undefined if the site does not show them. */
export async function storedByIds(
  client: Reads,
  { resource, language }: ListScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Answer> | undefined> {
  const wordpress = await client.wordpress(language)
  return wordpress && listByIds(wordpress, resource, ids)
}

interface Sign {
  /** Matches a rendered text whose source the site does not show. */
  readonly shownAs: RegExp
  /** Matches a new text that is a source of the same kind. */
  readonly writtenAs: RegExp
}

const block = /<!--\s*\/?wp:/
const shortcode = /\[[a-z][\w-]*(?:[\s=][^\]]*)?\/?\]/i
const either = new RegExp(`${block.source}|${shortcode.source}`, 'i')

const signs: readonly Sign[] = [
  { shownAs: /\b(?:wp-block-|wp-container-|wp-elements-|is-layout-)/, writtenAs: block },
  {
    shownAs:
      /\b(?:galleryid-|gallery-columns-|wp-caption\b|wp-playlist|wp-(?:audio|video)-shortcode|wpcf7|tribe-|tec-)/,
    writtenAs: shortcode,
  },
  { shownAs: /<(?:form|input|select|textarea|audio|video|style|svg|canvas|noscript)\b/i, writtenAs: either },
  // The comments of blocks, and shortcodes that show nothing, leave blank lines; in other texts a blank line ends a paragraph.
  { shownAs: /\n[^\S\n]*\n|<p>\s*(?:<br \/>|<\/p>)|<br \/>\s*(?:<br \/>|<\/p>)/, writtenAs: either },
  {
    shownAs: /\bwp-embed|[?&;]feature=oembed|<iframe\b/i,
    writtenAs: new RegExp(`${block.source}|<iframe\\b|\\[embed\\b|^\\s*https?://\\S+\\s*$`, 'im'),
  },
]

/** In these elements blank lines are shown as they are in the source. */
const verbatim = /<(pre|textarea|script|style)\b[^>]*>[\s\S]*?<\/\1>/gi

/**
 * The texts for which an update would replace blocks or shortcodes for good: the events API shows only what they render, so that an undo
 * could only write that. None where the stored text could be read.
 */
export function lostSources(client: Reads, resource: Resource, before: Answer, values: Values): string[] {
  if (client.capabilities.showsStoredTexts) return []
  return Object.keys(values).filter(name => {
    const shown = before[name]
    if (!isRenderedText(resource.fields[name]) || typeof shown !== 'string') return false
    if (before.raw?.[name] !== undefined) return false
    const text = shown.replace(verbatim, element => element.replace(/\n\s*/g, ' '))
    return signs.some(({ shownAs, writtenAs }) => shownAs.test(text) && !writtenAs.test(String(values[name] ?? '')))
  })
}

/**
 * The links that an update through the events API would remove from a record, because it resets their field and does not show them: those
 * to records in the trash. By field, with the links that it shows. One request, and one more if anything is in the trash.
 */
export async function linksToKeep(
  client: Reads,
  { wordpress, resource, base }: { readonly wordpress: WordPress; readonly resource: Resource; readonly base: Answer },
): Promise<Values> {
  if (client.takesPartialUpdates()) return {}
  const kept: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.kind.shape !== 'links' || !field.site?.resets || !field.of) continue
    if (!(await hasTrash(client)(resourceNamed(field.of)))) continue
    const row = (await listByIds(wordpress, resource, [base.id]))?.get(base.id)
    if (row && hasMoreLinks(field, base[name], row[name])) kept[name] = field.kind.canonical(row[name], field)
  }
  return kept
}

/** Whether records of a resource may be in the trash; asked once. */
const hasTrash = memoizeByObject((client: Reads) =>
  memoizeByObject((resource: Resource) =>
    client.list(resource, { status: 'trash', per_page: 1 }).then(
      ({ records }) => records.length > 0,
      // A contributor may not see the trash.
      () => true,
    ),
  ),
)
