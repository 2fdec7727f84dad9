import { normalizeText } from '../../base/text/folding.ts'
import { isObject } from '../../base/text/json.ts'
import { wallMs } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import { trimRecord } from '../../changes/plan/record-state.ts'
import type { Reads, Values } from '../../client/client.ts'
import { languageOf } from '../../client/languages/known-languages.ts'
import { type Criteria, select, selectedPages } from '../../client/selection/criteria.ts'
import type { Field } from '../../contract/field.ts'
import { largestPage } from '../../contract/filter.ts'
import type { Language } from '../../contract/languages.ts'
import { statusLabel } from '../../contract/post-status.ts'
import { isFree } from '../../contract/price.ts'
import { shownValue } from '../../contract/record.ts'
import { type Answer, emptyToo, factFields, type Resource, textFields } from '../../contract/resource.ts'
import { fieldLabel, languageName } from '../../contract/resource-words.ts'
import type { SetReader } from './read-sets.ts'
import { type ThingOf, type TranslationSet, translationSets } from './sets.ts'

/** How a record of a set compares with that of the default language. */
export interface TranslationStatus {
  readonly id: number
  /** The status of the record: `publish`, `draft`; undefined for terms. */
  readonly status: string | undefined
  /** Whether the record of the default language was changed later. */
  readonly isOlder: boolean
  /** The texts that are the same as in the default language. */
  readonly sameTexts: readonly string[]
  /** The facts that differ from those in the default language. */
  readonly differs: readonly string[]
}

/** The status of a set in each language; undefined where it is missing. */
export type SetStatus = ReadonlyMap<Language, TranslationStatus | undefined>

/** Compares the records of a set with that of the first language, or of the first one that exists. */
export function setStatus(
  resource: Resource,
  { records }: TranslationSet,
  languages: readonly Language[],
  thingOf: ThingOf,
): SetStatus {
  const [default_, ...others] = languages.flatMap(language => records.get(language) ?? [])
  if (!default_) return new Map()
  return new Map(
    languages.map(language => {
      const record = records.get(language)
      if (!record) return [language, undefined]
      const isOther = others.includes(record)
      return [
        language,
        {
          id: record.id,
          status: typeof record.status === 'string' ? record.status : undefined,
          isOlder: isOther && isOlder(record, default_),
          sameTexts: isOther ? sameTexts(resource, default_, record) : [],
          differs: isOther ? differingFacts(resource, default_, record, thingOf) : [],
        },
      ]
    }),
  )
}

/** A single run, and its undo, write all languages of a set within this time, in ms. */
const oneRun = 60_000

/** Drafts on The Events Calendar have no date of their last change in UTC. */
const isOlder = ({ modified_utc: one }: Answer, { modified_utc: other }: Answer): boolean =>
  typeof one === 'string' &&
  typeof other === 'string' &&
  !one.startsWith('0000') &&
  wallMs(other) - wallMs(one) > oneRun

/** Names are often the same in all languages, and short texts can be. */
const shortest = 20

/** The texts that nobody has translated: long ones that are equal. */
function sameTexts(resource: Resource, one: Answer, other: Answer): string[] {
  const textIn = (record: Answer, name: string) => normalizeText(String(record[name] ?? ''))
  return textFields(resource)
    .map(([name]) => name)
    .filter(name => name !== resource.title && name !== 'slug')
    .filter(name => textIn(one, name).length >= shortest && textIn(one, name) === textIn(other, name))
}

/** The facts that differ between two translations, except their status, which is always shown. */
export const differingFacts = (resource: Resource, one: Answer, other: Answer, thingOf: ThingOf): string[] =>
  factFields(resource)
    .filter(
      ([name, { secret }]) => name !== 'status' && !secret && one[name] !== undefined && other[name] !== undefined,
    )
    .filter(([name, field]) => factIn(name, field, one, thingOf) !== factIn(name, field, other, thingOf))
    .map(([name]) => name)

