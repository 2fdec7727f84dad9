/**
 * How an event repeats, as options or the cells of a row say it, and the dates that follow. Input: the texts, the first event, and what
 * messages call each text. Output: the starts of all events, and what people should know about them; throws `usage` for what cannot be
 * read, for what never ends, and for exceptions that leave nothing.
 */

import { misread, usage } from '../../base/failure.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { readDate } from '../../base/time/dates.ts'
import { isPublicHoliday } from '../../base/time/holidays.ts'
import { type Repetition, type RepetitionContext, readLastDay, readRepetition } from '../../base/time/repetitions.ts'
import { phrase } from '../../base/words/phrase.ts'
import { type Meaning, readingMistake } from '../../contract/reading.ts'
import { isEndless } from './rrule.ts'

/** How an event repeats, as somebody wrote it. */
export interface RepetitionTexts {
  /** `cada dimarts`, `FREQ=WEEKLY;COUNT=10` */
  readonly repeat: string
  readonly until?: string | undefined
  readonly except?: readonly string[] | undefined
}

/** What messages call each text. */
export const optionNames = { repeat: '--repeat', until: '--repeat-until', except: '--except' } as const

export type RepetitionNames = Readonly<Record<keyof typeof optionNames, string>>

/** Reads how an event repeats; without `until`, it may have no end. */
export function readRepetitionTexts(
  { repeat, until, except = [] }: RepetitionTexts,
  context: RepetitionContext,
  names: RepetitionNames = optionNames,
): Repetition {
  const repetition = settled(names.repeat, repeat, readRepetition(repeat, context))
  const words = except.join(', ')
  const days = except.map(day => readDate(day)?.wall.slice(0, day.length))
  const limited = days.every(day => day !== undefined)
    ? { ...repetition, except: [...(repetition.except ?? []), ...days] }
    : settled(names.except, words, readRepetition(repeat, context, words))
  return until === undefined
    ? limited
    : { ...limited, until: settled(names.until, until, readLastDate(until, context)) }
}

export const hasEnd = ({ until, rule }: Repetition): boolean => until !== undefined || !isEndless(rule)

export const withoutEnd = ({ repeat }: RepetitionTexts, { until }: RepetitionNames = optionNames) =>
  usage(
    phrase('"{repeat}" has no end', { repeat }),
    phrase('add the last day: {option}', { option: `${until} 2027-06-30` }),
  )

/** The last day of a series, or the wall time. */
export function readLastDate(text: string, context: RepetitionContext): Meaning<string> {
  const date = readDate(text)
  return date ? { value: date.dayOnly ? date.wall.slice(0, 10) : date.wall } : readLastDay(text, context)
}

/** The value of a text; throws if there is none, or several, one of which can be chosen at a terminal. */
function settled<T>(name: string, text: string, reading: Meaning<T>): T {
  const mistake = readingMistake(reading, text)
  if (mistake || !('value' in reading)) throw misread(name, text, mistake ?? { message: '', hint: '' })
  return reading.value
}

/** What to know of a series before it is created. */
export function repetitionNotes({
  starts,
  leftOut,
}: {
  readonly starts: readonly string[]
  readonly leftOut: readonly string[]
}) {
  const days = (walls: readonly string[]) =>
    listOfFirst(
      walls.map(wall => wall.slice(0, 10)),
      10,
    )
  const onHolidays = starts.filter(wall => isPublicHoliday(wall.slice(0, 10)))
  const [first = '', last = ''] = [starts.at(0), starts.at(-1)].map(wall => wall?.slice(0, 10))
  return [
    phrase('{count, plural, one {# date} other {# dates}}, from {first} to {last}', {
      count: starts.length,
      first,
      last,
    }),
    leftOut.length > 0 ? phrase('left out: {days}', { days: days(leftOut) }) : [],
    onHolidays.length > 0 ? phrase('public holidays in Catalonia: {days}', { days: days(onHolidays) }) : [],
  ].flat()
}
