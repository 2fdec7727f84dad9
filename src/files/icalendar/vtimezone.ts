import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'

const firstYear = 1970
const endYear = 2050

/** Whether `vtimezone` has the clock changes of a wall time's year. */
export const isCovered = (wall: string): boolean =>
  Number(wall.slice(0, 4)) > firstYear && Number(wall.slice(0, 4)) < endYear

interface Transition {
  readonly wall: string
  readonly offsetBefore: string
  readonly offsetAfter: string
  readonly isForward: boolean
}

/** The VTIMEZONE of an IANA zone: its clock changes from 1970 to 2050, one observance for each pair of offsets. */
export function vtimezone(name: string): ICAL.Component {
  const component = new ICAL.Component('vtimezone')
  component.addPropertyWithValue('tzid', name)
  for (const transitions of groupByOffsets(transitionsIn(name))) component.addSubcomponent(observance(transitions))
  return component
}

function transitionsIn(name: string): Transition[] {
  let moment = Temporal.ZonedDateTime.from(`${firstYear}-01-01T00:00:00[${name}]`)
  const offset = offsetOf(moment)
  const transitions: Transition[] = [
    { wall: `${firstYear}-01-01T00:00:00`, offsetBefore: offset, offsetAfter: offset, isForward: false },
  ]
  for (let next = moment.getTimeZoneTransition('next'); next && next.year < endYear; ) {
    const before = next.subtract({ seconds: 1 })
    transitions.push({
      wall: before.toPlainDateTime().add({ seconds: 1 }).toString({ smallestUnit: 'second' }),
      offsetBefore: offsetOf(before),
      offsetAfter: offsetOf(next),
      isForward: next.offsetNanoseconds > before.offsetNanoseconds,
    })
    moment = next
    next = moment.getTimeZoneTransition('next')
  }
  return transitions
}

const offsetOf = (moment: Temporal.ZonedDateTime): string => moment.offset.slice(0, 6)

function groupByOffsets(transitions: readonly Transition[]): Transition[][] {
  const groups = new Map<string, Transition[]>()
  for (const transition of transitions) {
    const key = `${transition.offsetBefore} ${transition.offsetAfter}`
    groups.set(key, [...(groups.get(key) ?? []), transition])
  }
  return [...groups.values()]
}

function observance(transitions: readonly Transition[]): ICAL.Component {
  const [first] = transitions
  const component = new ICAL.Component(first?.isForward ? 'daylight' : 'standard')
  if (!first) return component
  component.addPropertyWithValue('dtstart', ICAL.Time.fromDateTimeString(first.wall))
  component.addPropertyWithValue('tzoffsetfrom', ICAL.UtcOffset.fromString(first.offsetBefore))
  component.addPropertyWithValue('tzoffsetto', ICAL.UtcOffset.fromString(first.offsetAfter))
  // One RDATE line each, the first date included: some readers look at RDATE alone.
  if (transitions.length > 1)
    for (const { wall } of transitions) component.addPropertyWithValue('rdate', ICAL.Time.fromDateTimeString(wall))
  return component
}
