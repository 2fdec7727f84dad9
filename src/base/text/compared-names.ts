import { once } from '../memoize.ts'
import { decodeEntities } from './escaping.ts'
import { foldCase } from './folding.ts'
import { keyOf, sameKey } from './match-key.ts'
import table from './name-words.json' with { type: 'json' }
import { smallWords, stemOf, typos } from './similarity.ts'

interface Word {
  /** The canonical form: `Pl.` and `Plaza` are `placa`. */
  readonly text: string
  readonly typed: string
  /** How much it distinguishes: the kind of a thing is common, a kind of street even more so. */
  readonly weight: number
  /** Whether it ends with a full stop, as abbreviations do. */
  readonly isShortened: boolean
  /** Whether one changed letter makes it a different thing: a number, or a single letter. */
  readonly isExact: boolean
  /** Whether it is long enough to be recognized despite a typing mistake. */
  readonly isLong: boolean
}

/** A name split into comparable words: without case, accents, articles and variants of spelling. */
export interface ComparedName {
  readonly words: readonly Word[]
  readonly letters: string
  /** Numbers and single letters, which distinguish things of the same name. */
  readonly marks: string
  /** Equal for names with the same words in another order or form. */
  readonly key: string
}

const weights = { street: 0.4, kind: 0.6, other: 1 }

/** `1r`, `2n`, `3rd`, `4º`: ordinals count as numbers. */
const ordinal = /^(\d{1,4})(?:r|n|t|e|o|a|º|ª|er|st|nd|rd|th|è)$/u
const roman = /^(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})$/

