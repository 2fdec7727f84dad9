import { trimRecord } from '../../changes/plan/record-state.ts'
import type { Reads, Values } from '../../client/client.ts'
import { languageOf } from '../../client/languages/known-languages.ts'
import { type Criteria, select } from '../../client/selection/criteria.ts'
import { selectedPages } from '../../client/selection/selected-records.ts'
import { largestPage } from '../../contract/filter.ts'
import type { Language } from '../../contract/languages.ts'
import { type Answer, emptyToo, type Resource } from '../../contract/resource.ts'
import type { SetReader } from './read-sets.ts'
import { translationSets } from './sets.ts'
import type { TranslationSet } from './translation-set.ts'

/** Which sets are wanted: those with a record that the criteria select. */
export interface SetSelection {
  readonly client: Reads
  readonly resource: Resource
  readonly criteria: Criteria
  /** The languages of the calendar, that of requests which name none first. */
  readonly languages: readonly Language[]
  readonly sets: SetReader
}

/**
 * The sets with a record that criteria select, whole: a translation that they do not select, because it has another date, belongs to
 * its set. Filters by linked records name those of the first language, and select its records alone.
 */
export async function selectedSets(selection: SetSelection): Promise<TranslationSet[]> {
  const { client, resource, criteria, languages, sets } = selection
  const [own] = languages
  const asked = namesRecords(resource, criteria) ? languages.slice(0, 1) : languages
  const lists = new Map<Language, readonly Answer[]>()
  for (const language of asked) lists.set(language, await selectedRecordsIn(client, resource, criteria, language, own))
  const found = translationSets(lists, { resource, pairings: (await client.pairings?.of(resource.name)) ?? [] })
  const missesOne = ({ records }: TranslationSet) => records.size < languages.length
  const seen = new Set<string>()
  const completed = new Map<Language, Map<number, TranslationSet>>()
  for (const language of asked) {
    const records = found.filter(missesOne).flatMap(({ records }) => records.get(language) ?? [])
    completed.set(language, await sets.setsOf({ resource, language, records }))
  }
  return found.flatMap(set => {
    const [language, record] = [...set.records][0] ?? []
    const isIncomplete = language && record && missesOne(set)
    const whole = (isIncomplete && completed.get(language)?.get(record.id)) || set
    const isKnown = [...whole.records].some(([name, { id }]) => seen.has(`${name} ${id}`))
    for (const [name, { id }] of whole.records) seen.add(`${name} ${id}`)
    return isKnown ? [] : [whole]
  })
}

/** Whether criteria name records, which have other IDs and names in each language. */
const namesRecords = (resource: Resource, { filters, conditions = [] }: Criteria): boolean =>
  Object.keys(filters).some(name => resource.filters[name]?.of) || conditions.some(({ of }) => of)

/** The records of a language that criteria select. `own` is the language of requests which name none. */
export async function selectedRecordsIn(
  client: Reads,
  resource: Resource,
  criteria: Criteria,
  language: Language,
  own: Language | undefined,
): Promise<Answer[]> {
  const selected = await select(client, resource, criteria)
  const query = (filters: Values) => ({
    per_page: largestPage,
    ...emptyToo(resource),
    ...(language !== own && { lang_code: language }),
    ...filters,
  })
  const records: Answer[] = []
  for await (const page of selectedPages(client, resource, selected, query))
    records.push(...page.records.map(record => trimRecord(resource, record)))
  // A site that does not know the parameter answers in its own language.
  return records.filter(record => language === own || languageOf(client, record) === language)
}
