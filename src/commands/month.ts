import type { Command } from 'commander'
import type { App } from '../app.ts'
import { daysOfMonth } from '../time/locale-weeks.ts'
import { type CalendarOptions, calendarOptions, isDrawn, sheetFile } from './shared/calendar-options.ts'

export const monthDescription = 'Show a month as a calendar, with the events on each day'

/** calctl month [month]: a grid of days. */
export function month(command: Command, app: App): void {
  calendarOptions(command)
    .argument('[month]', 'A month: 2026-12, december, next month (default: this month)')
    .addHelpText('after', examples)
    .action(async (text: string | undefined, options: CalendarOptions) => {
      const file = await sheetFile(app, options)
      const { localDay, readDatedEvents } = await import('./shared/dated-events.ts')
      const [first, last] = daysOfMonth(text ?? localDay(app).slice(0, 7))
      const found = await readDatedEvents(app, options, { first, last })
      if (file !== undefined) return (await import('./shared/printed-sheets.ts')).writeMonthSheet(app, found, file)
      if (!isDrawn(app)) return found.print()
      const { monthText } = await import('../terminal/month-text.ts')
      await found.draw(view => monthText(found.events, found.range, view))
      if (found.events.length === 0) await found.noticeNone()
    })
}

const examples = `
Examples:
  calctl month
  calctl month 2026-12 --venue 4
  calctl month december --html december.html`
