import type { Language } from '../contract/languages.ts'
import type { Answer } from '../contract/resource.ts'

/** Records of one resource, by their language. */
export type RecordsByLanguage = ReadonlyMap<Language, readonly Answer[]>

/** What a set was recognized by: the site says it, calctl remembers it, slugs, the fields of `--match`, or what venues share. */
export type Recognition = 'site' | 'memory' | 'slug' | 'match' | 'likeness'

/** The records of one thing, one per language at most. */
export interface TranslationSet {
  readonly records: ReadonlyMap<Language, Answer>
  /** Undefined for a record that stands alone. */
  readonly by: Recognition | undefined
  /** Records of other sets that are as likely a translation as any other, so that none was paired. */
  readonly rivals: readonly Answer[]
}

/** IDs that are known to be one thing, by language. */
export type Pairing = Readonly<Partial<Record<Language, number>>>

/** The set that a record is in. */
export const setOf = (sets: readonly TranslationSet[], { id }: { readonly id: number }): TranslationSet | undefined =>
  sets.find(({ records }) => [...records.values()].some(record => record.id === id))

/** The languages in which a set has no record. */
export const missingLanguages = ({ records }: TranslationSet, expected: readonly Language[]): Language[] =>
  expected.filter(language => !records.has(language))
