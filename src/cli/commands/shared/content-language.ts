import { Failure } from '../../../base/failure.ts'
import { asOption } from '../../../base/text/similarity.ts'
import type { Client, Reads, Values } from '../../../client/client.ts'
import { isLanguage, type Language, languages } from '../../../contract/languages.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'

/** The client of a command that reads: with `--lang all` its lists have the records of all languages. */
export async function clientToRead(app: App): Promise<Client> {
  const client = await app.client()
  if (app.globals.lang !== 'all') return client
  return (await import('../../../client/languages/routing.ts')).inAllLanguages(client)
}

/** What a command prints of a resource: with `--lang all`, the language of each record as well. */
export const shapeToRead = ({ globals }: App, resource: Resource): Resource =>
  globals.lang === 'all' ? { ...resource, columns: ['id', 'lang_code', ...resource.columns.slice(1)] } : resource

/** Throws `usage` for filters by records, which are those of one language. */
export function checkFiltersOfAll({ globals }: App, resource: Resource, filters: Values): void {
  const name = globals.lang === 'all' && Object.keys(filters).find(name => resource.filters[name]?.of)
  if (!name) return
  const { of } = resource.filters[name] ?? {}
  throw new Failure('usage', `${asOption(name)} names ${of} of one language, and --lang all lists all of them`, {
    hint: `choose a language, or use --where, for example: --where '${name === 'venue' ? 'venue.city=Girona' : 'title~jazz'}'`,
  })
}

/** The language of what is read: the one that was asked for, that of the records, or for a site that does not name its own the user's. */
export function contentLanguage(app: App, client: Reads, records: readonly Answer[]): Language {
  const answered: unknown = records[0]?.lang_code
  return client.language ?? (isLanguage(answered) ? answered : languageOf(app.world.env))
}

function languageOf({ LC_ALL, LC_MESSAGES, LANG }: App['world']['env']): Language {
  const user = LC_ALL || LC_MESSAGES || LANG || ''
  return languages.find(language => user.startsWith(language)) ?? 'en'
}
