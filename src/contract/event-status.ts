import { decodeEntities } from '../base/text/escaping.ts'
import { isObject } from '../base/text/json.ts'
import { foldCase } from '../base/text/similarity.ts'
import { type Language, say, type Words } from './languages.ts'
import { storedValue } from './record.ts'
import type { Answer } from './resource.ts'

/** What an event can be that does not take place as it was announced, in the words of The Events Calendar. */
export const eventStatuses = ['canceled', 'postponed'] as const

export type EventStatus = (typeof eventStatuses)[number]

/** What people write of such events, without accents and signs. */
const words: readonly (readonly [EventStatus, RegExp])[] = [
  ['canceled', /^(cancel+(at|ad)[ao]?|cancel+ed|anul+(at|ad)[ao]?|suspes[a]?|suspendid[ao])$/],
  ['postponed', /^(ajornat|ajornada|aplacad[ao]|aplazad[ao]|aplacat|pos(t)?posad[ao]|posposat|postponed)$/],
]

/** The status that a word stands for in Catalan, Spanish or English; undefined if there is none. */
export function eventStatusNamed(word: string): EventStatus | undefined {
  const letters = foldCase(word).replace(/[^a-z]/g, '')
  return words.find(([, pattern]) => pattern.test(letters))?.[0]
}

/** Where a calendar has no such status: the name of the tag, which stands before the title in capitals. */
export const statusMarks: Readonly<Record<EventStatus, Words>> = {
  canceled: say('Cancel·lat', 'Cancelled', 'Cancelado'),
  postponed: say('Ajornat', 'Postponed', 'Aplazado'),
}

const markOf = /^\s*[[(*]?\s*([\p{L}·.]{6,14})\s*[\])*]?\s*[:–—-]\s+(?=\S)/u

/** A title without a mark of its status. */
export function unmarkedTitle(title: string): string {
  const [whole = '', word = ''] = markOf.exec(title) ?? []
  return eventStatusNamed(word) === undefined ? title : title.slice(whole.length)
}

/** `CANCEL·LAT: Concert de Nadal` */
export const markedTitle = (title: string, status: EventStatus, language: Language): string =>
  `${statusMarks[status][language].toUpperCase()}: ${unmarkedTitle(title)}`

export const isEventStatus = (value: unknown): value is EventStatus => eventStatuses.some(status => status === value)

/** The status of an event, by the field, by what a site tells search engines of it, or by the mark before its title. */
export function eventStatusOf(event: Answer): EventStatus | undefined {
  const { event_status: shown, json_ld: data, title } = event
  const stored = storedValue('event_status', event)
  const known = [stored, shown, dataStatus(isObject(data) ? data.eventStatus : undefined)].find(
    value => value !== undefined,
  )
  if (isEventStatus(known)) return known
  const [, word = ''] = markOf.exec(decodeEntities(String(title ?? ''))) ?? []
  return eventStatusNamed(word)
}

/** The status of an event whose title does not say it. */
export function unsaidStatusOf(event: Answer): EventStatus | undefined {
  const title = decodeEntities(String(event.title ?? ''))
  return unmarkedTitle(title) === title ? eventStatusOf(event) : undefined
}

const dataStatus = (type: unknown): unknown => {
  if (type === 'https://schema.org/EventCancelled') return 'canceled'
  return type === 'https://schema.org/EventPostponed' ? 'postponed' : undefined
}
