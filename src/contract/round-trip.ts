import { isObject } from '../text/json.ts'
import { readDate } from '../time/dates.ts'
import { isZone, withOffsetIfAmbiguous } from '../time/zone.ts'
import type { Field } from './field.ts'
import type { Answer, Resource } from './resource.ts'
import { writtenCost } from './site-cost.ts'

/**
 * The round trip of a field: from an answer back into a request, so that the field stays as it is. The Events Calendar resets
 * what an update of an event, venue or organizer leaves out; the fields that it resets are marked `preserved`.
 */
export function preservedFields(resource: Resource, answer: Answer, values: Readonly<Record<string, unknown>>) {
  const kept: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!field.preserved || (field.sameAs !== undefined && field.sameAs in values)) continue
    const value = roundTrip(name, field, answer)
    if (value !== undefined && value !== null) kept[name] = value
  }
  return kept
}

/** The value to send so that a field stays as this answer shows it. */
export function roundTrip(name: string, field: Field, answer: Answer): unknown {
  const value = answer[name]
  const stored = answer.raw?.[name]
  if (stored !== undefined) return stored
  switch (field.kind.name) {
    case 'image':
      // Answered as an object, written as text: the ID.
      return isObject(value) && value.id !== undefined ? String(value.id) : undefined
    case 'posts':
      return Array.isArray(value) ? value.flatMap(linked => (isObject(linked) ? [linked.id] : [])) : undefined
    case 'url':
      return field.emptyAs === undefined ? value : writtenUrl(name, field, answer)
    case 'cost':
      return writtenCost(answer[name], answer[`${name}_details`])
    case 'dateTime':
      return writtenDate(name, answer)
    default:
      return field.asText && value !== undefined ? String(value) : value
  }
}

/** Whether a field is empty and the answer shows something else in its place. */
export const isShownEmpty = (name: string, { emptyAs }: Field, answer: Answer): boolean =>
  emptyAs !== undefined && answer[name] === answer[emptyAs]

/** The value of a field in an answer; empty if the site shows something else instead of the empty value. */
export const shownValue = (name: string, field: Field, answer: Answer): unknown =>
  isShownEmpty(name, field, answer) ? '' : answer[name]

/** A site escapes ampersands in the URL of an event. */
const writtenUrl = (name: string, field: Field, answer: Answer): string =>
  String(shownValue(name, field, answer) ?? '').replaceAll('&amp;', '&')

/** Where clocks are set back an hour occurs twice, and services differ in which one they take. */
function writtenDate(name: string, answer: Answer): unknown {
  const { [name]: wall, [`utc_${name}`]: utc, timezone: zone } = answer
  return isDate(wall) && isDate(utc) && typeof zone === 'string' && isZone(zone)
    ? withOffsetIfAmbiguous(wall, utc, zone)
    : wall
}

const isDate = (value: unknown): value is string => typeof value === 'string' && readDate(value) !== undefined
