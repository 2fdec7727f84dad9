import { createHash } from 'node:crypto'
import { badSettings, type Failure, forExample, usage } from '../base/failure.ts'
import { isObject } from '../base/text/json.ts'
import { phrase } from '../base/words/phrase.ts'
import { documentedNamespace } from '../contract/contract.ts'
import { calendarInFile, demoCalendar } from './calendar.ts'
import type { CalendarName } from './client.ts'
import type { ReadPage, WebPage } from './http/page-reader.ts'
import { problemFailure } from './http/problems/unavailable.ts'
import { addressOf, pageAddress, plainPermalinks } from './http/request.ts'
import { parseBody } from './http/response.ts'

/** A site whose API was found. */
export interface FoundSite {
  /** Without a slash at its end: `https://example.org/wp-json`, or `https://example.org/?rest_route=`. */
  readonly baseUrl: string
  /** Of the events API: `tribe/events/v1`. */
  readonly namespace: string
  /** The title of the site. */
  readonly title: string | undefined
  /** The page where people create application passwords; undefined if the site names none. */
  readonly passwordPage: string | undefined
  /** All namespaces of its API. */
  readonly namespaces: readonly string[]
}

/** The namespaces of the events API to try first; others are found by their routes. */
const knownNamespaces = ['tribe/events/v1', documentedNamespace]

/**
 * Finds the events API of a site from the address of any of its pages, of its administration, or of the API itself. Follows redirects; two
 * requests are enough if the page names the API. Throws `settings` with what was found instead.
 */
export async function findSite(address: URL, read: ReadPage): Promise<FoundSite> {
  const page = await read(pageBefore(address))
  const named = rootNamedBy(page)
  const roots = named === undefined ? rootsBelow(page.url) : [sameScheme(named, page)]
  const answers: WebPage[] = [page]
  for (const root of roots) {
    const baseUrl = root.replace(/\/+$/, '')
    const answer = await indexAt(baseUrl, read, indexFields)
    if (answer.index) return siteOf(baseUrl, answer.index, read)
    answers.push(answer.page)
  }
  throw await unusable(page, answers)
}

const loginExample = (): string => forExample('calctl login example.org')

/** Parses what people call the address of a site: `example.org`, `localhost:8787/agenda`, `https://example.org/event/concert/`. */
export function parseSiteAddress(text: string): URL {
  const hasScheme = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text)
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/]|$)/i.test(text)
  const address = hasScheme ? text : `${isLocal ? 'http' : 'https'}://${text}`
  if (!URL.canParse(address)) throw usage(phrase('not an address of a site: {text}', { text }), loginExample())
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol))
    throw usage(
      phrase('expected the address of a site, http or https, got {protocol}', { protocol: url.protocol }),
      loginExample(),
    )
  if (url.username || url.password)
    throw usage(
      phrase('an address must not contain a user name or a password'),
      phrase('use: {command}', { command: `calctl login ${url.host} --user NAME` }),
    )
  url.hash = ''
  return url
}

/** The page from which the API can be found: pages of the administration do not name it. */
function pageBefore({ href }: URL): URL {
  const url = new URL(href)
  url.pathname = url.pathname.replace(/\/(wp-admin|wp-login\.php|wp-json)(\/.*)?$/, '/')
  return url
}

