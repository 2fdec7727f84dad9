import type { Command } from 'commander'
import type { DayRange } from '../../base/time/calendar-words.ts'
import { plusDays } from '../../base/time/dates.ts'
import type { App } from '../app.ts'
import { type CalendarOptions, calendarOptions, isDrawn, sheetFile } from './shared/calendar-options.ts'
import { type DayOptions, dayOptions } from './shared/day-options.ts'

export const agendaDescription = 'Show events by day (default: the next seven days)'

/** calctl agenda: days as headings, with the events on each of them. */
export function agenda(command: Command, app: App): void {
  calendarOptions(command, dayOptions)
    .addHelpText('after', examples)
    .action(async (options: CalendarOptions & DayOptions) => {
      const file = await sheetFile(app, options)
      const { readDatedEvents } = await import('./shared/dated-events.ts')
      const found = await readDatedEvents(app, options, (now, locale) => daysOf(options, now, locale))
      if (file !== undefined) return (await import('./shared/dated-events.ts')).writeAgendaSheet(app, found, file)
      if (!isDrawn(app)) return found.print()
      const { eventsByDay } = await import('../../files/print/day-events.ts')
      const { agendaText } = await import('../terminal/agenda-text.ts')
      const days = eventsByDay(found.events, found.span)
      await found.draw(view => agendaText(days, view))
      if (days.size === 0) await found.noticeNone()
    })
}

/** By default a week from today on; days that only have an end begin today too, unless that is past. */
async function daysOf(options: DayOptions, now: string, locale: string): Promise<DayRange> {
  const { readDays } = await import('./shared/read-criteria.ts')
  const today = now.slice(0, 10)
  const given = await readDays(options, async () => now, locale)
  const { first, last } = given ?? { first: today, last: plusDays(today, 6) }
  return { first: first ?? (last !== undefined && last >= today ? today : undefined), last }
}

const examples = `
Examples:
  calctl agenda
  calctl agenda --weekend
  calctl agenda --from today --to +14d --categories jazz
  calctl agenda --week --html week.html`
