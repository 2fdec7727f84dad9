import { decodeEntities } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { isBlanked } from '../../client/adapters/secret-values.ts'
import { withRawValues } from '../../client/adapters/stored-records.ts'
import type { Client, Values } from '../../client/client.ts'
import { wholeListQuery } from '../../client/find/whole-lists.ts'
import { type Criteria, select, selectedPages } from '../../client/selection/criteria.ts'
import type { Language } from '../../contract/languages.ts'
import { storedValue } from '../../contract/record.ts'
import { type Answer, type Resource, textFields } from '../../contract/resource.ts'
import type { OutgoingRecord } from '../../files/xliff/write-xliff.ts'
import type { SetReader } from './read-sets.ts'

/** What goes to the translators of one language. */
export interface TranslationJob {
  readonly records: readonly OutgoingRecord[]
  /** The records that have no translation yet, which could take a text. */
  readonly missing: readonly Answer[]
}

interface TextRequest {
  readonly from: Language
  readonly to: readonly Language[]
  readonly criteria: Criteria
  readonly sets: SetReader
}

/** The texts of the selected records in a language, with those of their translations, by the language of these. */
export async function textsToTranslate(
  client: Client,
  resource: Resource,
  request: TextRequest,
): Promise<Map<Language, TranslationJob>> {
  const { from, to, criteria, sets } = request
  const names = translatedFields(resource)
  const selection = await select(client, resource, criteria)
  const query = (filters: Values) => wholeListQuery({ resource }, filters)
  const sources: Answer[] = []
  for await (const { records } of selectedPages(client, resource, selection, query))
    sources.push(...(await withRawValues(client, resource, records, { names, language: client.language })))
  const readable = sources.filter(record => !isBlanked(resource, record))
  const found = await sets.setsOf({ resource, language: from, records: readable })
  const jobs = new Map<Language, TranslationJob>()
  for (const language of to) {
    const targets = readable.flatMap(({ id }) => found.get(id)?.records.get(language) ?? [])
    const stored = await sets.reader.withRawValues({ resource, language }, targets, names)
    const byId = new Map(stored.map(record => [record.id, record]))
    jobs.set(
      language,
      jobFor(resource, readable, id => byId.get(found.get(id)?.records.get(language)?.id ?? 0)),
    )
  }
  return jobs
}

function jobFor(
  resource: Resource,
  sources: readonly Answer[],
  targetOf: (id: number) => Answer | undefined,
): TranslationJob {
  const missing: Answer[] = []
  const records: OutgoingRecord[] = []
  for (const source of sources) {
    const target = targetOf(source.id)
    if (!target) {
      missing.push(source)
      continue
    }
    const texts = translatedFields(resource).map(field => ({
      field,
      source: textOf(source, field),
      target: textOf(target, field),
    }))
    records.push({
      resource: resource.name,
      id: target.id,
      source: source.id,
      notes: notesOn(source),
      texts: texts.filter(({ source }) => source.trim() !== ''),
    })
  }
  return { records, missing }
}

/** Addresses are no texts for translators. */
const translatedFields = (resource: Resource): string[] =>
  textFields(resource).flatMap(([name]) => (name === 'slug' ? [] : [name]))

/** A text as it is stored; where a site shows only what it renders, that. */
function textOf(record: Answer, field: string): string {
  const stored = storedValue(field, record)
  return typeof stored === 'string' ? stored : decodeIfName(field, String(record[field] ?? ''))
}

/** Sites encode the signs in names, and render descriptions as HTML. */
const decodeIfName = (field: string, text: string): string =>
  field === 'description' || field === 'excerpt' ? text : decodeEntities(text)

/** What tells a translator which event it is, and where its page is. */
function notesOn({ start_date: start, end_date: end, venue, url }: Answer): Record<string, string> {
  const date = start === undefined ? '' : `${String(start).slice(0, 16)} – ${endText(String(start), String(end))}`
  const place = isObject(venue) ? decodeEntities(String(venue.venue ?? '')) : ''
  const notes = { date, venue: place, page: typeof url === 'string' ? url : '' }
  return Object.fromEntries(Object.entries(notes).filter(([, text]) => text !== ''))
}

const endText = (start: string, end: string): string =>
  end.startsWith(start.slice(0, 10)) ? end.slice(11, 16) : end.slice(0, 16)
