import { resourceNamed } from '../contract/contract.ts'
import type { Field } from '../contract/field.ts'
import { largestPage } from '../contract/filter.ts'
import { type Answer, emptyToo, type Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { nearest } from '../text/nearest.ts'
import { foldText, normalizeText } from '../text/normalize.ts'
import type { Client, Values } from './client.ts'

/** What to do with a name that nothing has. */
export type UnknownNames = 'refuse' | 'create'

/** Finds records by name or slug for one client, and remembers what it found. */
export interface NameLookup {
  /** The values with every name of a venue, organizer, category or tag turned into its ID. */
  resolve(resource: Resource, values: Values): Promise<Values>
  /** The records that have this name or slug, regardless of case and accents. */
  find(resource: Resource, name: string): Promise<Answer[]>
}

/** Looks names up as they are needed: one request for a name, one more where it turns out to be a slug. */
export function createNameLookup(client: Client, missing: UnknownNames): NameLookup {
  const found = new Map<string, Promise<Answer[]>>()
  const find = (resource: Resource, name: string) => {
    const key = `${resource.name} ${foldText(name)}`
    const search = found.get(key) ?? named(client, resource, name)
    found.set(key, search)
    return search
  }

  const idOf = async (resource: Resource, name: string): Promise<number> => {
    const [first, ...others] = await find(resource, name)
    if (first && others.length === 0) return first.id
    if (first) throw ambiguousName(resource, name, [first, ...others])
    if (isDigits(name)) return Number(name)
    if (missing === 'refuse') throw await unknown(client, resource, name)
    const created = await client.create(resource, { [resource.title]: name })
    found.set(`${resource.name} ${foldText(name)}`, Promise.resolve([created]))
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

async function named(client: Client, resource: Resource, name: string): Promise<Answer[]> {
  const page = await client.list(resource, { ...emptyToo(resource), search: name, per_page: largestPage })
  const isIt = (record: Answer) =>
    [nameOf(resource, record), String(record.slug ?? '')].some(known => foldText(known) === foldText(name))
  const matches = page.records.filter(isIt)
  return matches.length > 0 || !/^[\p{Ll}\d%-]+$/u.test(name) ? matches : bySlug(client, resource, name)
}

async function bySlug(client: Client, resource: Resource, slug: string): Promise<Answer[]> {
  if (!resource.keys.includes('slug')) return (await client.list(resource, { ...emptyToo(resource), slug })).records
  try {
    return [await client.get(resource, { slug })]
  } catch (error) {
    if (error instanceof Failure && error.kind === 'missing') return []
    throw error
  }
}

/** A name that does not say which record is meant. */
export function ambiguousName(resource: Resource, name: string, records: readonly Answer[]): Failure {
  const list = records.map(
    record => `${record.id} (${[nameOf(resource, record), record.slug, record.city].filter(Boolean).join(', ')})`,
  )
  return new Failure('usage', `${records.length} ${resource.name} are called "${name}": ${list.join(', ')}`, {
    hint: 'say which by its ID',
  })
}

async function unknown(client: Client, resource: Resource, name: string): Promise<Failure> {
  const names: string[] = []
  for await (const page of client.pages(resource, { ...emptyToo(resource), per_page: largestPage }, 500))
    names.push(...page.records.map(record => nameOf(resource, record)))
  return unknownName(resource, name, names, client.calendar.label)
}

/** A name that nothing has, with the nearest of those that there are. */
export function unknownName(resource: Resource, name: string, names: readonly string[], label: string): Failure {
  const meant = nearest(name, names)
  return new Failure('missing', `no ${resource.singular} is called "${name}" at ${label}`, {
    hint: meant
      ? `did you mean "${meant}"? to make a new one add: --create-missing`
      : 'to make it add: --create-missing',
  })
}
