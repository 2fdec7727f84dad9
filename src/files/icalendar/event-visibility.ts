import { createHash } from 'node:crypto'
import { grouped } from '../../base/groups.ts'
import { memoize } from '../../base/memoize.ts'
import { keyOf } from '../../base/text/match-key.ts'
import { readDate } from '../../base/time/dates.ts'
import { withOffset } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { eventStatusOf } from '../../contract/event-status.ts'
import type { Status } from '../../contract/post-status.ts'
import { storedValue } from '../../contract/record.ts'
import type { Answer } from '../../contract/resource.ts'
import type { RecordEntry } from '../records/record-builder.ts'
import type { Component } from './component.ts'
import { copyText, firstValueOf, optionalValueOf, type XCalctlName, xCalctlValues } from './parse-components.ts'

/** Who may see an event: what iCalendar says about it (CLASS), and what calctl adds, so that no draft becomes public in a feed. */

/** The statuses in X-CALCTL-STATUS. An event without it is published. */
const carried: readonly Status[] = ['draft', 'pending', 'private', 'future']

const isUnfinished = (status: unknown): boolean => status === 'draft' || status === 'pending'

/** The properties for an event that is not public. They do not contain its password, only that there was one. */
export function visibilityProperties(event: Answer): readonly (readonly [XCalctlName, string])[] {
  const { status, hide_from_listings: isHidden } = event
  const eventStatus = eventStatusOf(event)
  const [date, utc] = [event.date, event.date_utc].map(text => readDate(String(text))?.wall)
  return [
    ...(carried.some(name => name === status) ? [['status', String(status)] as const] : []),
    ...(status === 'future' && date && utc ? [['date', withOffset(date, utc)] as const] : []),
    ...(eventStatus === undefined ? [] : [['event-status', eventStatus] as const]),
    ...(isHidden === true ? [['hide-from-listings', 'TRUE'] as const] : []),
    ...(hasPassword(event) ? [['protected', 'TRUE'] as const] : []),
  ]
}

/** Whether other programs should show an event only to its owner. */
export const isForOwnerOnly = (event: Answer): boolean => event.status === 'private' || hasPassword(event)

/** Whether an event has a password, which `withPasswordMarks` has marked. */
const hasPassword = (event: Answer): boolean => (storedValue('post_password', event) ?? '') !== ''

/** The entries of an event that say who may see it. */
export function visibilityEntries(component: Component): RecordEntry[] {
  const isHidden = xCalctlValues(component, 'hide-from-listings').some(isTrue)
  return [
    { name: 'status', value: statusOf(component), column: 'CLASS' },
    { name: 'event_status', value: exportedEventStatus(component), column: 'X-CALCTL-EVENT-STATUS' },
    { name: 'date', value: xCalctlValues(component, 'date')[0], column: 'X-CALCTL-DATE' },
    { name: 'hide_from_listings', value: isHidden || undefined, column: 'X-CALCTL-HIDE-FROM-LISTINGS' },
  ]
}

/** The status of an event: what an owner does not share must not be published. */
function statusOf(component: Component): string | undefined {
  const status = exportedStatus(component)
  const isPrivate =
    !wasProtected(component) && /^(private|confidential)$/i.test(optionalValueOf(component, 'class') ?? '')
  return isPrivate && !isUnfinished(status) ? 'private' : status
}

/** Whether an event that calctl exported takes place. An event that another program has cancelled is removed instead. */
export const exportedEventStatus = (component: Component): string | undefined =>
  xCalctlValues(component, 'event-status')[0]?.toLowerCase()

const exportedStatus = (component: Component): Status | undefined =>
  carried.find(status => xCalctlValues(component, 'status')[0]?.toLowerCase() === status)

const wasProtected = (component: Component): boolean => xCalctlValues(component, 'protected').some(isTrue)

const isTrue = (text: string): boolean => /^true$/i.test(text)

/** The status of a new event whose password was not exported; an existing event may still have its password. */
export const statusWithoutPassword = (component: Component): { readonly status: Status } | undefined =>
  wasProtected(component) && !isUnfinished(exportedStatus(component)) ? { status: 'private' } : undefined

/** Whether an event is tentative but will be published, because the file does not say what tentative means in its calendar. */
export const isTentative = (component: Component): boolean =>
  /^tentative$/i.test(optionalValueOf(component, 'status') ?? '') && statusOf(component) === undefined

