/**
 * What a person sees of a served calendar in a browser: the calendar, a page for each record, at the address that its `url` has, and
 * `/calendar.ics`. Everything is read through the API. Input: a path below the address of the site. Output: an answer, or undefined
 * for what is no page.
 */

import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { resourceNamed } from '../contract/contract.ts'
import type { Response } from '../contract/exchange.ts'
import { isLanguage, languages } from '../contract/languages.ts'
import { writeICalendar } from '../files/icalendar/write-icalendar.ts'
import { languageLinks } from '../service/http/welcome.ts'
import { type PageSource, publicEvents, publicRecord } from './public-records.ts'
import { type PageKind, pageKinds, recordPage, refusalPage } from './record-page.ts'

export type Pages = (path: string, query: string) => Promise<Response | undefined>

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
  'content-type': `${type}; charset=UTF-8`,
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
})

export const createPages =
  (source: PageSource): Pages =>
  async (path, query) => {
    if (path === '/') return html(200, calendarPage(source))
    if (path.startsWith('/__page/')) return asset(basename(path))
    if (path === '/calendar.ics') return feed(source, new URLSearchParams(query))
    return pageOfRecord(source, path)
  }

async function pageOfRecord(source: PageSource, path: string): Promise<Response | undefined> {
  const [, language, kind, slugs] = recordPath.exec(path) ?? []
  if (kind === undefined || slugs === undefined) return undefined
  const home = `${new URL(source.baseUrl).origin}/`
  const resource = resourceNamed(pageKinds[kind as PageKind])
  const slug = slugs.split('/').at(-1) ?? ''
  const record = await publicRecord(source, resource, slug, language === undefined ? {} : { lang_code: language })
  if (typeof record !== 'number') return html(200, recordPage(kind as PageKind, record, home))
  const status = record === 403 ? 403 : 404
  return html(status, refusalPage(status, home))
}

const recordPath = new RegExp(`^/(?:(${languages.join('|')})/)?(${Object.keys(pageKinds).join('|')})/([^?]+?)/?$`)

const html = (status: number, body: string): Response => ({ status, headers: headers('text/html'), body })

/** The filters of the API that a feed takes. */
const feedFilters = ['categories', 'tags', 'venue', 'organizer', 'search', 'lang_code']

/** How long a subscriber keeps past events, in days. */
const keptDays = 30

async function feed(source: PageSource, asked: URLSearchParams): Promise<Response> {
  const now = source.now()
  const query: Record<string, string> = {
    starts_after: new Date(now.getTime() - keptDays * 86_400_000).toISOString().slice(0, 10),
  }
  for (const name of feedFilters) {
    const value = asked.get(name)
    if (value !== null && (name !== 'lang_code' || isLanguage(value))) query[name] = value
  }
  let body = ''
  const writing = { site: source.baseUrl, now, name: new URL(source.baseUrl).host }
  for await (const text of writeICalendar(publicEvents(source, query), writing)) body += text
  return { status: 200, headers: headers('text/calendar'), body }
}

const types: Readonly<Record<string, string>> = {
  'page.js': 'text/javascript',
  'page.css': 'text/css',
  'reference.js': 'text/javascript',
  'reference.css': 'text/css',
}

/** The files that the build makes stand beside the bundle; the sources use those of the last build. */
function asset(name: string): Response | undefined {
  const type = types[name]
  if (type === undefined) return undefined
  const folder = dirname(import.meta.filename)
  const built = basename(folder) === 'page' ? join(folder, '../../dist/page') : join(folder, 'page')
  return { status: 200, headers: headers(type), body: readFileSync(join(built, name), 'utf8') }
}

/** The page of the calendar. What it needs to know of the server stands in its attributes. */
const calendarPage = ({ baseUrl, namespace, access }: PageSource): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>calctl</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/__page/page.css">
<link rel="alternate" type="text/calendar" href="/calendar.ics">
${languageLinks({ baseUrl, namespace })}
<body data-api="${new URL(baseUrl).pathname.replace(/\/$/, '')}/${namespace}" data-base-url="${baseUrl}" data-namespace="${namespace}" data-access="${access}">
<script type="module" src="/__page/page.js"></script>
</html>
`
