import { noDate } from '../../src/contract/post-status.ts'

/** A response of either side, its body as data. */
interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The differences of a response from the expected one, each as a line of text. */
export function differences(expected: Answer, actual: Answer): string[] {
  if (expected.status !== actual.status)
    return [`status: ${expected.status} expected, got ${actual.status} ${JSON.stringify(actual.body).slice(0, 200)}`]
  const total = ['x-tec-total', 'x-tec-totalpages', 'x-wp-total', 'x-wp-totalpages', 'location']
    .filter(name => expected.headers[name] !== actual.headers[name])
    .map(name => `${name}: ${expected.headers[name]} expected, got ${actual.headers[name]}`)
  return [...total, ...inside('', comparable(expected.body), comparable(actual.body))]
}

function inside(path: string, expected: unknown, actual: unknown): string[] {
  if (isObject(expected) && isObject(actual))
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap(key =>
      inside(path === '' ? key : `${path}.${key}`, expected[key], actual[key]),
    )
  return isSame(expected, actual) ? [] : [`${path}: ${shown(expected)} expected, got ${shown(actual)}`]
}

const isSame = (expected: unknown, actual: unknown): boolean =>
  expected === actual || (isEmpty(expected) && JSON.stringify(expected) === JSON.stringify(actual))

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 160))

type Data = Record<string, unknown>

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !isEmpty(value)

/** Removes what depends on the clock, on random values, or on a file that only the site had. */
function comparable(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return withoutClock(name, value)
  if (Array.isArray(value)) return inKnownOrder(name, value).map(item => comparable(item, name))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !isOurs(key) && !(name === 'image' && isOfFile(key)))
  return Object.fromEntries(entries.map(([key, item]) => [key, comparable(item, key)]))
}

/** Events with the same start are ordered by publication date, which is the same for all here, since the clock stands still. */
const inKnownOrder = (name: string, items: readonly unknown[]): readonly unknown[] =>
  name === 'events' ? items.toSorted((one, other) => compareTexts(orderOf(one), orderOf(other))) : items

const orderOf = (event: unknown): string => {
  const { start_date, date, id }: Data = Object(event)
  return `${start_date} ${withoutClock('date', String(date))} ${String(id).padStart(9, '0')}`
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The site had no languages; our service keeps no revisions, and no URL of a post but the present one. */
const isOurs = (key: string) => ['lang_code', 'guid', 'version-history', 'predecessor-version'].includes(key)

/** Properties of an image that are known only with its file. */
const isOfFile = (key: string) => ['width', 'height', 'filesize', 'sizes'].includes(key)

/** WordPress hides e-mail addresses from robots: it writes random letters as numbers. */
const lettered = (text: string): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

/** The recording took ten minutes; in the replay the clock stands still. The hours of `now` are 2 in UTC, 3 in Madrid, 4 at UTC+2. */
const ofTheRecording = /(202[68]-11-21)([ T+]|%20)(?:0[2-4]|22)(:|%3A)\d\d(:|%3A)\d\d/g

const withoutClock = (name: string, text: string): string =>
  name.startsWith('modified') && text !== noDate
    ? 'now'
    : name === 'email'
      ? lettered(text)
      : text.replace(ofTheRecording, '$1 now')
