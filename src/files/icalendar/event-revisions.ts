import { createHash } from 'node:crypto'
import { memoize } from '../../base/memoize.ts'
import type { Component } from './component.ts'
import { copyText } from './parse-components.ts'
import { firstValueOf, optionalValueOf } from './properties.ts'

/** A VEVENT and its position in the file: `event 3`. */
export interface PlacedEvent {
  readonly component: Component
  readonly place: string
}

/**
 * All VEVENTs with one UID (RFC 5545, 3.8.4.7). The newest revision counts, by SEQUENCE, then LAST-MODIFIED, then DTSTAMP;
 * overrides of single occurrences (RECURRENCE-ID) belong to it.
 */
export interface EventRevisions {
  readonly uid: string
  readonly place: string
  /** The newest revision; missing if the feed has overrides only. */
  readonly event?: Component
  /** Overrides of single occurrences, oldest first. */
  readonly overrides: readonly Component[]
  /** Different events with the same UID and as new as `event`. */
  readonly duplicates: readonly PlacedEvent[]
  /** Older events that differ from `event`. */
  readonly replaced: readonly PlacedEvent[]
}

/** Groups the events of a calendar by UID. One group at a time is parsed: all of a large feed would take ten times its size. */
export function* groupRevisions(calendar: Component): Generator<EventRevisions> {
  const events = calendar.childrenNamed('vevent')
  const byUid = new Map<string, number[]>()
  for (const [index, component] of events.entries()) {
    const uid = uidOf(component)
    const others = byUid.get(uid)
    if (others) others.push(index)
    else byUid.set(uid, [index])
    component.forget()
  }
  const placed = (index: number) => ({ component: events[index] as Component, place: `event ${index + 1}` })
  for (const [uid, indices] of byUid) yield revisionsOf(uid, indices.map(placed))
}

/** Events without a UID, which RFC 5545 requires, are told apart by title and start. */
const uidOf = (component: Component): string =>
  component.uid || copyText(`${firstValueOf(component, 'summary')} ${firstValueOf(component, 'dtstart')}`)

function revisionsOf(uid: string, all: readonly PlacedEvent[]): EventRevisions {
  const [only] = all
  if (only && all.length === 1 && !only.component.has('recurrence-id'))
    return { uid, place: only.place, event: only.component, overrides: [], duplicates: [], replaced: [] }
  const oldestFirst = all.toSorted((one, other) => compareAge(one.component, other.component))
  const isOverride = ({ component }: PlacedEvent) => component.has('recurrence-id')
  const events = oldestFirst.filter(event => !isOverride(event))
  const newest = events.at(-1)
  const newestEvents = newest ? events.filter(event => compareAge(event.component, newest.component) === 0) : []
  const [event, ...others] = newestEvents
  return {
    uid,
    place: event?.place ?? all[0]?.place ?? '',
    ...(event && { event: event.component }),
    overrides: oldestFirst.filter(isOverride).map(({ component }) => component),
    duplicates: others.filter(other => !isEqual(other, event)),
    replaced: events.filter(other => !newestEvents.includes(other) && !isEqual(other, event)),
  }
}

/** Whether two events have the same lines, but for those that say when they were written. */
const isEqual = (one: PlacedEvent, other: PlacedEvent | undefined): boolean =>
  other !== undefined && textOf(one.component) === textOf(other.component)

const textOf = ({ lines }: Component): string =>
  lines
    .map(({ text }) => text)
    .filter(text => !/^(DTSTAMP|CREATED|LAST-MODIFIED|SEQUENCE)\b/i.test(text))
    .join('\n')

/** Negative if the first is older. */
function compareAge(one: Component, other: Component): number {
  const revision = Number(firstValueOf(one, 'sequence')) - Number(firstValueOf(other, 'sequence'))
  if (revision) return revision
  for (const property of ['last-modified', 'dtstamp']) {
    const [first, second] = [firstValueOf(one, property), firstValueOf(other, property)]
    if (first !== second) return first < second ? -1 : 1
  }
  return 0
}

/** An event as messages name it: `event 3 "Fira"`. */
export const describeEvent = ({ place, component }: PlacedEvent): string =>
  `${place} "${optionalValueOf(component, 'summary') ?? firstValueOf(component, 'uid')}"`

/**
 * The slug of a feed's event. It is made from the UID, so that the same event gets it each time the feed is read, and for an
 * occurrence of a series from its day too. At most 155 characters of `[a-z0-9-]`; the digest tells UIDs apart that differ in
 * other characters only.
 */
export const feedSlug = (uid: string, occurrence?: string): string =>
  occurrence ? `${uidSlug(uid)}-${occurrence}` : uidSlug(uid)

const uidSlug = memoize(uid => {
  const readable = uid
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 120)
    .replace(/^-|-$/g, '')
  const digest = createHash('sha256').update(uid).digest('hex').slice(0, 10)
  return readable === '' ? digest : `${readable}-${digest}`
})

/**
 * Splits a slug of `feedSlug` into the part made from the UID and the day of the occurrence, `20261205`, empty if there
 * is none.
 */
export function splitFeedSlug(slug: string): { readonly uidSlug: string; readonly day: string } {
  const [, uidSlug = slug, day = ''] = /^(.+)-(\d{8})(?:t\d{6})?$/.exec(slug) ?? []
  return { uidSlug, day }
}
