import { Option } from 'commander'
import { wrongValue } from '../../failure.ts'
import { readDate } from '../../time/dates.ts'
import { readDuration } from '../../time/durations.ts'

/** Parses `a, b,c`, in one occurrence of an option or in several. */
export const commaSeparated = (text: string, before: readonly string[] = []) => [
  ...before,
  ...text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== ''),
]

/** Every occurrence of an option, as typed. */
export const repeatable = (text: string, before: readonly string[] = []) => [...before, text]

/** An option whose value is one of a few words. */
export function choiceOption(flags: string, description: string, words: readonly string[]): Option {
  const [example = ''] = words
  const option = new Option(flags, description).choices(words)
  return option.argParser(text => {
    if (words.includes(text)) return text
    throw wrongValue(`--${option.name()}`, `one of ${words.join(', ')}`, text, example)
  })
}

/** Parses the number of an option: 0 or more, or with `least` 1 or more. */
export const wholeNumber =
  (flag: string, least: 0 | 1 = 0) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
    throw wrongValue(flag, least === 0 ? 'a whole number' : 'a whole number above 0', text, '5')
  }

/** The origin of an option: `https://example.org`. */
export function readOrigin(flag: string, text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text.replace(/\/$/, ''))
    throw wrongValue(flag, 'an origin: scheme, host and port', text, 'https://app.example')
  return new URL(text).origin
}

/** Reads the day of an option as `YYYY-MM-DD`, or its wall time as `YYYY-MM-DD HH:MM:SS`; throws `usage`. */
export function readWall(flag: string, text: string): string {
  const date = readDate(text)
  if (!date || date.offset !== undefined) throw wrongValue(flag, 'a date, or a date and time', text, '2026-12-25')
  return date.dayOnly ? date.wall.slice(0, 10) : date.wall
}

/** The help of `--limit` where a terminal shows less by itself. */
export const limitDescription = 'Maximum number to list (default: all; 50 on a terminal)'

/** Parses the duration of an option, in ms. */
export const durationOption =
  (flag: string, example: string) =>
  (text: string): number => {
    const ms = readDuration(text)
    if (ms === undefined) throw wrongValue(flag, 'a duration', text, example)
    return ms
  }
