/**
 * What records are matched by: slugs, names, UIDs. An empty key is no key, on either side of a match: drafts have no slug, and that makes
 * none of them the record of a file without one. Input: values of a file, a site or a command line. Output: a key, or undefined. Records
 * are compared by `sameKey`, and found in a `KeyIndex`, which takes only keys that were made here; `slugKey` is in `contract/slug.ts`.
 */

import { foldText } from './folding.ts'

declare const brand: unique symbol

/** A text with at least one visible character. */
export type MatchKey = string & { readonly [brand]: true }

const isVisible = (text: string): boolean => /[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(text)

/** Whether a text is blank. Nothing of a blank name can be seen on a page, and a record with it would be matched by nothing. */
export const isBlank = (text: string, isName: boolean): boolean =>
  isName ? nameKey(text) === undefined : text.trim() === ''

/** The key that a value is, as it is written. */
export const keyOf = (value: unknown): MatchKey | undefined =>
  typeof value === 'string' && isVisible(value) ? (value as MatchKey) : undefined

/** The key that a name is, regardless of case and accents. */
export const nameKey = (name: unknown): MatchKey | undefined => keyOf(foldText(String(name ?? '')))

/** The key that the values of several fields are together; undefined if one of them is empty. */
export function jointKey(fields: readonly string[], values: Readonly<Record<string, unknown>>): MatchKey | undefined {
  const keys = fields.map(name => nameKey(values[name]))
  return keys.includes(undefined) ? undefined : keyOf(JSON.stringify(keys))
}

/** A key within a list of records: those of other resources and languages have their own. */
export const keyWithin = (list: string, key: MatchKey | undefined): MatchKey | undefined =>
  key && keyOf(`${list} ${key}`)

export const sameKey = (one: MatchKey | undefined, other: MatchKey | undefined): boolean =>
  one !== undefined && one === other

/** Items by key, several of which may have the same one. */
export class KeyIndex<T> {
  readonly #items = new Map<MatchKey, T[]>()

  add(key: MatchKey | undefined, item: T): void {
    const items = key && this.#items.get(key)
    if (items) items.push(item)
    else if (key) this.#items.set(key, [item])
  }

  get(key: MatchKey | undefined): readonly T[] {
    return (key && this.#items.get(key)) ?? []
  }

  groups(): Iterable<readonly T[]> {
    return this.#items.values()
  }
}
