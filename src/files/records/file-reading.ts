import type { DateOrder } from '../../base/time/typed-order.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { Notice } from './file-record.ts'
import type { Build } from './record-builder.ts'

/** How a file is read: what the readers of all formats get. */
export interface FileReading {
  /** The path or URL of the file, for messages; its extension tells the format. */
  readonly name: string
  /** The resource of records that do not name one. */
  readonly resource?: ResourceName
  /** Whether other files are read with the same options. */
  readonly isOneOfSeveral?: boolean
  /** The order of day, month and year in dates such as `05/12/2026`. */
  readonly dateOrder?: DateOrder
  /** The day from which dates without a year count in sheets, `YYYY-MM-DD`; without it, such dates are refused. */
  readonly datesFrom?: string
  /** The sheet of a workbook; by default the first one that is not hidden. */
  readonly sheet?: string
  /** iCalendar: how far series are expanded, `YYYY-MM-DD` or with a time; by default a year from now. */
  readonly until?: string
  /** iCalendar: whether an invalid event, or a line that cannot be read, is a failure of the whole file. */
  readonly strict?: boolean
  /** JSON: the map by which its objects are read as events, or the name of one. */
  readonly jsonMap?: string | Readonly<Record<string, string>>
  /** JSON: the language of texts that come in several. */
  readonly language?: Language
  /** Sheets for translators: the options that connect to the calendar, for the command in a notice. */
  readonly flags?: string | undefined
  /** The zone of the calendar for which the records are read. */
  readonly timezone?: string
  readonly now: Date
  readonly notice: Notice
  readonly build: Build
}
