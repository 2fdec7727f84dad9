/**
 * Open data in JSON as events, by a small map: where in the data the list is, and from which key each field is read. Two maps are known by
 * name, and recognized: that of the Agenda cultural de Catalunya on a portal of Socrata, and that of OpenAgenda.
 */

import { isObject } from '../base/text/json.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Language } from '../contract/languages.ts'
import { isWebsite } from './icalendar/event-entries.ts'
import maps from './known-maps.json' with { type: 'json' }
import { parseObject } from './placed-values.ts'
import type { FileReading } from './records/file-reading.ts'
import type { FileRecord } from './records/file-record.ts'
import { checkResource, type ToldEvent, toldRecords } from './told-events.ts'

/**
 * A field → the key of its value: `location.name` is within an object, `a|b` is the first that is not empty, `a+b` is both together. Beside
 * the fields there are `list`, `each` (the key of a list of times, from which the dates are read), `uid`, `venue.city` and the like, and
 * `cancelled` and `postponed`, which hold if a key has a value: `status=6`.
 */
export type JsonMap = Readonly<Record<string, string>>

/** The maps that are known by name. The `excerpt` of Socrata's has the hours, in words. */
export const knownMaps: Readonly<Record<string, JsonMap>> = maps

/** The map for a text: the given one, or that of which the beginning of the text has the keys. */
export function mapFor(given: string | JsonMap | undefined, start: string): JsonMap | undefined {
  if (given !== undefined) return typeof given === 'string' ? knownMaps[given] : given
  if (/"denominaci"\s*:/.test(start) && /"data_inici"\s*:/.test(start)) return knownMaps.socrata
  return /"timings"\s*:/.test(start) && /"(originAgenda|lastTiming)"\s*:/.test(start) ? knownMaps.openagenda : undefined
}

/** Reads the events in a text by a map. */
export function readMapped(text: string, map: JsonMap, reading: FileReading): FileRecord[] {
  checkResource(reading)
  const whole = parseObject(text, reading.name)
  const list = map.list === undefined ? whole : valueAt(whole, map.list)
  const rows = [inLanguage(list, reading.language)].flat().filter(isObject)
  const total = isObject(whole) ? Number(whole.total) : 0
  if (total > rows.length)
    reading.notice(
      phrase('{file} has {count} of {total} events: ask for more of them in the address', {
        file: reading.name,
        count: rows.length,
        total,
      }),
    )
  return toldRecords(
    rows.flatMap((row, index) => eventsOf(row, phrase('item {number}', { number: index + 1 }), map)),
    reading,
  )
}

type Row = Readonly<Record<string, unknown>>

/** The event of a row, or one for each of its times. */
function eventsOf(row: Row, place: string, map: JsonMap): ToldEvent[] {
  const read = (name: string) => (map[name] === undefined ? undefined : textAt(row, map[name]))
  const title = read('title')
  const facts = {
    uid: read('uid') ?? `${title} ${read('start_date')}`,
    isCancelled: holds(row, map.cancelled),
    values: { ...valuesOf(row, map), ...(holds(row, map.postponed) && { event_status: 'postponed' }) },
  }
  const times = map.each === undefined ? [row] : [valueAt(row, map.each)].flat().filter(isObject)
  return times.map((time, index) => ({
    ...facts,
    ...(map.each !== undefined && { isOneOfSeveral: true }),
    ...datesOf(textAt(time, map.start_date ?? ''), textAt(time, map.end_date ?? '')),
    place: times.length > 1 ? `${place}, ${phrase('time {number}', { number: index + 1 })}` : place,
  }))
}

/** Portals without hours write midnight; then the event lasts the whole day. */
function datesOf(start: string | undefined, end: string | undefined) {
  const isMidnight = (text: string | undefined) => text === undefined || /T00:00:00(\.0+)?$/.test(text)
  const dayOf = (text: string | undefined) => text?.slice(0, 10)
  return isMidnight(start) && isMidnight(end) ? { start: dayOf(start), end: dayOf(end) } : { start, end }
}

/** Names in the map that are not fields of events. */
const ownNames = /^(list|each|uid|cancelled|postponed|start_date|end_date)$|\./

function valuesOf(row: Row, map: JsonMap): Row {
  const values: Record<string, unknown> = {}
  for (const [name, key] of Object.entries(map)) if (!ownNames.test(name)) values[name] = textAt(row, key)
  for (const name of ['categories', 'tags'])
    if (map[name] !== undefined) values[name] = namesIn(alternatives(row, map[name]).find(hasText))
  for (const name of ['website', 'image']) if (!isWebsite(values[name] as string | undefined)) delete values[name]
  if (values.venue !== undefined) values.venue = [{ venue: values.venue, ...partsOf('venue', row, map) }]
  if (values.organizer !== undefined)
    values.organizer = [{ organizer: values.organizer, ...partsOf('organizer', row, map) }]
  return values
}

/** What a map says of a place beside its name. */
function partsOf(place: string, row: Row, map: JsonMap): Row {
  const parts = Object.entries(map).filter(([name]) => name.startsWith(`${place}.`))
  const told = parts.map(([name, key]) => [name.slice(place.length + 1), textAt(row, key)])
  return Object.fromEntries(told.filter(([, text]) => text !== undefined))
}

function holds(row: Row, condition: string | undefined): boolean {
  const [key = '', value] = condition?.split('=') ?? []
  return condition !== undefined && textAt(row, key) === value
}

/** The values of each alternative of a key. */
const alternatives = (row: Row, key: string): unknown[] =>
  key.split('|').map(one => {
    const parts = one.split('+').map(part => valueAt(row, part.trim()))
    return parts.length === 1 ? parts[0] : parts.every(hasText) && parts.join('')
  })

const hasText = (value: unknown): boolean =>
  (typeof value === 'string' && value.trim() !== '') ||
  typeof value === 'number' ||
  (typeof value === 'object' && value !== null)

function textAt(row: Row, key: string): string | undefined {
  const [first] = [alternatives(row, key).find(hasText)].flat()
  return hasText(first) && typeof first !== 'object' ? withoutPath(String(first).trim()) : undefined
}

const valueAt = (value: unknown, key: string): unknown =>
  key.split('.').reduce<unknown>((inner, name) => (inner as Row | null | undefined)?.[name], value)

/** A value with each text that comes in several languages, `{"ca": …, "en": …}`, in this one, or else in the first. */
function inLanguage(value: unknown, language: Language | undefined): unknown {
  if (Array.isArray(value)) return value.map(item => inLanguage(item, language))
  if (!isObject(value)) return value
  const keys = Object.keys(value)
  if (keys.length > 0 && keys.every(key => /^[a-z]{2}$/.test(key)))
    return value[language ?? ''] ?? Object.values(value)[0]
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inLanguage(inner, language)]))
}

/** Names in a list, or in a text with commas. */
function namesIn(value: unknown): string[] | undefined {
  const texts = typeof value === 'string' ? value.split(',') : [value].flat()
  const names = texts.filter(text => typeof text === 'string').map(text => withoutPath(text.trim()))
  return names.length > 0 ? names : undefined
}

/** `agenda:ambits/musica` is the path of a term. */
const withoutPath = (text: string): string => (/^\w+:[\w-]+(\/[\w-]+)+$/.test(text) ? text.replace(/^.*\//, '') : text)
