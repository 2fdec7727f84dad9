import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { isObject } from '../contract/resource.ts'

/** The calendar that a client talks to. */
export interface Calendar {
  /**
   * What identifies it in plans, journals and exports: the base URL with the namespace, the `file:///` URL of a calendar file,
   * or `demo:`. Two calendars are the same if and only if their ids are.
   */
  readonly id: string
  /** How messages name it: `https://example.org/wp-json`, `the demo calendar`. Nothing compares or parses it. */
  readonly label: string
  /** The options that connect to it, as hints add them to commands: ` -p site`. Absent where none is needed. */
  readonly flags?: string
  /** Absent for a calendar in this process. */
  readonly baseUrl?: string
}

/** Where something is, in messages: `at https://example.org/wp-json`, `in the demo calendar`. */
export const placeOf = ({ id, label }: Pick<Calendar, 'id' | 'label'>): string =>
  `${/^https?:/.test(id) ? 'at' : 'in'} ${label}`

/** A calendar that is reached over HTTP. */
export const calendarAt = (baseUrl: string, namespace: string): Calendar => ({
  id: `${baseUrl.replace(/\/+$/, '')}/${namespace}`,
  label: baseUrl,
  baseUrl,
})

/** A calendar file; takes its absolute path. */
export const calendarInFile = (file: string): Calendar => ({
  id: pathToFileURL(file).href,
  label: `the calendar file ${file}`,
})

/** The calendar in memory that `--demo` opens. */
export const demoCalendar: Calendar = { id: 'demo:', label: 'the demo calendar' }

/** A calendar as plans and journals record it. */
export type CalendarName = Pick<Calendar, 'id' | 'label'>

/**
 * The `origin` of an exported record: the calendar that its IDs belong to. A file's path is hashed, since exports are sent to others
 * and paths name people.
 */
export const exportOrigin = ({ id }: CalendarName): string =>
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
