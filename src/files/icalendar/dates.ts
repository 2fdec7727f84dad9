import type ICAL from 'ical.js'
import type { Entry } from '../records/record-builder.ts'
import { beginning, endOf, lengthOf, type Moment, type ReadMoments } from './event-times.ts'
import { named, shownIn, type Zone } from './feed-zones.ts'
import { rawOf, WrongValue } from './properties.ts'

/** When an event begins and ends, in its own zone, or in another one where that has no name. */
export function dateEntries(start: Moment, end: Moment, zone: string | undefined): Entry[] {
  const target = targetOf(start, zone)
  return [
    { name: 'all_day', value: start.isDay, column: 'DTSTART' },
    { name: 'start_date', value: textIn(target, start), column: 'DTSTART' },
    { name: 'end_date', value: textIn(target, end), column: 'DTEND' },
    { name: 'timezone', value: target.name, column: 'DTSTART' },
  ]
}

/** UTC, and zones without a name, say when and not where: such times are shown in the zone of the calendar. */
function targetOf({ zone, isDay }: Moment, fallback: string | undefined): Zone {
  if (zone.isFloating || isDay) return zone
  return zone.name === undefined || zone.name === 'UTC' ? named(fallback ?? 'UTC') : zone
}

const textIn = (target: Zone, { wall, zone, isDay }: Moment): string =>
  isDay || zone.isFloating ? wall : shownIn(target, zone.toUtc(wall))

/** When an event begins and ends, as far as that can be read; what cannot stands as it does in the feed. */
export function legibleDates(component: ICAL.Component, readMoments: ReadMoments, zone: string | undefined): Entry[] {
  const moment = (property: string) => legible(() => readMoments(component, property)[0])
  const start = moment('dtstart')
  const whole = legible(
    () => start && dateEntries(beginning(start), endOf(beginning(start), lengthOf(component, readMoments)), zone),
  )
  const dateOf = (property: string, moment: Moment | undefined) =>
    (moment && legible(() => textIn(targetOf(moment, zone), moment))) ?? rawOf(component, property)
  return (
    whole ?? [
      { name: 'all_day', value: start?.isDay, column: 'DTSTART' },
      { name: 'start_date', value: dateOf('dtstart', start), column: 'DTSTART' },
      { name: 'end_date', value: dateOf('dtend', moment('dtend')), column: 'DTEND' },
      { name: 'timezone', value: start && targetOf(start, zone).name, column: 'DTSTART' },
    ]
  )
}

function legible<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof WrongValue) return undefined
    throw error
  }
}
