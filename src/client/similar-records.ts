import { normalizeSlug } from '../contract/kinds/text-kinds.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { isApplied } from '../contract/three-way-merge.ts'
import { decodeEntities } from '../text/escaping.ts'
import { foldText } from '../text/similarity.ts'
import { readDate } from '../time/dates.ts'
import type { Ref, Values } from './client.ts'

/** Whether a record has the name and, for an event, the start that were sent, allowing for how a site stores and renders them. */
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
  letters(values[title]) === letters(record[title])

/**
 * What sites leave of a name in any form: they strip tags, encode characters, render signs, as `(tm)` and `1/2`, and take `%ca` in
 * the name of a term for a percent-encoded character and remove it.
 */
const letters = (name: unknown): string =>
  foldText(decodeEntities(String(name)).replace(tags, '').normalize('NFKC'))
    .replace(/%[\da-f]{2}/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')

const tags = /<(script|style)\b[^>]*>.*?<\/\1>|<\/?[a-z][^>]*>/gis

/** Whether a record is the one that was asked for. In the trash WordPress appends `__trashed` to slugs. */
export function isReferredTo(ref: Ref, record: Answer): boolean {
  if ('id' in ref) return record.id === ref.id
  const slug = String(record.slug ?? ref.slug)
  return [slug, slug.replace(/__trashed$/, '')].some(one => normalizeSlug(one) === normalizeSlug(ref.slug))
}
