import { noDate } from '../../contract/post-status.ts'
import { type RecordedResponse, secretMark } from './recording.ts'

/** What two answers can differ in. */
export const facets = ['status', 'code', 'keys', 'values'] as const
export type Facet = (typeof facets)[number]

/** A difference of an answer from the recorded one; `undefined` stands for what one of them lacks. */
export interface AnswerDifference {
  readonly facet: Facet
  /** Where in the body, as `events.0.title`; or the name of a header. */
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}

/** `cost: "10" expected, got "12"` */
export const differenceText = ({ path, expected, actual }: AnswerDifference): string =>
  `${path}: ${shown(expected)} expected, got ${shown(actual)}`

/** Times that are those of the recording, or of its replay, and not of an event. */
export interface Moments {
  readonly now: RegExp
}

const comparedHeaders = ['x-tec-total', 'x-tec-totalpages', 'x-wp-total', 'x-wp-totalpages', 'location']

/** The differences of an answer from the recorded one. If the status is another, the bodies are not compared. */
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
    ...inside('', comparable(expected.body, moments), comparable(actual.body, moments)).map(one =>
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

function inside(path: string, expected: unknown, actual: unknown): AnswerDifference[] {
  if (isObject(expected) && isObject(actual))
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap(key =>
      inside(path === '' ? key : `${path}.${key}`, expected[key], actual[key]),
    )
  if (expected === secretMark && typeof actual === 'string') return []
  return isSame(expected, actual) ? [] : [difference(path, expected, actual)]
}

const isSame = (expected: unknown, actual: unknown): boolean =>
  expected === actual || (isEmpty(expected) && JSON.stringify(expected) === JSON.stringify(actual))

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 160))

type Data = Record<string, unknown>

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !isEmpty(value)

/** Removes what depends on the clock, on random values, or on a file that only the site had. */
function comparable(value: unknown, moments: Moments, name = ''): unknown {
  if (typeof value === 'string') return withoutClock(name, value, moments)
  if (Array.isArray(value)) return inKnownOrder(name, value, moments).map(item => comparable(item, moments, name))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !isOurs(key) && !(name === 'image' && isOfFile(key)))
  const compared = Object.fromEntries(entries.map(([key, item]) => [key, comparable(item, moments, key)]))
  // The parts of a date stand beside it.
  for (const key of Object.keys(compared))
    if (String(compared[key.replace(/_details$/, '')]).endsWith(' now')) compared[key] = 'now'
  return compared
}

/** Events with the same start are ordered by publication date, which is the same for all here, since the clock stands still. */
const inKnownOrder = (name: string, items: readonly unknown[], moments: Moments): readonly unknown[] =>
  name === 'events'
    ? items.toSorted((one, other) => compareTexts(orderOf(one, moments), orderOf(other, moments)))
    : items

const orderOf = (event: unknown, moments: Moments): string => {
  const { start_date, date, id }: Data = Object(event)
  return `${start_date} ${withoutClock('date', String(date), moments)} ${String(id).padStart(9, '0')}`
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The site had no languages; our service keeps no revisions, and no URL of a post but the present one. */
const isOurs = (key: string) => ['lang_code', 'guid', 'version-history', 'predecessor-version'].includes(key)

/** Properties of an image that are known only with its file. */
const isOfFile = (key: string) => ['width', 'height', 'filesize', 'sizes'].includes(key)

/** WordPress hides e-mail addresses from robots: it writes random letters as numbers. */
const lettered = (text: string): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

const withoutClock = (name: string, text: string, { now }: Moments): string =>
  name.startsWith('modified') && text !== noDate
    ? 'now'
    : name === 'email'
      ? lettered(text)
      : text.replace(now, '$1 now')
