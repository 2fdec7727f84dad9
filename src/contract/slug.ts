import { memoize } from '../base/memoize.ts'
import { keyOf, type MatchKey } from '../base/text/match-key.ts'
import plain from './plain-letters.json' with { type: 'json' }

/** In bytes; a slug is ASCII. */
const longestSlug = 200

/** Letters that do not decompose into a letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = plain.letters

/** Percent-encodes every character outside ASCII in lower case. */
export const encodeSlug = (text: string): string =>
  text.replace(/\P{ASCII}+/gu, part => Buffer.from(part).toString('hex').replace(/../g, '%$&'))

/** The slug that WordPress makes of a text; empty if nothing remains. */
export const slugOf = (text: string): string =>
  text.length <= longestSlug && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) ? text : madeSlug(text)

const madeSlug = memoize(text => {
  const plain = text
    .replace(/<[^<>]*>/g, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[À-ɏḀ-ỿ]/g, letter => letter.normalize('NFD').replace(/\p{M}/gu, ''))
    .replace(/[ßæøœđðłþı€£×]/g, letter => plainLetters[letter] ?? '')
    .replace(/&[a-z0-9#]+;/g, '')
    .replace(/[\u00a0\u2010-\u2015./]/g, '-')
    .replace(/[¡¿«»‹›‘’‚‛“”„‟•…©®°™´ˊˋ\u00ad\u200b-\u200f\u202a-\u202e\ufeff]/g, '')
    .replace(/\p{M}/gu, mark => (/[\u0300-\u036f]/.test(mark) ? '' : mark))
    .replace(/%(?![0-9a-f]{2})/g, '')
  const dashed = encodeSlug(plain)
    .replace(/[^%a-z0-9 _-]/g, '')
    .replace(/[\s-]+/g, '-')
  return cutSlug(dashed.replace(/^-/, ''), longestSlug).replace(/-$/, '')
})

/** Shortens a slug without cutting a percent-encoded character. */
const cutSlug = (slug: string, length: number): string => {
  if (slug.length <= length) return slug
  const characters = slug.match(/(?:%[c-f][0-9a-f])(?:%[89ab][0-9a-f])+|./g) ?? []
  let short = ''
  for (const character of characters) {
    if (short.length + character.length > length) break
    short += character
  }
  return short
}

/** The key that a slug is: that from before the trash, for sites append `__trashed` to the slugs of records in it, even to an empty one. */
export const slugKey = (slug: unknown): MatchKey | undefined =>
  typeof slug === 'string' ? keyOf(slug.replace(/__trashed(-\d+)?$/, '')) : undefined

/** Whether a text is a valid slug: services would not change it. */
export const isSlug = (text: string): boolean => text !== '' && slugOf(text) === text

const withNumber = (slug: string, number: number): string => {
  const suffix = number === 1 ? '' : `-${number}`
  return `${cutSlug(slug, longestSlug - suffix.length)}${suffix}`
}

/** Whether a text is this slug with the number of a duplicate: `slug-2`. */
export function isNumbered(text: string, slug: string): boolean {
  const number = Number(/-(\d+)$/.exec(text)?.[1] ?? 1)
  return number > 1 && text === withNumber(slug, number)
}

/** The slug, or the first free one of `slug-2`, `slug-3`, …; by binary search, since the used numbers are consecutive. */
export function numberedSlug(slug: string, isTakenSlug: (slug: string) => boolean): string {
  const isTaken = (n: number) => isTakenSlug(withNumber(slug, n))
  let taken = 0
  let free = 1
  while (isTaken(free)) {
    taken = free
    free *= 2
  }
  while (free - taken > 1) {
    const middle = (taken + free) >> 1
    if (isTaken(middle)) taken = middle
    else free = middle
  }
  return withNumber(slug, free)
}
