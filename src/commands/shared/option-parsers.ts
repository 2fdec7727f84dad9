import { Option } from 'commander'
import { Failure, wrongValue } from '../../failure.ts'
import { readDuration } from '../../time/durations.ts'
import type { World } from '../../world.ts'

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

/** Reads the day of an option as `YYYY-MM-DD`, or its time as `YYYY-MM-DD HH:MM:SS`, counted from the user's clock; throws `usage`. */
export async function readWallOption(
  flag: string,
  text: string,
  { now, timeZone }: Pick<World, 'now' | 'timeZone'>,
): Promise<string> {
  const { readWall } = await import('../../time/typed-dates.ts')
  const { wallAt } = await import('../../time/zone.ts')
  const read = readWall(text, wallAt(now().getTime(), timeZone()))
  if (read.ok) return read.day
  throw new Failure('usage', `${flag}: ${read.message}`, { hint: read.hint })
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

/** Fields with a plus or a comma between them: `start_date+venue`. */
export const fieldNames = (text: string): string[] =>
  text
    .split(/[+,]/)
    .map(name => name.trim().replaceAll('-', '_'))
    .filter(name => name !== '')
