/**
 * Translation sets: a record and its translations. Input: the records of a resource by language. Output: sets with at most one record for
 * each language, and how they were recognized. Nothing here talks to a site; `read-sets.ts` does. Records that may belong to several sets
 * are added to none, and name each other as `rivals`. Venues and organizers with different slugs are recognized by what else they share;
 * the contract says which fields are texts and which are facts.
 */

import { groupedWithKey } from '../../base/groups.ts'
import { addressKey, phoneDigits, streetAddress, websiteAddress } from '../../base/text/compared-names.ts'
import { foldText } from '../../base/text/folding.ts'
import { isObject } from '../../base/text/json.ts'
import { jointKey, KeyIndex, type MatchKey } from '../../base/text/match-key.ts'
import type { Pairing } from '../../client/client.ts'
import type { ResourceName } from '../../contract/field.ts'
import { type Language, languages } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { slugKey } from '../../contract/slug.ts'

/** Records of one resource, by their language. */
export type RecordsByLanguage = ReadonlyMap<Language, readonly Answer[]>

/** How a set was recognized: by the site, by what calctl remembers, by slugs, by the fields of `--match`, or by what venues share. */
type Recognition = 'site' | 'memory' | 'slug' | 'match' | 'likeness'

/** A record with its translations, at most one for each language. */
export interface TranslationSet {
  readonly records: ReadonlyMap<Language, Answer>
  /** Undefined for a record without translations. */
  readonly by: Recognition | undefined
  /** Records of other sets that are equally likely translations, so that none of them was added. */
  readonly rivals: readonly Answer[]
}

/** The set of a record in a language. */
export const setOf = (
  sets: readonly TranslationSet[],
  language: Language,
  { id }: { readonly id: number },
): TranslationSet | undefined => sets.find(({ records }) => records.get(language)?.id === id)

/** Venues and organizers: their slugs differ where a site makes them of names; what else they share tells which are one. */
export const isPlace = ({ name }: Resource): boolean => name === 'venues' || name === 'organizers'

/** The slug that translations share; records in the trash have another one. */
export const sharedSlug = ({ slug }: Answer): MatchKey | undefined => slugKey(slug)

/** What all translations of a linked record share. */
export type ThingOf = (of: ResourceName, id: number) => unknown

/** Linked records by their sets; `otherwise` for a record without one. */
export function thingsIn(
  sets: ReadonlyMap<ResourceName, Iterable<TranslationSet>>,
  otherwise: (id: number) => unknown = id => id,
): ThingOf {
  const things = new Map<string, TranslationSet>()
  for (const [of, all] of sets)
    for (const set of all) for (const { id } of set.records.values()) things.set(`${of} ${id}`, set)
  const names = new Map([...new Set(things.values())].map((set, index) => [set, `set ${index}`]))
  return (of, id) => {
    const set = things.get(`${of} ${id}`)
    return set ? names.get(set) : otherwise(id)
  }
}

export interface SetOptions {
  readonly resource: Resource
  /** What calctl remembers about the calendar. */
  readonly pairings?: readonly Pairing[]
  /** The fields that translations with different slugs share: `start_date`, `venue`. */
  readonly match?: readonly string[] | undefined
  /** What all translations of a linked record share; its ID if nothing is known. */
  readonly thingOf?: ThingOf | undefined
  /** The events of venues and organizers, by their sets. */
  readonly events?: SharedEvents | undefined
}

/** Recognizes the sets, in the order of the records, beginning with those of the first language. */
export function translationSets(byLanguage: RecordsByLanguage, options: SetOptions): TranslationSet[] {
  const { resource, pairings = [], match, thingOf = (_, id) => id, events } = options
  const builder = new SetBuilder(byLanguage)
  builder.joinPairings(pairingsOfSite(byLanguage), 'site')
  builder.joinPairings(pairings, 'memory')
  builder.joinByKey('slug', sharedSlug)
  if (match) builder.joinByKey('match', record => sharedValues(resource, record, match, thingOf))
  if (isPlace(resource)) builder.joinPairs('likeness', pairsOfPlaces(resource, builder.incomplete(), events))
  return builder.sets()
}

