import { foldText } from '../base/text/folding.ts'
import { isObject } from '../base/text/json.ts'
import type { FileRecord } from '../files/records/file-record.ts'
import type { EventChoice, Source } from './source.ts'

/** The records of a source that its settings want, with what these say of all of them; and those that they leave out. */
export function chosenRecords(records: readonly FileRecord[], source: Source) {
  const chosen = new Set(records.filter(record => isChosen(record, source)))
  return {
    records: Array.from(chosen, record => withSettings(record, source)),
    leftOut: records.filter(record => !chosen.has(record)),
  }
}

/** An event that was called off says nothing else, so it is always chosen. */
function isChosen(record: FileRecord, { include, exclude }: Source): boolean {
  if (record.resource !== 'events' || record.action === 'trash') return true
  return (include === undefined || matches(record, include)) && (exclude === undefined || !matches(record, exclude))
}

function matches({ values }: FileRecord, { words, from, until }: EventChoice): boolean {
  const day = String(values.start_date ?? '').slice(0, 10)
  if (from !== undefined && day < from) return false
  if (until !== undefined && day > until) return false
  return words === undefined || words.some(word => hasWord(textOf(values), word))
}

const textFields = ['title', 'description', 'excerpt', 'venue', 'organizer', 'categories', 'tags']

const textOf = (values: FileRecord['values']): string =>
  foldText(textFields.map(name => namesIn(values[name]).join(' ')).join(' '))

/** The texts in a value: its own, or the names of what it links to. */
const namesIn = (value: unknown): string[] =>
  [value ?? []]
    .flat()
    .map(one => (isObject(one) ? (one.venue ?? one.organizer ?? one.name ?? '') : one))
    .map(String)

/** Whether a text has a word, or several in this order, as a whole. */
function hasWord(text: string, word: string): boolean {
  const wanted = foldText(word).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${wanted}(?![\\p{L}\\p{N}])`, 'u').test(text)
}

/** What an event needs to be created, whatever fields are wanted of it. */
const needed = ['title', 'start_date', 'end_date', 'all_day', 'timezone']

function withSettings(record: FileRecord, source: Source): FileRecord {
  if (record.resource !== 'events' || record.action === 'trash') return record
  const { fields, categories, tags, organizer, status, language } = source
  const told = { ...record.values, ...venueOf(record, source.places) }
  const isWanted = (name: string) => fields === undefined || name === 'slug' || fields.includes(name)
  const wanted = Object.entries(told).filter(([name]) => isWanted(name))
  const onlyIfNew = Object.entries(told).filter(([name]) => !isWanted(name) && needed.includes(name))
  const valuesIfNew = { ...record.valuesIfNew, ...Object.fromEntries(onlyIfNew), ...(status && { status }) }
  return {
    ...record,
    values: {
      ...Object.fromEntries(wanted),
      ...withNames('categories', record, categories),
      ...withNames('tags', record, tags),
      ...(organizer !== undefined && record.values.organizer === undefined && { organizer: [organizer] }),
    },
    ...(Object.keys(valuesIfNew).length > 0 && { valuesIfNew }),
    ...(language && { lang_code: language }),
  }
}

/** The venue that a source's name of a place means. */
function venueOf({ values }: FileRecord, places: Source['places'] = {}): object {
  const names = namesIn(values.venue).map(foldText)
  const meant = Object.entries(places).find(([name]) => names.includes(foldText(name)))
  return meant ? { venue: meant[1] } : {}
}

/** The names that a source gives all its events, and those of this one. */
function withNames(field: 'categories' | 'tags', { values }: FileRecord, names: readonly string[] = []): object {
  const own = [values[field] ?? []].flat()
  const known = own.map(name => foldText(String(name)))
  const added = names.filter(name => !known.includes(foldText(name)))
  return added.length > 0 ? { [field]: [...own, ...added] } : {}
}
