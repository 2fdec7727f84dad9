/**
 * Duplicates: records for the same thing, entered twice. Input: records of one resource and one language, in any order, one
 * after the other (events by day, as lists have them). Output: pairs with a score and its reasons; each new record is compared
 * with those before it that share a key (`blocks.ts`), never with all. `traits.ts` reads what is compared, `score.ts` compares.
 */
import type { ResourceName } from '../contract/field.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { blockKeys } from './blocks.ts'
import { type Score, scorePair } from './score.ts'
import { type Traits, traitsOf } from './traits.ts'

/** Two records that may be one thing; the first is the one that was added first. */
export interface Candidate extends Score {
  readonly resource: ResourceName
  readonly records: readonly [Answer, Answer]
}

/** Finds the duplicates of records that are added one by one. */
export interface CandidateIndex {
  /** The records added before that may be the same thing as this one, the likeliest first. */
  add(record: Answer): Candidate[]
}

/** Pairs of this score and above are worth a look. */
export const leastScore = 0.7

/** At most this many events are remembered: lists have them by their start, and duplicates start on one day. */
const mostEvents = 5000

interface Entry {
  readonly record: Answer
  readonly traits: Traits
}

/** An index of records of one resource and one language; its pairs have of each record what `keep` leaves. */
export function createCandidateIndex(
  resource: Resource,
  least = leastScore,
  keep: (record: Answer) => Answer = record => record,
): CandidateIndex {
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

  return {
    add(record) {
      const entry = { record: keep(record), traits: traitsOf(resource, record) }
      const similar = new Set<Entry>()
      const keys = new Map(Array.from(blockKeys(name, entry.traits), ({ key, most }) => [key, most]))
      for (const [key, most] of keys) {
        const block = blocks.get(key)
        if (!block) blocks.set(key, [entry])
        // What many share is not compared any more.
        else if (block.length < most) {
          for (const other of block) similar.add(other)
          block.push(entry)
        }
      }
      if (name === 'events') {
        recentEvents.push({ entry, keys: [...keys.keys()] })
        if (recentEvents.length > mostEvents) forget()
      }
      const candidates: Candidate[] = []
      for (const other of similar) {
        const scored = scorePair(name, other.traits, entry.traits)
        if (scored && scored.score >= least)
          candidates.push({ resource: name, records: [other.record, entry.record], ...scored })
      }
      return candidates.toSorted((one, other) => other.score - one.score)
    },
  }
}
