import type { ResourceName } from '../contract/field.ts'
import type { Language } from '../contract/words.ts'
import type { Context } from './context.ts'
import type { Rows } from './store/rows.ts'
import type { Store } from './store/store.ts'

/** In bytes; a slug is ASCII. */
const longest = 200

/** Letters that no accent can be taken from. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 's',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  '€': 'e',
  '£': '',
  '×': 'x',
}

/** The byte of every character that is not ASCII, percent-encoded in lower case. */
export const encodeSlug = (text: string): string =>
  text.replace(/\P{ASCII}+/gu, part => Buffer.from(part).toString('hex').replace(/../g, '%$&'))

/** The name that a text has in URLs, made as WordPress makes it; empty where nothing is left. */
export function slugOf(text: string): string {
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
  return cut(dashed.replace(/^-/, ''), longest).replace(/-$/, '')
}

/** Shortens without cutting through a percent-encoded character. */
const cut = (slug: string, length: number): string => {
  if (slug.length <= length) return slug
  const characters = slug.match(/(?:%[c-f][0-9a-f])(?:%[89ab][0-9a-f])+|./g) ?? []
  let short = ''
  for (const character of characters) {
    if (short.length + character.length > length) break
    short += character
  }
  return short
}

/** The slug, or one of `slug-2`, `slug-3`, … that no other record of its resource and language has. */
export const freeSlug = (store: Store, name: ResourceName, language: Language, slug: string, own?: number): string =>
  untaken(slug, wanted => {
    const other = store.bySlug(name, language, wanted)
    return other !== undefined && other.id !== own
  })

/** The slug, or one of `slug-2`, `slug-3`, … that is not taken: the first, where those that are taken follow one another. */
export function untaken(slug: string, isTakenSlug: (slug: string) => boolean): string {
  const numbered = (n: number) => {
    const suffix = n === 1 ? '' : `-${n}`
    return `${cut(slug, longest - suffix.length)}${suffix}`
  }
  const isTaken = (n: number) => isTakenSlug(numbered(n))
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
  return numbered(free)
}

/** The slug of a record that is about to be written: its own, else one made of its title, else its id. */
export const slugFor = (
  { store }: Context,
  of: ResourceName,
  { id, lang_code, slug }: Rows[ResourceName],
  title: string,
) => freeSlug(store, of, lang_code, slug || slugOf(title) || String(id), id)

/** The slug after one was given, or not: an empty one is made anew. */
export const givenSlug = (given: string | null | undefined, before = ''): string =>
  given === undefined ? before : slugOf(given ?? '')
