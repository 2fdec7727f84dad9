import { memoize } from '../base/memoize.ts'

/** In bytes; a slug is ASCII. */
const longestSlug = 200

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

/** The name that a text has in URLs, made as WordPress makes it; empty if nothing is left. */
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

/** A slug, shortened without cutting through a percent-encoded character. */
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

/** Whether a text can be the slug of a record: services would leave it as it is. */
export const isSlug = (text: string): boolean => text !== '' && slugOf(text) === text

const withNumber = (slug: string, number: number): string => {
  const suffix = number === 1 ? '' : `-${number}`
  return `${cutSlug(slug, longestSlug - suffix.length)}${suffix}`
}

/** Whether a text is this slug with the number that it gets while another record has it: `slug-2`. */
export function isNumbered(text: string, slug: string): boolean {
  const number = Number(/-(\d+)$/.exec(text)?.[1] ?? 1)
  return number > 1 && text === withNumber(slug, number)
}

/** The slug, or the first of `slug-2`, `slug-3`, … that is free; a binary search, since taken numbers follow one another. */
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
