import type { Command } from 'commander'

/** The options that ask for events by whole days. */
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

/** The option of each. */
export const dayFlag = {
  on: '--on',
  from: '--from',
  to: '--to',
  week: '--week',
  month: '--month',
  weekend: '--weekend',
  today: '--today',
} satisfies Record<keyof DayOptions, string>

const descriptions: readonly (readonly [name: keyof DayOptions, value: string, description: string])[] = [
  ['on', ' <day>', 'Events on this day, including those that began earlier'],
  ['from', ' <day>', 'Events on this day or later'],
  ['to', ' <day>', 'Events on this day or earlier'],
  ['week', ' [day]', 'Events in this week, or in the week of a day'],
  ['month', ' [month]', 'Events in this month, or in another: 2026-12, december'],
  ['weekend', ' [day]', 'Events on Saturday and Sunday of this week, or of the week of a day'],
  ['today', '', 'Events today'],
]

/** Adds the options that ask for events by days; `without` leaves some out. `readDays` reads them. */
export function dayOptions(command: Command, without: readonly (keyof DayOptions)[] = []): Command {
  for (const [name, value, description] of descriptions)
    if (!without.includes(name)) command.option(`${dayFlag[name]}${value}`, description)
  return command
}

/** Those that are given. */
export const daysGiven = (options: DayOptions): (keyof DayOptions)[] =>
  (Object.keys(dayFlag) as (keyof DayOptions)[]).filter(name => options[name] !== undefined)
