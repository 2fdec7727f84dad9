import { Failure } from '../../base/failure.ts'
import { decodeEntities } from '../../base/text/escaping.ts'
import { foldText } from '../../base/text/folding.ts'
import { isObject } from '../../base/text/json.ts'
import { keyOf, type MatchKey, sameKey } from '../../base/text/match-key.ts'
import { readDate } from '../../base/time/dates.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { numberedSlug, slugKey, slugOf } from '../../contract/slug.ts'
import { isApplied } from '../../contract/three-way-merge.ts'
import type { Reads, Values } from '../client.ts'

/** Who has a slug: a record, nobody, or a record that this user may not see. */
type Holder = Answer | 'nobody' | 'hidden'

/**
 * At most this many slugs of a series are looked up (`concert`, `concert-2`, `concert-4`, …), which is enough for 4,000 records of one
 * name.
 */
const maxLookups = 24

/**
 * The records with the slug that a service gives to a new record with these values. No lists are needed: services number equal slugs one
 * after another, so the last number is found by a binary search. `isUnsure` if there is another one that this user may not see.
 */
export async function findBySlug(client: Reads, resource: Resource, values: Values) {
  const slug = slugKey(slugOf(String(values.slug || values[resource.title] || '')))
  if (slug === undefined || !resource.keys.includes('slug')) return { records: [] as Answer[], isUnsure: false }
  const holders = new Map<string, Holder>()
  for (;;) {
    let unknown: string | undefined
    // A slug that was not looked up yet counts as free, until the search needs to know.
    const isTaken = (name: string): boolean => {
      const holder = holders.get(name)
      if (holder === undefined) unknown ??= name
      return holder !== undefined && holder !== 'nobody'
    }
    numberedSlug(slug, isTaken)
    if (unknown === undefined || holders.size >= maxLookups) break
    holders.set(unknown, await holderOf(client, resource, unknown, values))
  }
  const found = [...holders.values()]
  return { records: found.filter(isObject) as Answer[], isUnsure: found.includes('hidden') }
}

/** The record that has a slug; undefined if there is none, or if this user may not see it. */
export async function findHolder(
  client: Reads,
  resource: Resource,
  slug: string,
  values: Values,
): Promise<Answer | undefined> {
  const holder = await holderOf(client, resource, slug, values)
  return isObject(holder) ? (holder as Answer) : undefined
}

/** Whether no record outside of the trash has a slug, not even one that this user may not see. */
export const isSlugFree = async (client: Reads, resource: Resource, slug: string, values: Values): Promise<boolean> =>
  (await holderOf(client, resource, slug, values)) === 'nobody'

async function holderOf(client: Reads, resource: Resource, slug: string, values: Values): Promise<Holder> {
  const { password, lang_code } = values
  if (slugKey(slug) === undefined) return 'nobody'
  try {
    return await client.get(
      resource,
      { slug },
      { ...(password !== undefined && { password }), ...(lang_code !== undefined && { lang_code }) },
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.kind === 'missing') return 'nobody'
    if (error.kind === 'refused' || error.details.status === 403) return 'hidden'
    throw error
  }
}

/** Whether a record has the name and, for an event, the start that were sent, allowing for how sites store and render them. */
export function isSimilar(resource: Resource, values: Values, record: Answer): boolean {
  if (!hasName(resource, values, record)) return false
  if (resource.name === 'categories') return Number(values.parent ?? 0) === Number(record.parent ?? 0)
  const { start_date: start } = resource.fields
  const requested = readDate(String(values.start_date))?.wall
  if (!start || requested === undefined) return true
  const recorded = String(record.start_date)
  if (record.all_day) return requested.slice(0, 10) === recorded.slice(0, 10)
  return requested === recorded || isApplied('start_date', start, values.start_date, record)
}

export const hasName = ({ title }: Resource, values: Values, record: Answer): boolean =>
  sameKey(lettersKey(values[title]), lettersKey(record[title]))

/**
 * What sites leave of a name in any form: they strip tags, encode characters, render signs such as `(tm)` and `1/2`, and remove `%ca` from
 * the name of a term because it looks like a percent-encoded character. A name without letters is compared as it is.
 */
export function lettersKey(name: unknown): MatchKey | undefined {
  const text = foldText(
    decodeEntities(String(name ?? ''))
      .replace(tags, '')
      .normalize('NFKC'),
  )
  return keyOf(text.replace(/%[\da-f]{2}/g, '').replace(/[^\p{L}\p{N}]/gu, '')) ?? keyOf(text)
}

const tags = /<(script|style)\b[^>]*>.*?<\/\1>|<\/?[a-z][^>]*>/gis
