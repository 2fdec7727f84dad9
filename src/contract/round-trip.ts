import type { Field } from './field.ts'
import type { Answer, Resource } from './resource.ts'

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
  const stored = answer.raw?.[name]
  return stored === undefined ? field.kind.roundTrip({ name, field, answer }) : stored
}

/** Whether a field is empty and the answer shows something else in its place. */
export const isShownEmpty = (name: string, { emptyAs }: Field, answer: Answer): boolean =>
  emptyAs !== undefined && answer[name] === answer[emptyAs]

/** The value of a field in an answer; empty if the site shows something else instead of the empty value. */
export const shownValue = (name: string, field: Field, answer: Answer): unknown =>
  isShownEmpty(name, field, answer) ? '' : answer[name]
