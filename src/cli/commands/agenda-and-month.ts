import type { Command } from 'commander'
import { usage } from '../../base/failure.ts'
import { type DayRange, monthOf } from '../../base/time/calendar-words.ts'
import { plusDays } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Reads } from '../../client/client.ts'
import type { App } from '../app.ts'
import { type CalendarOptions, calendarOptions } from './shared/calendar-options.ts'
import { type DayOptions, dayOptions, daysArgument, withDays } from './shared/options.ts'

/** calctl agenda: days as headings, with the events on each of them. */
export function agenda(command: Command, app: App): void {
  daysArgument(calendarOptions(command, dayOptions)).action(
    async (words: string[], typed: CalendarOptions & DayOptions) => {
      const options = withDays(typed, words)
      const { agendaDrawing, showDays } = await import('./shared/dated-events.ts')
      await showDays(app, options, (now, client) => agendaDays(app, client, options, now), agendaDrawing)
    },
  )
}

/** The days of an agenda: by default a week from today; if only an end is given, from today, unless the end is in the past. */
async function agendaDays(app: App, client: Reads, options: DayOptions, now: string): Promise<DayRange> {
  const { readDaysAloud } = await import('./shared/read-criteria.ts')
  const today = now.slice(0, 10)
  const given = await readDaysAloud(app, client, options)
  const { first, last, ...others } = given ?? { first: today, last: plusDays(today, 6) }
  return { ...others, first: first ?? (last !== undefined && last >= today ? today : undefined), last }
}

/** calctl month [month]: a grid of days. */
export function month(command: Command, app: App): void {
  calendarOptions(command)
    .argument('[month...]', phrase('A month: 2026-12, 12/2026, december, next (default: this month)'))
    .action(async (words: string[], options: CalendarOptions) => {
      const { monthDrawing, showDays } = await import('./shared/dated-events.ts')
      await showDays(app, options, now => daysOfMonth(words.join(' '), now), monthDrawing)
    })
}

/** A day in the month that was typed; throws `usage` for any other text. */
export async function dayOfMonth(text: string, now: string): Promise<string> {
  const { readMonth } = await import('../../base/time/typed-dates.ts')
  const typed = readMonth(text, now)
  if (typed.ok) return typed.day
  throw usage(typed.message, typed.hint)
}

async function daysOfMonth(text: string, now: string): Promise<DayRange> {
  return monthOf(text === '' ? now.slice(0, 10) : await dayOfMonth(text, now))
}
