import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { isLanguage, type Language, languages } from '../../contract/languages.ts'
import type { Answer } from '../../contract/resource.ts'

/** The language of what is read: the one that was asked for, that of the records, or for a site that does not name its own the user's. */
export function contentLanguage(app: App, client: Client, records: readonly Answer[]): Language {
  const answered: unknown = records[0]?.lang_code
  return client.language ?? (isLanguage(answered) ? answered : languageOf(app.world.env))
}

function languageOf({ LC_ALL, LC_MESSAGES, LANG }: App['world']['env']): Language {
  const user = LC_ALL || LC_MESSAGES || LANG || ''
  return languages.find(language => user.startsWith(language)) ?? 'en'
}
