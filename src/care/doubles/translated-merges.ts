import type { Client } from '../../client/client.ts'
import { languageOf } from '../../client/languages/known-languages.ts'
import { type Language, languages } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { SetReader } from '../translations/read-sets.ts'
import type { Merge } from './merge-plan.ts'

/**
 * The same merge in the other languages: of the translations of its records, where a language has two of them or more. The translation of
 * the survivor stays; a language without one keeps that of the first of the others.
 */
export async function translatedMerges(
  client: Client,
  sets: SetReader,
  resource: Resource,
  { survivor, others }: Merge,
  onlyQuick: boolean,
): Promise<(Merge & { readonly language: Language })[]> {
  const own = languageOf(client, survivor)
  if (own === undefined) return []
  const records = [survivor, ...others]
  const setOf = await sets.setsOf({ resource, language: own, records, onlyQuick })
  return languages.flatMap(language => {
    if (language === own) return []
    const all = records.flatMap(({ id }) => setOf.get(id)?.records.get(language) ?? [])
    const [first, ...rest] = new Map(all.map((record): [number, Answer] => [record.id, record])).values()
    return first && rest.length > 0 ? [{ language, survivor: first, others: rest }] : []
  })
}
