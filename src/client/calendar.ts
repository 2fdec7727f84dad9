import { fileURLToPath, pathToFileURL } from 'node:url'
import { phrase } from '../base/words/phrase.ts'
import { documentedNamespace } from '../contract/contract.ts'

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
export function placeOf({ id, label }: Pick<Calendar, 'id' | 'label'>): string {
  if (id === demoCalendar.id) return phrase('in the demo calendar')
  if (id.startsWith('file:')) return phrase('in the calendar file {file}', { file: fileURLToPath(id) })
  return phrase('at {calendar}', { calendar: label })
}

/** A calendar that is reached over HTTP. */
export const calendarAt = (baseUrl: string, namespace: string): Calendar => ({
  id: `${baseUrl.replace(/\/+$/, '')}/${namespace}`,
  label: baseUrl,
  baseUrl,
})

/** A calendar file; takes its absolute path. */
export const calendarInFile = (file: string): Calendar => ({
  id: pathToFileURL(file).href,
  label: phrase('the calendar file {file}', { file }),
})

/** The calendar in memory that `--demo` opens. */
export const demoCalendar: Calendar = {
  id: 'demo:',
  get label() {
    return phrase('the demo calendar')
  },
}

/** A calendar as plans and journals record it. */
export type CalendarName = Pick<Calendar, 'id' | 'label'>

/** What a calendar can do, and what it does with the values that it is given. */
export interface Capabilities {
  /** A calendar in this process: nobody else changes it at the same time, and concurrent writes share one flush to the disk. */
  readonly nobodyElseWrites: boolean
  /** Records have pages on the web. */
  readonly hasPages: boolean
  /** An update leaves alone what it does not name. */
  readonly keepsWhatIsLeftOut: boolean
  /** Answers show texts as they are stored, and not what is rendered from them. */
  readonly showsStoredTexts: boolean
  /** Records can have passwords. */
  readonly hasPasswords: boolean
  /** Every value that the contract allows is stored as given, except for fields that are read-only. */
  readonly takesEveryValue: boolean
  /** Lists have hidden events, too. */
  readonly listsHidden: boolean
  /** A request also changes other records: with a venue or organizer in the trash, events lose it. */
  readonly touchesOthers: boolean
  /** A new venue or organizer overwrites the one that has its name. */
  readonly overwritesSameName: boolean
  readonly keepsBackslashes: boolean
  /** A cost keeps its currency, however it is written. */
  readonly keepsCurrencies: boolean
  /** The UTC offset of a time counts. */
  readonly keepsOffsets: boolean
  /** Images keep the URL that was given: nothing downloads them. */
  readonly keepsImageUrls: boolean
  /** Requests may name any language; on a site, a plugin decides which ones there are. */
  readonly takesAnyLanguage: boolean
  /** There may be an API whose updates change only what they are sent; a site says for each user whether there is. */
  readonly mayPatch: boolean
}

/** The API as documented is that of a calendar in this process, and of `serve`; any other is that of a site with The Events Calendar. */
export function capabilitiesOf({ baseUrl }: Calendar, namespace: string, mayPatch = false): Capabilities {
  const isInProcess = baseUrl === undefined
  const isAsDocumented = namespace === documentedNamespace
  return {
    nobodyElseWrites: isInProcess,
    hasPages: !isInProcess,
    mayPatch,
    keepsWhatIsLeftOut: isAsDocumented,
    showsStoredTexts: isAsDocumented,
    hasPasswords: !isAsDocumented,
    takesEveryValue: isAsDocumented,
    listsHidden: isAsDocumented,
    touchesOthers: !isAsDocumented,
    overwritesSameName: !isAsDocumented,
    keepsBackslashes: isAsDocumented,
    keepsCurrencies: isAsDocumented,
    keepsOffsets: isAsDocumented,
    keepsImageUrls: isAsDocumented,
    takesAnyLanguage: isAsDocumented,
  }
}
