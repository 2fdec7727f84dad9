import { decodeEntities } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { isBlanked } from '../../client/adapters/secret-values.ts'
import type { Language } from '../../contract/languages.ts'
import { storedValue } from '../../contract/record.ts'
import { type Answer, type Resource, textFields } from '../../contract/resource.ts'
import { type TextId, textFingerprint } from '../../files/texts/text-ids.ts'
import type { SetReader } from './read-sets.ts'

/** A record to translate, with its texts in both languages. */
export type OutgoingRecord = ReturnType<typeof outgoingRecord>

export type OutgoingText = OutgoingRecord['texts'][number]

/** The ID of a text of a record. */
export const outgoingId = (
  { resource, id, source }: OutgoingRecord,
  text: OutgoingText,
  { from, to }: { readonly from: Language; readonly to: Language },
): TextId => ({
  resource,
  id,
  language: to,
  field: text.field,
  source: { id: source, language: from, fingerprint: textFingerprint(text.source) },
  target: textFingerprint(text.target),
})

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

const outgoingRecord = (resource: Resource, source: Answer, target: Answer | undefined) => ({
  resource: resource.name,
  /** The record with the translation; undefined if there is none. */
  id: target?.id,
  source: source.id,
  /** What translators should know about the record: by category, such as `date`. */
  notes: notesOn(source),
  /** Empty targets have no translation. */
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

/** Tells a translator which event it is. */
function notesOn({ start_date: start, end_date: end, venue }: Answer): Record<string, string> {
  const date = start === undefined ? '' : `${String(start).slice(0, 16)} – ${endText(String(start), String(end))}`
  const place = isObject(venue) ? decodeEntities(String(venue.venue ?? '')) : ''
  const notes = { date, venue: place }
  return Object.fromEntries(Object.entries(notes).filter(([, text]) => text !== ''))
}

const endText = (start: string, end: string): string =>
  end.startsWith(start.slice(0, 10)) ? end.slice(11, 16) : end.slice(0, 16)
