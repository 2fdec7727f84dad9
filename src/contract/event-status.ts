import { decodeEntities } from '../base/text/escaping.ts'
import { foldCase } from '../base/text/folding.ts'
import { isObject } from '../base/text/json.ts'
import { say, type Words } from './languages.ts'
import { storedValue } from './record.ts'
import type { Answer } from './resource.ts'

/** The statuses of events that do not take place as announced, as The Events Calendar names them. */
export const eventStatuses = ['canceled', 'postponed'] as const

export type EventStatus = (typeof eventStatuses)[number]

/** The words that people write for them, without accents and punctuation. */
const words: readonly (readonly [EventStatus, RegExp])[] = [
  ['canceled', /^(cancel+(at|ad)[ao]?|cancel+ed|anul+(at|ad)[ao]?|suspes[a]?|suspendid[ao])$/],
  ['postponed', /^(ajornat|ajornada|aplacad[ao]|aplazad[ao]|aplacat|pos(t)?posad[ao]|posposat|postponed)$/],
]

export function eventStatusNamed(word: string): EventStatus | undefined {
  const letters = foldCase(word).replace(/[^a-z]/g, '')
  return words.find(([, pattern]) => pattern.test(letters))?.[0]
}

/** For calendars without event statuses: the name of a tag, and the mark in capitals before the title. */
export const statusMarks: Readonly<Record<EventStatus, Words>> = {
  canceled: say('Cancel·lat', 'Cancelled', 'Cancelado'),
  postponed: say('Ajornat', 'Postponed', 'Aplazado'),
}

const markOf = /^\s*[[(*]?\s*([\p{L}·.]{6,14})\s*[\])*]?\s*[:–—-]\s+(?=\S)/u

export function unmarkedTitle(title: string): string {
  const [whole = '', word = ''] = markOf.exec(title) ?? []
  return eventStatusNamed(word) === undefined ? title : title.slice(whole.length)
}

const isEventStatus = (value: unknown): value is EventStatus => eventStatuses.some(status => status === value)

/** The status of an event: from the field, from a site's data for search engines, or from the mark in the title. */
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

/** The status of an event, unless the title says it. */
export function unsaidStatusOf(event: Answer): EventStatus | undefined {
  const title = decodeEntities(String(event.title ?? ''))
  return unmarkedTitle(title) === title ? eventStatusOf(event) : undefined
}

/** Why an event does not take place as announced. */
export const statusReasonOf = (event: Answer): unknown =>
  storedValue('event_status_reason', event) ?? event.event_status_reason

const dataStatus = (type: unknown): unknown => {
  if (type === 'https://schema.org/EventCancelled') return 'canceled'
  return type === 'https://schema.org/EventPostponed' ? 'postponed' : undefined
}
