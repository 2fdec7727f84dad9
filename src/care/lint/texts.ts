import { decodeEntities } from '../../base/text/escaping.ts'
import { type HtmlFaults, htmlFaults } from '../../base/text/html-faults.ts'
import { decodeMojibake } from '../../base/text/mojibake.ts'
import { phrase } from '../../base/words/phrase.ts'
import { storedValue } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { fieldLabel } from '../../contract/resource-words.ts'
import { textAt } from './brief.ts'
import type { LintContext, Rule, RuleProblem } from './rule.ts'
import { isComing } from './times.ts'

/** Names and texts that people read; those of `html` may have tags. */
const readTexts: Readonly<Record<string, readonly string[]>> = {
  events: ['title', 'description', 'excerpt'],
  venues: ['venue', 'description', 'address', 'city'],
  organizers: ['organizer', 'description'],
  categories: ['name', 'description'],
  tags: ['name', 'description'],
}

const html = new Set(['description', 'excerpt'])

/** A text of a record, in its stored form if the site shows that. */
export const storedText = (record: Answer, name: string): string => {
  const stored = storedValue(name, record)
  return typeof stored === 'string' ? stored : textAt(record, name)
}

/** Whether the text that was read is the stored one, so that a part of it can be changed without changing the rest. */
export const isStored = (record: Answer, name: string, { showsStoredTexts, readsStoredTexts }: LintContext): boolean =>
  showsStoredTexts || readsStoredTexts || typeof storedValue(name, record) === 'string'

export function* textsOf(record: Answer, resource: Resource): Generator<[name: string, text: string]> {
  for (const name of readTexts[resource.name] ?? []) {
    const text = storedText(record, name)
    if (text !== '') yield [name, text]
  }
}

/** The name of a field in findings. */
export const labelOf = (name: string, { fields }: Resource): string => fieldLabel(name, fields[name])

/** What is wrong with a text, and what it should be if that is certain. */
interface TextFault {
  readonly message: string
  readonly fixed?: string | undefined
}

type RuleHead = Pick<Rule, 'id' | 'level' | 'finds' | 'why' | 'remedy'>

type TextsOf<T> = (record: Answer, resource: Resource) => Iterable<readonly [name: string, text: T]>

/** A rule about each of the texts of a record; `field` names the text in sentences. */
export const textRule = <T>(
  texts: TextsOf<T>,
  { faultIn, ...rule }: Partial<Rule> & RuleHead & { faultIn(text: T, field: string): TextFault | undefined },
): Rule => ({
  resources: ['events', 'venues', 'organizers', 'categories', 'tags'],
  ...rule,
  *check(record, resource, context): Generator<RuleProblem> {
    for (const [name, text] of texts(record, resource)) {
      const fault = faultIn(text, labelOf(name, resource))
      if (!fault) continue
      const { message, fixed = '' } = fault
      const isSafe = fixed.trim() !== '' && isStored(record, name, context)
      yield { message, field: name, ...(isSafe && { values: { [name]: fixed } }) }
    }
  },
})

const mojibake = textRule(textsOf, {
  id: 'mojibake',
  level: 'warning',
  finds: () => phrase('a text has wrong letters, because UTF-8 was read as Windows-1252: CafÃ©'),
  why: () => phrase('everyone sees it, and a search for the word does not find it'),
  remedy: () =>
    phrase(
      'correct the letters; --fix does that where it can read the stored text, and decoding gives the same text back',
    ),
  fixes: true,
  faultIn(text, field) {
    const lost = lostLetter(text)
    if (lost !== undefined)
      return { message: phrase('has lost letters in {field}: {excerpt}', { field, excerpt: near(text, lost) }) }
    const fixed = decodeMojibake(text)
    if (fixed === text) return undefined
    const at = firstDifference(text, fixed)
    const places = { wrong: excerptAt(text, at), right: excerptAt(fixed, at), field }
    return { message: phrase('has {wrong} for {right} in {field}', places), fixed }
  },
})

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

/** The word that has this place, in quotes. */
function excerptAt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 20), at).replace(/^.*[\s<>]/s, '')
  const after = text.slice(at, at + 20).replace(/[\s<>].*$/s, '')
  return JSON.stringify(before + after)
}

const near = (text: string, part: string): string => excerptAt(text, text.indexOf(part))

/** An entity that was encoded twice: people see `&nbsp;`. */
const doublyEncoded = /&amp;(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,24}\d{0,2});/gi

const shownEntities = textRule(textsOf, {
  id: 'entities-shown',
  level: 'warning',
  finds: () => phrase('readers see HTML entities in a text: Jazz &amp; Blues, 20 &euro;'),
  why: () => phrase('a program encoded the text twice'),
  remedy: () => phrase('decode them once; --fix does that where it can read the stored text'),
  fixes: true,
  faultIn(text, field) {
    const [shown] = text.includes('&amp;') ? shownEntitiesIn(text) : []
    return shown === undefined
      ? undefined
      : { message: phrase('shows {text} in {field}', { text: shown, field }), fixed: withoutDoubles(text) }
  },
})

/** The entities that readers see. Only real entities count: `AT&amp;T;` has none. */
const shownEntitiesIn = (text: string): string[] =>
  (text.match(doublyEncoded) ?? [])
    .map(sign => sign.replace('amp;', ''))
    .filter(entity => decodeEntities(entity) !== entity)

/** Decodes a text that was encoded several times, except for the last time, which browsers decode. */
function withoutDoubles(text: string): string {
  let decoded = text
  for (let times = 0; times < 4 && shownEntitiesIn(decoded).length > 0; times++)
    decoded = decoded.replace(doublyEncoded, sign => {
      const entity = sign.replace('amp;', '')
      return decodeEntities(entity) === entity ? sign : entity
    })
  return decoded
}

/** The faults in the HTML of the last few texts, which several rules check. */
const recent = new WeakMap<Answer, Map<string, HtmlFaults>>()

export function* htmlTexts(record: Answer, resource: Resource): Generator<[name: string, faults: HtmlFaults]> {
  for (const [name, text] of textsOf(record, resource)) {
    if (!html.has(name) || !text.includes('<')) continue
    const known = recent.get(record) ?? new Map<string, HtmlFaults>()
    const faults = known.get(name) ?? htmlFaults(text)
    recent.set(record, known.set(name, faults))
    yield [name, faults]
  }
}

const noDescription: Rule = {
  id: 'missing-description',
  level: 'warning',
  finds: () => phrase('an upcoming event has no description'),
  why: () => phrase('its page shows only the time and place'),
  remedy: () => phrase('write one'),
  resources: ['events'],
  *check(record, _, context): Generator<RuleProblem> {
    if (isComing(record, context) && isBlank(textAt(record, 'description')))
      yield { message: phrase('has no description'), field: 'description', update: '--description TEXT' }
  },
}

/** Whether a text has nothing to read or to look at. */
const isBlank = (text: string): boolean =>
  !/<(?:img|iframe|video|audio|figure|object|embed)\b/i.test(text) &&
  decodeEntities(text.slice(0, 2000).replace(/<[^<>]*>/g, ' ')).trim() === ''

export const texts: readonly Rule[] = [noDescription, mojibake, shownEntities]

/** What replaces a lost letter: the replacement character of Unicode, or a question mark within a word, but not in an address. */
const lostLetter = (text: string): string | undefined =>
  text.includes('\ufffd')
    ? '\ufffd'
    : text.split(/\s+/).find(word => /\p{L}\?\p{Ll}/u.test(word) && !/https?:|www\.|=/.test(word))
