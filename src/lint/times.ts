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
  remedy: 'give it its end, or how long it lasts',
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
  remedy: 'give it its end, or how long it lasts',
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
  why: 'it stands on every day of the calendar until then; most often the year of its end is wrong',
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
  why: 'a time such as 9:00 in a theatre that opens in the evening is mostly a slip of am and pm',
  remedy: 'correct its times; the thresholds are the hours outside, and how many other events the venue needs',
  resources: ['events'],
  limits: { hours: 4, events: 10 },
  *compare({ events }, context): Generator<ComparedProblem> {
    const { hours = 0, events: least = 0 } = context.limitsOf(this)
    const timed = events.filter(event => isTimed(event) && event.until - event.from < day)
    for (const group of groupedBy(timed, ({ venue }) => venue || undefined).values()) {
      if (group.length <= least) continue
      const names = groupedBy(group, ({ name }) => name)
      const [first, last] = usualHours(group)
      for (const event of group) {
        const start = startMinute(event)
        const end = start + minutesOf(event)
        // Early in the morning an event may also be the last of the evening before.
        const isEarly = first - start >= hours * 60 && end + 1440 - last >= hours * 60
        // What is always the same says nothing of the hours of a place.
        const others = names.size - (names.get(event.name)?.length === 1 ? 1 : 0)
        if (others >= leastNames && (isEarly || end - last >= hours * 60))
          yield {
            of: event,
            message: unusual(event, first, last),
            field: 'start_date',
            suggestion: context.command(`events edit ${event.id}`),
          }
      }
    }
  },
}

/** So many events of other names a venue needs before it has usual hours. */
const leastNames = 3

const isTimed = ({ isWholeDay, status, from, until }: EventBrief): boolean =>
  !isWholeDay && status !== 'trash' && Number.isFinite(from) && Number.isFinite(until)

/** The minutes after midnight at which an event starts, by its own clock. */
export const startMinute = ({ start }: EventBrief): number =>
  Number(start.slice(11, 13)) * 60 + Number(start.slice(14, 16))

const minutesOf = ({ from, until }: EventBrief): number => Math.max(0, until - from) / 60_000

/** From when to when events of a venue are, without the few that begin earliest and end latest. */
function usualHours(group: readonly EventBrief[]): [first: number, last: number] {
  const starts = group.map(startMinute).toSorted((one, other) => one - other)
  const ends = group.map(event => startMinute(event) + minutesOf(event)).toSorted((one, other) => one - other)
  const few = Math.max(1, Math.floor(group.length / 20))
  return [starts[few] ?? 0, ends[ends.length - 1 - few] ?? 0]
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(Math.round(minutes % 60)).padStart(2, '0')}`

const unusual = (event: EventBrief, first: number, last: number): string =>
  `is at ${clock(startMinute(event))}; ${event.venueName || 'its venue'} is in use from ${clock(first)} to ${clock(last)}`

export const times: readonly Rule[] = [endBeforeStart, zeroLength, tooLong, unusualHours]
