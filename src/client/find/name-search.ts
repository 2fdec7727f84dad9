import { Failure } from '../../base/failure.ts'
import { memoizeByObject } from '../../base/memoize.ts'
import { shellWord } from '../../base/text/escaping.ts'
import { foldText } from '../../base/text/folding.ts'
import { nameKey, sameKey } from '../../base/text/match-key.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { nearest } from '../../base/text/similarity.ts'

import { phrase } from '../../base/words/phrase.ts'
import { type Answer, emptyToo, quoted, type Resource, titleOf } from '../../contract/resource.ts'
import type { Reads, Values } from '../client.ts'
import { listAllCommand } from '../http/problems/unavailable.ts'
import { type NameSource, nameIn, withName } from '../name-lookup.ts'
import { wholeListQuery } from './whole-lists.ts'

/** How many names are read to suggest one. */
const mostSuggested = 500

/**
 * Finds records by name: one request when a name is first needed, a second one if it is not found as written. IDs of terms are checked,
 * because services skip those that do not exist, so that an update would empty the field.
 */
export function createNameSearch(client: Reads): NameSource {
  const found = new Map<string, Promise<readonly Answer[]>>()
  const terms = new Set<string>()
  return {
    calendar: client.calendar,
    find(resource, name) {
      const key = `${resource.name} ${foldText(name)}`
      const search = found.get(key) ?? findByName(client, resource, name)
      found.set(key, search)
      return search
    },
    names: memoizeByObject(resource => namesOf(client, resource)),
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

/**
 * Which IDs of terms exist. Some services leave out IDs that do not exist; others refuse the whole list, and then each one is requested.
 */
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
  if (nameKey(name) === undefined) return []
  const isNamed = (record: Answer) => sameKey(nameKey(record.slug), nameKey(name))
  for (const search of searchTexts(name)) {
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
 * What to search for to find a name. Sites store some characters as entities and others as typed, and search in what they store: a name
 * with such characters is also searched for by its longest word.
 */
function searchTexts(name: string): string[] {
  const text = name.trim()
  if (!/[^\p{L}\p{M}\p{N}\s-]/u.test(text)) return [text]
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u)
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '')
  return [...new Set([text, longest])]
}

/** All names of venues, because one that is not read could have the same right to a name; of other records, as many as help to suggest one. */
async function namesOf(client: Reads, resource: Resource): Promise<string[]> {
  const names: string[] = []
  const most = resource.name === 'venues' ? undefined : mostSuggested
  for await (const page of client.pages(resource, wholeListQuery({ resource }), most))
    names.push(...page.records.map(record => nameIn(resource, record)))
  return names
}

/** How many records a suggestion names. */
const mostNamed = 3

/** How many upcoming records a mistyped title is compared with. */
const mostCompared = 500

/** The failure for a title in place of an ID or slug, with the records that are probably meant. */
export async function withSuggestion(
  client: Reads,
  resource: Resource,
  { title, language }: { readonly title: string; readonly language: unknown },
  failure: Failure,
): Promise<Failure> {
  const found = await similarRecords(client, resource, title, language ? { lang_code: language } : {}).catch(error => {
    if (error instanceof Failure && error.kind !== 'interrupted') return []
    throw error
  })
  if (found.length === 0) return failure
  const names = found.slice(0, mostNamed).map(record => `${record.id} (${nameOf(resource, record)})`)
  const suggestion = listOf(names, 'or')
  const command = `${listAllCommand(resource, client.calendar)} --search ${shellWord(title)}`
  const hint =
    found.length > mostNamed
      ? phrase('did you mean {suggestion}? {hint}', {
          suggestion,
          hint: phrase('list all with: {command}', { command }),
        })
      : phrase('did you mean {suggestion}?', { suggestion })
  return new Failure(failure.kind, failure.message, { ...failure.details, hint, hasSuggestion: true })
}

/** The records with this text, upcoming ones first; if there are none, those with the most similar title. */
async function similarRecords(client: Reads, resource: Resource, title: string, scope: Values): Promise<Answer[]> {
  const search = { ...scope, search: title, per_page: mostNamed + 1 }
  const current = await client.list(resource, { ...emptyToo(resource), ...search })
  if (current.records.length > 0) return [...current.records]
  const { records } = await client.list(resource, wholeListQuery({ resource }, search))
  if (records.length > 0) return [...records]
  const all: Answer[] = []
  for await (const page of client.pages(resource, { ...emptyToo(resource), ...scope }, mostCompared))
    all.push(...page.records)
  const similar = nearest(
    title,
    all.map(record => titleOf(resource, record)),
  )
  return all.filter(record => titleOf(resource, record) === similar)
}

/** `"Mercat de pagès", 2026-12-05` */
const nameOf = (resource: Resource, record: Answer): string =>
  [
    quoted(String(record[resource.title] ?? '')),
    ...(record.start_date ? [String(record.start_date).slice(0, 10)] : []),
  ].join(', ')
