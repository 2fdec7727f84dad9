import { quoted, titleOf } from '../../contract/record-title.ts'
import { type Answer, emptyToo, type Resource } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { shellWord } from '../../text/escaping.ts'
import { nearest } from '../../text/similarity.ts'
import { listOf } from '../../text/words.ts'
import type { Reads, Values } from '../client.ts'
import { listAllCommand } from '../http/problems/unavailable.ts'
import { wholeListQuery } from './whole-lists.ts'

/** How many records are named. */
const mostNamed = 3

/** How many of the records to come a mistyped title is compared with. */
const mostCompared = 500

/** The failure for a title in place of an ID or a slug, with the records that are probably meant. */
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
  const others = `list all with: ${listAllCommand(resource, client.calendar)} --search ${shellWord(title)}`
  const hint = `did you mean ${listOf(names, 'or')}?${found.length > mostNamed ? ` ${others}` : ''}`
  return new Failure(failure.kind, failure.message, { ...failure.details, hint })
}

/** The records with this text, those to come first; or else those of the most similar title. */
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
