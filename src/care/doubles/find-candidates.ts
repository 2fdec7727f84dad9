/**
 * Duplicates: records for the same thing, entered twice. Input: records of one resource and one language, in any order, one
 * after the other (events by day, as lists have them). Output: pairs with a score and its reasons; each new record is compared
 * with those before it that share a key, never with all. `score.ts` compares two of them.
 */

import { addressKey } from '../../base/text/compared-names.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { mostInDoubt, type Score, scorePair, type Traits, traitsOf } from './score.ts'

/** Two possible duplicates; the first is the one that was added first. */
export interface Candidate extends Score {
  readonly resource: ResourceName
  readonly records: readonly [Answer, Answer]
}

/** Pairs with at least this score are reported. */
export const leastScore = 0.7

/** At most this many events are remembered: lists are in the order of their start, and duplicates start on the same day. */
const mostEvents = 5000

interface Entry {
  readonly record: Answer
  readonly traits: Traits
}

/** An index of the records of one resource and language; its pairs contain what `keep` leaves of each record. */
export function createCandidateIndex(
  resource: Resource,
  least = leastScore,
  keep: (record: Answer) => Answer = record => record,
) {
  const { name } = resource
  const blocks = new Map<string, Entry[]>()
  const recentEvents: { entry: Entry; keys: string[] }[] = []

  const forget = () => {
    for (const { entry, keys } of recentEvents.splice(0, mostEvents / 2))
      for (const key of keys) {
        const left = blocks.get(key)?.filter(other => other !== entry) ?? []
        if (left.length > 0) blocks.set(key, left)
        else blocks.delete(key)
      }
  }

  /** Files an entry under its keys, and returns those that share one. */
  const fileUnder = (keys: ReadonlyMap<string, number>, entry: Entry): Set<Entry> => {
    const similar = new Set<Entry>()
    for (const [key, most] of keys) {
      const block = blocks.get(key)
      if (!block) blocks.set(key, [entry])
      // Values that many records share are no longer compared.
      else if (block.length < most) {
        for (const other of block) similar.add(other)
        block.push(entry)
      }
    }
    return similar
  }

  return {
    /** The possible duplicates of this record among those added before, the most likely first. */
    add(record: Answer): Candidate[] {
      const entry = { record: keep(record), traits: traitsOf(resource, record) }
      const keys = new Map(blockKeys(name, entry.traits))
      const similar = fileUnder(keys, entry)
      if (name === 'events') {
        recentEvents.push({ entry, keys: [...keys.keys()] })
        if (recentEvents.length > mostEvents) forget()
      }
      return Array.from(similar)
        .flatMap((other): Candidate[] => {
          const scored = scorePair(name, other.traits, entry.traits)
          if (!scored || scored.score < least) return []
          return [{ resource: name, records: [other.record, entry.record], ...scored }]
        })
        .toSorted((one, other) => other.score - one.score)
    },
  }
}

/** A key that duplicates probably share, and how many records may share it before it says too little. */
type BlockKey = readonly [key: string, most: number]

/** Few records share a phone number; many share the beginning of a word. */
const strong = 1000
const medium = 60
const weak = 25

/** The keys by which a record is looked for: two records without a common key are not compared. */
function* blockKeys(resource: ResourceName, traits: Traits): Generator<BlockKey> {
  const { name, moment } = traits
  if (moment) {
    const { day } = moment
    yield [`${day} ${name.key}`, strong]
    if (moment.venue) yield [`${day} at ${moment.venue.id}`, medium]
    for (const part of partsOf(traits)) yield [`${day} ${part}`, medium]
    return
  }
  yield [`name ${name.key}`, strong]
  yield [`letters ${name.letters}`, strong]
  if (resource === 'categories' || resource === 'tags') for (const part of partsOf(traits)) yield [part, strong]
  else yield* contactKeys(traits)
}

/** The keys of venues and organizers besides their names. */
function* contactKeys(traits: Traits): Generator<BlockKey> {
  for (const phone of traits.phones) yield [`phone ${phone}`, medium]
  if (traits.email) yield [`email ${traits.email}`, medium]
  if (traits.website) yield [`website ${traits.website}`, medium]
  if (traits.address) yield [`address ${addressKey(traits.address)}`, medium]
  const { city, zip } = traits
  for (const part of partsOf(traits)) {
    yield [part, weak]
    if (city) yield [`${part} in ${city.letters.slice(0, 4)}`, medium]
    if (zip) yield [`${part} in ${zip}`, medium]
  }
}

/** How many letters at the beginning or end of a word show that it may be the same as another. */
const partOf = (length: number): number => Math.min(4, Math.max(2, Math.floor(length / 2)))

/** The beginnings and ends of the most telling words: a wrong letter is only in one of them. */
function* partsOf({ name }: Traits): Generator<string> {
  const telling = name.words.filter(({ weight, isExact }) => weight === 1 && !isExact)
  const words = telling.length > 0 ? telling : name.words
  for (const { text } of words) {
    // A word that lacks a letter may have a shorter part.
    for (const length of new Set([partOf(text.length), partOf(text.length - 1)])) {
      yield `^${text.slice(0, length)}`
      if (text.length > length) yield `${text.slice(-length)}$`
    }
  }
  const letters = name.letters
  if (letters.length >= 8) {
    yield `^^${letters.slice(0, 5)}`
    yield `${letters.slice(-5)}$$`
  }
}

/** Records for the same thing, each in one of the pairs. */
type Group = readonly [Answer, ...Answer[]]

/**
 * Joins pairs with at least this score: if A is B and B is C, all three are the same. A branch of a chain without an address resembles all
 * other branches, which do not resemble each other: such groups are doubtful, others sure. `candidates` are all reported pairs.
 */
export function groupCandidates(candidates: readonly Candidate[], threshold: number) {
  const groups = new Map<number, Group>()
  for (const { records, score } of candidates) {
    if (score < threshold) continue
    const [one, other] = records.map((record): Group => groups.get(record.id) ?? [record])
    if (!one || !other || one === other) continue
    const group: Group = [...one, ...other]
    for (const { id } of group) groups.set(id, group)
  }
  const undoubted = candidates.filter(({ score }) => score > Math.min(mostInDoubt, threshold - 0.001))
  const pairs = new Set(undoubted.map(({ records: [one, other] }) => pairKey(one.id, other.id)))
  const all = [...new Set(groups.values())]
  const holds = (group: Group) =>
    group.every((one, index) => group.slice(index + 1).every(other => pairs.has(pairKey(one.id, other.id))))
  return { sure: all.filter(holds), doubtful: all.filter(group => !holds(group)) }
}

/** A key for a pair, in either order. */
export const pairKey = (one: number, other: number): string => `${Math.min(one, other)} ${Math.max(one, other)}`
