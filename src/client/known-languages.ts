import { documentedNamespace, resourceNamed } from '../contract/contract.ts'
import { isLanguage, type Language, languages } from '../contract/languages.ts'
import type { Answer } from '../contract/resource.ts'
import type { CalendarLanguages, Client } from './client.ts'
import { wholeListQuery } from './whole-list.ts'

/** What calendars said that were asked. */
const said = new WeakMap<Client, Promise<CalendarLanguages>>()

/** The languages of a calendar, by asking it for a record, once, if nothing was asked yet. */
export async function knownLanguages(client: Client): Promise<CalendarLanguages> {
  const known = client.languages()
  if (known.own !== undefined && known.all.length > 0) return known
  const asking = said.get(client) ?? askLanguages(client)
  said.set(client, asking)
  try {
    return await asking
  } catch (error) {
    said.delete(client)
    throw error
  }
}

async function askLanguages(client: Client): Promise<CalendarLanguages> {
  for (const resource of [resourceNamed('events'), resourceNamed('venues')]) {
    const { records } = await client.list(resource, wholeListQuery({ resource }, { per_page: 1 }))
    const answered = records[0]?.lang_code
    const { own = isLanguage(answered) ? answered : undefined, all } = client.languages()
    if (own !== undefined) return { own, all }
  }
  return client.languages()
}

/**
 * The languages that `--lang all` reads, the calendar's own first; empty if there is only one. The API as it is documented takes any
 * language. A site that ignores `lang_code` would return the same records for each.
 */
export async function languagesToRead(client: Client): Promise<readonly Language[]> {
  const { own, all } = await knownLanguages(client)
  const readable = all.length > 1 ? all : client.namespace === documentedNamespace ? languages : []
  return own && readable.includes(own) ? [own, ...readable.filter(language => language !== own)] : readable
}

/** The language of a record: what it says, or that of the requests which name none. */
export const languageOf = (client: Client, { lang_code }: Answer): Language | undefined =>
  isLanguage(lang_code) ? lang_code : client.languages().own
