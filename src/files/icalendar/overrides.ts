import { wallInRange, wallMs } from '../../time/dates.ts'
import type { Component } from './component.ts'
import { type EventTime, firstTime, type ReadTimes, wallInZoneOf } from './event-times.ts'
import { InvalidProperty } from './properties.ts'

/** A VEVENT with RECURRENCE-ID: it replaces one occurrence of a series, or all from one on. */
export interface Override {
  readonly component: Component
  readonly start: EventTime
  /** The wall time of the occurrence, in the zone of the series. */
  readonly planned: string
  /** RANGE=THISANDFUTURE */
  readonly isLasting: boolean
}

export function parseOverride(
  component: Component,
  series: EventTime | undefined,
  planned: readonly string[],
  readTimes: ReadTimes,
): Override {
  const recurrenceId = firstTime(component, 'recurrence-id', readTimes)
  const wall = series ? wallInZoneOf(series, recurrenceId) : recurrenceId.wall
  const range = String(component.first('recurrence-id')?.parameters.get('range') ?? '')
  if (!/^(thisandfuture)?$/i.test(range))
    throw new InvalidProperty('recurrence-id', 'RANGE=THISANDFUTURE or no RANGE', range)
  const [onThatDay, ...others] = planned.filter(start => dayOf(start) === dayOf(wall))
  // A RECURRENCE-ID that is a day, or an hour that the series has since left, means the occurrence of that day.
  const isClear = onThatDay !== undefined && (recurrenceId.isDay || others.length === 0)
  return {
    component,
    start: startOf(component, readTimes),
    planned: isClear ? onThatDay : wall,
    isLasting: range !== '',
  }
}

/** What the latest THISANDFUTURE override makes of a later occurrence: its values, shifted as far as its own start. */
export function shiftedBy(
  overrides: readonly Override[],
  wall: string,
): Pick<Override, 'component' | 'start'> | undefined {
  const [latest] = overrides
    .filter(({ isLasting, planned }) => isLasting && planned <= wall)
    .toSorted((one, other) => wallMs(other.planned) - wallMs(one.planned))
  if (!latest) return undefined
  const shift = wallMs(latest.start.wall) - wallMs(latest.planned)
  const shifted = wallInRange(wallMs(wall) + shift)
  if (shifted === undefined)
    throw new InvalidProperty('dtstart', 'a start that keeps the series before the year 10000', wall)
  return { component: latest.component, start: { ...latest.start, wall: shifted } }
}

/**
 * Creates the function that names the occurrences of a series: by the day, so that an occurrence keeps its name if its hour
 * changes; by day and hour on days with several.
 */
export function createKeys(planned: readonly string[], overrides: readonly Override[]): (wall: string) => string {
  const plannedPerDay = countDays(planned)
  const overridesPerDay = countDays(new Set(overrides.map(override => override.planned)))
  return wall => {
    const count = plannedPerDay.get(dayOf(wall)) ?? overridesPerDay.get(dayOf(wall)) ?? 1
    return (count < 2 ? dayOf(wall) : wall).replace(/[-:]/g, '').replace(' ', 't')
  }
}

function countDays(walls: Iterable<string>): Map<string, number> {
  const days = new Map<string, number>()
  for (const wall of walls) days.set(dayOf(wall), (days.get(dayOf(wall)) ?? 0) + 1)
  return days
}

/** A cancelled occurrence may have no DTSTART, only its RECURRENCE-ID. */
export const startOf = (component: Component, readTimes: ReadTimes): EventTime =>
  firstTime(component, ['dtstart', 'recurrence-id'].find(name => component.has(name)) ?? 'dtstart', readTimes)

/** The day of a wall time, `YYYY-MM-DD`. */
export const dayOf = (wall: string): string => wall.slice(0, 10)
