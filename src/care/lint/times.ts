import { groupedWithKey } from '../../base/groups.ts'
import { keyWithin, nameKey } from '../../base/text/match-key.ts'
import { writtenNumber } from '../../base/text/sentence-parts.ts'
import { dayLength as day, readDate, wallMs } from '../../base/time/dates.ts'
import { clockText } from '../../base/time/hour-grammar.ts'
import { fixedOffset, hasClocks, offsetAt, offsetsOf, toUtc } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Answer } from '../../contract/resource.ts'
import { type EventBrief, mostCommon, textAt } from './brief.ts'
import type { ComparedProblem, LintContext, Rule, RuleProblem } from './rule.ts'

/** Whether an event is still to come, or has no date. */
export const isComing = (record: Answer, { now }: LintContext): boolean => {
  const end = Date.parse(`${textAt(record, 'utc_end_date').replace(' ', 'T')}Z`)
  return !(end < now)
}

const hasDates = (record: Answer): boolean => textAt(record, 'start_date') !== '' && textAt(record, 'end_date') !== ''

/** Whether an event ends before it starts, by its wall times or by its moments, which may contradict each other on a site. */
const endsBefore = (record: Answer): boolean =>
  textAt(record, 'end_date') < textAt(record, 'start_date') || endsBeforeInUtc(record)

const endsBeforeInUtc = (record: Answer): boolean => textAt(record, 'utc_end_date') < textAt(record, 'utc_start_date')

const endBeforeStart: Rule = {
  id: 'end-before-start',
  level: 'error',
  finds: () => phrase('an event ends before it starts'),
  why: () => phrase('calendars omit such an event, or show it on the wrong days'),
  remedy: () => phrase('set its end or its duration'),
  resources: ['events'],
  *check(record): Generator<RuleProblem> {
    if (hasDates(record) && endsBefore(record))
      yield { message: phrase('ends before it starts'), field: 'end_date', update: '--duration 2h' }
  },
}

const zeroLength: Rule = {
  id: 'zero-length',
  level: 'warning',
  finds: () => phrase('an event ends at the moment at which it starts'),
  why: () => phrase('calendars show no end for it, and other programs drop it from feeds'),
  remedy: () => phrase('set its end or its duration'),
  resources: ['events'],
  *check(record): Generator<RuleProblem> {
    if (!hasDates(record) || endsBefore(record) || record.all_day === true) return
    if (record.start_date === record.end_date)
      yield { message: phrase('ends when it starts'), field: 'end_date', update: '--duration 2h' }
  },
}

const tooLong: Rule = {
  id: 'too-long',
  level: 'warning',
  finds: () => phrase('an event lasts longer than a year'),
  why: () => phrase('the calendar shows it on every day until its end; usually the year of the end is wrong'),
  remedy: () => phrase('correct its end; the threshold is the number of days'),
  resources: ['events'],
  limits: { days: 366 },
  *check(record, _, context): Generator<RuleProblem> {
    const days = (wallMs(textAt(record, 'end_date')) - wallMs(textAt(record, 'start_date'))) / day
    if (hasDates(record) && days > (context.limitsOf(this).days ?? 0))
      yield {
        message: phrase('lasts {count} days', { count: writtenNumber(days) }),
        field: 'end_date',
        update: '--end-date DATE',
      }
  },
}

const unusualHours: Rule = {
  id: 'unusual-hours',
  level: 'warning',
  finds: () => phrase('an event starts or ends far outside the usual hours of its venue'),
  why: () => phrase('often am and pm were confused, such as 9:00 in a theatre that opens in the evening'),
  remedy: () =>
    phrase(
      'correct its times; the thresholds are the hours between it and nearly all other events, and how many events the venue needs',
    ),
  resources: ['events'],
  limits: { hours: 4, events: 11 },
  *compare({ events }, context): Generator<ComparedProblem> {
    const { hours = 0, events: least = 0 } = context.limitsOf(this)
    const timed = events.filter(event => isTimed(event) && event.until - event.from < day)
    for (const group of groupedWithKey(timed, ({ venue }) => venue || undefined).values()) {
      // If all times are the same, they say nothing about the hours of a place.
      if (group.length < least || groupedWithKey(group, ({ name }) => name).size <= leastNames) continue
      for (const edge of edges)
        for (const { event, message } of unusualEvents(group, edge, hours * 60))
          yield { of: event, message, field: `${edge.verb}_date` }
    }
  },
}

