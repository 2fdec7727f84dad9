import { documentedNamespace } from '../../contract/contract.ts'
import type { Calendar } from '../calendar.ts'
import type { Capabilities } from '../client.ts'

/** The API as it is documented: a calendar in this process, and `serve`. */
const documented: Omit<Capabilities, 'nobodyElseWrites' | 'hasPages' | 'mayPatch'> = {
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

export function capabilitiesOf({ baseUrl }: Calendar, namespace: string, mayPatch = false): Capabilities {
  const isInProcess = baseUrl === undefined
  return {
    nobodyElseWrites: isInProcess,
    hasPages: !isInProcess,
    mayPatch,
    ...(namespace === documentedNamespace ? documented : eventsCalendar),
  }
}
