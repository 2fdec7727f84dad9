import type ICAL from 'ical.js'
import type { Notice } from '../record.ts'
import { expand, isEndless } from '../repeat.ts'
import type { Moment, ReadMoments } from './moments.ts'
import { rawOf, textOf, valuesOf, WrongValue } from './values.ts'
import { inZone } from './zones.ts'

/** All that a calendar says of one UID: the event, and what was changed in single occurrences. */
export interface Story {
  readonly uid: string
  /** Where it stands among the calendar's events: `event 3`. */
  readonly place: string
  readonly event?: ICAL.Component
  readonly changes: readonly ICAL.Component[]
}

/** One time that an event takes place, or would have. */
export interface Occurrence {
  /** The event, or its change for this time. */
  readonly component: ICAL.Component
  readonly start: Moment
  /** The wall time it was planned for, where it is one of a series. */
  readonly recurrence?: string
  /** Taken out of the series. */
  readonly isOff?: boolean
}

/** The events of a calendar by UID. */
export function stories(calendar: ICAL.Component): Story[] {
  const byUid = new Map<string, { uid: string; place: string; event?: ICAL.Component; changes: ICAL.Component[] }>()
  calendar.getAllSubcomponents('vevent').forEach((component, index) => {
    const place = `event ${index + 1}`
    // Without a UID, what it is called and when it begins is the nearest thing to one.
    const uid =
      rawOf(component.getFirstProperty('uid')) ||
      `${rawOf(component.getFirstProperty('summary'))} ${component.getFirstProperty('dtstart')?.toICALString()}`
    const story = byUid.get(uid) ?? { uid, place, changes: [] }
    byUid.set(uid, story)
    if (component.hasProperty('recurrence-id')) story.changes.push(component)
    else if (!story.event || sequenceOf(component) >= sequenceOf(story.event)) story.event = component
  })
  return [...byUid.values()]
}

const sequenceOf = (component: ICAL.Component): number => Number(rawOf(component.getFirstProperty('sequence')))

interface SeriesOptions {
  readonly until: string
  readonly readMoments: ReadMoments
  readonly notice: Notice
}

/** Every time that an event takes place until a moment, with what was moved, changed or called off. */
export function* occurrencesOf({ event, changes }: Story, options: SeriesOptions): Generator<Occurrence> {
  const { readMoments, until, notice } = options
  const start = event && startOf(event, readMoments)
  const changed = new Map(
    changes.map(component => {
      if (component.getFirstProperty('recurrence-id')?.getFirstParameter('range'))
        notice(
          `"${textOf(component, 'summary') ?? ''}" is changed from one time on: taken as a change of that time only`,
        )
      const planned = momentOf(component, 'recurrence-id', readMoments)
      return [start ? wallIn(planned, start) : planned.wall, component]
    }),
  )
  if (event && start) {
    if (!isSeries(event)) yield { component: event, start }
    else
      for (const { wall, isOff } of plannedStarts(event, start, options)) {
        const change = changed.get(wall)
        changed.delete(wall)
        if (change) yield { component: change, start: startOf(change, readMoments), recurrence: wall }
        else yield { component: event, start: { ...start, wall }, recurrence: wall, isOff }
      }
  }
  for (const [wall, component] of changed) {
    const moved = startOf(component, readMoments)
    if (moved.wall <= until) yield { component, start: moved, recurrence: wall }
  }
}

const isSeries = (event: ICAL.Component): boolean => event.hasProperty('rrule') || event.hasProperty('rdate')

const example = 'a rule such as FREQ=WEEKLY;COUNT=10'

/** When the occurrences were planned: by the rules and single dates, in order, with those that were taken out. */
function plannedStarts(
  event: ICAL.Component,
  start: Moment,
  options: SeriesOptions,
): { wall: string; isOff: boolean }[] {
  const { until, readMoments, notice } = options
  const rules = event.getAllProperties('rrule').flatMap(property => valuesOf(property, example).map(String))
  const timezone = start.zone.name
  if (rules.some(isEndless))
    notice(`"${textOf(event, 'summary') ?? ''}" repeats without end: taken up to ${until.slice(0, 10)}`)
  const planned = new Set([
    start.wall,
    ...rules.flatMap(rule => expand(start.wall, rule, { until, ...(timezone && { timezone }) })),
    ...readMoments(event, 'rdate').map(moment => wallIn(moment, start)),
  ])
  const off = readMoments(event, 'exdate')
  const isOff = (wall: string) =>
    off.some(moment => (moment.isDay ? wall.startsWith(moment.wall.slice(0, 10)) : wallIn(moment, start) === wall))
  return [...planned]
    .filter(wall => wall <= until || wall === start.wall)
    .sort()
    .map(wall => ({ wall, isOff: isOff(wall) }))
}

const wallIn = (moment: Moment, { zone, isDay }: Moment): string =>
  isDay || moment.isDay ? moment.wall : inZone(moment.wall, moment.zone, zone)

/** What is called off may say no more than which time it was. */
const startOf = (component: ICAL.Component, readMoments: ReadMoments): Moment =>
  momentOf(component, component.hasProperty('dtstart') ? 'dtstart' : 'recurrence-id', readMoments)

function momentOf(component: ICAL.Component, property: string, readMoments: ReadMoments): Moment {
  const [moment] = readMoments(component, property)
  if (!moment) throw new WrongValue(property, 'a date such as 20261205T190000', '')
  return moment
}