/** A VEVENT and its position in the file: `event 3`. */
export interface PlacedEvent {
  readonly component: Component
  readonly place: string
}

/**
 * All VEVENTs with one UID (RFC 5545, 3.8.4.7). The newest revision counts, by SEQUENCE, then LAST-MODIFIED, then DTSTAMP. Overrides of
 * single occurrences (RECURRENCE-ID) belong to it.
 */
export type EventRevisions = ReturnType<typeof revisionsOf>

/**
 * Groups the events of a calendar by UID. One group at a time is parsed, because all of a large feed would need ten times its size in
 * memory.
 */
export function* groupRevisions(calendar: Component): Generator<EventRevisions> {
  const events = calendar.childrenNamed('vevent')
  const uids = events.map(component => {
    const uid = uidOf(component)
    component.forget()
    return uid
  })
  const placed = (index: number) => ({
    component: events[index] as Component,
    place: phrase('event {number}', { number: index + 1 }),
  })
  for (const [uid, indices] of grouped(events.keys(), index => uids[index] as string))
    yield revisionsOf(uid, indices.map(placed))
}

/** The UID, which RFC 5545 requires; events without one are told apart by title and start. */
const uidOf = (component: Component): string =>
  keyOf(component.uid) ?? copyText(`${firstValueOf(component, 'summary')} ${firstValueOf(component, 'dtstart')}`)

function revisionsOf(uid: string, all: readonly PlacedEvent[]) {
  const oldestFirst = all.toSorted((one, other) => compareAge(one.component, other.component))
  const isOverride = ({ component }: PlacedEvent) => component.has('recurrence-id')
  const events = oldestFirst.filter(event => !isOverride(event))
  const newest = events.at(-1)
  const isNewest = (event: PlacedEvent) =>
    event === newest || (newest && compareAge(event.component, newest.component) === 0)
  const [event, ...others] = events.filter(isNewest)
  return {
    uid,
    place: event?.place ?? all[0]?.place ?? '',
    /** The newest revision; missing if the feed has only overrides. */
    event: event?.component,
    overrides: oldestFirst.filter(isOverride).map(({ component }) => component),
    /** Different events with the same UID and as new as `event`. */
    duplicates: others.filter(other => !isEqual(other, event)),
    /** Older events that differ from `event`. */
    replaced: events.filter(other => !isNewest(other) && !isEqual(other, event)),
  }
}

/** Whether two events have the same lines, except for those that say when they were written. */
const isEqual = (one: PlacedEvent, other: PlacedEvent | undefined): boolean =>
  other !== undefined && textOf(one.component) === textOf(other.component)

const textOf = ({ lines }: Component): string =>
  lines
    .map(({ text }) => text)
    .filter(text => !/^(DTSTAMP|CREATED|LAST-MODIFIED|SEQUENCE)\b/i.test(text))
    .join('\n')

/** Negative if the first one is older. */
function compareAge(one: Component, other: Component): number {
  const revision = Number(firstValueOf(one, 'sequence')) - Number(firstValueOf(other, 'sequence'))
  if (revision) return revision
  for (const property of ['last-modified', 'dtstamp']) {
    const [first, second] = [firstValueOf(one, property), firstValueOf(other, property)]
    if (first !== second) return first < second ? -1 : 1
  }
  return 0
}

/** An event in messages: `event 3 "Fira"`. */
export const describeEvent = ({ place, component }: PlacedEvent): string =>
  `${place} "${optionalValueOf(component, 'summary') ?? firstValueOf(component, 'uid')}"`

/**
 * The slug of an event in a feed. It is made from the UID and, for an occurrence of a series, from its day, so that the same event gets it
 * each time the feed is read. At most 155 characters of `[a-z0-9-]`; a digest tells apart UIDs that differ only in other characters.
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

/** Splits a slug of `feedSlug` into the part made from the UID and the day of the occurrence, `20261205`, empty if there is none. */
export function splitFeedSlug(slug: string): { readonly uidSlug: string; readonly day: string } {
  const [, uidSlug = slug, day = ''] = /^(.+)-(\d{8})(?:t\d{6})?$/.exec(slug) ?? []
  return { uidSlug, day }
}