export function comparedName(name: string): ComparedName {
  const folded = foldCase(decodeEntities(name).replace(/[’‘´`]/g, "'"))
    // `Col·legi` is also typed with a full stop, a hyphen or no sign at all.
    .replace(/l[·.•‧-]l/g, 'll')
    .replace(/\bc\s*\/\s*/g, 'c. ')
  const typed = [...folded.matchAll(/([\p{L}\p{N}]+[+#]*)(\.?)/gu)].map(([, text = '', stop]) => ({
    text,
    isShortened: stop === '.',
  }))
  const last = typed.length - 1
  const telling = typed.filter(({ text }, index) => !isSmall(text, index === last && index > 0))
  const lastWord = typed[last]
  const words = (telling.length > 0 ? telling : typed).map(word => {
    const read = readWord(word, word === lastWord)
    return { ...read, typed: word.text, isLong: !read.isExact && isLong(word.text, read.text) }
  })
  return {
    words,
    letters: telling.map(({ text }) => text).join(''),
    marks: inOrder(words.filter(({ isExact }) => isExact)),
    key: inOrder(words),
  }
}

const inOrder = (words: readonly Word[]): string =>
  words
    .map(({ text }) => text)
    .toSorted()
    .join(' ')

/** The last letter of `Sala A` is no article. */
const isSmall = (text: string, isLast: boolean): boolean =>
  smallWords.has(text) && !(isLast && text.length === 1 && text !== 's')

const isLong = (typed: string, form: string): boolean => typed.length >= 4 && !/\d/.test(typed) && !isContrast(form)

function readWord({ text, isShortened }: Pick<Word, 'text' | 'isShortened'>, isLast: boolean) {
  const number = numberIn(text)
  if (number !== undefined) return { text: number, weight: 1, isShortened: false, isExact: true }
  const isLetter = Array.from(text).length === 1
  const form = isLetter && isLast ? undefined : wordForms().get(text)
  if (form) return { text: form.form, weight: weights[form.role], isShortened, isExact: false }
  return { text, weight: 1, isShortened, isExact: isLetter && (isLast || !isShortened) }
}

function numberIn(text: string): string | undefined {
  const [, digits] = ordinal.exec(text) ?? []
  if (/^\d+$/.test(text) || digits !== undefined) return (digits ?? text).replace(/^0+(?=\d)/, '')
  const [, tens, ones] = (text.length > 1 && roman.exec(text)) || []
  if (tens === undefined || ones === undefined) return undefined
  const values: Readonly<Record<string, number>> = { ix: 9, iv: 4 }
  const small = values[ones] ?? (ones.startsWith('v') ? 4 + ones.length : ones.length)
  return String(tens.length * 10 + small)
}

interface NameMatch {
  /** From 0 to 1 (the same words). */
  readonly similarity: number
  /** Whether the difference is more likely a typing mistake than a different name. */
  readonly isCertain: boolean
}

/**
 * Undefined if two names mean different things, like `Sala 1` and `Sala 2`. `mayBeLeftOut` is true for a word that adds nothing:
 * the city in `Teatre Principal de Girona`.
 */
export function matchNames(
  one: ComparedName,
  other: ComparedName,
  mayBeLeftOut: (word: string) => boolean = () => false,
): NameMatch | undefined {
  if (sameKey(keyOf(one.letters), keyOf(other.letters)) || sameKey(keyOf(one.key), keyOf(other.key)))
    return { similarity: 1, isCertain: true }
  if (one.marks !== other.marks) return undefined
  const { matched, total, isCertain, left, right } = alignWords(one.words, other.words)
  const rest = [...left, ...right].filter(({ text }) => !mayBeLeftOut(text))
  if (left.length > 0 && right.length > 0 && rest.length > 0) return matchLetters(one, other)
  if (rest.some(({ text }) => isContrast(text))) return undefined
  const all = rest.reduce((sum, { weight }) => sum + weight, total)
  return { similarity: all === 0 ? 0 : matched / all, isCertain: isCertain && rest.length === 0 }
}

/**
 * Two names of one short word, one of which lacks a letter: `Rock`, `Rok`. Many different words look like this, so it is only worth
 * a question, and only for terms, whose names are short.
 */
export function matchShortWords(one: ComparedName, other: ComparedName): NameMatch | undefined {
  const [short, long] = one.letters.length < other.letters.length ? [one, other] : [other, one]
  if (short.letters.length !== 3 || long.letters.length !== 4 || one.words.length + other.words.length > 2)
    return undefined
  const isClose = typos(short.letters, long.letters) === 1 && stemOf(short.letters) !== stemOf(long.letters)
  return isClose && !/\d/.test(long.letters) ? { similarity: 0.82, isCertain: false } : undefined
}

/** Names with the same letters but other word boundaries. */
function matchLetters(one: ComparedName, other: ComparedName): NameMatch | undefined {
  const similarity = joinedSimilarity(one, other)
  if (similarity !== undefined) return { similarity, isCertain: true }
  return isAcronym(one, other) ? { similarity: 0.85, isCertain: false } : undefined
}

/** Names that differ only in spaces: `Lafarinera`, `La Farinera`. */
function joinedSimilarity(one: ComparedName, other: ComparedName): number | undefined {
  const length = Math.max(one.letters.length, other.letters.length)
  if (length < 8 || Math.abs(one.letters.length - other.letters.length) > 2) return undefined
  if (one.words.length === other.words.length) return undefined
  const wrong = typos(one.letters, other.letters)
  return wrong <= 2 ? 1 - wrong / length : undefined
}

/** `CCCB` abbreviates `Centre de Cultura Contemporània de Barcelona`, and other names as well. */
function isAcronym(one: ComparedName, other: ComparedName): boolean {
  const [short, long] = one.words.length === 1 ? [one, other] : [other, one]
  const { length } = long.words
  return short.words.length === 1 && length > 2 && short.letters === long.words.map(({ typed }) => typed[0]).join('')
}

/**
 * Pairs the words of two names: first equal ones, then the most similar ones. It runs for each pair of names, so it builds no
 * index.
 */
function alignWords(words: readonly Word[], others: readonly Word[]) {
  // The words of each name without a match.
  const [left, right]: readonly [Word[], Word[]] = [[], [...others]]
  // The weights of the matched words of both names: scaled by similarity, and in full.
  const alignment = { matched: 0, total: 0, isCertain: true, left, right }
  const pair = (word: Word, at: number, { similarity, isCertain }: NameMatch) => {
    const [other = word] = right.splice(at, 1)
    alignment.matched += similarity * (word.weight + other.weight)
    alignment.total += word.weight + other.weight
    alignment.isCertain &&= isCertain
  }
  for (const word of words) {
    const at = right.findIndex(({ text }) => text === word.text)
    if (at < 0) left.push(word)
    else pair(word, at, sameWord)
  }
  while (left.length > 0 && right.length > 0) {
    const best = bestPair(left, right)
    if (!best) break
    const [word] = left.splice(best.index, 1)
    if (word) pair(word, best.at, best.match)
  }
  return alignment
}

const sameWord: NameMatch = { similarity: 1, isCertain: true }

function bestPair(words: readonly Word[], others: readonly Word[]) {
  let best: { index: number; at: number; match: NameMatch } | undefined
  for (let index = 0; index < words.length; index++)
    for (let at = 0; at < others.length; at++) {
      const match = matchWords(words[index] as Word, others[at] as Word)
      if (match && match.similarity > (best?.match.similarity ?? 0)) best = { index, at, match }
    }
  return best
}

/** Undefined if two different words are unrelated. */
function matchWords(word: Word, other: Word): NameMatch | undefined {
  if (word.isExact || other.isExact) return undefined
  const [short, long] = word.typed.length <= other.typed.length ? [word, other] : [other, word]
  if (short.isShortened && long.typed.startsWith(short.typed))
    return { similarity: 0.95, isCertain: short.typed.length > 1 }
  if (!short.isLong || !long.isLong) return undefined
  const most = short.typed.length < 8 ? 1 : 2
  if (long.typed.length - short.typed.length > most || !sharesEnd(short.typed, long.typed)) return undefined
  const wrong = typos(short.typed, long.typed)
  if (wrong > most) return undefined
  const isEnding = stemOf(short.typed) === stemOf(long.typed)
  const isSubstitution = short.typed.length === long.typed.length && !isAnagram(short.typed, long.typed)
  // `Roca` and `Rosa`, `dansa` and `danses` are different words; `Tetare` is a typing mistake.
  const isCertain = !isEnding && !(isSubstitution && short.typed.length < 6)
  return { similarity: 1 - wrong / long.typed.length - (isEnding ? 0.05 : 0), isCertain }
}

/** A cheap test before the expensive comparison. */
const sharesEnd = (one: string, other: string): boolean => one[0] === other[0] || one.at(-1) === other.at(-1)

export const isAnagram = (one: string, other: string): boolean =>
  Array.from(one).toSorted().join() === Array.from(other).toSorted().join()

interface WordForm {
  readonly form: string
  /** `street` and `kind` (of thing) distinguish little; `other` is any other word. */
  readonly role: keyof typeof weights
}

/**
 * The canonical forms of folded words that have variants: abbreviations, or the same word in another language. Each line of the table has
 * the forms of one word, the canonical one first. It is read only by commands that compare names.
 */
const wordForms = once(() => {
  const forms = new Map<string, WordForm>()
  for (const role of ['street', 'kind', 'other'] as const)
    for (const words of table.forms[role].map(line => line.split(' ')))
      for (const word of words) forms.set(word, { form: words[0] ?? word, role })
  return forms
})

/** The form that stands for all variants of a folded word; undefined if it has none. */
export const canonicalWord = (word: string): string | undefined => wordForms().get(word)?.form

/** Whether a text begins like an address: `C/ Nou 1`, `Plaça Major`. */
export function isStreet(text: string): boolean {
  const [, word = '', sign = ''] = /^\s*(\p{L}+)([./]?)\s*[\p{L}\p{N}]/u.exec(foldCase(text)) ?? []
  const { role, form } = wordForms().get(word) ?? {}
  return role === 'street' && form !== 'numero' && (word.length > 3 || sign !== '')
}

const contrasting: ReadonlySet<string> = new Set(table.contrasts.split(' '))

/** Whether a folded word distinguishes things of one kind, like `nord` and `sud`: a name with it is a different name. */
const isContrast = (word: string): boolean => contrasting.has(word)

/**
 * Contact data in comparable form: people write the same number, website or point on the map in several ways. Used to find
 * duplicates and translations, and by lint.
 */
/** The last nine digits, so that a country prefix makes no difference. */
export const phoneDigits = (text: string): string => text.replace(/\D/g, '').slice(-9)

/** Host and path of a website, without `www.` and `index.html`; undefined if the text is not a URL. */
export function websiteAddress(text: string): string | undefined {
  const [, host = '', path = ''] = /^(?:[a-z]+:\/\/)?(?:www\d?\.)?([^/?#\s]+\.[^/?#\s]+)([^?#\s]*)/i.exec(text) ?? []
  if (host === '') return undefined
  const plain = path.replace(/\/(?:index|default|home)\.\w+$/i, '').replace(/\/+$/, '')
  return `${host}${plain}`.toLowerCase()
}

export interface StreetAddress {
  readonly street: ComparedName
  readonly numbers: readonly string[]
}

/** The street is the part before the first comma, unless that part is only a number. */
export function streetAddress(text: string): StreetAddress {
  const plain = text.replace(/\bs\s*\/\s*n\b\.?/gi, ' ')
  const parts = plain.split(',').filter(part => /\p{L}{2}/u.test(part))
  const street = (parts[0] ?? plain).replace(/\d+\S*/g, ' ').replace(/(?<!\p{L})n(?:[úu]m)?(?:\.|º)?(?=\s*$)/iu, ' ')
  return { street: comparedName(street), numbers: (plain.match(/\d+/g) ?? []).map(number => number.replace(/^0+/, '')) }
}

/** Equal for two addresses that are likely the same, however the kind of street is written: `C/ Nou, 58`, `carrer Nou 58`. */
export const addressKey = ({ street, numbers: [number = ''] }: StreetAddress): string =>
  `${street.key} ${number}`.trim()

/** Approximate distance of two points, accurate enough within a country. */
export function kilometresBetween(
  [north, east]: readonly [latitude: number, longitude: number],
  [otherNorth, otherEast]: readonly [latitude: number, longitude: number],
): number {
  const radians = Math.PI / 180
  const x = (east - otherEast) * radians * Math.cos(((north + otherNorth) / 2) * radians)
  const y = (north - otherNorth) * radians
  return 6371 * Math.hypot(x, y)
}
