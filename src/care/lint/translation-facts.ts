import { decodeEntities } from '../../base/text/escaping.ts'
import { phrase } from '../../base/words/phrase.ts'
import { fieldList } from '../../changes/plan/names.ts'
import { trimRecord } from '../../changes/plan/record-state.ts'
import { SiteReader } from '../../changes/plan/site-reader.ts'
import { languageOf } from '../../client/languages/known-languages.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { isLanguage, type Language, languages } from '../../contract/languages.ts'
import { onlyShown } from '../../contract/record.ts'
import { type Answer, factFields, type Resource } from '../../contract/resource.ts'
import { languageName, namedRecord } from '../../contract/resource-words.ts'
import { differingFacts } from '../translations/set-status.ts'
import {
  isPlace,
  type SetOptions,
  sharedSlug,
  type ThingOf,
  type TranslationSet,
  thingsIn,
  translationSets,
} from '../translations/sets.ts'
import { type TranslationFacts, type TranslationMember, textAt } from './brief.ts'
import type { ComparedProblem, LintContext, Rule, RuleProblem } from './rule.ts'

export function createTranslationFacts(): TranslationFacts {
  const bySlug = new Map<Resource, Map<string, TranslationMember[]>>()
  const places = new Map<Resource, Map<Language, Map<Answer, TranslationMember>>>()
  return {
    add(resource, record, brief, asked) {
      const slug = sharedSlug(record)
      if (slug === undefined || record.status === 'trash') return
      const language = isLanguage(record.lang_code) ? record.lang_code : asked
      const member = { brief, language, facts: JSON.stringify(factsOf(resource, record)) }
      if (isPlace(resource) && language) {
        const { description: _, ...compared } = onlyShown(trimRecord(resource, record))
        entryOf(entryOf(places, resource), language).set(compared, member)
      } else {
        const sets = entryOf(bySlug, resource)
        sets.set(slug, [...(sets.get(slug) ?? []), member])
      }
    },
    ofEvents: () => bySlug.get(resourceNamed('events'))?.values() ?? [],
    async *sets({ pairings }) {
      for (const [resource, members] of places)
        for (const set of placeSets(members, { resource, pairings: await pairings?.of(resource.name) }))
          yield [resource, set]
      for (const [resource, sets] of bySlug)
        for (const members of sets.values()) if (members.length > 1) yield [resource, members]
    },
  }
}

type PlacesByLanguage = ReadonlyMap<Language, ReadonlyMap<Answer, TranslationMember>>

function placeSets(members: PlacesByLanguage, options: SetOptions): TranslationMember[][] {
  const lists = new Map(Array.from(members, ([language, own]) => [language, [...own.keys()]]))
  return translationSets(lists, options)
    .filter(({ records }) => records.size > 1)
    .map(({ records }) => [...records].flatMap(([language, one]) => members.get(language)?.get(one) ?? []))
}

/** The map at a key, which is created if it does not exist. */
function entryOf<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const map = maps.get(key) ?? new Map<L, V>()
  maps.set(key, map)
  return map
}

function factsOf(resource: Resource, record: Answer): Answer {
  const trimmed = trimRecord(resource, record)
  const facts = factFields(resource).map(([name]) => [name, trimmed[name]])
  return { id: record.id, url: record.url, ...Object.fromEntries(facts) }
}

export const translationsDiffer: Rule = {
  id: 'translations-differ',
  level: 'warning',
  finds: () =>
    phrase(
      'the translations of a record differ in a fact: date, venue, cost, image, flags; checked only with --lang all',
    ),
  why: () => phrase('readers of another language come at the wrong time, or to the wrong place'),
  remedy: () => phrase('give all of them the right value with --all-languages'),
  resources: ['events', 'venues', 'organizers', 'categories'],
  async *compareLanguages(facts, context): AsyncGenerator<ComparedProblem> {
    let things: ThingOf | undefined
    for await (const [resource, [first, ...others]] of facts.sets(context.client))
      for (const other of others) {
        if (!first || other.language === first.language || other.facts === first.facts) continue
        things ??= await thingsOf(context)
        const differing = differingFacts(resource, JSON.parse(first.facts), JSON.parse(other.facts), things)
        if (differing.length > 0) yield problem(resource, [first, other], differing)
      }
  },
}

