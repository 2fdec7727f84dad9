import { createHash } from 'node:crypto'
import { isObject } from '../base/text/json.ts'
import { type CalendarName, calendarInFile, demoCalendar } from './calendar.ts'

/**
 * The `origin` of an exported record: the calendar that its IDs belong to. A file's path is hashed, since exports are sent to others
 * and paths name people.
 */
export const exportOrigin = ({ id }: Pick<CalendarName, 'id'>): string =>
  id.startsWith('file:') ? `file:sha256-${createHash('sha256').update(id).digest('base64url')}` : id

/** Whether the IDs of a record are those of this calendar. */
export const isFrom = (origin: string, calendar: CalendarName): boolean => {
  const exported = exportOrigin(calendar)
  return origin === exported || exportOrigin(calendarOfSentence(origin)) === exported
}

/**
 * A plan, or the first line of one, with its `calendar`. The first versions wrote `origin` instead, which was a sentence for a
 * calendar file (`the calendar file /srv/town.json`) and for the demo; such plans, journals and exports are still read.
 */
export function withCalendar<T>(plan: T): T {
  if (!isObject(plan) || typeof plan.origin !== 'string' || 'calendar' in plan) return plan
  const { origin, ...others } = plan
  return { ...others, calendar: calendarOfSentence(origin as string) } as T
}

const demo = 'the demo calendar'
const file = 'the calendar file '

function calendarOfSentence(origin: string): CalendarName {
  if (origin === demo) return demoCalendar
  if (!origin.startsWith(file)) return { id: origin, label: origin }
  const { id, label } = calendarInFile(origin.slice(file.length))
  return { id, label }
}