/** The events at a venue that start or end far from the usual time, with a sentence about each. */
function* unusualEvents(group: readonly EventBrief[], { verb, minuteOf }: Edge, reach: number) {
  const minutes = group.map(minuteOf)
  const near = closenessOf(minutes, reach)
  const [first, last] = usualRange(minutes)
  for (const event of group) {
    const minute = minuteOf(event)
    const isUsual = minute >= first && minute <= last
    if (isUsual || near(minute) - 1 >= (group.length - 1) * hardlyAny) continue
    const venue = event.venueName || phrase('its venue')
    yield { event, message: unlikeOthers(verb, { time: clock(minute), venue, first: clock(first), last: clock(last) }) }
  }
}

function unlikeOthers(verb: Edge['verb'], places: Record<'time' | 'venue' | 'first' | 'last', string>): string {
  if (places.first === places.last)
    return verb === 'start'
      ? phrase('starts at {time}, most others at {venue} start at {first}', places)
      : phrase('ends at {time}, most others at {venue} end at {first}', places)
  return verb === 'start'
    ? phrase('starts at {time}, most others at {venue} start between {first} and {last}', places)
    : phrase('ends at {time}, most others at {venue} end between {first} and {last}', places)
}

/** A venue has usual hours only if its events have more than this many names. */
const leastNames = 3

/** Times of a smaller share of events than this are unusual. */
const hardlyAny = 0.08

const isTimed = ({ isWholeDay, status, from, until }: EventBrief): boolean =>
  !isWholeDay && status !== 'trash' && Number.isFinite(from) && Number.isFinite(until)

/** The minutes after midnight at which an event starts, by its own clock. */
const startMinute = ({ start }: EventBrief): number => Number(start.slice(11, 13)) * 60 + Number(start.slice(14, 16))

const endMinute = (event: EventBrief): number =>
  (startMinute(event) + Math.max(0, Math.round((event.until - event.from) / 60_000))) % 1440

/** The start or the end of events. */
interface Edge {
  readonly verb: 'start' | 'end'
  minuteOf(event: EventBrief): number
}

const edges: readonly Edge[] = [
  { verb: 'start', minuteOf: startMinute },
  { verb: 'end', minuteOf: endMinute },
]

/** How many of these times, in minutes, are within a distance of one, also across midnight. */
function closenessOf(minutes: readonly number[], reach: number): (minute: number) => number {
  // Three days, so that times around midnight are in one piece.
  const before = new Uint32Array(3 * 1440 + 1)
  const at = (index: number) => before[index] ?? 0
  for (const minute of minutes)
    for (const index of [minute + 1, minute + 1441, minute + 2881]) before[index] = at(index) + 1
  for (let index = 1; index < before.length; index++) before[index] = at(index) + at(index - 1)
  return minute => at(minute + 1440 + reach + 1) - at(minute + 1440 - reach)
}

const clock = (minutes: number): string => clockText(minutes * 60).slice(0, 5)

/** The usual times: without the earliest tenth and the latest tenth. */
function usualRange(minutes: readonly number[]): readonly [first: number, last: number] {
  const sorted = minutes.toSorted((one, other) => one - other)
  const few = Math.ceil(sorted.length / 10)
  return [sorted[few] ?? 0, sorted[sorted.length - 1 - few] ?? 0]
}

export const times: readonly Rule[] = [endBeforeStart, zeroLength, tooLong, unusualHours]

const hour = 3_600_000

const outOfStep: Rule = {
  id: 'utc-mismatch',
  level: 'error',
  finds: () => phrase('the time of an event and its time in UTC mean different moments'),
  why: () => phrase("its page shows one time, feeds and other people's calendars another"),
  remedy: () => phrase('send its start and end again, so that the site works out UTC from them; --fix does that'),
  resources: ['events'],
  fixes: true,
  *check(record): Generator<RuleProblem> {
    const zone = textAt(record, 'timezone')
    const wrong = (['start_date', 'end_date'] as const).find(name => !isInStep(record, name, zone))
    // An end before the start also contradicts UTC, but is another problem.
    if (wrong === undefined || endsBeforeInUtc(record)) return
    const { start_date, end_date } = record
    yield {
      message: phrase('is at {time} in {zone}, and at {utc} in UTC', {
        time: textAt(record, wrong).slice(0, 16),
        zone,
        utc: textAt(record, `utc_${wrong}`).slice(0, 16),
      }),
      field: wrong,
      values: { start_date, end_date, timezone: zone },
    }
  },
}

/** The Events Calendar counts summer time even for `UTC+2`. */
function isInStep(record: Answer, name: 'start_date' | 'end_date', zone: string): boolean {
  const wall = textAt(record, name)
  const utc = textAt(record, `utc_${name}`)
  if (!readDate(wall) || !readDate(utc) || !hasClocks(zone)) return true
  const moment = wallMs(utc)
  const offset = wallMs(wall) - moment
  if (offset === offsetAt(moment, zone)) return true
  // A time that clocks skip is moved, so that it has no moment of its own.
  return !offsetsOf(wall, zone).exists || (fixedOffset(zone) !== undefined && offset === offsetAt(moment, zone) + hour)
}

