import { asFailure, Failure } from '../../../base/failure.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { createPageReader } from '../../../client/http/page-reader.ts'
import { answerProblem, redirectLoop } from '../../../client/http/problems/answer-problems.ts'
import { type ProblemCode, problemFailure } from '../../../client/http/problems/unavailable.ts'
import { redirectOf } from '../../../client/http/transport.ts'
import { findSite } from '../../../client/site-discovery.ts'
import type { Request, Response } from '../../../contract/exchange.ts'
import { type CheckFinding, type DoctorCheck, done, type Examination, failed, failedAs, skipped } from './finding.ts'
import { indexUrl, objectIn, probeFailure } from './probe.ts'

/** In ms. */
const largestSkew = 60_000

export const behaviourChecks: readonly DoctorCheck[] = [
  { name: 'update', needs: 'writing', run: checkUpdate },
  { name: 'page size', needs: 'reading', run: checkPageSize },
  { name: 'clock', needs: 'API', run: checkClock },
  { name: 'time zone', needs: 'API', run: checkZone },
  { name: 'languages', needs: 'redirects', run: checkLanguages },
  { name: 'rate limit', needs: 'API', run: checkRateLimit },
]

async function checkPageSize({ facts, probe }: Examination): Promise<CheckFinding> {
  const asked = 100
  const { baseUrl, namespace, total = 0 } = facts
  const query = `per_page=${asked}&starts_after=1000-01-01`
  const response = await probe.ask(baseUrl, { method: 'GET', path: `/${namespace}/events`, query })
  const { events } = objectIn(response) ?? {}
  if (!Array.isArray(events))
    return done(phrase('below {asked}: the site answered {status}', { asked, status: response.status }))
  if (events.length >= asked || events.length < total)
    return done(phrase('{count, plural, one {# event} other {# events}}', { count: events.length }))
  return skipped(phrase('there {count, plural, one {is only # event} other {are only # events}}', { count: total }))
}

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

async function checkRateLimit({ probe }: Examination): Promise<CheckFinding> {
  const seen = new Map<string, string>()
  for (const headers of probe.headers)
    for (const [name, value] of Object.entries(headers))
      if (/^(x-)?rate-?limit(-limit|-policy)?$/.test(name)) seen.set(name, value)
  if (seen.size === 0) return done(phrase('none announced'))
  return done(Array.from(seen, ([name, value]) => `${name}: ${value}`).join(', '))
}

const json = { accept: 'application/json', 'content-type': 'application/json' }

/** Fields of the draft that an update of its title might clear. */
const fields = { description: 'Made by calctl doctor.', website: 'https://calctl.example/', status: 'draft' }

/** Creates a draft, changes only its title, checks what is left of it, and removes it. */
async function checkUpdate(examination: Examination): Promise<CheckFinding> {
  const { app, write, facts, probe } = examination
  if (!write) return skipped(phrase('to test an update on a temporary draft, add --write'))
  if (!facts.hasUser && !facts.allowed?.includes('POST')) return skipped(phrase('no user is set'))
  // Refuses a protected profile.
  await app.writer()
  const { baseUrl, namespace } = facts
  const path = `/${namespace}/events`
  const [day = ''] = new Date(app.world.now().getTime() + 365 * 86_400_000).toISOString().split('T')
  const send = async (request: Request): Promise<Response> => probe.ask(baseUrl, { headers: json, ...request })
  const post = (to: string, values: object) => send({ method: 'POST', path: to, body: JSON.stringify(values) })
  const dates = { start_date: `${day} 10:00:00`, end_date: `${day} 11:00:00` }
  const created = await post(path, { title: 'calctl doctor', ...dates, ...fields }).catch(asFailure)
  if (created instanceof Failure) return notCreated(created)
  const { id } = objectIn(created) ?? {}
  if (typeof id !== 'number') return notCreated(probeFailure(baseUrl, namespace, { method: 'POST', path }, created))
  const changed = await post(`${path}/${id}`, { title: 'calctl doctor, again' }).catch(asFailure)
  const outcome = changed instanceof Failure ? failedAs(changed) : judge(objectIn(changed))
  return (await remove(send, path, id)) ? outcome : leftBehind(id)
}

function judge(after: Readonly<Record<string, unknown>> | undefined): CheckFinding {
  if (!after) return failed(phrase('the draft could not be changed'), phrase('see the check of the user'))
  const isKept = (name: string, value: string) => String(after[name]).includes(value)
  const lost = Object.entries(fields).flatMap(([name, value]) => (isKept(name, value) ? [] : name))
  return done(
    lost.length === 0
      ? phrase('changes only the fields that it sends')
      : phrase('resets fields that it does not send ({lost}): calctl sends them along, or updates through wp/v2', {
          lost: listOf(lost),
        }),
  )
}

/** Moves the draft to the trash and, if the site has `wp/v2`, deletes it; returns whether it is gone. */
async function remove(send: (request: Request) => Promise<Response>, path: string, id: number): Promise<boolean> {
  const answers = (request: Request) => send(request).then(({ status }) => status, asFailure)
  const forGood = await answers({ method: 'DELETE', path: `/wp/v2/tribe_events/${id}`, query: 'force=true' })
  if (forGood === 200 || forGood instanceof Failure) return forGood === 200
  return (await answers({ method: 'DELETE', path: `${path}/${id}` })) === 200
}

/** The finding for a draft that was not created. Without an answer it may exist, and can be found by its title. */
const notCreated = (failure: Failure): CheckFinding =>
  failure.kind === 'unreachable'
    ? failedAs(
        failure,
        phrase(
          'look for a draft "calctl doctor" with: calctl events list --status draft --all-dates --search "calctl doctor"',
        ),
      )
    : failedAs(failure, phrase('see the check of the user'))

const leftBehind = (id: number): CheckFinding =>
  failed(
    phrase('the draft event {id} could not be removed', { id }),
    phrase('remove it with: calctl events delete {id}', { id }),
  )

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