function problem(
  resource: Resource,
  [first, { brief, language }]: readonly [TranslationMember, TranslationMember],
  differing: readonly string[],
): ComparedProblem {
  const { name } = resource
  const ids = name === 'events' ? ` --include ${first.brief.id}` : ''
  return {
    of: { ...brief, lang_code: language },
    message: phrase('differs from {record} ({language}) in {fields}', {
      record: namedRecord(name, first.brief.id),
      language: first.language ? languageName(first.language) : '?',
      fields: fieldList(differing, name),
    }),
    ...(differing[0] !== undefined && { field: differing[0] }),
    command: `languages status ${name}${ids}`,
  }
}

/**
 * The facts that all translations of a venue, organizer, category or tag share. Records without a known translation are compared, too,
 * because a site that makes slugs from names does not show which records belong together.
 */
async function thingsOf({ client, languages }: LintContext): Promise<ThingOf> {
  const reader = new SiteReader(client)
  const sets = new Map<ResourceName, TranslationSet[]>()
  for (const name of ['venues', 'organizers', 'categories', 'tags'] as const) {
    const resource = resourceNamed(name)
    const lists = new Map<Language, Answer[]>()
    for (const language of languages) lists.set(language, [...(await reader.readList({ resource, language })).all()])
    const pairings = (await client.pairings?.of(name)) ?? []
    const found = translationSets(lists, { resource, pairings }).filter(({ records }) => records.size > 1)
    sets.set(name, found)
  }
  return thingsIn(sets, () => 'alone')
}

type Detect = (text: string) => { readonly language: string; getScores(): Readonly<Record<string, number>> }

let detect: Detect | undefined

/** More of a text tells nothing more. */
const longest = 300

/** A language is certain if its score is this much above that of the language of the record. */
const certain = 0.06

/** Words that only one of the languages has. */
const ownWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  ca: new Set('amb i els dels als pels per és aquest aquesta fins sota més molt hi ha ens són'.split(' ')),
  en: new Set('the and of with to for from at by is are on this that our your you their'.split(' ')),
  es: new Set('con y los por para este esta hasta bajo más muy en su se lo'.split(' ')),
}

/** Whether the words of a text clearly belong to one language: a test that takes a tenth of the time, and settles most texts. */
function isPlainly(own: Language, text: string): boolean {
  const counts = { ca: 0, en: 0, es: 0 }
  for (const word of text.toLowerCase().split(/[^\p{L}]+/u))
    for (const language of languages) if (ownWords[language].has(word)) counts[language] += 1
  return counts[own] >= 3 && languages.every(language => language === own || counts[language] * 4 < counts[own])
}

/** Placeholder text, which is in none of the languages, whichever it resembles. */
const isFiller = (text: string): boolean => /\blorem ipsum\b/i.test(text)

/** Texts that are not in the language of their record. Names are too short to tell. */
export const wrongLanguage: Rule = {
  id: 'wrong-language',
  level: 'warning',
  finds: () => phrase('the language of a text is not that of its record'),
  why: () => phrase('readers of one language get a page in another; most often a copy was never translated'),
  remedy: () => phrase('translate it; the threshold is how many letters a text needs to be judged'),
  resources: ['events', 'venues', 'organizers'],
  limits: { letters: 40 },
  async prepare() {
    if (detect) return
    const { eld } = await import('eld/extrasmall')
    // Only these languages: a short text, such as a title, may resemble another.
    eld.setLanguageSubset([...languages])
    detect = text => eld.detect(text)
  },
  *check(record, _, context): Generator<RuleProblem> {
    const own = languageOf(context.client, record)
    const text = plainBeginning(textAt(record, 'description'))
    if (!detect || own === undefined || text.length < (context.limitsOf(this).letters ?? 0)) return
    if (isFiller(text) || isPlainly(own, text)) return
    const found = detect(text)
    const scores = found.getScores()
    if (!isLanguage(found.language) || found.language === own) return
    if ((scores[found.language] ?? 0) - (scores[own] ?? 0) < certain) return
    yield {
      message: phrase('has a description in {language}, and is in {own}', {
        language: languageName(found.language),
        own: languageName(own),
      }),
      field: 'description',
      update: '--description TEXT',
    }
  },
}

const plainBeginning = (text: string): string =>
  decodeEntities(text.slice(0, 4 * longest).replace(/<[^<>]*>?/g, ' '))
    .trim()
    .slice(0, longest)