const fixedZone: Rule = {
  id: 'fixed-offset',
  level: 'warning',
  finds: () => phrase('an event has a fixed offset such as UTC+1 as its time zone, on a site that has a named one'),
  why: () => phrase('a fixed offset ignores daylight saving time: moved to another season, the event is an hour off'),
  remedy: () => phrase('give it the time zone of the site; --fix does that where both mean the same moments'),
  resources: ['events'],
  fixes: true,
  *check(record, _, context): Generator<RuleProblem> {
    const { siteZone } = context
    const zone = textAt(record, 'timezone')
    if (zone === '' || zone.includes('/') || siteZone === undefined || !siteZone.includes('/')) return
    const means = (name: string) => toUtc(textAt(record, name), siteZone) === textAt(record, `utc_${name}`)
    const isSame = means('start_date') && means('end_date')
    yield {
      message: phrase('has the time zone {zone} in place of {other}', { zone, other: siteZone }),
      field: 'timezone',
      ...(isSame ? { values: { timezone: siteZone } } : { update: `--timezone ${siteZone}` }),
    }
  },
}

const unlikeVenue: Rule = {
  id: 'zone-unlike-venue',
  level: 'warning',
  finds: () => phrase('an event has another time zone than most events of its venue'),
  why: () =>
    phrase('a venue is in one time zone; the other one came from an import, or from a browser in another country'),
  remedy: () => phrase('give it the zone of the others; the threshold is how many events a venue needs'),
  resources: ['events'],
  limits: { events: 4 },
  *compare({ events: all }, context): Generator<ComparedProblem> {
    const { events: least = 0 } = context.limitsOf(this)
    for (const group of groupedWithKey(all, ({ venue }) => venue || undefined).values()) {
      const most = mostCommon(group, ({ zone }) => zone)
      if (!most || group.length < least || most.count < group.length * 0.75) continue
      for (const event of group) {
        // A fixed offset instead of a named zone is another problem.
        if (event.zone === most.value || (most.value.includes('/') && !event.zone.includes('/'))) continue
        yield {
          of: event,
          message: phrase('has the time zone {zone}, other events at {venue} have {other}', {
            zone: event.zone,
            venue: event.venueName,
            other: most.value,
          }),
          field: 'timezone',
          update: `--timezone ${most.value}`,
        }
      }
    }
  },
}

const offSeries: Rule = {
  id: 'hour-off-series',
  level: 'warning',
  finds: () => phrase('an event is exactly one or two hours off the others of its name and venue'),
  why: () => phrase('an import with a wrong time zone moves an event by whole hours, without any other sign'),
  remedy: () => phrase('move it, unless its time is right; the threshold is how many events a series needs'),
  resources: ['events'],
  limits: { events: 4 },
  *compare({ events: all }, context): Generator<ComparedProblem> {
    const { events: least = 0 } = context.limitsOf(this)
    const timed = all.filter(({ isWholeDay }) => !isWholeDay)
    // Most names occur once: only the others are grouped, which saves memory.
    const times = new Map<string, number>()
    for (const { name } of timed) times.set(name, (times.get(name) ?? 0) + 1)
    const repeated = timed.filter(({ name }) => (times.get(name) ?? 0) > 1)
    for (const series of groupedWithKey(repeated, seriesKey).values()) {
      const usual = mostCommon(series, startMinute)
      if (!usual || series.length < least || usual.count < series.length * 0.75) continue
      for (const event of series) {
        const off = offSeriesBy[(startMinute(event) - usual.value) / 60]
        if (off) yield { of: event, message: off.says(), field: 'start_date', update: `--shift ${off.shift}` }
      }
    }
  },
}

/** What is said about an event by the hours between it and most of its series, and the shift that moves it there. */
const offSeriesBy: Readonly<Record<number, { readonly shift: string; says(): string }>> = {
  [-2]: { says: () => phrase('starts two hours before the time of its series'), shift: '+2h' },
  [-1]: { says: () => phrase('starts an hour before the time of its series'), shift: '+1h' },
  1: { says: () => phrase('starts an hour after the time of its series'), shift: '-1h' },
  2: { says: () => phrase('starts two hours after the time of its series'), shift: '-2h' },
}

/** One name in one venue. */
const seriesKey = ({ name, venue }: EventBrief) => keyWithin(`${venue}`, nameKey(name))

export const zones: readonly Rule[] = [outOfStep, fixedZone, unlikeVenue, offSeries]
