import { resourceNamed } from '../contract/contract.ts'
import type { Field } from '../contract/field.ts'
import { type Answer, emptyToo, type Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { foldText, nearest, normalizeText, onlyLongerName } from '../text/similarity.ts'
import { type Calendar, placeOf } from './calendar.ts'
import type { Client, Values } from './client.ts'
import { writableValue } from './compare.ts'
import { closeName } from './created-names.ts'
import { idForInline, isInline } from './inline-records.ts'
import { listAllHint } from './unavailable.ts'
import { wholeListQuery } from './whole-list.ts'

/** What a name that no record has is resolved to; unset if it is refused. */
export type ResolveUnknown = (resource: Resource, name: string) => unknown

/** Finds records by name or slug for one client, and caches them. */
export interface NameLookup {
  /**
   * The values with every name of a venue, organizer, category or tag replaced by its ID, or by what
   * `ResolveUnknown` gives. IDs of terms must exist; those that
   * `before`, the record to be changed, has already are not looked up.
   */
  resolve(resource: Resource, values: Values, before?: Answer): Promise<Values>
  /** The records that have this name or slug, regardless of case and accents. */
  find(resource: Resource, name: string): Promise<Answer[]>
}

/** Each name costs one request when it is first needed, and a second one if it is not found as it is. */
export function createNameLookup(client: Client, resolveUnknown?: ResolveUnknown): NameLookup {
  const created = new Map<string, unknown>()
  const cache = new Map<string, Promise<Answer[]>>()
  /** The terms that are known to exist. */
  const knownTerms = new Set<string>()
  const find = (resource: Resource, name: string) => {
    const key = keyOf(resource, name)
    const search = cache.get(key) ?? findByName(client, resource, name)
    cache.set(key, search)
    return search
  }

  const remember = (resource: Resource, id: number): number => {
    knownTerms.add(`${resource.name} ${id}`)
    return id
  }

  const linkTo = async (resource: Resource, name: string): Promise<unknown> => {
    const [first, ...others] = await find(resource, name)
    if (first && others.length === 0) return remember(resource, first.id)
    if (first) throw ambiguousNameFailure(resource, name, [first, ...others])
    if (isDigits(name)) return Number(name)
    if (!resolveUnknown) throw await unknownNameOf(client, resource, name)
    const key = keyOf(resource, name)
    const link = created.get(key) ?? resolveUnknown(resource, name)
    created.set(key, link)
    return link
  }

  /** The ID of the record that an inline one names; the inline record itself if there is none. */
  const resolveInline = async (resource: Resource, inline: Values): Promise<unknown> => {
    if (inline.id !== undefined) {
      const isAlone = Object.keys(inline).length === 1
      return isAlone
        ? inline.id
        : idForInline(resource, await client.get(resource, idRef(inline)), inline, client.calendar)
    }
    const name = inline[resource.title]
    if (typeof name !== 'string') return inline
    const [first, ...others] = withName(resource, name, await find(resource, name))
    if (first && others.length > 0) throw ambiguousNameFailure(resource, name, [first, ...others])
    return first ? idForInline(resource, first, inline, client.calendar) : inline
  }

  const resolveLink = (resource: Resource, link: unknown): unknown => {
    if (isName(link)) return linkTo(resource, link)
    return isInline(link) && resource.trashable ? resolveInline(resource, link) : link
  }

  const resolveField = async (field: Field, value: unknown, known: readonly unknown[]): Promise<unknown> => {
    if (!field.of || (field.kind !== 'terms' && field.kind !== 'posts')) return value
    const of = resourceNamed(field.of)
    const links: unknown[] = []
    for (const link of [value].flat()) links.push(await resolveLink(of, link))
    if (field.kind === 'terms') await requireTerms(client, of, without(links, known), knownTerms)
    return Array.isArray(value) ? [...new Set(links)] : links[0]
  }

  return {
    find,
    async resolve(resource, values, before) {
      const resolved: Record<string, unknown> = {}
      for (const [name, value] of Object.entries(values)) {
        const field = resource.fields[name]
        resolved[name] = field ? await resolveField(field, value, linkedIds(field, before?.[name])) : value
      }
      return resolved
    },
  }
}

/** The IDs of the records that a field of an answer links to. */
export const linkedIds = (field: Field, value: unknown): unknown[] =>
  field.of && value !== undefined ? [writableValue(field, value)].flat() : []

const without = (links: readonly unknown[], known: readonly unknown[]): number[] =>
  links.filter((link): link is number => typeof link === 'number' && !known.includes(link))

const idRef = ({ id }: Values) => ({ id: Number(id) })

/** Services skip the IDs of terms that do not exist, and so an update would empty the field. */
async function requireTerms(client: Client, resource: Resource, ids: readonly number[], known: Set<string>) {
  const unchecked = ids.filter(id => !known.has(`${resource.name} ${id}`))
  if (unchecked.length === 0) return
  const existing = await existingTerms(client, resource, unchecked)
  const unknown = unchecked.find(id => !existing.has(id))
  if (unknown !== undefined) throw unknownIdFailure(resource, unknown, client.calendar)
  for (const id of unchecked) known.add(`${resource.name} ${id}`)
}

/** Some services leave out IDs that do not exist, others refuse the whole list of them; then each is requested alone. */
async function existingTerms(client: Client, resource: Resource, ids: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>()
  try {
    const query = wholeListQuery({ resource }, { include: ids.join(',') })
    for await (const page of client.pages(resource, query)) for (const { id } of page.records) found.add(id)
  } catch (error) {
    if (!(error instanceof Failure) || error.details.status !== 400) throw error
    for (const id of ids) if (await exists(client, resource, id)) found.add(id)
  }
  return found
}

async function exists(client: Client, resource: Resource, id: number): Promise<boolean> {
  try {
    await client.get(resource, { id })
    return true
  } catch (error) {
    if (error instanceof Failure && error.kind === 'missing') return false
    throw error
  }
}

const keyOf = ({ name: resource }: Resource, name: string): string => `${resource} ${foldText(name)}`
const isDigits = (link: string): boolean => /^\d+$/.test(link)
const isName = (link: unknown): link is string => typeof link === 'string' && link.trim() !== ''
const nameOf = (resource: Resource, record: Answer): string => normalizeText(String(record[resource.title] ?? ''))

/** The ID of the only record that has this name or slug; digits are an ID. Throws `missing` or `usage` otherwise. */
export async function idOfName(client: Client, lookup: NameLookup, resource: Resource, name: string): Promise<number> {
  if (isDigits(name)) return Number(name)
  const [first, ...others] = await lookup.find(resource, name)
  if (first && others.length > 0) throw ambiguousNameFailure(resource, name, [first, ...others])
  if (first) return first.id
  const hint = listAllHint(resource, client.calendar)
  throw unknownNameFailure(resource, name, await namesOf(client, resource), client.calendar, {
    other: hint,
    none: hint,
  })
}

/** The records that have this name, and not only this slug. */
export const withName = (resource: Resource, name: string, records: readonly Answer[]): Answer[] =>
  records.filter(record => foldText(nameOf(resource, record)) === foldText(name))

async function findByName(client: Client, resource: Resource, name: string): Promise<Answer[]> {
  const isNamed = (record: Answer) => foldText(String(record.slug ?? '')) === foldText(name)
  for (const search of searchTexts(resource, name)) {
    const matches: Answer[] = []
    const query = { ...wholeListQuery({ resource }), ...(search !== '' && { search }) }
    for await (const { records } of client.pages(resource, query))
      matches.push(...records.filter(record => isNamed(record) || withName(resource, name, [record]).length > 0))
    if (matches.length > 0) return matches
  }
  return /^[\p{Ll}\d%-]+$/u.test(name) ? findBySlug(client, resource, name) : []
}

/**
 * What to search for to find a name. Sites store some signs as entities (`&amp;` in the names of categories and tags) and others
 * as typed, and search in what they store: so a name with such signs is also searched for by its longest word.
 */
function searchTexts({ trashable }: Resource, name: string): string[] {
  const text = name.trim()
  if (!/[^\p{L}\p{M}\p{N}\s-]/u.test(text)) return [text]
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u)
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '')
  return [...new Set([trashable ? text : escaped, longest])]
}

