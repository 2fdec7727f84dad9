import { asFailure, Failure } from '../../../base/failure.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { createPageReader } from '../../../client/http/page-reader.ts'
import { answerProblem, redirectLoop } from '../../../client/http/problems/answer-problems.ts'
import { type ProblemCode, problemFailure } from '../../../client/http/problems/unavailable.ts'
import { redirectOf } from '../../../client/http/transport.ts'
import { findSite } from '../../../client/site-discovery.ts'
import { type CheckFinding, type DoctorCheck, done, type Examination, failed, failedAs, skipped } from './finding.ts'
import { indexUrl, objectIn, probeFailure } from './probe.ts'

/** In ms. */
const largestSkew = 60_000

export const behaviourChecks: readonly DoctorCheck[] = [
  { name: 'clock', needs: 'API', run: checkClock },
  { name: 'time zone', needs: 'API', run: checkZone },
  { name: 'languages', needs: 'redirects', run: checkLanguages },
]

/** Checks the clock, because `undo` and `list` compare the site's times with this machine's. */
async function checkClock({ probe, app }: Examination): Promise<CheckFinding> {
  const dates = probe.headers.map(({ date = '' }) => Date.parse(date)).filter(date => !Number.isNaN(date))
  const site = dates.at(-1)
  if (site === undefined) return skipped(phrase('the site does not report its time'))
  const skew = site - app.world.now().getTime()
  if (Math.abs(skew) <= largestSkew) return done(phrase('the same as here'))
  const minutes = Math.round(Math.abs(skew) / 60_000)
  return failed(
    skew > 0
      ? phrase("the site's clock is {minutes} min ahead of this machine's", { minutes })
      : phrase("the site's clock is {minutes} min behind this machine's", { minutes }),
    phrase('compare both with the right time: set this clock, or ask the host to set the other'),
    'clock',
  )
}

async function checkZone({ facts }: Examination): Promise<CheckFinding> {
  const { timezone_string: zone, gmt_offset: offset } = facts.index ?? {}
  if (typeof zone === 'string' && zone !== '') return done(zone)
  if (offset === undefined) return skipped(phrase('the site does not report it'))
  return done(
    phrase('UTC{offset}, without daylight saving time', { offset: `${Number(offset) < 0 ? '' : '+'}${offset}` }),
  )
}

