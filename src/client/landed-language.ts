/**
 * In which language a new record is: a plugin for translations may decide that by itself, whatever was asked for. `landedIn` reads it
 * back where answers do not say it; `languageDrift` is the difference that fails a write.
 */

import { isLanguage, type Language } from '../contract/languages.ts'
import type { Differences } from '../contract/record.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import type { Client } from './client.ts'

/**
 * The language of a new record by what its answer says, or by the address at which it is found; the one that was asked for if nothing
 * tells. One request more, where each language has an address of its own. `others` are the clients of the other languages.
 */
export async function landedIn(
  asked: Language,
  client: Client,
  others: () => Promise<readonly (readonly [Language, Client])[]>,
  resource: Resource,
  record: Answer,
): Promise<Language> {
  if (record.lang_code) return record.lang_code
  if (await isAt(client, resource, record)) return asked
  for (const [language, other] of await others()) if (await isAt(other, resource, record)) return language
  return asked
}

/** Whether a record is at an address; a failure that does not say so is no reason to look for it elsewhere. */
async function isAt(client: Client, resource: Resource, { id }: Answer): Promise<boolean> {
  try {
    await client.get(resource, { id })
    return true
  } catch (error) {
    if (error instanceof Failure) return error.kind !== 'missing'
    throw error
  }
}

/** The difference between the language that was asked for and that of an answer; sites add a country, as in `es_ES`. */
export function languageDrift(asked: unknown, { lang_code: language }: Answer): Differences {
  const landed = typeof language === 'string' ? language.toLowerCase().split(/[-_]/)[0] : undefined
  if (!isLanguage(asked) || !landed || landed === asked) return {}
  return { lang_code: { before: null, after: landed, asked } }
}
