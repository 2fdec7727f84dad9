import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { excluding, Failure } from '../../failure.ts'
import { type DayRange, monthOf, weekendOf, weekOf } from '../../time/day-range.ts'
import { readDay, readMonth, type TypedDay } from '../../time/typed-dates.ts'
import { wallAt } from '../../time/zone.ts'
import type { World } from '../../world.ts'

/** The options that ask for events by days. */
export interface DayOptions {
  readonly on?: string
  readonly from?: string
  readonly to?: string
  /** True without a value: this one. */
  readonly week?: string | true
  readonly month?: string | true
  readonly weekend?: string | true
  readonly today?: true
}

const flags = {
  on: '--on',
  from: '--from',
  to: '--to',
  week: '--week',
  month: '--month',
  weekend: '--weekend',
  today: '--today',
} satisfies Record<keyof DayOptions, string>

/** Adds the options that ask for events by days; `without` leaves some out. */
export function dayOptions(command: Command, without: readonly (keyof DayOptions)[] = []): Command {
  const options: [keyof DayOptions, string, string][] = [
    ['on', '--on <day>', 'Events on this day'],
    ['from', '--from <day>', 'Events on this day or later, also those that began before'],
    ['to', '--to <day>', 'Events on this day or earlier, also those that go on'],
    ['week', '--week [day]', 'Events in this week, Monday to Sunday, or in the week of a day'],
    ['month', '--month [month]', 'Events in this month, or in another: 2026-12, december'],
    ['weekend', '--weekend [day]', 'Events on Saturday and Sunday of this week, or of the week of a day'],
    ['today', '--today', 'Events today'],
  ]
  for (const [name, flag, help] of options) if (!without.includes(name)) command.option(flag, help)
  return command
}

/**
 * The days that the options ask for; undefined if they ask for none. `now` is called only if an option is given: the wall time
 * from which relative days count.
 */
export async function readDays(options: DayOptions, now: () => Promise<string>): Promise<DayRange | undefined> {
  const given = (Object.keys(flags) as (keyof DayOptions)[]).filter(name => options[name] !== undefined)
  const [one, other] = given
  if (one === undefined) return undefined
  const isSpan = given.every(name => name === 'from' || name === 'to')
  if (other !== undefined && !isSpan) throw excluding(flags[one], flags[other])
  const wall = await now()
  return isSpan ? spanOf(options, wall) : rangeOf(one, options, wall)
}

function spanOf({ from, to }: DayOptions, now: string): DayRange {
  const first = from === undefined ? undefined : checked('from', readDay(from, now))
  const last = to === undefined ? undefined : checked('to', readDay(to, now))
  if (first !== undefined && last !== undefined && last < first)
    throw new Failure('usage', `--to ${last} is before --from ${first}`, {
      hint: 'swap them, or leave one of them out',
    })
  return { first, last }
}

function rangeOf(name: keyof DayOptions, options: DayOptions, now: string): DayRange {
  const text = options[name]
  const today = now.slice(0, 10)
  if (name === 'month') return monthOf(typeof text === 'string' ? checked(name, readMonth(text, now)) : today)
  const day = typeof text === 'string' ? checked(name, readDay(text, now)) : today
  if (name === 'week') return weekOf(day)
  return name === 'weekend' ? weekendOf(day) : { first: day, last: day }
}

function checked(name: keyof DayOptions, typed: TypedDay): string {
  if (typed.ok) return typed.day
  throw new Failure('usage', `${flags[name]}: ${typed.message}`, { hint: typed.hint })
}

/** The wall time of the calendar, from which relative dates count: that of the site if it says its zone, and the user's otherwise. */
export const wallTime = async (client: Client, world: World): Promise<string> =>
  wallAt(world.now().getTime(), (await client.timezone()) ?? world.timeZone())
