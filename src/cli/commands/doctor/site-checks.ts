import { Failure } from '../../../base/failure.ts'
import { listOf } from '../../../base/text/similarity.ts'
import { answerProblem, redirectLoop } from '../../../client/http/problems/answer-problems.ts'
import { type ProblemCode, problemFailure } from '../../../client/http/problems/unavailable.ts'
import { createPageReader, redirectOf } from '../../../client/http/transport.ts'
import { findSite } from '../../../client/site-discovery.ts'
import {
  type CheckFinding,
  type DoctorCheck,
  done,
  type Examination,
  failed,
  failedAs,
  indexUrl,
  objectIn,
  probeFailure,
  skipped,
} from './finding.ts'

const anyForm = 'text/html, */*;q=0.8'
const maxRedirects = 5

/** The next step where a command would say: look with the doctor. */
const askForApi = 'is the address right? else ask whoever runs the site whether its REST API is switched off, and why'

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
      if (message === undefined) return done('prints nothing before the answers')
      return failed(
        `prints messages before its answers, which can be read anyway: ${message}`,
        'ask whoever runs the site to turn off display_errors',
        'php-messages',
      )
    },
  },
]

/** Where the first address leads; another origin would not get the password, nor may it answer in place of the site. */
async function checkRedirects({ facts, address, probe }: Examination): Promise<CheckFinding> {
  const start = address ?? indexUrl(facts.baseUrl)
  let url = start
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const next = redirectOf(await probe.look(url, address ? anyForm : 'application/json'), url.href)
    if (!next) return done(url === start ? 'none' : `to ${url.origin}${url.pathname}`)
    if (next.origin !== url.origin && !address) return otherOrigin(url, next, facts.baseUrl)
    url = next
  }
  return failedAs(problemFailure(redirectLoop(address?.href ?? facts.baseUrl)))
}

function otherOrigin(from: URL, to: URL, baseUrl: string): CheckFinding {
  const isHttps = to.protocol === 'https:' && to.hostname === from.hostname
  const moved = `${to.origin}${baseUrl.slice(new URL(baseUrl).origin.length)}`
  return failed(
    `${from.origin} redirects to ${to.origin}${to.pathname}`,
    `use --base-url ${moved}`,
    isHttps ? 'only-https' : 'redirected',
  )
}

/** What a page for people may well be. */
const ordinary: ReadonlySet<ProblemCode> = new Set(['not-the-api', 'login-page', 'empty-answer'])

/** The page that people see, which is where the API says that it is. */
async function checkFrontPage({ facts, address, probe }: Examination): Promise<CheckFinding> {
  const page = address ?? new URL(facts.baseUrl.replace(/(\/wp-json|\?rest_route=)$/, '').replace(/\/?$/, '/'))
  const response = await probe.look(page, anyForm)
  const problem = answerProblem(response, { id: page.href, label: facts.baseUrl })
  if (problem && !ordinary.has(problem.code)) return failedAs(problemFailure(problem))
  facts.frontPage = String(response.body)
  const namesApi = (response.headers.link ?? '').includes('https://api.w.org/')
  if (namesApi) return done('yes: its pages name the API')
  if (/\/wp-(content|includes)\/|<meta name="generator" content="WordPress/.test(facts.frontPage))
    return done('yes, though its pages do not name the API')
  return skipped('its front page does not say')
}

async function checkApi(examination: Examination): Promise<CheckFinding> {
  const { facts, address } = examination
  if (address) return findApi(examination, address)
  const index = await readIndex(examination)
  if (!(index instanceof Failure)) return apiAt(examination, index)
  // A firewall or a closed API is there, wherever else one looks.
  if (index.details.problem && index.details.problem !== 'not-the-api') return failedAs(index, nextOf(index))
  const found = await findElsewhere(examination, new URL(facts.baseUrl))
  if (found instanceof Failure) return failedAs(index, askForApi)
  return failed(
    `it is at ${found.baseUrl}, not at ${facts.baseUrl}`,
    `use --base-url ${found.baseUrl} --namespace ${found.namespace}`,
    'not-the-api',
  )
}

/** The next step that a command gives, unless that is to come here. */
const nextOf = ({ details: { hint = '' } }: Failure): string => (hint.includes('calctl doctor') ? askForApi : hint)

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
  try {
    return await findSite(address, read)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  } finally {
    await close()
  }
}

function apiAt({ facts }: Examination, index: Readonly<Record<string, unknown>>): CheckFinding {
  facts.index = index
  const { name } = index
  return done(`at ${facts.baseUrl}${typeof name === 'string' && name !== '' ? ` ("${name}")` : ''}`)
}

/** The root of the API as everybody sees it; as the user does where it is closed to others. */
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
  if (!Array.isArray(namespaces)) return skipped('the API does not list them')
  const { namespace } = facts
  if (namespaces.includes(namespace)) return done(namespace)
  const [other] = ['tribe/events/v1', 'calendar/events/v1'].filter(name => namespaces.includes(name))
  const some = listOf(namespaces.map(String).slice(0, 5))
  return other === undefined
    ? failed(
        `the site has no ${namespace}, only ${some}`,
        'is The Events Calendar active there? an administrator sees it under Plugins',
        'no-namespace',
      )
    : failed(`the site has ${other}, not ${namespace}`, `use --namespace ${other}`, 'no-namespace')
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
  return done(`${facts.total} ${facts.total === 1 ? 'event' : 'events'} visible`)
}
