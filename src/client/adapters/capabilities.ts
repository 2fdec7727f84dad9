import { documentedNamespace } from '../../contract/contract.ts'
import type { Calendar } from '../calendar.ts'

/** What a calendar can do, and what it does with the values that it is given. */
export interface Capabilities {
  /** A calendar in this process: nobody else changes it meanwhile, and writes in progress together share one flush of the disk. */
  readonly nobodyElseWrites: boolean
  /** Records have pages on the web. */
  readonly hasPages: boolean
  /** An update leaves alone what it does not name. */
  readonly keepsWhatIsLeftOut: boolean
  /** Answers show texts as they are stored, and not what is rendered from them. */
  readonly showsStoredTexts: boolean
  /** Records can have passwords. */
  readonly hasPasswords: boolean
  /** Every value that the contract allows is stored as it is given, but for fields that cannot be written at all. */
  readonly takesEveryValue: boolean
  /** Lists have hidden events, too. */
  readonly listsHidden: boolean
  /** A new venue or organizer overwrites the one that has its name. */
  readonly overwritesSameName: boolean
  readonly keepsBackslashes: boolean
  /** A cost keeps its currency, however it is written. */
  readonly keepsCurrencies: boolean
  /** The UTC offset of a time counts. */
  readonly keepsOffsets: boolean
  /** Images stay at the URL that they were given by: nothing loads them. */
  readonly keepsImageUrls: boolean
  /** Requests may name any language; elsewhere a plugin decides which ones there are. */
  readonly takesAnyLanguage: boolean
  /** Pages of events come with data for search engines. */
  readonly describesEvents: boolean
}

/** The API as it is documented: a calendar in this process, and `serve`. */
const documented: Omit<Capabilities, 'nobodyElseWrites' | 'hasPages'> = {
  keepsWhatIsLeftOut: true,
  showsStoredTexts: true,
  hasPasswords: false,
  takesEveryValue: true,
  listsHidden: true,
  overwritesSameName: false,
  keepsBackslashes: true,
  keepsCurrencies: true,
  keepsOffsets: true,
  keepsImageUrls: true,
  takesAnyLanguage: true,
  describesEvents: false,
}

/** A site with The Events Calendar. */
const eventsCalendar: typeof documented = {
  keepsWhatIsLeftOut: false,
  showsStoredTexts: false,
  hasPasswords: true,
  takesEveryValue: false,
  listsHidden: false,
  overwritesSameName: true,
  keepsBackslashes: false,
  keepsCurrencies: false,
  keepsOffsets: false,
  keepsImageUrls: false,
  takesAnyLanguage: false,
  describesEvents: true,
}

export function capabilitiesOf({ baseUrl }: Calendar, namespace: string): Capabilities {
  const isInProcess = baseUrl === undefined
  return {
    nobodyElseWrites: isInProcess,
    hasPages: !isInProcess,
    ...(namespace === documentedNamespace ? documented : eventsCalendar),
  }
}
