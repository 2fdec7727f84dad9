import { createHash } from 'node:crypto'
import { nameKey } from '../base/text/match-key.ts'
import { toUtc } from '../base/time/zone.ts'
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

/** The name under which a cancellation is remembered, beside the fields: with what waited for a person then, or true. */
export const removalSign = '(removed)'

/** By what a source knows its event: UID and occurrence, of which the slug is made; its ID; else moment, place and title. */
export function keyOfRecord({ id, values }: FileRecord): string {
  if (typeof values.slug === 'string' && values.slug !== '') return values.slug
  return id === undefined ? keyOfValues(values) : String(id)
}

/** A key made of moment, place and title, which lasts no longer than they do. */
export const keyOfValues = ({ title, start_date, venue = null }: Values): string =>
  createHash('sha256')
    .update([nameKey(title), start_date, JSON.stringify(venue)].join('\n'))
    .digest('base64url')
    .slice(0, 22)

/**
 * What a record says. A slug is the key of the source, no word about the record, and passwords are not kept. An event that is called off
 * is for the rest as it was said before.
 */
export function saidBy({ resource, values, cleared, action }: FileRecord, event: Remembered | undefined): Values {
  if (action === 'trash') return { ...event?.said, [removalSign]: event?.said[removalSign] ?? event?.waiting ?? true }
  const { fields } = resourceNamed(resource)
  const isSaid = (name: string) => fields[name]?.secret !== true && fields[name]?.queryOnly !== true && name !== 'slug'
  const said = Object.entries(values).filter(([name]) => isSaid(name))
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
  const inUtc = (wall: unknown) => (wall ? toUtc(String(wall), String(values.timezone || zone)) : undefined)
  return {
    ...values,
    id: 0,
    utc_start_date: inUtc(values.start_date),
    utc_end_date: inUtc(values.end_date),
    venue: typeof venue === 'string' ? { venue } : venue,
  }
}
