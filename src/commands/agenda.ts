import type { Command } from 'commander'
import type { App } from '../app.ts'
import { dayAfter } from '../time/locale-weeks.ts'
import { type CalendarOptions, calendarOptions, isDrawn, sheetFile } from './shared/calendar-options.ts'

export const agendaDescription = 'Show events day by day: the next seven days, or others'

/** calctl agenda: days as headings, with the events on each of them. */
export function agenda(command: Command, app: App): void {
  calendarOptions(command)
    .addHelpText('after', examples)
    .action(async (options: CalendarOptions) => {
      const file = await sheetFile(app, options)
      const { localDay, readDatedEvents } = await import('./shared/dated-events.ts')
      const today = localDay(app)
      const found = await readDatedEvents(app, options, { first: today, last: dayAfter(today, 6) })
      if (file !== undefined) return (await import('./shared/printed-sheets.ts')).writeAgendaSheet(app, found, file)
      if (!isDrawn(app)) return found.print()
      const { eventsByDay } = await import('../days/day-events.ts')
      const { agendaText } = await import('../terminal/agenda-text.ts')
      const days = eventsByDay(found.events, found.range)
      await found.draw(view => agendaText(days, view))
      if (days.size === 0) await found.noticeNone()
    })
}

const examples = `
Examples:
  calctl agenda
  calctl agenda --weekend
  calctl agenda --from today --to +14d --categories jazz
  calctl agenda --week --html week.html`
