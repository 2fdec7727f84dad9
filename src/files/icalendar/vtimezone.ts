import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'

const from = 1970
const to = 2050

/** The years in which `zoneComponent` knows when clocks change. */
export const isCovered = (wall: string): boolean => Number(wall.slice(0, 4)) > from && Number(wall.slice(0, 4)) < to

interface Change {
  readonly wall: string
  readonly before: string
  readonly after: string
  readonly isForward: boolean
}

/** The VTIMEZONE of an IANA zone: every change of its clocks from 1970 to 2050, those between the same offsets together. */
export function zoneComponent(name: string): ICAL.Component {
  const zone = new ICAL.Component('vtimezone')
  zone.addPropertyWithValue('tzid', name)
  for (const alike of grouped(changesIn(name))) zone.addSubcomponent(observance(alike))
  return zone
}

function changesIn(name: string): Change[] {
  let moment = Temporal.ZonedDateTime.from(`${from}-01-01T00:00:00[${name}]`)
  const changes: Change[] = [
    { wall: `${from}-01-01T00:00:00`, before: offsetOf(moment), after: offsetOf(moment), isForward: false },
  ]
  for (let next = moment.getTimeZoneTransition('next'); next && next.year < to; ) {
    const before = next.subtract({ seconds: 1 })
    changes.push({
      wall: before.toPlainDateTime().add({ seconds: 1 }).toString({ smallestUnit: 'second' }),
      before: offsetOf(before),
      after: offsetOf(next),
      isForward: next.offsetNanoseconds > before.offsetNanoseconds,
    })
    moment = next
    next = moment.getTimeZoneTransition('next')
  }
  return changes
}

const offsetOf = (moment: Temporal.ZonedDateTime): string => moment.offset.slice(0, 6)

function grouped(changes: readonly Change[]): Change[][] {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const key = `${change.before} ${change.after}`
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups.values()]
}

function observance(alike: readonly Change[]): ICAL.Component {
  const [first] = alike
  const component = new ICAL.Component(first?.isForward ? 'daylight' : 'standard')
  if (!first) return component
  component.addPropertyWithValue('dtstart', ICAL.Time.fromDateTimeString(first.wall))
  component.addPropertyWithValue('tzoffsetfrom', ICAL.UtcOffset.fromString(first.before))
  component.addPropertyWithValue('tzoffsetto', ICAL.UtcOffset.fromString(first.after))
  // A date a line, the first one too: there are readers that look at no other.
  if (alike.length > 1)
    for (const { wall } of alike) component.addPropertyWithValue('rdate', ICAL.Time.fromDateTimeString(wall))
  return component
}
