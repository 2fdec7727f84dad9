/**
 * Which of the existing places a name means that is written in other words: abbreviated, in another language, without its kind, or with a
 * typing mistake. Input: the written name, and the names that exist. Output: the names that are possible, and whether it is certain that
 * the only one is meant. What contradicts a name (another number, saint or town) is no variant of it.
 */
import { grouped } from '../groups.ts'
import { memoize } from '../memoize.ts'
import { isAnagram } from './compared-names.ts'
import { foldText } from './folding.ts'
import { areRelated, isCommonKind, type PlaceRole, placeForm, placeRole, withPlainKinds } from './place-words.ts'
import { similarName, smallWords, stemOf, typos } from './similarity.ts'

export interface MeantPlaces {
  /** The possible names, in alphabetical order. */
  readonly names: readonly string[]
  /** Whether the only name is surely meant. */
  readonly isCertain: boolean
}

interface PlaceWord {
  /** The canonical form: `Pl.` and `Plaza` are `placa`. */
  readonly form: string
  readonly typed: string
  readonly role: PlaceRole | 'number'
  readonly isKnown: boolean
  /** Whether it ends with a full stop, or has no vowels, as abbreviations do. */
  readonly isShort: boolean
  /** Whether it follows `de` or `of`. */
  readonly isAfterOf: boolean
}

interface PlaceName {
  readonly words: readonly PlaceWord[]
  /** The kind of place. */
  readonly head: PlaceWord | undefined
}

/** How a written name and an existing one are related: the same words, surely meant, or doubtful. */
type Likeness = 'same' | 'sure' | 'doubtful'

export function meantPlaces(written: string, known: readonly string[]): MeantPlaces {
  const bracketed = written.split(/[()[\]]/)
  const plain = bracketed.filter((_, index) => index % 2 === 0).join(' ')
  const asides = bracketed.filter((_, index) => index % 2 === 1)
  const whole = likeliest(plain, known)
  if (whole.isCertain && !asides.some(aside => contradicts(aside, whole.names))) return whole
  const parts = [...plain.split(/\s[-–—/|·]\s|[,;]\s/), ...asides].filter(part => part.trim() !== '')
  const meant = parts.length > 1 ? parts.flatMap(part => likeliest(part, known).names) : []
  const names = [...new Set([...meant, ...whole.names])]
  return { names: names.toSorted((one, other) => one.localeCompare(other)), isCertain: false }
}

/** Whether a part in brackets may be a town: `Teatre Principal (Sabadell)`. */
const contradicts = (aside: string, [name = '']: readonly string[]): boolean =>
  /^\p{Lu}/u.test(aside.trim()) && compare(placeName(aside), placeName(name)) === undefined

/** Every place is compared, so that a second one with the same right to a name is never overlooked. */
function likeliest(written: string, known: readonly string[]): MeantPlaces {
  const name = placeName(written)
  const found = grouped(known, other => compare(name, placeName(other)))
  const [same = [], sure = [], doubtful = []] = [found.get('same'), found.get('sure'), found.get('doubtful')]
  if (same.length > 0) return { names: same, isCertain: same.length === 1 }
  // A kind that was written is not another one that is like it.
  const names = name.head && sure.length > 0 ? sure : [...sure, ...doubtful]
  const isCertain = sure.length === 1 && names.length === 1
  const close = names.length === 0 ? similarName(written, known) : undefined
  return { names: close === undefined ? names : [close], isCertain }
}

/** Kinds that end a name in English, and do not belong to what precedes them. */
const english = /^(square|sq|park|street|road|hall|gardens?|centre|center)$/

const smallHere = new Set([...smallWords, 'sa', 'es', 'ses', 'so', 'na', 'to', 'at', 'for', 'per'])

