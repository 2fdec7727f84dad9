import type ICAL from 'ical.js'
import { rawOf, textOf } from './properties.ts'

/** An event as it stands in a file. */
export interface Told {
  readonly component: ICAL.Component
  /** Where it stands among the calendar's events: `event 3`. */
  readonly place: string
}

/** All that a calendar says of one UID. */
export interface Story {
  readonly uid: string
  readonly place: string
  readonly event?: ICAL.Component
  /** What was changed in single occurrences, the newest last. */
  readonly changes: readonly ICAL.Component[]
  /** Other events of this UID, as new as the event. */
  readonly rivals: readonly Told[]
}

/** The events of a calendar by UID. */
export function stories(calendar: ICAL.Component): Story[] {
  const byUid = new Map<string, Told[]>()
  calendar.getAllSubcomponents('vevent').forEach((component, index) => {
    const uid = uidOf(component)
    byUid.set(uid, [...(byUid.get(uid) ?? []), { component, place: `event ${index + 1}` }])
  })
  return [...byUid].map(([uid, told]) => storyOf(uid, told))
}

/** Without a UID, what it is called and when it begins is the nearest thing to one. */
const uidOf = (component: ICAL.Component): string =>
  rawOf(component, 'uid') || `${rawOf(component, 'summary')} ${rawOf(component, 'dtstart')}`

function storyOf(uid: string, told: readonly Told[]): Story {
  const oldestFirst = told.toSorted((one, other) => compareAge(one.component, other.component))
  const isChange = ({ component }: Told) => component.hasProperty('recurrence-id')
  const events = oldestFirst.filter(one => !isChange(one))
  const newest = events.at(-1)
  const alike = newest ? events.filter(one => compareAge(one.component, newest.component) === 0) : []
  const [event, ...others] = alike
  return {
    uid,
    place: event?.place ?? told[0]?.place ?? '',
    ...(event && { event: event.component }),
    changes: oldestFirst.filter(isChange).map(({ component }) => component),
    rivals: others.filter(({ component }) => component.toString() !== event?.component.toString()),
  }
}

/** Below zero where the first is the older one. */
function compareAge(one: ICAL.Component, other: ICAL.Component): number {
  const revision = Number(rawOf(one, 'sequence')) - Number(rawOf(other, 'sequence'))
  if (revision) return revision
  for (const property of ['last-modified', 'dtstamp']) {
    const [first, second] = [rawOf(one, property), rawOf(other, property)]
    if (first !== second) return first < second ? -1 : 1
  }
  return 0
}

/** What a person finds it by in the feed: `event 3 "Fira"`. */
export const called = ({ place, component }: Told): string =>
  `${place} "${textOf(component, 'summary') ?? rawOf(component, 'uid')}"`