async function checkLanguages({ facts, target }: Examination): Promise<CheckFinding> {
  const tags = (facts.frontPage ?? '').match(/<link\b[^>]*\bhreflang=["'][^"']+["'][^>]*>/gi) ?? []
  const named = tags.flatMap(tag => /hreflang=["']([^"']+)/i.exec(tag)?.[1] ?? []).filter(name => name !== 'x-default')
  const found = [...new Set([...named, ...target.sites])]
  const asked = target.language
  const isNamed = (language: string) => found.some(name => name.toLowerCase().split(/[-_]/)[0] === language)
  if (found.length > 0)
    return done(asked === undefined || isNamed(asked) ? listOf(found) : `${listOf(found)}; ${notNamed(asked)}`)
  const [, own] = /<html\b[^>]*\blang=["']([^"']+)/i.exec(facts.frontPage ?? '') ?? []
  if (own === undefined) return skipped(phrase('the front page names none'))
  return done(
    asked === undefined || own.startsWith(asked)
      ? phrase('{own} only', { own })
      : `${phrase('{own} only', { own })}; ${notNamed(asked)}`,
  )
}

const notNamed = (language: string): string =>
  phrase('{language}, the language in use, was not found: the site may ignore it, and answer in its own', { language })

const anyForm = 'text/html, */*;q=0.8'
const maxRedirects = 5

/** The next step in place of running the doctor. */
const askForApi = () =>
  phrase('check the address; if it is correct, ask whoever runs the site whether and why its REST API is disabled')

export const siteChecks: readonly DoctorCheck[] = [
  { name: 'redirects', needs: 'TLS', run: checkRedirects },
  { name: 'WordPress', needs: 'redirects', run: checkFrontPage },
  { name: 'API', needs: 'redirects', run: checkApi },
  { name: 'namespace', needs: 'API', run: checkNamespace },
  { name: 'reading', needs: 'namespace', run: checkReading },
  {
    name: 'PHP',
    needs: 'reading',
    async run({ probe }) {
      const message = probe.phpMessage()
      if (message === undefined) return done(phrase('prints nothing before the answers'))
      return failed(
        phrase('prints messages before its answers, which are still readable: {message}', { message }),
        phrase('ask whoever runs the site to turn off display_errors'),
        'php-messages',
      )
    },
  },
]

/** Checks the redirects of the first address. Another origin never gets the password, and may not answer for the site. */
async function checkRedirects({ facts, address, probe }: Examination): Promise<CheckFinding> {
  const start = address ?? indexUrl(facts.baseUrl)
  let url = start
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const next = redirectOf(await probe.look(url, address ? anyForm : 'application/json'), url.href)
    if (!next) return done(url === start ? phrase('none') : phrase('to {url}', { url: `${url.origin}${url.pathname}` }))
    if (next.origin !== url.origin && !address) return otherOrigin(url, next, facts.baseUrl)
    url = next
  }
  return failedAs(problemFailure(redirectLoop(address?.href ?? facts.baseUrl)))
}

function otherOrigin(from: URL, to: URL, baseUrl: string): CheckFinding {
  const isHttps = to.protocol === 'https:' && to.hostname === from.hostname
  const moved = `${to.origin}${baseUrl.slice(new URL(baseUrl).origin.length)}`
  return failed(
    phrase('{from} redirects to {to}', { from: from.origin, to: `${to.origin}${to.pathname}` }),
    phrase('use --base-url {moved}', { moved }),
    isHttps ? 'only-https' : 'redirected',
  )
}

/** Problems that are normal for a page that people read. */
const ordinary: ReadonlySet<ProblemCode> = new Set(['not-the-api', 'login-page', 'empty-answer'])

/** Checks the page that people see, at the address that the API gives. */
async function checkFrontPage({ facts, address, probe }: Examination): Promise<CheckFinding> {
  const page = address ?? new URL(facts.baseUrl.replace(/(\/wp-json|\?rest_route=)$/, '').replace(/\/?$/, '/'))
  const response = await probe.look(page, anyForm)
  const problem = answerProblem(response, { id: page.href, label: facts.baseUrl })
  if (problem && !ordinary.has(problem.code)) return failedAs(problemFailure(problem))
  facts.frontPage = String(response.body)
  const namesApi = (response.headers.link ?? '').includes('https://api.w.org/')
  if (namesApi) return done(phrase('yes: its Link header names the API'))
  if (/\/wp-(content|includes)\/|<meta name="generator" content="WordPress/.test(facts.frontPage))
    return done(phrase('yes, but its Link header does not name the API'))
  return skipped(phrase('its front page does not show it'))
}

async function checkApi(examination: Examination): Promise<CheckFinding> {
  const { facts, address } = examination
  if (address) return findApi(examination, address)
  const index = await readIndex(examination)
  if (!(index instanceof Failure)) return apiAt(examination, index)
  // A firewall or a closed API is a problem on any page.
  if (index.details.problem && index.details.problem !== 'not-the-api') return failedAs(index, nextOf(index))
  const found = await findElsewhere(examination, new URL(facts.baseUrl))
  if (found instanceof Failure) return failedAs(index, askForApi())
  return failed(
    phrase('it is at {found}, not at {expected}', { found: found.baseUrl, expected: facts.baseUrl }),
    phrase('use --base-url {baseUrl} --namespace {namespace}', { baseUrl: found.baseUrl, namespace: found.namespace }),
    'not-the-api',
  )
}

/** The next step of a failing command, unless that is to run the doctor. */
const nextOf = ({ details: { hint = '' } }: Failure): string => (hint.includes('calctl doctor') ? askForApi() : hint)

async function findApi(examination: Examination, address: URL): Promise<CheckFinding> {
  const { facts, app } = examination
  const found = await findElsewhere(examination, address)
  if (found instanceof Failure) return failedAs(found, nextOf(found))
  facts.baseUrl = found.baseUrl
  facts.namespace = app.globals.namespace ?? found.namespace
  const index = await readIndex(examination)
  return index instanceof Failure ? failedAs(index, nextOf(index)) : apiAt(examination, index)
}

async function findElsewhere({ timeout, proxies, trusted, observe, target }: Examination, address: URL) {
  const front = { host: address.host, headers: await target.front() }
  const { read, close } = createPageReader({ timeout, proxies, trusted, observe, front })
  return findSite(address, read).catch(asFailure).finally(close)
}

function apiAt({ facts }: Examination, index: Readonly<Record<string, unknown>>): CheckFinding {
  facts.index = index
  const { name } = index
  const { baseUrl: url } = facts
  return done(
    typeof name === 'string' && name !== ''
      ? phrase('at {url} ("{name}")', { url, name })
      : phrase('at {url}', { url }),
  )
}

/** The root of the API as everybody sees it; as the user sees it, if it is closed to others. */
async function readIndex({ facts, probe }: Examination): Promise<Readonly<Record<string, unknown>> | Failure> {
  const { baseUrl, namespace } = facts
  const request = { method: 'GET', path: '/' }
  const isIndex = (index: Readonly<Record<string, unknown>> | undefined) => Array.isArray(index?.namespaces)
  const open = await probe.look(indexUrl(baseUrl), 'application/json')
  const index = objectIn(open)
  if (index && isIndex(index)) return index
  const response = [401, 403].includes(open.status) ? await probe.ask(baseUrl, request) : open
  const own = objectIn(response)
  return own && isIndex(own) ? own : probeFailure(baseUrl, namespace, request, response)
}

async function checkNamespace({ facts }: Examination): Promise<CheckFinding> {
  const { namespaces } = facts.index ?? {}
  if (!Array.isArray(namespaces)) return skipped(phrase('the API does not list them'))
  const { namespace } = facts
  if (namespaces.includes(namespace)) return done(namespace)
  const [other] = ['tribe/events/v1', 'calendar/events/v1'].filter(name => namespaces.includes(name))
  const some = listOf(namespaces.map(String).slice(0, 5))
  return other === undefined
    ? failed(
        phrase('the site has no {namespace}, only {some}', { namespace, some }),
        phrase('check that The Events Calendar is active there: an administrator sees it under Plugins'),
        'no-namespace',
      )
    : failed(
        phrase('the site has {other}, not {namespace}', { other, namespace }),
        phrase('use --namespace {other}', { other }),
        'no-namespace',
      )
}

async function checkReading({ facts, probe }: Examination): Promise<CheckFinding> {
  const { baseUrl, namespace } = facts
  const request = { method: 'GET', path: `/${namespace}/events`, query: 'per_page=1&starts_after=1000-01-01' }
  const response = await probe.ask(baseUrl, request)
  const list = objectIn(response)
  if (!list || !Array.isArray(list.events)) {
    const failure = probeFailure(baseUrl, namespace, request, response)
    return failedAs(failure, nextOf(failure))
  }
  facts.allowed = response.headers.allow ?? ''
  facts.total = Number(list.total ?? list.events.length)
  return done(phrase('{count, plural, one {# event} other {# events}} visible', { count: facts.total }))
}
