import type { Answer, Resource } from '../../contract/resource.ts'
import type { Client, Values, WordPress } from '../client.ts'
import { largestList } from './wp-client.ts'

/** Whether lists of the events API can leave out records of a resource, whatever they are asked for. */
export const canHide = ({ fields }: Resource): boolean => 'hide_from_listings' in fields

/** Longer queries are refused by some servers. */
const longestQuery = 3000

/** The IDs of records with these slugs, those included that lists leave out; empty if the site does not show them. */
export async function idsOfSlugs(
  client: Client,
  resource: Resource,
  slugs: readonly string[],
  { language, trashed = false }: { readonly language?: unknown; readonly trashed?: boolean | undefined },
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  const wordpress = slugs.length > 0 && canHide(resource) ? await client.wordpress(language) : undefined
  if (!wordpress) return ids
  for (const slug of chunksOf(slugs)) {
    const found = await wordpress.list(resource, { slug, status: trashed ? 'trash' : 'any', _fields: 'id,slug' })
    for (const { id, slug } of found ?? []) ids.set(String(slug), id)
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

/** Hidden records in the trash, which the events API shows neither alone nor in lists. */
export async function hiddenInTrash(client: Client, resource: Resource, query: Values): Promise<Answer[]> {
  const { lang_code: language, ...others } = query
  const wordpress = canHide(resource) ? await client.wordpress(language) : undefined
  const records = await wordpress?.list(resource, { ...others, status: 'trash' })
  return (records ?? []).map(record => ({ ...record, hide_from_listings: true }))
}

/**
 * The IDs of records that are not listed, of all that WordPress has outside its trash; undefined if the site does not show them. One
 * request for a hundred.
 */
export async function unlistedIds(
  client: Client,
  resource: Resource,
  listed: ReadonlySet<number>,
  language: unknown,
): Promise<number[] | undefined> {
  const wordpress = canHide(resource) ? await client.wordpress(language) : undefined
  const records = wordpress && (await listAll(wordpress, resource, { _fields: 'id', lang_code: language }))
  return records?.map(({ id }) => id).filter(id => !listed.has(id))
}

/**
 * The records that link to any of others by a field, those included that lists leave out; empty if the site does not show them. Only
 * terms can be filtered by: of a field that WordPress keeps as `meta`, all records come with what they link to.
 */
export async function linkedRecords(
  client: Client,
  resource: Resource,
  { field, ids, language }: { readonly field: string; readonly ids: readonly number[]; readonly language: unknown },
): Promise<Answer[]> {
  const key = resource.fields[field]?.wordpress
  if (!canHide(resource) || key === undefined) return []
  const wordpress = await client.wordpress(language)
  const filter = key.startsWith('meta.') ? {} : { [key]: ids.join(',') }
  return (wordpress && (await listAll(wordpress, resource, { ...filter, _fields: `id,${key}` }))) ?? []
}

/** All pages of a list; undefined if the site does not show it. */
async function listAll(wordpress: WordPress, resource: Resource, query: Values): Promise<Answer[] | undefined> {
  const records = new Map<number, Answer>()
  for (let page = 1; ; page++) {
    const found = await wordpress.list(resource, { status: 'any', orderby: 'id', order: 'asc', ...query, page })
    if (!found) return undefined
    const before = records.size
    for (const record of found) records.set(record.id, record)
    // A full page that brings nothing new is the end, too: a cache or a plugin may ignore its number.
    if (found.length < largestList || records.size === before) return [...records.values()]
  }
}
