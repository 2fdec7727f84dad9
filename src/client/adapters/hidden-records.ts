import type { Answer, Resource } from '../../contract/resource.ts'
import { slugKey } from '../../contract/slug.ts'
import type { Reads, Values, WordPress } from '../client.ts'
import { readShownPages } from '../find/whole-lists.ts'
import { largestList } from './wp-lists.ts'

/**
 * What the lists of a site leave out: hidden records and the trash. Input: IDs, slugs or a text. Output: the records that were found; nothing
 * where the site does not show it.
 */

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
  const wanted = slugs.filter(slug => slugKey(slug))
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
