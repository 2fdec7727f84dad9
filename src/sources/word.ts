import { createHash } from 'node:crypto'
import { nameKey } from '../base/text/match-key.ts'
import { withWallTimes } from '../changes/plan/match/step-keys.ts'
import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Answer } from '../contract/resource.ts'
import type { FileRecord } from '../files/records/file-record.ts'
import { type Remembered, saysTheSame } from './memory.ts'

/** What a source says now of one of its events, and what is remembered of it. */
export interface Word {
  readonly source: string
  readonly key: string
  readonly record: FileRecord
  readonly said: Values
  readonly event?: Remembered
}

/** The day on which an event starts; empty if it is not known. */
export const dayOf = ({ start_date }: Values): string => /^\d{4}-\d\d-\d\d/.exec(String(start_date ?? ''))?.[0] ?? ''

/** The name under which a cancellation is remembered, beside the fields. */
export const removalSign = '(removed)'

/** By what a source knows its event: UID and occurrence, of which the slug is made; its ID; else moment, place and title. */
export function keyOfRecord({ resource, id, values }: FileRecord): string {
  if (typeof values.slug === 'string' && values.slug !== '') return values.slug
  if (id !== undefined) return String(id)
  const { title } = resourceNamed(resource)
  const place = JSON.stringify(values.venue ?? null)
  return createHash('sha256')
    .update([nameKey(values[title]), values.start_date, place].join('\n'))
    .digest('base64url')
    .slice(0, 22)
}

/**
 * What a record says. A slug that was made from a UID is no word about the record, and passwords are not kept. An event that is called off
 * is for the rest as it was said before.
 */
export function saidBy(
  { resource, values, cleared, action, series }: FileRecord,
  event: Remembered | undefined,
): Values {
  if (action === 'trash') return { ...event?.said, [removalSign]: true }
  const { fields } = resourceNamed(resource)
  const isSaid = (name: string) => fields[name]?.secret !== true && fields[name]?.queryOnly !== true
  const said = Object.entries(values).filter(([name]) => isSaid(name) && !(name === 'slug' && series))
  return {
    ...Object.fromEntries(said),
    ...Object.fromEntries(cleared.map(name => [name, null])),
  }
}

/** Whether a source says of an event what it said before, and nobody has decided anything since. */
export const isUnchanged = ({ event, key, said }: Word): boolean =>
  event !== undefined &&
  event.key === key &&
  event.waiting === undefined &&
  event.mark !== 'wanted' &&
  event.perhaps === undefined &&
  saysTheSame(event.said, said)

/** A word in the form of a record, for comparing it with those of a site. */
export function asAnswer({ values: given }: Pick<FileRecord, 'values'>, zone: string): Answer {
  const values = withWallTimes(given, zone)
  const [venue] = [values.venue].flat()
  return { ...values, id: 0, venue: typeof venue === 'string' ? { venue } : venue }
}
