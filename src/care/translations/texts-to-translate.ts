import { decodeEntities } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { isBlanked } from '../../client/adapters/secret-values.ts'
import type { Client, Values } from '../../client/client.ts'
import { wholeListQuery } from '../../client/find/whole-lists.ts'
import { type Criteria, select, selectedPages } from '../../client/selection/criteria.ts'
import type { Language } from '../../contract/languages.ts'
import { storedValue } from '../../contract/record.ts'
import { type Answer, type Resource, textFields } from '../../contract/resource.ts'
import type { OutgoingRecord } from '../../files/texts/write-xliff.ts'
import type { SetReader } from './read-sets.ts'

/** The contents of the file for the translators of one language. */
export interface TranslationJob {
  readonly records: readonly OutgoingRecord[]
  /** The records without a translation that could get a text. */
  readonly missing: readonly Answer[]
}

interface TextRequest {
  readonly from: Language
  readonly to: readonly Language[]
  readonly criteria: Criteria
  readonly sets: SetReader
}

/** The texts of the selected records in a language with those of their translations, by the language of these. */
export async function textsToTranslate(
  client: Client,
  resource: Resource,
  request: TextRequest,
): Promise<Map<Language, TranslationJob>> {
  const { from, to, criteria, sets } = request
  const selection = await select(client, resource, criteria)
  const query = (filters: Values) => wholeListQuery({ resource }, filters)
  const selected: Answer[] = []
  for await (const { records } of selectedPages(client, resource, selection, query)) selected.push(...records)
  const found = await sets.setsOf({ resource, language: from, records: selected })
  const translationOf = ({ id }: Answer, language: Language) => found.get(id)?.records.get(language)
  const outgoing = await outgoingTexts(sets, { resource, from, to, originals: selected, translationOf })
  return new Map(
    Array.from(outgoing, ([language, records]): [Language, TranslationJob] => {
      const missing = new Set(records.flatMap(({ id, source }) => (id === undefined ? source : [])))
      return [
        language,
        {
          records: records.filter(({ id }) => id !== undefined),
          missing: selected.filter(({ id }) => missing.has(id)),
        },
      ]
    }),
  )
}

interface OutgoingRequest {
  readonly resource: Resource
  readonly from: Language
  readonly to: readonly Language[]
  readonly originals: readonly Answer[]
  readonly translationOf: (original: Answer, language: Language) => Answer | undefined
}

/** The stored texts of originals with those of their translations, by the language of these. Texts behind a password are left out. */
export async function outgoingTexts(
  { reader }: SetReader,
  { resource, from, to, originals, translationOf }: OutgoingRequest,
): Promise<Map<Language, OutgoingRecord[]>> {
  const names = translatedFields(resource)
  const stored = await reader.withRawValues({ resource, language: from }, originals, names)
  const readable = stored.filter(record => !isBlanked(resource, record))
  const outgoing = new Map<Language, OutgoingRecord[]>()
  for (const language of to) {
    const targets = readable.flatMap(record => translationOf(record, language) ?? [])
    const byId = new Map(
      (await reader.withRawValues({ resource, language }, targets, names)).map(record => [record.id, record]),
    )
    outgoing.set(
      language,
      readable.map(record => outgoingRecord(resource, record, byId.get(translationOf(record, language)?.id ?? 0))),
    )
  }
  return outgoing
}

const outgoingRecord = (resource: Resource, source: Answer, target: Answer | undefined): OutgoingRecord => ({
  resource: resource.name,
  id: target?.id,
  source: source.id,
  notes: notesOn(source),
  texts: translatedFields(resource)
    .map(field => ({ field, source: textOf(source, field), target: target ? textOf(target, field) : '' }))
    .filter(({ source }) => source.trim() !== ''),
})

/** Addresses need no translation. */
const translatedFields = (resource: Resource): string[] =>
  textFields(resource).flatMap(([name]) => (name === 'slug' ? [] : [name]))

/** A text in its stored form; if a site shows only the rendered one, in that form. */
function textOf(record: Answer, field: string): string {
  const stored = storedValue(field, record)
  return typeof stored === 'string' ? stored : decodeIfName(field, String(record[field] ?? ''))
}

/** Sites encode special characters in names, and render descriptions as HTML. */
const decodeIfName = (field: string, text: string): string =>
  field === 'description' || field === 'excerpt' ? text : decodeEntities(text)

/** Tells a translator which event it is, and where its page is. */
function notesOn({ start_date: start, end_date: end, venue, url }: Answer): Record<string, string> {
  const date = start === undefined ? '' : `${String(start).slice(0, 16)} – ${endText(String(start), String(end))}`
  const place = isObject(venue) ? decodeEntities(String(venue.venue ?? '')) : ''
  const notes = { date, venue: place, page: typeof url === 'string' ? url : '' }
  return Object.fromEntries(Object.entries(notes).filter(([, text]) => text !== ''))
}

const endText = (start: string, end: string): string =>
  end.startsWith(start.slice(0, 10)) ? end.slice(11, 16) : end.slice(0, 16)
