import { resourceNamed } from '../contract/contract.ts'
import type { Field } from '../contract/field.ts'
import { largestPage } from '../contract/filter.ts'
import { type Answer, emptyToo, type Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { foldText, normalizeText } from '../text/normalize.ts'
import { nearest } from '../text/similarity.ts'
import { type Calendar, placeOf } from './calendar.ts'
import type { Client, Values } from './client.ts'

/** What to do with a name that no record has. */
export type UnknownNames = 'refuse' | 'create'

/** Finds records by name or slug for one client, and caches them. */
export interface NameLookup {
  /** The values with every name of a venue, organizer, category or tag replaced by its ID. */
  resolve(resource: Resource, values: Values): Promise<Values>
  /** The records that have this name or slug, regardless of case and accents. */
  find(resource: Resource, name: string): Promise<Answer[]>
}

/** Each name costs one request when it is first needed, and a second one if it turns out to be a slug. */
export function createNameLookup(client: Client, unknownNames: UnknownNames): NameLookup {
  const cache = new Map<string, Promise<Answer[]>>()
  const find = (resource: Resource, name: string) => {
    const key = `${resource.name} ${foldText(name)}`
    const search = cache.get(key) ?? findByName(client, resource, name)
    cache.set(key, search)
    return search
  }

  const idOf = async (resource: Resource, name: string): Promise<number> => {
    const [first, ...others] = await find(resource, name)
    if (first && others.length === 0) return first.id
    if (first) throw ambiguousNameFailure(resource, name, [first, ...others])
    if (isDigits(name)) return Number(name)
    if (unknownNames === 'refuse') throw await unknownNameOf(client, resource, name)
    const created = await client.create(resource, { [resource.title]: name })
    cache.set(`${resource.name} ${foldText(name)}`, Promise.resolve([created]))
    return created.id
  }

  const resolveField = async (field: Field, value: unknown): Promise<unknown> => {
    if (!field.of || (field.kind !== 'terms' && field.kind !== 'posts')) return value
    const of = resourceNamed(field.of)
    const links: unknown[] = []
    for (const link of [value].flat()) links.push(isName(link) ? await idOf(of, link) : link)
    return Array.isArray(value) ? [...new Set(links)] : links[0]
  }

  return {
    find,
    async resolve(resource, values) {
      const resolved: Record<string, unknown> = {}
      for (const [name, value] of Object.entries(values)) {
        const field = resource.fields[name]
        resolved[name] = field ? await resolveField(field, value) : value
      }
      return resolved
    },
  }
}

const isDigits = (link: string): boolean => /^\d+$/.test(link)
const isName = (link: unknown): link is string => typeof link === 'string' && link.trim() !== ''
const nameOf = (resource: Resource, record: Answer): string => normalizeText(String(record[resource.title] ?? ''))

async function findByName(client: Client, resource: Resource, name: string): Promise<Answer[]> {
  const page = await client.list(resource, { ...emptyToo(resource), search: name, per_page: largestPage })
  const isNamed = (record: Answer) =>
    [nameOf(resource, record), String(record.slug ?? '')].some(text => foldText(text) === foldText(name))
  const matches = page.records.filter(isNamed)
  return matches.length > 0 || !/^[\p{Ll}\d%-]+$/u.test(name) ? matches : findBySlug(client, resource, name)
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

async function unknownNameOf(client: Client, resource: Resource, name: string): Promise<Failure> {
  const names: string[] = []
  for await (const page of client.pages(resource, { ...emptyToo(resource), per_page: largestPage }, 500))
    names.push(...page.records.map(record => nameOf(resource, record)))
  return unknownNameFailure(resource, name, names, client.calendar)
}

/** The failure for a name that no record has; its hint suggests the nearest of `names`. */
export function unknownNameFailure(
  resource: Resource,
  name: string,
  names: readonly string[],
  calendar: Calendar,
): Failure {
  const suggestion = nearest(name, names)
  return new Failure('missing', `no ${resource.singular} is called "${name}" ${placeOf(calendar)}`, {
    hint: suggestion
      ? `did you mean "${suggestion}"? to create a new one, add: --create-missing`
      : 'to create it, add: --create-missing',
  })
}
