/**
 * `origin`: the calendar that the IDs of an exported record belong to, and, in plans and journals of the first
 * versions, the calendar of the plan. In all three it was a sentence where the calendar is a file (`the calendar file
 * /srv/town.json`) or the demo. Such files are still read; the sentence is converted here and nowhere else.
 */
import { createHash } from 'node:crypto'
import { isObject } from '../contract/resource.ts'
import { type Calendar, calendarInFile, demoCalendar } from './calendar.ts'

/** A calendar as plans and journals keep it. */
export type CalendarName = Pick<Calendar, 'id' | 'label'>

/** What an export says of its calendar. A file's path is hashed: exports are sent to others, and paths name people. */
export const exportOrigin = ({ id }: CalendarName): string =>
  id.startsWith('file:') ? `file:sha256-${createHash('sha256').update(id).digest('base64url')}` : id

/** Whether the IDs of a record are those of this calendar. */
export const isFrom = (origin: string, calendar: CalendarName): boolean => {
  const exported = exportOrigin(calendar)
  return origin === exported || exportOrigin(calendarOfSentence(origin)) === exported
}

/** A plan, or the head of one, with the calendar as data; an older one said it in a sentence. */
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
