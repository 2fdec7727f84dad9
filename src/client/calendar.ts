import { fileURLToPath, pathToFileURL } from 'node:url'
import { phrase } from '../base/words/phrase.ts'
import { documentedNamespace } from '../contract/contract.ts'
import type { Calendar, Capabilities } from './client.ts'

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