const placeName = memoize((name: string): PlaceName => {
  const tokens = [...withPlainKinds(foldText(name).replace(/l[·.•-]l/g, 'll')).matchAll(/(\p{L}+|\d+)(\.?)/gu)]
  const words = tokens.flatMap(([, typed = '', stop = ''], index): PlaceWord[] => {
    const isLetter = typed.length === 1
    const isLast = index === tokens.length - 1 && index > 0
    if (smallHere.has(typed) && stop === '' && !(isLetter && isLast)) return []
    const form = isLetter ? undefined : placeForm(typed)
    const isNumber = /^(\d+|[ivx]{2,})$/.test(typed) || (isLetter && isLast)
    return [
      {
        form: form ?? typed,
        typed,
        role: isNumber ? 'number' : placeRole(form ?? typed),
        isKnown: form !== undefined,
        isShort: stop !== '' || !/[aeiouy]/.test(typed),
        isAfterOf: isAfterOf(tokens, index),
      },
    ]
  })
  const [first, last] = [words[0], words.at(-1)]
  const isEnglish = last?.role === 'kind' && (first?.role !== 'kind' || (english.test(last.typed) && !last.isAfterOf))
  const head = isEnglish ? last : first?.role === 'kind' ? first : undefined
  return { words: head ? words : words.map(withoutKind), head }
})

/** Whether a word follows `de` or `of`, whatever article is between them. */
function isAfterOf(tokens: readonly RegExpMatchArray[], index: number): boolean {
  const before = tokens.slice(0, index).map(([, typed = '']) => typed)
  const small = before.slice(before.findLastIndex(word => !smallHere.has(word)) + 1)
  return small.some(word => /^(de?|dels?|of)$/.test(word))
}

/** `La Farinera, centre cultural` has a name of its own, to which its kind adds little. */
const withoutKind = (word: PlaceWord): PlaceWord => (word.role === 'kind' ? { ...word, role: 'weak' } : word)

interface Pair {
  readonly word: PlaceWord
  readonly other: PlaceWord
  readonly match: WordMatch
}

/** How two words are related. An `initial` is the first letter of the other word. */
type WordMatch = 'same' | 'sure' | 'doubtful' | 'initial'

function compare(name: PlaceName, other: PlaceName): Likeness | undefined {
  if (lettersOf(name) === lettersOf(other)) return 'same'
  const difference = differenceOf(name, other)
  const { pairs, head, telling, added, omitted, right } = difference
  if (telling.length === 0 && !isSign(head, other)) return undefined
  if (added.length > 0) return omitted.length === 0 && mayBeThere(name, other, difference) ? 'doubtful' : undefined
  // A market on a square is not the square of the market.
  const isOtherHead = name.head !== undefined && other.head !== undefined && head?.word !== name.head
  if (isOtherHead || pairs.some(({ match }) => match === 'doubtful') || areOfOtherKinds(difference)) return 'doubtful'
  // `La Farinera` is no longer certain beside `La Farinera vella`.
  if (right.length === 0 || (omitted.length === 0 && telling.length > 0 && name.head !== undefined)) return 'same'
  return isShortFor(other, difference) ? 'sure' : 'doubtful'
}

/** Whether the kind alone can tell which place is meant: `Teatre` is not `Sala`, which has no name of its own. */
const isSign = (head: Pair | undefined, { words }: PlaceName): boolean =>
  head !== undefined && head.match !== 'initial' && (head.match !== 'doubtful' || words.length > 1)

type Difference = ReturnType<typeof differenceOf>

/** The words that two names share, and those that only one of them has. */
function differenceOf(name: PlaceName, other: PlaceName) {
  const pairs = pairWords(name, other)
  const left = name.words.filter(word => !pairs.some(pair => pair.word === word))
  const right = other.words.filter(word => !pairs.some(pair => pair.other === word))
  const head = pairs.find(pair => pair.other === other.head)
  const telling = pairs.filter(pair => pair !== head && pair.other.role !== 'weak' && pair.match !== 'initial')
  const [added, omitted] = [left, right].map(words => words.filter(({ role }) => role !== 'weak'))
  return { pairs, left, right, head, telling, added: added ?? [], omitted: omitted ?? [] }
}

const lettersOf = ({ words }: PlaceName): string => words.map(({ form }) => form).join('')