/** The root of the API that a page names, in a header or in its head. */
function rootNamedBy({ headers, body, url }: WebPage): string | undefined {
  const [, inHeader] = /<([^>]+)>;[^,]*rel="?https:\/\/api\.w\.org\/"?/i.exec(headers.link ?? '') ?? []
  const [tag = ''] = /<link\b[^>]*rel=["']https:\/\/api\.w\.org\/["'][^>]*>/i.exec(body.slice(0, headLength)) ?? []
  const [, inHead] = /href=["']([^"']+)["']/i.exec(tag) ?? []
  const root = inHeader ?? inHead?.replaceAll('&amp;', '&').replaceAll('&#038;', '&')
  return root === undefined || !URL.canParse(root, url.href) ? undefined : new URL(root, url.href).href
}

/** In characters: the head is at the beginning of a page. */
const headLength = 200_000

/** Where the API may be if the page does not say: below its first folder, and below its host. */
function rootsBelow({ origin, pathname }: URL): string[] {
  const [first] = pathname.split('/').filter(part => part !== '' && !part.includes('.'))
  const folders = [...(first === undefined ? [] : [`${origin}/${first}`]), origin]
  return folders.flatMap(folder => [`${folder}/wp-json/`, `${folder}/${plainPermalinks}/`, `${folder}/`])
}

/**
 * The root with the scheme of the page: behind a proxy, sites name their API with `http` on pages that were read with `https`. Another host
 * is another site.
 */
function sameScheme(root: string, { url }: WebPage): string {
  const target = new URL(root)
  if (target.host !== url.host)
    throw badSettings(
      phrase('the API of {site} is at another host: {root}', { site: url.origin, root }),
      phrase('if you trust it: {command}', { command: `calctl login ${target.host}` }),
    )
  if (url.protocol === 'https:') target.protocol = 'https:'
  return target.href
}

/** Throws `settings` if the site has no events API. */
async function siteOf(baseUrl: string, index: Index, read: ReadPage): Promise<FoundSite> {
  const known = knownNamespaces.find(name => index.namespaces.includes(name))
  const namespace = known ?? namespaceIn((await indexAt(baseUrl, read)).index?.routes ?? [])
  if (namespace === undefined)
    throw badSettings(
      phrase('{calendar} has no events API', { calendar: baseUrl }),
      phrase('check that The Events Calendar is active on this site: an administrator sees it under Plugins'),
    )
  const { name, passwordPage, namespaces } = index
  return { baseUrl, namespace, title: name || undefined, passwordPage, namespaces }
}

/** The namespace that has the routes of the contract, whatever its name. */
function namespaceIn(routes: readonly string[]): string | undefined {
  const namespaces = routes.flatMap(route => /^\/(.+)\/events$/.exec(route)?.[1] ?? [])
  return namespaces.find(name => routes.includes(`/${name}/venues`) && routes.includes(`/${name}/organizers`))
}

/** What the root of an API says. */
interface Index {
  readonly name: string
  readonly namespaces: readonly string[]
  readonly routes: readonly string[]
  readonly passwordPage: string | undefined
}

const indexFields = '_fields=name,namespaces,authentication'

/** The index at the root of an API; its `index` is undefined if there is no API. */
async function indexAt(baseUrl: string, read: ReadPage, query = '') {
  const page = await read(new URL(addressOf(baseUrl, { path: '/', query })), 'application/json')
  return { page, index: indexIn(page) }
}

function indexIn(page: WebPage): Index | undefined {
  const index = page.status === 200 ? parseBody(page) : undefined
  if (!isObject(index) || !Array.isArray(index.namespaces)) return undefined
  const { name, namespaces, routes, authentication } = index
  const passwords = isObject(authentication) ? authentication['application-passwords'] : undefined
  const endpoints = isObject(passwords) ? passwords.endpoints : undefined
  const passwordPage = isObject(endpoints) ? endpoints.authorization : undefined
  return {
    name: typeof name === 'string' ? name : '',
    namespaces: namespaces.map(String),
    routes: isObject(routes) ? Object.keys(routes) : [],
    // The program that opens a page would also open files or start programs.
    passwordPage: typeof passwordPage === 'string' ? pageAddress(passwordPage) : undefined,
  }
}

/** The failure for a site whose API was not found: the first problem that its answers show, or that it has no API. */
async function unusable(page: WebPage, answers: readonly WebPage[]): Promise<Failure> {
  const { answerProblem } = await import('./http/problems/answer-problems.ts')
  for (const { url, ...answer } of answers) {
    const problem = answerProblem(answer, { id: url.origin, label: url.origin })
    if (problem && problem.code !== 'not-the-api') return problemFailure(problem)
  }
  const address = page.url.origin + page.url.pathname
  const message =
    page.status === 200
      ? phrase('no events API at {address}: no API was found there', { address })
      : phrase('no events API at {address}: it answered {status}', { address, status: page.status })
  return badSettings(
    message,
    phrase('find the cause with: calctl doctor; or give the address of the API with --base-url'),
  )
}

/**
 * The `origin` of an exported record: the calendar to which its IDs belong. The path of a file is hashed, because exports are sent to
 * others, and paths contain the names of people.
 */
export const exportOrigin = ({ id }: Pick<CalendarName, 'id'>): string =>
  id.startsWith('file:') ? `file:sha256-${createHash('sha256').update(id).digest('base64url')}` : id

/** Whether the IDs of a record belong to this calendar. */
export const isFrom = (origin: string, calendar: CalendarName): boolean => {
  const exported = exportOrigin(calendar)
  return origin === exported || exportOrigin(calendarOfSentence(origin)) === exported
}

const demo = 'the demo calendar'
const file = 'the calendar file '

/** The calendar that the first versions of calctl named by a sentence, in exports, plans and journals. */
export function calendarOfSentence(origin: string): CalendarName {
  if (origin === demo) return demoCalendar
  if (!origin.startsWith(file)) return { id: origin, label: origin }
  const { id, label } = calendarInFile(origin.slice(file.length))
  return { id, label }
}
