/**
 * How an event repeats, as options or the cells of a row say it, and the dates that follow. Input: the texts, and what messages
 * call them. Output: a rule with its limits; throws `usage` for what cannot be read.
 */

import { misread } from '../../base/failure.ts'
import type { Meaning } from '../../base/meaning.ts'
import { msWall, readDate, wallMs } from '../../base/time/dates.ts'
import { type Repetition, type RepetitionContext, readLastDay, readRepetition } from '../../base/time/repetitions.ts'
import { readingMistake } from '../../contract/reading.ts'
import { optionNames, type RepetitionNames } from './occurrences.ts'

type Values = Readonly<Record<string, unknown>>

/** How an event repeats, as somebody wrote it. */
export interface RepetitionTexts {
  /** `cada dimarts`, `FREQ=WEEKLY;COUNT=10` */
  readonly repeat: string
  readonly until?: string | undefined
  readonly except?: readonly string[] | undefined
}

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

/** The values of the first event of a series on another day, at the same wall time. */
export const valuesOn = (start: string, first: string, values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOn(start, first, name, value)]))

function valueOn(start: string, first: string, name: string, value: unknown): unknown {
  if (name === 'slug' && value) return `${value}-${start.slice(0, 10)}`
  const date = /^(start|end)_date$/.test(name) ? readDate(String(value)) : undefined
  if (!date) return value
  const moved = msWall(wallMs(date.wall) + wallMs(start) - wallMs(first))
  return date.dayOnly ? moved.slice(0, 10) : moved
}
