/**
 * Translation sets: a record and its translations. Input: the records of a resource by language. Output: sets with at most one
 * record per language, and what they were recognized by. Nothing here talks to a site: `read-sets.ts` does. Records that could
 * belong to more than one thing are paired with none, and name each other as `rivals`. `same-place.ts` recognizes venues and
 * organizers whose slugs differ; the contract says which fields of a record are texts and which are facts.
 */

import { isObject } from '../../base/text/json.ts'
import { foldText } from '../../base/text/similarity.ts'
import { type Language, languages } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { pairsOfPlaces, type SharedEvents } from './same-place.ts'
import { SetBuilder } from './set-builder.ts'
import { type Pairing, type RecordsByLanguage, slugKey, type ThingOf, type TranslationSet } from './translation-set.ts'

export interface SetOptions {
  readonly resource: Resource
  /** What calctl remembers of the calendar. */
  readonly pairings?: readonly Pairing[]
  /** The fields that translations have in common although their slugs differ: `start_date`, `venue`. */
  readonly match?: readonly string[] | undefined
  /** What is the same for all translations of a linked record; its ID if nothing is known. */
  readonly thingOf?: ThingOf | undefined
  /** The events of venues and organizers, as the sets that they belong to. */
  readonly events?: SharedEvents | undefined
}

/** Recognizes the sets; they come in the order of the records, those of the first language first. */
export function translationSets(byLanguage: RecordsByLanguage, options: SetOptions): TranslationSet[] {
  const { resource, pairings = [], match, thingOf = (_, id) => id, events } = options
  const builder = new SetBuilder(byLanguage)
  builder.joinPairings(pairingsOfSite(byLanguage), 'site')
  builder.joinPairings(pairings, 'memory')
  builder.joinByKey('slug', slugKey)
  if (match) builder.joinByKey('match', record => matchKey(resource, record, match, thingOf))
  if (resource.name === 'venues' || resource.name === 'organizers')
    builder.joinPairs('likeness', pairsOfPlaces(resource, builder.incomplete(), events))
  return builder.sets()
}

/** Undefined where a field is empty: records that have nothing in common in it are not the same. */
function matchKey(
  { fields }: Resource,
  record: Answer,
  match: readonly string[],
  thingOf: ThingOf,
): string | undefined {
  const values = match.map(name => {
    const of = fields[name]?.of
    const value = record[name]
    if (of === undefined) return foldText(String(value ?? ''))
    const linked = [value].flat().filter(isObject)
    return linked
      .map(({ id }) => String(thingOf(of, Number(id))))
      .toSorted()
      .join(' ')
  })
  return values.includes('') ? undefined : JSON.stringify(values)
}

/** What some plugins for translations add to a record: `"translations": {"en": 91}`. */
function pairingsOfSite(byLanguage: RecordsByLanguage): Pairing[] {
  return [...byLanguage].flatMap(([language, records]) =>
    records.flatMap(({ id, translations }) => {
      if (!isObject(translations)) return []
      const ids = languages.flatMap((name): [Language, number][] => {
        const linked = translations[name]
        const linkedId = Number(isObject(linked) ? linked.id : linked)
        return linkedId > 0 && name !== language ? [[name, linkedId]] : []
      })
      return ids.length > 0 ? [{ ...Object.fromEntries(ids), [language]: id }] : []
    }),
  )
}
