import { readDate, wallMs } from '../../time/dates.ts'
import type { Component } from './component.ts'
import { firstValueOf, InvalidProperty, valuesOf } from './properties.ts'
import { datesOf } from './rule-dates.ts'
import { InvalidRule, parseRule } from './rule-parts.ts'

/** A change of clocks: from a moment on, an offset. All in ms. */
interface Transition {
  readonly moment: number
  readonly before: number
  readonly offset: number
}

/** One STANDARD or DAYLIGHT of a VTIMEZONE (RFC 5545, 3.6.5). */
interface Observance {
  readonly before: number
  readonly offset: number
  /** The wall times of its changes up to a moment, in the offset before them. */
  changesTo(end: number): number[]
}

const aYear = 366 * 86_400_000

/**
 * The offsets of a zone that a feed describes: a function from moments to offsets, both in ms, which throws `InvalidProperty` if
 * the description is invalid.
 */
export function offsetsOfVtimezone(vtimezone: Component, tzid: string): (ms: number) => number {
  const observances = vtimezone.components.map(readObservance)
  let covered = -Infinity
  let transitions: readonly Transition[] = []
  const cover = (ms: number) => {
    covered = ms + 10 * aYear
    transitions = observances.flatMap(observance => transitionsOf(observance, covered)).toSorted(byMoment)
  }
  return ms => {
    if (observances.length === 0 || observances.includes(undefined))
      throw new InvalidProperty('tzid', 'the name of a time zone, or one that has a valid VTIMEZONE', tzid)
    if (ms > covered - aYear) cover(ms)
    const index = transitions.findLastIndex(({ moment }) => moment <= ms)
    return index === -1 ? (transitions[0]?.before ?? 0) : (transitions[index]?.offset ?? 0)
  }
}

const byMoment = (one: Transition, other: Transition): number => one.moment - other.moment

function transitionsOf(observance: Observance | undefined, end: number): Transition[] {
  if (!observance) return []
  const { before, offset } = observance
  return observance.changesTo(end).map(wall => ({ moment: wall - before, before, offset }))
}

/** Undefined for an observance that is invalid, or that has changes every day. */
function readObservance(component: Component): Observance | undefined {
  const start = wallOf(firstValueOf(component, 'dtstart'))
  const before = readOffset(firstValueOf(component, 'tzoffsetfrom'))
  const offset = readOffset(firstValueOf(component, 'tzoffsetto'))
  const dates = component.all('rdate').flatMap(valuesOf).map(wallOf)
  const rules = component.all('rrule').flatMap(valuesOf).map(readYearlyRule)
  if (start === undefined || before === undefined || offset === undefined) return undefined
  if (dates.includes(undefined) || rules.includes(undefined) || component.unreadable.length > 0) return undefined
  const single = [start, ...dates.filter(date => date !== undefined)]
  return {
    before,
    offset,
    changesTo: end => [...single, ...rules.flatMap(rule => rule?.(start, before, end) ?? [])],
  }
}

type Changes = (start: number, before: number, end: number) => number[]

function readYearlyRule(text: string): Changes | undefined {
  try {
    const parts = parseRule(text)
    if (parts.frequency !== 'YEARLY' && parts.frequency !== 'MONTHLY') return undefined
    const { until, count = Infinity } = parts
    return (start, before, end) => {
      const last = until === undefined ? Infinity : wallMs(until.wall) + (until.isUtc ? before : 0)
      const changes: number[] = []
      for (const wall of datesOf(parts, start, { to: end })) {
        if (wall > last || changes.length >= count) break
        changes.push(wall)
      }
      return changes
    }
  } catch (error) {
    if (error instanceof InvalidRule) return undefined
    throw error
  }
}

function wallOf(text: string): number | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})Z?)?/i.exec(text) ?? []
  const wall = readDate(`${year}-${month}-${day} ${hour}:${minute}:${second}`)?.wall
  return wall === undefined ? undefined : wallMs(wall)
}

/** `+0100` or `-044430`, in ms. */
function readOffset(text: string): number | undefined {
  const [, sign, hours, minutes, seconds = '0'] = /^([+-]?)(\d{2}):?([0-5]\d):?([0-5]\d)?$/.exec(text) ?? []
  if (hours === undefined || Number(hours) > 23) return undefined
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}
