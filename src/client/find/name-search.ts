import { type Answer, emptyToo, type Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { foldText } from '../../text/similarity.ts'
import type { Reads } from '../client.ts'
import { type NameSource, nameIn, withName } from '../name-lookup.ts'
import { wholeListQuery } from './whole-lists.ts'

/** How many names are read for suggestions. */
const mostSuggested = 500

/**
 * Finds records by name with requests for each: one when the name is first needed, and a second one if it is not found as it is. IDs of
 * terms are checked, because services skip those that do not exist, so that an update would empty the field.
 */
export function createNameSearch(client: Reads): NameSource {
  const found = new Map<string, Promise<readonly Answer[]>>()
  const names = new Map<Resource, Promise<string[]>>()
  const terms = new Set<string>()
  return {
    calendar: client.calendar,
    find(resource, name) {
      const key = `${resource.name} ${foldText(name)}`
      const search = found.get(key) ?? findByName(client, resource, name)
      found.set(key, search)
      return search
    },
    names(resource) {
      const all = names.get(resource) ?? namesOf(client, resource)
      names.set(resource, all)
      return all
    },
    async unknownId(resource, { kind }, ids) {
      const unchecked = kind.isTerms ? ids.filter(id => !terms.has(`${resource.name} ${id}`)) : []
      if (unchecked.length === 0) return undefined
      const existing = await existingTerms(client, resource, unchecked)
      for (const id of existing) terms.add(`${resource.name} ${id}`)
      return unchecked.find(id => !existing.has(id))
    },
    record: (resource, id) => client.get(resource, { id }),
  }
}

/** Some services leave out IDs that do not exist, others refuse the whole list of them; then each is requested alone. */
async function existingTerms(client: Reads, resource: Resource, ids: readonly number[]): Promise<Set<number>> {
  const existing = new Set<number>()
  try {
    const query = wholeListQuery({ resource }, { include: ids.join(',') })
    for await (const page of client.pages(resource, query)) for (const { id } of page.records) existing.add(id)
  } catch (error) {
    if (!(error instanceof Failure) || error.details.status !== 400) throw error
    for (const id of ids) if ((await readOne(client, resource, { id })).length > 0) existing.add(id)
  }
  return existing
}

async function readOne(client: Reads, resource: Resource, ref: { id: number } | { slug: string }): Promise<Answer[]> {
  try {
    return [await client.get(resource, ref)]
  } catch (error) {
    if (error instanceof Failure && error.kind === 'missing') return []
    throw error
  }
}

async function findByName(client: Reads, resource: Resource, name: string): Promise<readonly Answer[]> {
  const isNamed = (record: Answer) => foldText(String(record.slug ?? '')) === foldText(name)
  for (const search of searchTexts(resource, name)) {
    const matches: Answer[] = []
    const query = { ...wholeListQuery({ resource }), ...(search !== '' && { search }) }
    for await (const { records } of client.pages(resource, query))
      matches.push(...records.filter(record => isNamed(record) || withName(resource, name, [record]).length > 0))
    if (matches.length > 0) return matches
  }
  if (!/^[\p{Ll}\d%-]+$/u.test(name)) return []
  if (!resource.keys.includes('slug'))
    return (await client.list(resource, { ...emptyToo(resource), slug: name })).records
  return readOne(client, resource, { slug: name })
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

async function namesOf(client: Reads, resource: Resource): Promise<string[]> {
  const names: string[] = []
  for await (const page of client.pages(resource, wholeListQuery({ resource }), mostSuggested))
    names.push(...page.records.map(record => nameIn(resource, record)))
  return names
}
