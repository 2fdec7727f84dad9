import { noDate } from '../../../src/contract/post-status.ts'
import type { RecordedResponse } from './recording.ts'

/** Times in answers that come from the clock of the server, not from an event. A text is compared as it is, and then with these renamed. */
export interface Moments {
  recorded(text: string): string
  played(text: string): string
}

/** In what two answers can differ. */
export const facets = ['status', 'code', 'keys', 'values'] as const
export type Facet = (typeof facets)[number]

/** A difference between an answer and the recorded one; `undefined` stands for what one of them lacks. */
export interface AnswerDifference {
  readonly facet: Facet
  /** The place in the body, as `events.0.title`; or the name of a header. */
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}

/** `cost: "10" expected, got "12"` */
export const differenceText = ({ path, expected, actual }: AnswerDifference): string =>
  `${path}: ${shown(expected)} expected, got ${shown(actual)}`

const comparedHeaders = ['x-tec-total', 'x-tec-totalpages', 'x-wp-total', 'x-wp-totalpages', 'location']

/** The differences between an answer and the recorded one. If the status differs, the bodies are not compared. */
export function answerDifferences(
  expected: RecordedResponse,
  actual: RecordedResponse,
  moments: Moments,
): AnswerDifference[] {
  if (expected.status !== actual.status)
    return [{ facet: 'status', path: 'status', expected: expected.status, actual: actual.status }]
  const headers = comparedHeaders
    .filter(name => expected.headers[name] !== actual.headers[name])
    .map(name => difference(name, expected.headers[name], actual.headers[name]))
  const isError = expected.status >= 400
  return [
    ...headers,
    ...inside('', comparable(expected.body), comparable(actual.body), moments).map(one =>
      isError && one.path === 'code' ? { ...one, facet: 'code' as const } : one,
    ),
  ]
}

const difference = (path: string, expected: unknown, actual: unknown): AnswerDifference => ({
  facet: expected === undefined || actual === undefined ? 'keys' : 'values',
  path,
  expected,
  actual,
})

function inside(path: string, expected: unknown, actual: unknown, moments: Moments): AnswerDifference[] {
  if (isObject(expected) && isObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
    const compared = [...names].filter(name => !arePartsOfNow(name, expected, actual, moments))
    return compared.flatMap(name =>
      inside(path === '' ? name : `${path}.${name}`, expected[name], actual[name], moments),
    )
  }
  return isSame(nameIn(path), expected, actual, moments) ? [] : [difference(path, expected, actual)]
}

/** The key of a value; items of a list have the key of the list. */
const nameIn = (path: string): string => path.split('.').findLast(part => !/^\d+$/.test(part)) ?? ''

function isSame(name: string, expected: unknown, actual: unknown, { recorded, played }: Moments): boolean {
  if (expected === actual) return true
  if (typeof expected === 'string' && typeof actual === 'string')
    return withoutClock(name, expected, recorded) === withoutClock(name, actual, played)
  return isEmpty(expected) && JSON.stringify(expected) === JSON.stringify(actual)
}

/** Whether these are the parts of a date that differs because it comes from the server's clock, and that is compared as a whole. */
function arePartsOfNow(name: string, expected: Data, actual: Data, moments: Moments): boolean {
  const date = name.replace(/_details$/, '')
  const [recorded, played] = [expected[date], actual[date]]
  return date !== name && recorded !== played && isSame(date, recorded, played, moments)
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

const mostShown = 160

type Data = Record<string, unknown>

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !isEmpty(value)

/** Removes what only one of two servers has, and what depends on a file that only the site had. */
function comparable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return inKnownOrder(name, value).map(item => comparable(item, name))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !isOurs(key) && !(name === 'image' && isOfFile(key)))
  return Object.fromEntries(entries.map(([key, item]) => [key, comparable(item, key)]))
}

/** Events with the same start are ordered by publication date, which is the same for all while a clock stands still. */
const inKnownOrder = (name: string, items: readonly unknown[]): readonly unknown[] =>
  name === 'events' ? items.toSorted((one, other) => compareTexts(orderOf(one), orderOf(other))) : items

const orderOf = (event: unknown): string => {
  const { start_date, id }: Data = Object(event)
  return `${start_date} ${String(id).padStart(9, '0')}`
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The site had no languages; the service of calctl keeps no revisions, and only the current URL of a post. */
const isOurs = (key: string) => ['lang_code', 'guid', 'version-history', 'predecessor-version'].includes(key)

/** Properties of an image that only its file tells. */
const isOfFile = (key: string) => ['width', 'height', 'filesize', 'sizes'].includes(key)

/** WordPress hides e-mail addresses from robots: it encodes random letters as numbers. */
const lettered = (text: string): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

function withoutClock(name: string, text: string, rename: (text: string) => string): string {
  if (name.startsWith('modified') && text !== noDate) return 'now'
  return name === 'email' ? lettered(text) : rename(text)
}