/** Whether a name with words that the existing one lacks may be in it, or beside it: `Bar del Teatre Principal`, `Plaça Major, 3`. */
function mayBeThere(name: PlaceName, other: PlaceName, { pairs, head, added }: Difference): boolean {
  const hasOwnName = other.words.some(({ role }) => role !== 'kind' && role !== 'weak')
  if (!hasOwnName) return head?.match !== 'doubtful'
  if (added.every(({ role }) => role === 'number')) return true
  const paired = pairs.map(({ word }) => name.words.indexOf(word))
  const isInFront = added.every(word => word.role !== 'contrast' && name.words.indexOf(word) < Math.min(...paired))
  return isInFront || added.every(word => word.role === 'kind' && name.words.indexOf(word) > Math.max(...paired))
}

/** `Centre Cultural` and `Centre Cívic` */
const areOfOtherKinds = ({ left, right }: Difference): boolean =>
  [left, right].every(words => words.some(({ form }) => form === 'civic' || form === 'cultural'))

/** Whether a name surely means a place although it omits words of its name. */
function isShortFor({ words, head: kind }: PlaceName, { head, telling, left, omitted }: Difference): boolean {
  const isCommon = kind !== undefined && isCommonKind(kind.form)
  if (telling.length === 0) return !isCommon && left.length === 0
  const last = words.findLast(word => word !== kind && word.role !== 'weak')
  if (omitted.some(word => word === last || word.role === 'contrast' || word.role === 'number')) return false
  if (head !== undefined || kind === undefined) return true
  const belongs = words[words.indexOf(kind) + 1]?.isAfterOf === true
  return !isCommon && !belongs && !words.some(({ role }) => role === 'saint')
}

/** Pairs the words of two names: first those that are equal, then those that are similar. */
function pairWords(name: PlaceName, other: PlaceName): Pair[] {
  const pairs: Pair[] = []
  for (const round of ['same', 'sure', 'doubtful', 'initial'])
    for (const word of name.words) {
      if (pairs.some(pair => pair.word === word)) continue
      const free = other.words.filter(one => !pairs.some(pair => pair.other === one))
      const found = free.find(one => matchWords(word, one, one === other.head) === round)
      if (found) pairs.push({ word, other: found, match: round as WordMatch })
    }
  return pairs
}

function matchWords(word: PlaceWord, other: PlaceWord, isHead: boolean): WordMatch | undefined {
  if (word.form === other.form) return 'same'
  const roles = [word.role, other.role]
  if (roles.every(role => role === 'saint') && [word.form, other.form].includes('st')) return 'same'
  if (roles.includes('number')) return undefined
  if (areRelated(word.form, other.form)) return 'doubtful'
  const [short, long] = word.typed.length <= other.typed.length ? [word, other] : [other, word]
  if (short.typed.length === 1) return [long.typed[0], long.form[0]].includes(short.typed) ? 'initial' : undefined
  if (word.isKnown && other.isKnown) return undefined
  if (short.isShort && !short.isKnown && abbreviates(short.typed, long.typed)) return 'sure'
  const isBeginning = isHead && !word.isKnown && word.typed.length >= 4 && other.typed.startsWith(word.typed)
  return isBeginning ? 'sure' : matchMistyped(short, long)
}

/** `Polidep.` and `Ppal.`: the beginning of a word, or some of its letters with the first and the last one. */
function abbreviates(short: string, long: string): boolean {
  if (long.startsWith(short)) return true
  const letters = new RegExp(`^${[...short].join('.*')}$`)
  return letters.test(long) || letters.test(long.replace(/[aeiou]$/, ''))
}

/** Kinds of places are few, so that a mistyped one is known; `Marta` and `Maria`, `Roca` and `Rosa` are different names. */
function matchMistyped(short: PlaceWord, long: PlaceWord): WordMatch | undefined {
  const [one, other] = [short.typed, long.typed]
  if (one.length < 4 || (one[0] !== other[0] && one.at(-1) !== other.at(-1))) return undefined
  const wrong = typos(one, other)
  if (wrong > (one.length < 8 ? 1 : 2)) return undefined
  if (short.role === 'kind' || long.role === 'kind' || stemOf(one) === stemOf(other)) return 'sure'
  const isName = [short, long].some(({ isKnown, role }) => isKnown && role === 'plain')
  const isOtherLetter = one.length === other.length && one.length < 8 && !isAnagram(one, other)
  return isName || isOtherLetter || one.length < 6 ? 'doubtful' : 'sure'
}
