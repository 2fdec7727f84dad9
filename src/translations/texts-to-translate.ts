import type { Client } from '../client/client.ts'
import { isBlanked } from '../client/protected-record.ts'
import { type Criteria, select } from '../client/selection/criteria.ts'
import { selectedPages } from '../client/selection/selected-records.ts'
import { wholeListQuery } from '../client/whole-list.ts'
import { withRawValues } from '../client/wordpress/raw-values.ts'
import type { Language } from '../contract/languages.ts'
import { type Answer, isObject, type Resource, textFields } from '../contract/resource.ts'
import type { OutgoingRecord } from '../files/xliff/write-xliff.ts'
import { decodeEntities } from '../text/normalize.ts'
import { translationSets } from './sets.ts'
import type { TranslationSet } from './translation-set.ts'

/** What goes to the translators of one language. */
export interface TranslationJob {
  readonly records: readonly OutgoingRecord[]
  /** The records that have no translation yet, which could take a text. */
  readonly missing: readonly Answer[]
}

/** The texts of the selected records in a language, with those of their translations, by the language of these. */
export async function textsToTranslate(
  client: Client,
  resource: Resource,
  { from, to, criteria }: { from: Language; to: readonly Language[]; criteria: Criteria },
): Promise<Map<Language, TranslationJob>> {
  const names = translatedFields(resource)
  const selection = await select(client, resource, criteria)
  const read = async (language: Language, selected = {}) => {
    const records: Answer[] = []
    const query = (filters: object) => wholeListQuery({ resource, language }, { ...filters })
    for await (const page of selectedPages(client, resource, { filters: {}, ...selected }, query))
      records.push(...(await withRawValues(client, resource, page.records, names, language)))
    return records.filter(record => !isBlanked(resource, record))
  }
  const sources = await read(from, selection)
  const byLanguage = new Map<Language, Answer[]>([[from, sources]])
  for (const language of to) byLanguage.set(language, sources.length === 0 ? [] : await read(language))
  const sets = translationSets(byLanguage, { resource })
  return new Map(to.map(language => [language, jobFor(resource, sets, from, language)]))
}

function jobFor(resource: Resource, sets: readonly TranslationSet[], from: Language, to: Language): TranslationJob {
  const missing: Answer[] = []
  const records: OutgoingRecord[] = []
  for (const set of sets) {
    const source = set.records.get(from)
    const target = set.records.get(to)
    if (source && !target) missing.push(source)
    if (!source || !target) continue
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
  const stored = record.raw?.[field]
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
