import { pathToFileURL } from 'node:url'

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