/** A fact in a form that is equal in all languages. */
function factIn(name: string, field: Field, record: Answer, thingOf: ThingOf): string {
  const value = shownValue(name, field, record)
  if (field.kind.shape === 'amount') return costIn(String(value ?? ''))
  if (field.kind.shape === 'picture') return isObject(value) ? String(value.url ?? value.id) : ''
  if (!field.of) return value === null || value === false || value === undefined ? '' : String(value)
  const { of } = field
  const ids = [value].flat().flatMap(linked => (isObject(linked) ? linked.id : linked) || [])
  const things = ids.map(id => String(thingOf(of, Number(id))))
  return things.toSorted().join(' ')
}

/** Only the amounts: each language has its own word for free, and its own way to write prices. */
function costIn(cost: string): string {
  if (isFree(cost)) return '0'
  const amounts = cost.match(/\d+(?:[.,]\d+)*/g)
  return amounts
    ? amounts.map(amount => amount.replace(',', '.').replace(/\.0+$/, '')).join(' ')
    : normalizeText(cost).toLowerCase()
}

/** `92`, `92 (draft)`, `92 (older, same description, other cost)`, `missing`. */
export function statusText(status: TranslationStatus | undefined, resource: Resource): string {
  if (!status) return phrase('missing')
  const remarks = remarksOn(status, resource)
  return remarks.length > 0 ? `${status.id} (${remarks.join(', ')})` : String(status.id)
}

function remarksOn({ status, isOlder, sameTexts, differs }: TranslationStatus, { fields }: Resource): string[] {
  const label = (name: string) => fieldLabel(name, fields[name])
  return [
    ...(status !== undefined && status !== 'publish' ? [statusLabel(status)] : []),
    ...(isOlder ? [phrase('older')] : []),
    ...sameTexts.map(name => phrase('same {field}', { field: label(name) })),
    ...differs.map(name => phrase('other {field}', { field: label(name) })),
  ]
}

/** Whether nothing needs to be done for a set. */
export const isComplete = (status: SetStatus, resource: Resource): boolean =>
  [...status.values()].every(one => one && remarksOn(one, resource).length === 0)

/** A summary of how many sets lack a record, are drafts and so on. */
export function countStatuses(statuses: readonly SetStatus[], languages: readonly Language[]): string[] {
  const counts: [say: (count: number) => string, holds: (status: TranslationStatus | undefined) => boolean][] = [
    [count => phrase('{count} missing', { count }), status => !status],
    [
      count => phrase('{count} not published', { count }),
      status => status?.status !== undefined && status.status !== 'publish',
    ],
    [count => phrase('{count} older', { count }), status => status?.isOlder === true],
    [count => phrase('{count} with the same text', { count }), status => (status?.sameTexts.length ?? 0) > 0],
    [count => phrase('{count} with other facts', { count }), status => (status?.differs.length ?? 0) > 0],
  ]
  return languages.flatMap(language => {
    const parts = counts.flatMap(([say, holds]) => {
      const count = statuses.filter(status => holds(status.get(language))).length
      return count > 0 ? [say(count)] : []
    })
    return parts.length > 0 ? [`${languageName(language)}: ${parts.join(', ')}`] : []
  })
}

/** The wanted sets: those with a record that the criteria select. */
export interface SetSelection {
  readonly client: Reads
  readonly resource: Resource
  readonly criteria: Criteria
  /** The languages of the calendar, beginning with that of requests without a `lang_code`. */
  readonly languages: readonly Language[]
  readonly sets: SetReader
}

/**
 * The complete sets with a record that criteria select: a translation that they do not select, because it has another date, still belongs
 * to its set. Filters by linked records name those of the first language, and select only its records.
 */
export async function selectedSets(selection: SetSelection): Promise<TranslationSet[]> {
  const { client, resource, criteria, languages, sets } = selection
  const [own] = languages
  const asked = namesRecords(resource, criteria) ? languages.slice(0, 1) : languages
  const lists = new Map<Language, readonly Answer[]>()
  for (const language of asked) lists.set(language, await selectedRecordsIn(client, selection, language, own))
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

/** Whether criteria name records, whose IDs and names differ in each language. */
const namesRecords = (resource: Resource, { filters, conditions = [] }: Criteria): boolean =>
  Object.keys(filters).some(name => resource.filters[name]?.of) || conditions.some(({ of }) => of)

/** The records of a language that criteria select. `own` is the language of requests which name none. */
export async function selectedRecordsIn(
  client: Reads,
  { resource, criteria }: Pick<SetSelection, 'resource' | 'criteria'>,
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
