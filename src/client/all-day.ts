import type { Answer } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { asOption } from '../text/words.ts'
import type { Values } from './client.ts'

interface RequestedChange {
  readonly values: Values
  readonly shift?: number | undefined
  readonly keepInstant?: boolean | undefined
}

interface Wording {
  readonly notice: (text: string) => Promise<void>
  readonly fieldLabel?: ((field: string) => string) | undefined
}

const day = 86_400_000

/** The first and last second of a day, which services answer for an all-day event. */
const times = { start_date: '00:00:00', end_date: '23:59:59' } as const

type End = keyof typeof times

/**
 * The dates of a change of an all-day event as whole days. A service drops their times without a word, and a start or end that
 * passes midnight moves it by a day: such a change is refused, unless the same change makes the event an all-day one.
 */
export async function asWholeDays(
  before: Answer | undefined,
  change: RequestedChange,
  dated: Values,
  { notice, fieldLabel = asOption }: Wording,
): Promise<Values> {
  const { all_day: wanted } = change.values
  if (wanted === false || (wanted !== true && before?.all_day !== true)) return dated
  const { shift = 0, keepInstant } = change
  const hint = wholeDaysHint(fieldLabel)
  if (shift % day !== 0) throw refusal(before, 'it moves by whole days only', 'for example: --shift +1d')
  if (keepInstant)
    throw refusal(before, 'it has days and no instant to keep', 'leave out --keep-instant: the days stay the same')
  const days: Record<string, unknown> = { ...dated }
  for (const [name, time] of Object.entries(times) as [End, string][]) {
    if (!(name in change.values)) continue
    const wall = String(dated[name]).slice(0, 19)
    const typed = wall.slice(11)
    const isDay = typed === '00:00:00' || typed === time
    if (!isDay && wanted !== true)
      throw refusal(before, `${fieldLabel(name)} cannot have the time ${shown(typed)}`, hint)
    if (!isDay) await notice(`an all-day event has no times: left out ${shown(typed)} of ${fieldLabel(name)}`)
    days[name] = `${wall.slice(0, 10)} ${time}`
  }
  return days
}

const refusal = (before: Answer | undefined, reason: string, hint: string): Failure =>
  new Failure('usage', `${before ? `event ${before.id}` : 'the event'} lasts all day: ${reason}`, { hint })

const wholeDaysHint = (label: (field: string) => string): string =>
  label === asOption
    ? 'give a date without a time; or make it an event with times: --no-all-day'
    : `give dates without times; or make it an event with times: ${label('all_day')} false`

const shown = (time: string): string => time.replace(/:00$/, '')
