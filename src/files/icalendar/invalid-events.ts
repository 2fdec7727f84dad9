/** The events of a feed that cannot be read: each is a record with a mistake, which stops no other as long as there is one. */

import { resourceNamed } from '../../contract/contract.ts'
import type { FileRecord } from '../records/file-record.ts'
import type { Build, RecordEntry } from '../records/record-builder.ts'
import type { Component } from './component.ts'
import { partialDateEntries, textEntries } from './event-entries.ts'
import { describeEvent, type PlacedEvent } from './event-revisions.ts'
import type { ReadTimes } from './event-times.ts'
import { statusWithoutPassword } from './event-visibility.ts'
import { firstValueOf, type InvalidProperty } from './properties.ts'

/** A feed that cannot be read at all must not pass for one from which nothing has changed. */
export function* stoppingIfAllInvalid(records: Iterable<FileRecord>): Generator<FileRecord> {
  let invalid: FileRecord[] | undefined = []
  for (const record of records) {
    if (record.mistakes.length > 0 && invalid) {
      invalid.push(record)
      continue
    }
    if (invalid) yield* invalid
    invalid = undefined
    yield record
  }
  for (const { stopsOnlyItself, ...record } of invalid ?? []) yield record
}

interface ReadingContext {
  readonly build: Build
  readonly readTimes: ReadTimes
  /** The zone in which times in UTC, or in a zone without a name, are rendered. */
  readonly zone: string | undefined
}

/** The record of an event with an invalid property; it keeps the values that are valid. */
export function recordWithMistake(
  event: PlacedEvent,
  slug: readonly RecordEntry[],
  { property, expected, value }: InvalidProperty,
  { build, readTimes, zone }: ReadingContext,
): FileRecord {
  const { component } = event
  const entries = [...slug, ...textEntries(component), ...partialDateEntries(component, readTimes, zone)]
  const column = property.toUpperCase()
  const isMissing = property !== '' && value === ''
  const hasEnd = entries.some(entry => entry.name === 'end_date' && entry.value)
  const advice = hasEnd ? undefined : rowAdvice(component)
  const mistakes = [
    { column, expected, value, ...(isMissing && { message: `${column} is missing` }), ...(advice && { advice }) },
  ]
  const source = { ...sourceOf(entries), ...statusWithoutPassword(component) }
  return { ...build(resourceNamed('events'), slug, describeEvent(event)), mistakes, source }
}

/** The values of entries by field, for a row of `--errors`. */
export const sourceOf = (entries: readonly RecordEntry[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(entries.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]))

/** What a row for an event without a readable end needs, besides what is wrong: it cannot follow from another start there. */
function rowAdvice(component: Component): string {
  const duration = firstValueOf(component, 'duration')
  return `in a row of --errors, give start_date and end_date${duration && ` (${duration} later)`}`
}