async function findBySlug(client: Client, resource: Resource, slug: string): Promise<Answer[]> {
  if (!resource.keys.includes('slug')) return (await client.list(resource, { ...emptyToo(resource), slug })).records
  try {
    return [await client.get(resource, { slug })]
  } catch (error) {
    if (error instanceof Failure && error.kind === 'missing') return []
    throw error
  }
}

/** The failure for a name that several records have. */
export function ambiguousNameFailure(resource: Resource, name: string, records: readonly Answer[]): Failure {
  const list = records.map(
    record => `${record.id} (${[nameOf(resource, record), record.slug, record.city].filter(Boolean).join(', ')})`,
  )
  return new Failure('usage', `${records.length} ${resource.name} are called "${name}": ${list.join(', ')}`, {
    hint: 'use the ID instead of the name',
  })
}

/** The names of the first 500 records of a resource, for suggestions. */
export async function namesOf(client: Client, resource: Resource): Promise<string[]> {
  const names: string[] = []
  for await (const page of client.pages(resource, wholeListQuery({ resource }), 500))
    names.push(...page.records.map(record => nameOf(resource, record)))
  return names
}

const unknownNameOf = async (client: Client, resource: Resource, name: string): Promise<Failure> =>
  unknownNameFailure(resource, name, await namesOf(client, resource), client.calendar)

/** The failure for a name that no record has; its hint suggests the nearest of `names`, and ends with how a record could be given. */
export function unknownNameFailure(
  resource: Resource,
  name: string,
  names: readonly string[],
  calendar: Calendar,
  otherwise?: { readonly other: string; readonly none: string },
): Failure {
  const close = closeName(resource, name, names)
  const suggestion = close ?? nearest(name, names) ?? onlyLongerName(name, names)
  const { other, none } = otherwise ?? {
    other: `to create a new one, add: --create-missing${close === undefined ? '' : ' --allow-similar'}`,
    none: 'to create it, add: --create-missing',
  }
  return new Failure('missing', `no ${resource.singular} is called "${name}" ${placeOf(calendar)}`, {
    hint: suggestion ? `did you mean "${suggestion}"? ${other}` : none,
  })
}

/** The failure for an ID that no record has. */
export const unknownIdFailure = (resource: Resource, id: number, calendar: Calendar): Failure =>
  new Failure('missing', `no ${resource.singular} ${id} ${placeOf(calendar)}`, {
    hint: listAllHint(resource, calendar),
  })
