import { addressKey, phoneDigits, streetAddress, websiteAddress } from '../../base/text/compared-names.ts'
import { foldText } from '../../base/text/similarity.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Member, Pair } from './set-builder.ts'

/** The sets of the events that take place at a venue, or are held by an organizer, each as anything that identifies it. */
export type SharedEvents = (member: Member) => ReadonlySet<unknown>

/** Something that two records of one venue or organizer have in common, and what it is worth if they have, or if they differ. */
interface Clue {
  readonly same: number
  readonly different: number
  /** Whether it alone can make two records a pair; records that share it are compared. */
  readonly isKey?: true
  valueIn(record: Answer, resource: Resource): string
}

/** Two records are one thing from this many points on. */
const enough = 3

/** More records than this with one value, such as the website of a town: the value tells nothing. */
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

/** What the events that two records share are worth, if they share all of them. */
const allEventsShared = 4

/**
 * Pairs of records in different languages that are one venue or organizer, the surest first: each is the best for the other, by what
 * they have in common. A record with several equally good ones is paired with none, and has them as rivals.
 */
export function pairsOfPlaces(
  resource: Resource,
  members: readonly Member[],
  events: SharedEvents = () => new Set(),
): Pair[] {
  const known = new Map(
    members.map(member => [member, { member, values: valuesOf(member, resource), events: events(member) }]),
  )
  const scored: { one: Member; other: Member; score: number }[] = []
  for (const [one, other] of candidates([...known.values()])) {
    const score = scoreOf(one, other)
    if (score >= enough) scored.push({ one: one.member, other: other.member, score })
  }
  const best = new Map<string, { score: number; members: Member[] }>()
  const note = (one: Member, other: Member, score: number) => {
    const key = `${one.language} ${one.record.id} ${other.language}`
    const before = best.get(key)
    if (!before || score > before.score) best.set(key, { score, members: [other] })
    else if (score === before.score) before.members.push(other)
  }
  for (const { one, other, score } of scored) {
    note(one, other, score)
    note(other, one, score)
  }
  const bestOf = (one: Member, other: Member) =>
    best.get(`${one.language} ${one.record.id} ${other.language}`)?.members ?? []
  const pairs: Pair[] = []
  for (const { one, other } of scored.toSorted((a, b) => b.score - a.score)) {
    const [forOne, forOther] = [bestOf(one, other), bestOf(other, one)]
    if (!forOne.includes(other) || !forOther.includes(one)) continue
    if (forOne.length === 1 && forOther.length === 1) pairs.push({ one, other })
    else pairs.push({ one, rivals: [other.record] }, { one: other, rivals: [one.record] })
  }
  return pairs
}

interface ComparedPlace {
  readonly member: Member
  readonly values: readonly string[]
  readonly events: ReadonlySet<unknown>
}

/** The records of different languages that share a value or an event: all others cannot be one thing. */
function* candidates(known: readonly ComparedPlace[]): Generator<[ComparedPlace, ComparedPlace]> {
  const byValue = new Map<unknown, ComparedPlace[]>()
  const file = (value: unknown, one: ComparedPlace) => {
    const before = byValue.get(value)
    if (before) before.push(one)
    else byValue.set(value, [one])
  }
  for (const one of known) {
    for (const [index, clue] of clues.entries())
      if (clue.isKey && one.values[index] !== '') file(`${index} ${one.values[index]}`, one)
    for (const event of one.events) file(event, one)
  }
  const seen = new Map<ComparedPlace, Set<ComparedPlace>>()
  for (const group of byValue.values()) {
    if (group.length > mostWithOneValue) continue
    for (const [index, one] of group.entries())
      for (const other of group.slice(index + 1)) {
        const others = seen.get(one) ?? new Set()
        if (one.member.language === other.member.language || others.has(other)) continue
        seen.set(one, others.add(other))
        yield [one, other]
      }
  }
}

function scoreOf(one: ComparedPlace, other: ComparedPlace): number {
  let score = sharedPart(one.events, other.events) * allEventsShared
  for (const [index, { same, different }] of clues.entries()) {
    const [mine, others] = [one.values[index], other.values[index]]
    if (mine !== '' && others !== '') score += mine === others ? same : different
  }
  return score
}

/** Of the events of two records, the part that both have: 1 if they share all. */
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

/** Coordinates, as exact as a building: to four decimals. */
function placeOf({ geo_lat: lat, geo_lng: lng }: Answer): string {
  const [north, east] = [Number(lat), Number(lng)]
  return north && east ? `${north.toFixed(4)} ${east.toFixed(4)}` : ''
}
