import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer } from '../../contract/resource.ts'

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

export type { Pairing } from '../../client/client.ts'

/** The set that a record of a language is in. */
export const setOf = (
  sets: readonly TranslationSet[],
  language: Language,
  { id }: { readonly id: number },
): TranslationSet | undefined => sets.find(({ records }) => records.get(language)?.id === id)

/** Drafts of WordPress have no slug, and what is in its trash another one. */
export const slugKey = ({ slug }: Answer): string | undefined =>
  typeof slug === 'string' ? slug.replace(/__trashed(-\d+)?$/, '') || undefined : undefined

/** What is the same for all translations of a linked record. */
export type ThingOf = (of: ResourceName, id: number) => unknown

/** What linked records are by their sets; `otherwise` for a record that is in none of them. */
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
