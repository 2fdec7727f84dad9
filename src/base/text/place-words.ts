/**
 * Words in the names of places. `place-words.json` has their abbreviations and translations (`variants`, and `persons` such as saints), each
 * line the folded forms of one word, the canonical one first; `compared-names.ts` has those that other names have, too. Its `kinds` are
 * those that a name begins with, or in English ends with; those in one line are easily taken for each other. Of the `common` ones a town has
 * many, so that the kind alone is no name. Its `roles` are words that many places have and that are often left out (`weak`), those that
 * distinguish places of one kind (`contrast`), and those before a name (`saint`).
 */
import { once } from '../memoize.ts'
import { canonicalWord } from './compared-names.ts'
import { placeWords as words } from './place-words.lib.ts'

/** Names of several words that are one kind of place. */
const phrases: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\b(?:town|city) hall\b|\bcasa (?:de la )?(?:vila|villa|consistorial|ciutat)\b/g, 'ajuntament'],
  [/\bhigh street\b/g, 'carrer major'],
  [/\bsports (?:center|centre|hall)\b|\b(?:centre|centro|complex) (?:d'esports|esportiu|deportivo)\b/g, 'poliesportiu'],
  [/\bc\.?\s?c\.?(?=\s)/g, 'centre'],
  [/\bc\s*\//g, 'carrer '],
  [/\bs\s*\/\s*n\b|\bnum\.|'s\b/g, ' '],
]

/** What a word is in a name: a kind of place, a word that distinguishes little, one that contrasts, or any other. */
export type PlaceRole = 'kind' | 'weak' | 'contrast' | 'saint' | 'plain'

const tables = once(() => {
  const forms = new Map<string, string>()
  for (const group of [...words.variants, ...words.persons].map(inWords))
    for (const word of group) forms.set(word, group[0] ?? word)
  const roles = new Map<string, PlaceRole>()
  const families = new Map<string, number>()
  for (const [family, group] of words.kinds.map(inWords).entries())
    for (const word of group) {
      roles.set(word, 'kind')
      families.set(word, family)
    }
  for (const role of ['weak', 'contrast', 'saint'] as const)
    for (const word of inWords(words.roles[role])) roles.set(word, role)
  return { forms, roles, families, common: new Set(inWords(words.common)) }
})

const inWords = (names: string): string[] => names.split(' ')

/** The canonical form of a folded word; undefined if it has no variants and is no kind of place. */
export const placeForm = (word: string): string | undefined =>
  tables().forms.get(word) ?? canonicalWord(word) ?? (tables().roles.has(word) ? word : undefined)

export const placeRole = (form: string): PlaceRole => tables().roles.get(form) ?? 'plain'

/** Whether two kinds of places are easily taken for each other, like church and parish. */
export const areRelated = (kind: string, other: string): boolean =>
  tables().families.has(kind) && tables().families.get(kind) === tables().families.get(other)

export const isCommonKind = (kind: string): boolean => tables().common.has(kind)

/** A folded name with one word for each kind of place. */
export const withPlainKinds = (name: string): string =>
  phrases.reduce((text, [pattern, words]) => text.replace(pattern, words), name)