/** Undefined if a field is empty: two empty values do not make records the same. */
function sharedValues(
  { fields }: Resource,
  record: Answer,
  match: readonly string[],
  thingOf: ThingOf,
): MatchKey | undefined {
  const values = match.map((name): [string, unknown] => {
    const of = fields[name]?.of
    const value = record[name]
    if (of === undefined) return [name, value]
    const linked = [value].flat().filter(isObject)
    const things = linked.map(({ id }) => String(thingOf(of, Number(id))))
    return [name, things.toSorted().join(' ')]
  })
  return jointKey(match, Object.fromEntries(values))
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

/** A record of a language. */
interface Member {
  readonly language: Language
  readonly record: Answer
}

/** Two records that seem to be the same; rivals, if one of them equals several records. */
interface Pair {
  readonly one: Member
  readonly other: Member
  readonly areRivals: boolean
}

interface OpenSet {
  readonly members: Map<Language, Answer>
  by: Recognition | undefined
  readonly rivals: Set<Answer>
}

/** Joins records into sets, beginning with the most certain recognition, and never two of one language. */
class SetBuilder {
  /** The set of each record, by language and ID: some sites number each language separately. */
  private readonly setByRecord = new Map<string, OpenSet>()

  constructor(private readonly byLanguage: RecordsByLanguage) {
    for (const member of this.members())
      this.setByRecord.set(keyOf(member.language, member.record.id), {
        members: new Map([[member.language, member.record]]),
        by: undefined,
        rivals: new Set(),
      })
  }

  /** Joins the records of these IDs. */
  joinPairings(pairings: readonly Pairing[], by: Recognition): void {
    for (const pairing of pairings) {
      const [first, ...others] = languages.flatMap(
        language => this.setByRecord.get(keyOf(language, pairing[language] ?? 0)) ?? [],
      )
      for (const other of others) if (first) this.join(first, other, by)
    }
  }

  /** Joins records with the same key. If a language has several of them, none can be chosen, and they become rivals. */
  joinByKey(by: Recognition, keyIn: (record: Answer) => MatchKey | undefined): void {
    const index = new KeyIndex<OpenSet>()
    for (const { language, record } of this.members()) index.add(keyIn(record), this.setFor(language, record))
    for (const sets of index.groups()) {
      const group = [...new Set(sets)]
      if (group.length > 1) this.joinGroup(group, by)
    }
  }

  private joinGroup(group: readonly OpenSet[], by: Recognition): void {
    const excluded = group.filter(set => group.some(other => other !== set && shareLanguage(set, other)))
    const [first, ...others] = group.filter(set => !excluded.includes(set))
    for (const other of others) if (first) this.join(first, other, by)
    const left = first ? [first, ...excluded] : excluded
    for (const one of left)
      for (const other of left)
        if (!shareLanguage(one, other)) for (const record of other.members.values()) one.rivals.add(record)
  }

  /** Joins pairs, in order, unless a set would get two records of one language. */
  joinPairs(by: Recognition, pairs: Iterable<Pair>): void {
    for (const { one, other, areRivals } of pairs) {
      const set = this.setFor(one.language, one.record)
      const otherSet = this.setFor(other.language, other.record)
      if (!areRivals) this.join(set, otherSet, by)
      else {
        set.rivals.add(other.record)
        otherSet.rivals.add(one.record)
      }
    }
  }

  /** The records whose sets lack a language. */
  incomplete(): Member[] {
    return [...this.members()].filter(
      ({ language, record }) => this.setFor(language, record).members.size < this.byLanguage.size,
    )
  }

  sets(): TranslationSet[] {
    const all = new Set(Array.from(this.members(), ({ language, record }) => this.setFor(language, record)))
    return [...all].map(({ members, by, rivals }) => {
      const own = new Set(members.values())
      return { records: sorted(members), by, rivals: [...rivals].filter(rival => !own.has(rival)) }
    })
  }

  private join(one: OpenSet, other: OpenSet, by: Recognition): void {
    if (one === other || shareLanguage(one, other)) return
    one.by ??= by
    for (const rival of other.rivals) one.rivals.add(rival)
    for (const [language, record] of other.members) {
      one.members.set(language, record)
      this.setByRecord.set(keyOf(language, record.id), one)
    }
  }

  private setFor(language: Language, { id }: Answer): OpenSet {
    const set = this.setByRecord.get(keyOf(language, id))
    if (!set) throw new Error(`no set of ${language} ${id}`)
    return set
  }

  private *members(): Generator<Member> {
    for (const [language, records] of this.byLanguage) for (const record of records) yield { language, record }
  }
}

const shareLanguage = (one: OpenSet, other: OpenSet): boolean =>
  [...other.members.keys()].some(language => one.members.has(language))

const keyOf = (language: Language, id: number): string => `${language} ${id}`

const sorted = (members: ReadonlyMap<Language, Answer>): Map<Language, Answer> =>
  new Map(
    languages.flatMap((language): [Language, Answer][] => {
      const record = members.get(language)
      return record ? [[language, record]] : []
    }),
  )

/** The sets of the events at a venue, or of an organizer, each by something that identifies it. */
export type SharedEvents = (member: Member) => ReadonlySet<unknown>

/** A property that records of the same venue or organizer share, and how many points it gives if they share it, or takes if they differ. */
interface Clue {
  readonly same: number
  readonly different: number
  /** Whether it alone can make two records a pair; records that share it are compared. */
  readonly isKey?: true
  valueIn(record: Answer, resource: Resource): string
}

/** Two records with this many points are the same. */
const enough = 3

/** A value that more records share, such as the website of a town, says nothing. */
const mostWithOneValue = 30

const clues: readonly Clue[] = [
  { same: 3, different: 0, isKey: true, valueIn: (record, { title }) => textIn(record[title]) },
  { same: 3, different: -2, isKey: true, valueIn: ({ address }) => addressKey(streetAddress(String(address ?? ''))) },
  { same: 3, different: -3, isKey: true, valueIn: placeOf },
  { same: 3, different: -1, isKey: true, valueIn: ({ phone }) => phoneDigits(String(phone ?? '')) },
  { same: 3, different: -1, isKey: true, valueIn: ({ email }) => textIn(email) },
  { same: 3, different: -1, isKey: true, valueIn: ({ website }) => websiteAddress(String(website ?? '')) ?? '' },
  { same: 0.5, different: -1, valueIn: ({ city }) => textIn(city) },
  { same: 0.5, different: -1, valueIn: ({ zip }) => textIn(zip) },
]

/** The points for two records that share all of their events. */
const allEventsShared = 4

/**
 * Pairs of records in different languages that are the same venue or organizer, the most certain first: each is the best match for the
 * other. A record with several equally good matches is paired with none, and gets them as rivals.
 */
function pairsOfPlaces(resource: Resource, members: readonly Member[], events: SharedEvents = () => new Set()): Pair[] {
  const known = new Map(
    members.map(member => [member, { member, values: valuesOf(member, resource), events: events(member) }]),
  )
  const scored: { one: Member; other: Member; score: number }[] = []
  for (const [one, other] of candidates([...known.values()])) {
    const score = scoreOf(one, other)
    if (score >= enough) scored.push({ one: one.member, other: other.member, score })
  }
  scored.sort((a, b) => b.score - a.score)
  const searchOf = (one: Member, other: Member) => `${one.language} ${one.record.id} ${other.language}`
  const bothWays = scored.flatMap(pair => [pair, { one: pair.other, other: pair.one, score: pair.score }])
  const found = groupedWithKey(bothWays, ({ one, other }) => searchOf(one, other))
  const bestOf = (one: Member, other: Member) => {
    const all = found.get(searchOf(one, other)) ?? []
    return all.filter(({ score }) => score === all[0]?.score).map(pair => pair.other)
  }
  return scored.flatMap(({ one, other }) => {
    const [forOne, forOther] = [bestOf(one, other), bestOf(other, one)]
    if (!forOne.includes(other) || !forOther.includes(one)) return []
    return [{ one, other, areRivals: forOne.length > 1 || forOther.length > 1 }]
  })
}

interface ComparedPlace {
  readonly member: Member
  readonly values: readonly string[]
  readonly events: ReadonlySet<unknown>
}

/** The records of different languages that share a value or an event; no others can be the same. */
function* candidates(known: readonly ComparedPlace[]): Generator<[ComparedPlace, ComparedPlace]> {
  const seen = new Map<ComparedPlace, Set<ComparedPlace>>()
  for (const group of groupsWithOneValue(known))
    for (const [index, one] of group.entries())
      for (const other of group.slice(index + 1)) {
        const others = seen.get(one) ?? new Set()
        if (one.member.language === other.member.language || others.has(other)) continue
        seen.set(one, others.add(other))
        yield [one, other]
      }
}

function groupsWithOneValue(known: readonly ComparedPlace[]): ComparedPlace[][] {
  const valued = known.flatMap(one => {
    const keys = clues.flatMap(({ isKey }, index) =>
      isKey && one.values[index] ? `${index} ${one.values[index]}` : [],
    )
    return [...keys, ...one.events].map(value => ({ one, value }))
  })
  const groups = [...groupedWithKey(valued, ({ value }) => value).values()]
  return groups.filter(({ length }) => length <= mostWithOneValue).map(group => group.map(({ one }) => one))
}

function scoreOf(one: ComparedPlace, other: ComparedPlace): number {
  let score = sharedPart(one.events, other.events) * allEventsShared
  for (const [index, { same, different }] of clues.entries()) {
    const [mine, others] = [one.values[index], other.values[index]]
    if (mine !== '' && others !== '') score += mine === others ? same : different
  }
  return score
}

/** The share of their events that two records have in common: 1 for all. */
function sharedPart(one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): number {
  const shared = [...one].filter(event => other.has(event)).length
  const all = one.size + other.size - shared
  return all === 0 ? 0 : shared / all
}

const valuesOf = ({ record }: Member, resource: Resource): string[] => clues.map(clue => clue.valueIn(record, resource))

/** Letters and digits alone. */
const textIn = (value: unknown): string =>
  foldText(String(value ?? ''))
    .replace(/[^\p{L}\p{N}@]+/gu, ' ')
    .trim()

/** Coordinates, accurate to a building: with four decimals. */
function placeOf({ geo_lat: lat, geo_lng: lng }: Answer): string {
  const [north, east] = [Number(lat), Number(lng)]
  return north && east ? `${north.toFixed(4)} ${east.toFixed(4)}` : ''
}
