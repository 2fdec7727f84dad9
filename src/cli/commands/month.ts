import type { Command } from 'commander'
import { Failure } from '../../base/failure.ts'
import { type DayRange, monthOf } from '../../base/time/calendar-words.ts'
import type { App } from '../app.ts'
import { type CalendarOptions, calendarOptions, isDrawn, sheetFile } from './shared/calendar-options.ts'

export const monthDescription = 'Show a month as a calendar, with the events on each day'

/** calctl month [month]: a grid of days. */
export function month(command: Command, app: App): void {
  calendarOptions(command)
    .argument('[month...]', 'A month: 2026-12, 12/2026, december, next (default: this month)')
    .addHelpText('after', examples)
    .action(async (words: string[], options: CalendarOptions) => {
      const file = await sheetFile(app, options)
      const { readDatedEvents } = await import('./shared/dated-events.ts')
      const found = await readDatedEvents(app, options, now => daysOf(words.join(' '), now))
      if (file !== undefined) return (await import('./shared/dated-events.ts')).writeMonthSheet(app, found, file)
      if (!isDrawn(app)) return found.print()
      const { monthText } = await import('../terminal/agenda-text.ts')
      await found.draw(view => monthText(found.events, found.span, view))
      if (found.events.length === 0) await found.noticeNone()
    })
}

async function daysOf(text: string, now: string): Promise<DayRange> {
  if (text === '') return monthOf(now.slice(0, 10))
  const { readMonth } = await import('../../base/time/typed-dates.ts')
  const typed = readMonth(text, now)
  if (typed.ok) return monthOf(typed.day)
  throw new Failure('usage', typed.message, { hint: typed.hint })
}

const examples = `
Examples:
  calctl month
  calctl month 2026-12 --venue 4
  calctl month december --html december.html`
