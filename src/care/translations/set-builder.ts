import { type Language, languages } from '../../contract/languages.ts'
import type { Answer } from '../../contract/resource.ts'
import type { Pairing, Recognition, RecordsByLanguage, TranslationSet } from './translation-set.ts'

/** A record of a language. */
export interface Member {
  readonly language: Language
  readonly record: Answer
}

/** Two records that are one thing as far as can be seen; or one that has several equals, which are its rivals. */
export type Pair =
  | { readonly one: Member; readonly other: Member }
  | { readonly one: Member; readonly rivals: readonly Answer[] }

interface OpenSet {
  readonly members: Map<Language, Answer>
  by: Recognition | undefined
  readonly rivals: Set<Answer>
}

/** Joins records into sets, the surest recognition first, and never two of one language. */
export class SetBuilder {
  /** The set of each record, by language and ID: some sites number each language by itself. */
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

  /** Joins records with the same key. Where a language has several of them, nobody can tell which: they become rivals. */
  joinByKey(by: Recognition, keyOf: (record: Answer) => string | undefined): void {
    const groups = new Map<string, Set<OpenSet>>()
    for (const { language, record } of this.members()) {
      const key = keyOf(record)
      if (key === undefined) continue
      const group = groups.get(key) ?? new Set()
      groups.set(key, group.add(this.setFor(language, record)))
    }
    for (const group of groups.values()) if (group.size > 1) this.joinGroup([...group], by)
  }

  private joinGroup(group: readonly OpenSet[], by: Recognition): void {
    const excluded = group.filter(set => group.some(other => other !== set && shareLanguage(set, other)))
    const [first, ...others] = group.filter(set => !excluded.includes(set))
    for (const other of others) if (first) this.join(first, other, by)
    const left = first ? [first, ...excluded] : excluded
    for (const [index, one] of left.entries())
      for (const other of left.slice(index + 1)) {
        if (shareLanguage(one, other)) continue
        for (const record of other.members.values()) one.rivals.add(record)
        for (const record of one.members.values()) other.rivals.add(record)
      }
  }

  /** Joins pairs, in their order, as far as no set gets two records of one language. */
  joinPairs(by: Recognition, pairs: Iterable<Pair>): void {
    for (const pair of pairs) {
      const set = this.setFor(pair.one.language, pair.one.record)
      if ('rivals' in pair) for (const rival of pair.rivals) set.rivals.add(rival)
      else this.join(set, this.setFor(pair.other.language, pair.other.record), by)
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
