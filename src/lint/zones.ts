import { resourceNamed } from '../contract/contract.ts'
import type { Answer } from '../contract/resource.ts'
import { foldText } from '../text/similarity.ts'
import { readDate, wallMs } from '../time/dates.ts'
import { fixedOffset, hasClocks, offsetAt, offsetsOf, toUtc } from '../time/zone.ts'
import { type EventBrief, groupedBy, mostCommon, textAt } from './brief.ts'
import type { ComparedProblem, Problem, Rule } from './rule.ts'
import { startMinute } from './times.ts'

const events = resourceNamed('events')
const hour = 3_600_000

const outOfStep: Rule = {
  id: 'utc-mismatch',
  level: 'error',
  finds: 'the time of an event and its time in UTC mean different moments',
  why: 'its page shows one time, feeds and calendars of other people show another',
  remedy: 'send its start and end again, so that the site works out UTC from them; --fix does that',
  resources: ['events'],
  fixes: true,
  *check(record): Generator<Problem> {
    const zone = textAt(record, 'timezone')
    const wrong = (['start_date', 'end_date'] as const).find(name => !isInStep(record, name, zone))
    if (wrong === undefined || endsDiffer(record)) return
    const { start_date, end_date } = record
    yield {
      message: `is at ${textAt(record, wrong).slice(0, 16)} in ${zone}, and at ${textAt(record, `utc_${wrong}`).slice(0, 16)} in UTC`,
      field: wrong,
      values: { start_date, end_date, timezone: zone },
    }
  },
}

/** An end before the start is out of step too, and another problem. */
const endsDiffer = (record: Answer): boolean => textAt(record, 'utc_end_date') < textAt(record, 'utc_start_date')

/** The Events Calendar counts summer time even for `UTC+2`. */
function isInStep(record: Answer, name: 'start_date' | 'end_date', zone: string): boolean {
  const wall = textAt(record, name)
  const utc = textAt(record, `utc_${name}`)
  if (!readDate(wall) || !readDate(utc) || !hasClocks(zone)) return true
  const moment = wallMs(utc)
  const offset = wallMs(wall) - moment
  if (offset === offsetAt(moment, zone)) return true
  // A time that clocks skip is moved, and means no moment of its own.
  return !offsetsOf(wall, zone).exists || (fixedOffset(zone) !== undefined && offset === offsetAt(moment, zone) + hour)
}

const fixedZone: Rule = {
  id: 'fixed-offset',
  level: 'warning',
  finds: 'an event has a fixed offset such as UTC+1 as its time zone, on a site that has a named one',
  why: 'a fixed offset has no summer time: moved to another season, the event is an hour off',
  remedy: 'give it the time zone of the site; --fix does that where both mean the same moments',
  resources: ['events'],
  fixes: true,
  *check(record, resource, context): Generator<Problem> {
    const { siteZone } = context
    const zone = textAt(record, 'timezone')
    if (zone === '' || zone.includes('/') || siteZone === undefined || !siteZone.includes('/')) return
    const means = (name: string) => toUtc(textAt(record, name), siteZone) === textAt(record, `utc_${name}`)
    const isSame = means('start_date') && means('end_date')
    yield {
      message: `has the time zone ${zone} in place of ${siteZone}`,
      field: 'timezone',
      ...(isSame
        ? { values: { timezone: siteZone } }
        : { suggestion: context.updateOf(resource, record, `--timezone ${siteZone}`) }),
    }
  },
}

const unlikeVenue: Rule = {
  id: 'zone-unlike-venue',
  level: 'warning',
  finds: 'an event has another time zone than most events of its venue',
  why: 'a venue is in one time zone; an import or a browser in another country brought in the other one',
  remedy: 'give it the zone of the others; the threshold is how many events a venue needs',
  resources: ['events'],
  limits: { events: 4 },
  *compare({ events: all }, context): Generator<ComparedProblem> {
    const { events: least = 0 } = context.limitsOf(this)
    for (const group of groupedBy(all, ({ venue }) => venue || undefined).values()) {
      const most = mostCommon(group, ({ zone }) => zone)
      if (!most || group.length < least || most.count < group.length * 0.75) continue
      for (const event of group) {
        // A fixed offset in place of a named zone is a problem of its own.
        if (event.zone === most.value || (most.value.includes('/') && !event.zone.includes('/'))) continue
        yield {
          of: event,
          message: `has the time zone ${event.zone}, other events at ${event.venueName} have ${most.value}`,
          field: 'timezone',
          suggestion: context.updateOf(events, event, `--timezone ${most.value}`),
        }
      }
    }
  },
}

const offSeries: Rule = {
  id: 'hour-off-series',
  level: 'warning',
  finds: 'an event is exactly one or two hours off the others of its name and venue',
  why: 'an import with a wrong time zone moves an event by whole hours, and nothing else shows that',
  remedy: 'move it, unless its time is right; the threshold is how many events a series needs',
  resources: ['events'],
  limits: { events: 4 },
  *compare({ events: all }, context): Generator<ComparedProblem> {
    const { events: least = 0 } = context.limitsOf(this)
    const timed = all.filter(({ isWholeDay }) => !isWholeDay)
    // Most names occur once: only the others are grouped, which saves memory.
    const times = new Map<string, number>()
    for (const { name } of timed) times.set(name, (times.get(name) ?? 0) + 1)
    const repeated = timed.filter(({ name }) => (times.get(name) ?? 0) > 1)
    for (const series of groupedBy(repeated, seriesKey).values()) {
      const usual = series.length < least ? undefined : mostCommon(series, startMinute)
      if (!usual || usual.count < series.length * 0.75) continue
      for (const event of series) {
        const hours = (startMinute(event) - usual.value) / 60
        if (Math.abs(hours) !== 1 && Math.abs(hours) !== 2) continue
        yield {
          of: event,
          message: `starts ${Math.abs(hours) === 1 ? 'an hour' : 'two hours'} ${hours < 0 ? 'before' : 'after'} the time of its series`,
          field: 'start_date',
          suggestion: context.updateOf(events, event, `--shift ${hours < 0 ? '+' : '-'}${Math.abs(hours)}h`),
        }
      }
    }
  },
}

/** One name in one venue. */
const seriesKey = ({ name, venue }: EventBrief): string => `${venue} ${foldText(name)}`

export const zones: readonly Rule[] = [outOfStep, fixedZone, unlikeVenue, offSeries]
