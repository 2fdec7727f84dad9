import type { Answer } from '../contract/resource.ts'
import { wallMs } from '../time/dates.ts'
import { type EventBrief, groupedBy, textAt } from './brief.ts'
import type { ComparedProblem, Problem, Rule } from './rule.ts'

const day = 86_400_000

const hasDates = (record: Answer): boolean => textAt(record, 'start_date') !== '' && textAt(record, 'end_date') !== ''

/** Whether an event ends before it starts, by its wall times or by its moments, which a site can let get out of step. */
const endsBefore = (record: Answer): boolean =>
  textAt(record, 'end_date') < textAt(record, 'start_date') ||
  textAt(record, 'utc_end_date') < textAt(record, 'utc_start_date')

const endBeforeStart: Rule = {
  id: 'end-before-start',
  level: 'error',
  finds: 'an event ends before it starts',
  why: 'calendars leave such an event out, or show it on the wrong days',
  remedy: 'set its end or its duration',
  resources: ['events'],
  *check(record, resource, context): Generator<Problem> {
    if (hasDates(record) && endsBefore(record))
      yield {
        message: 'ends before it starts',
        field: 'end_date',
        suggestion: context.updateOf(resource, record, '--duration 2h'),
      }
  },
}

const zeroLength: Rule = {
  id: 'zero-length',
  level: 'warning',
  finds: 'an event ends at the moment at which it starts',
  why: 'a calendar shows no end for it, and feeds of other programs drop it',
  remedy: 'set its end or its duration',
  resources: ['events'],
  *check(record, resource, context): Generator<Problem> {
    if (!hasDates(record) || endsBefore(record) || record.all_day === true) return
    if (record.start_date === record.end_date)
      yield {
        message: 'ends when it starts',
        field: 'end_date',
        suggestion: context.updateOf(resource, record, '--duration 2h'),
      }
  },
}

const tooLong: Rule = {
  id: 'too-long',
  level: 'warning',
  finds: 'an event lasts longer than a year',
  why: 'the calendar shows it on every day until its end; usually the year of the end is wrong',
  remedy: 'correct its end; the threshold is the number of days',
  resources: ['events'],
  limits: { days: 366 },
  *check(record, resource, context): Generator<Problem> {
    const days = (wallMs(textAt(record, 'end_date')) - wallMs(textAt(record, 'start_date'))) / day
    if (hasDates(record) && days > (context.limitsOf(this).days ?? 0))
      yield {
        message: `lasts ${Math.round(days).toLocaleString('en')} days`,
        field: 'end_date',
        suggestion: context.updateOf(resource, record, '--end-date DATE'),
      }
  },
}

const unusualHours: Rule = {
  id: 'unusual-hours',
  level: 'warning',
  finds: 'an event starts or ends far outside the usual hours of its venue',
  why: 'often am and pm were confused, such as 9:00 in a theatre that opens in the evening',
  remedy:
    'correct its times; the thresholds are the hours between it and nearly all other events, and how many events the venue needs',
  resources: ['events'],
  limits: { hours: 4, events: 11 },
  *compare({ events }, context): Generator<ComparedProblem> {
    const { hours = 0, events: least = 0 } = context.limitsOf(this)
    const timed = events.filter(event => isTimed(event) && event.until - event.from < day)
    for (const group of groupedBy(timed, ({ venue }) => venue || undefined).values()) {
      // What is always the same says nothing of the hours of a place.
      if (group.length < least || groupedBy(group, ({ name }) => name).size <= leastNames) continue
      for (const [verb, minuteOf] of edges) {
        const near = closenessOf(group.map(minuteOf), hours * 60)
        for (const event of group)
          if (near(minuteOf(event)) - 1 < (group.length - 1) * hardlyAny)
            yield {
              of: event,
              message: `${verb} at ${clock(minuteOf(event))}, ${rangeOf(verb, group.map(minuteOf), event)}`,
              field: verb === 'starts' ? 'start_date' : 'end_date',
              suggestion: context.command(`events edit ${event.id}`),
            }
      }
    }
  },
}

/** A venue needs events of more names than this before it has usual hours. */
const leastNames = 3

/** Times that are shared by a smaller part than this are unusual. */
const hardlyAny = 0.08

const isTimed = ({ isWholeDay, status, from, until }: EventBrief): boolean =>
  !isWholeDay && status !== 'trash' && Number.isFinite(from) && Number.isFinite(until)

/** The minutes after midnight at which an event starts, by its own clock. */
export const startMinute = ({ start }: EventBrief): number =>
  Number(start.slice(11, 13)) * 60 + Number(start.slice(14, 16))

const endMinute = (event: EventBrief): number =>
  (startMinute(event) + Math.max(0, Math.round((event.until - event.from) / 60_000))) % 1440

const edges = [
  ['starts', startMinute],
  ['ends', endMinute],
] as const

/** How many of these minutes of a day are at most so far from one, around midnight too. */
function closenessOf(minutes: readonly number[], reach: number): (minute: number) => number {
  // Three days, so that what is around midnight is in one piece.
  const before = new Uint32Array(3 * 1440 + 1)
  const at = (index: number) => before[index] ?? 0
  for (const minute of minutes)
    for (const index of [minute + 1, minute + 1441, minute + 2881]) before[index] = at(index) + 1
  for (let index = 1; index < before.length; index++) before[index] = at(index) + at(index - 1)
  return minute => at(minute + 1440 + reach + 1) - at(minute + 1440 - reach)
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** `others at Teatre Principal between 18:00 and 21:00`: without the tenth that is earliest, and the tenth that is latest. */
function rangeOf(verb: string, minutes: readonly number[], { venueName }: EventBrief): string {
  const sorted = minutes.toSorted((one, other) => one - other)
  const few = Math.ceil(sorted.length / 10)
  const [first = 0, last = 0] = [sorted[few], sorted[sorted.length - 1 - few]]
  const others = `most others at ${venueName || 'its venue'}`
  return `${others} ${verb === 'starts' ? 'start' : 'end'} ${first === last ? `at ${clock(first)}` : `between ${clock(first)} and ${clock(last)}`}`
}

export const times: readonly Rule[] = [endBeforeStart, zeroLength, tooLong, unusualHours]
