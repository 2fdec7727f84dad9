/**
 * A served calendar in a browser: the page of the calendar, a page for each record, at the address in its `url`, and `/calendar.ics`.
 * Everything is read through the API. Input: a path below the address of the site. Output: an answer, or undefined for a path without a
 * page.
 */

import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lookupTable, memoize } from '../base/memoize.ts'
import { decodePercent, escapeXml } from '../base/text/escaping.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Response } from '../contract/exchange.ts'
import { isLanguage, type Language, languages } from '../contract/languages.ts'
import { encodeSlug } from '../contract/slug.ts'
import { languageLinks } from '../service/http/welcome.ts'
import { feed } from './feed.ts'
import { htmlPage } from './html-page.ts'
import { words } from './page-words.lib.ts'
import { type PageSource, publicRecord, townIn } from './public-records.ts'
import { type Frame, type PageKind, pageKinds, recordPage, refusalPage } from './record-page.ts'
import { eventsFile, isList, siteFeed, wantsFile } from './site-feed.ts'

/** `languages` are those that the browser asks for, as in `Accept-Language`. */
export type Pages = (path: string, query: string, languages?: string) => Promise<Response | undefined>

/** Nothing is loaded from elsewhere, and no text of the calendar can run anything. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = (type: string) => ({
  'content-type': type.includes(';') ? type : `${type}; charset=UTF-8`,
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
})

export const createPages =
  (source: PageSource): Pages =>
  async (path, query, accepted = '') => {
    const answer = source.quirks ? await siteFeed(source, path, query) : undefined
    if (answer) return answer
    if (path === '/' || isList(path)) return html(200, calendarPage(source, await townIn(source)))
    if (path === '/__page/plan') return planOf(source)
    if (path.startsWith('/__page/')) return asset(basename(path))
    if (path === '/calendar.ics') {
      const answer = await feed(source, new URLSearchParams(query))
      return { ...answer, headers: { ...headers(String(answer.headers['content-type'])), ...answer.headers } }
    }
    return isOfApi(source, path) ? undefined : pageOfRecord(source, path, query, accepted)
  }

const planOf = ({ plan }: PageSource): Response | undefined =>
  plan && { status: 200, headers: headers('application/json'), body: JSON.stringify(plan) }

/** Whether a path is one of the API, or of a file of the site: their refusals are for programs. */
const isOfApi = ({ namespace }: PageSource, path: string): boolean =>
  `${path}/`.includes(`/${namespace}/`) || /\/(wp\/v2|wp-content|__calctl)(\/|$)/.test(path)

/** The page of a record, or one that says that there is none. */
async function pageOfRecord(source: PageSource, path: string, query: string, accepted: string): Promise<Response> {
  const [, prefix, kind, slugs = ''] = recordPath.exec(path) ?? []
  const town = await townIn(source)
  const frame = frameIn(source, town, [path.split('/')[1], ...accepted.split(',').map(one => one.trim().slice(0, 2))])
  if (kind === undefined) return html(404, refusalPage(404, frame))
  const resource = resourceNamed(pageKinds[kind as PageKind])
  const slug = encodeSlug(decodePercent(slugs.split('/').at(-1) ?? ''))
  const recordIn = (query: Readonly<Record<string, string>>) => publicRecord(source, resource, { slug }, query)
  const record = await recordIn(prefix === undefined ? {} : { lang_code: prefix })
  const status = record === 403 ? 403 : 404
  if (typeof record === 'number') return html(status, refusalPage(status, frame))
  if (kind === 'event' && wantsFile(query)) return eventsFile(source, [record])
  const own = frameIn(source, town, [record.lang_code, prefix])
  const translations: Partial<Record<Language, string>> = {}
  for (const one of languages) {
    const other = one === own.language ? 404 : await recordIn({ lang_code: one })
    if (typeof other !== 'number' && other.start_date === record.start_date) translations[one] = String(other.url)
  }
  return html(200, recordPage(kind as PageKind, record, { ...own, translations }))
}

/** In the first of these languages that the calendar has. */
const frameIn = ({ site, baseUrl }: PageSource, town: string, wanted: readonly unknown[]): Frame => ({
  home: `${new URL(baseUrl).origin}/`,
  site,
  town,
  language: wanted.find(isLanguage) ?? site.language,
  translations: {},
})

const recordPath = new RegExp(`^/(?:(${languages.join('|')})/)?(${Object.keys(pageKinds).join('|')})/([^?]+?)/?$`)

const html = (status: number, body: string): Response => ({ status, headers: headers('text/html'), body })

const types: Readonly<Record<string, string>> = lookupTable({ 'page.js': 'text/javascript', 'page.css': 'text/css' })

/** The built files are next to the bundle; the sources use those of the last build. */
const asset = (name: string): Response | undefined =>
  types[name] === undefined ? undefined : { status: 200, headers: headers(types[name]), body: builtFile(name) }

const builtFile = memoize((name: string): string => {
  const folder = dirname(import.meta.filename)
  const built = basename(folder) === 'page' ? join(folder, '../../dist/page') : join(folder, 'page')
  return readFileSync(join(built, name), 'utf8')
})

/** The page of the calendar, whose attributes tell it what it needs to know about the server. */
function calendarPage(source: PageSource, town: string): string {
  const { baseUrl, namespace, access, site, plan, version, clockStands } = source
  const below = new URL(baseUrl).pathname.replace(/\/$/, '')
  const api = `${below}/${namespace}`
  // A plan is shown to one browser: no other program can read what is around it.
  const root = plan ? below : ''
  const addresses = plan ? [] : ['/calendar.ics', `${api}/events`]
  return htmlPage({
    title: site.name ?? words.calendarName[site.language],
    language: site.language,
    root,
    head: plan
      ? ''
      : `<link rel="alternate" type="text/calendar" href="/calendar.ics">
${languageLinks({ baseUrl, namespace })}`,
    bodyAttributes: {
      'data-api': api,
      'data-base-url': baseUrl,
      'data-namespace': namespace,
      'data-access': access,
      ...(site.name !== undefined && { 'data-name': site.name }),
      'data-town': town,
      'data-timezone': site.timezone,
      'data-now': source.now().toISOString(),
      ...(clockStands?.() && { 'data-clock': 'stands' }),
      ...(plan && { 'data-plan': `${root}/__page/plan` }),
      ...(version && { 'data-version': String(version()) }),
    },
    body: `<noscript>${languages.map(one => `<p lang="${one}">${words.withoutScript[one]}</p>`).join('\n')}
${addresses.map(address => `<p><a href="${escapeXml(address)}">${escapeXml(address)}</a></p>`).join('\n')}</noscript>
<script type="module" src="${root}/__page/page.js"></script>`,
  })
}
