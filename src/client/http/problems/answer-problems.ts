import type { FailureKind } from '../../../base/failure.ts'
import { counted } from '../../../base/text/similarity.ts'
import type { Request, Response } from '../../../contract/exchange.ts'
import { type Calendar, placeOf } from '../../calendar.ts'
import { type ApiError, apiErrorIn, longestWait, parseBody, retryAfter } from '../response.ts'
import type { Problem, ProblemCode } from './unavailable.ts'

/** What an answer other than the expected one says about the site; undefined if it is about what was asked. */
export function answerProblem(
  response: Response,
  calendar: Pick<Calendar, 'id' | 'label' | 'flags'>,
  request?: Pick<Request, 'method' | 'path'>,
): Problem | undefined {
  const error = apiErrorIn(response)
  if (error?.code === 'rest_no_route' && request) return noRoute(calendar, request)
  const { label } = calendar
  const isRead = request?.method === 'GET'
  return (
    challengeIn(response, label) ??
    (error ? errorProblem(response, error, label, isRead) : undefined) ??
    pageProblem(response, error, label)
  )
}

/** The namespace is missing: the plugin is off, or it has another one. */
const noRoute = (
  calendar: Pick<Calendar, 'id' | 'label' | 'flags'>,
  { method, path }: Pick<Request, 'method' | 'path'>,
): Problem =>
  problem(
    'no-namespace',
    'missing',
    `no route ${method} ${path} ${placeOf(calendar)}`,
    path.startsWith('/tribe/events/v1')
      ? `is The Events Calendar active there? see what the site has with: calctl doctor${calendar.flags ?? ''}; calctl serve uses --namespace calendar/events/v1`
      : 'WordPress sites use --namespace tribe/events/v1; calctl serve uses calendar/events/v1',
  )

const problem = (
  code: ProblemCode,
  kind: FailureKind,
  message: string,
  hint: string,
  more: Pick<Problem, 'passes' | 'isInFront'> = {},
): Problem => ({ code, kind, message, hint, ...more })

function challengeIn(response: Response, label: string): Problem | undefined {
  const name = challengerOf(response)
  if (name === undefined) return undefined
  const message = `${label} answered with a browser check (${name}) instead of data`
  const hint = `ask whoever runs the site to exempt its REST API from that check; it may end by itself after some minutes`
  return problem('challenge', 'unreachable', message, hint, {
    passes: true,
    ...(hasChallengeHeader(response) && { isInFront: true }),
  })
}

/** Codes of plugins that close the REST API, to everybody or to those who are not logged in. */
const closedCodes =
  /^(rest_(cannot_access|disabled|api_disabled|login_required|not_allowed|unauthorized|authorization_required)|itsec_rest_api_access_restricted|disabled_rest_api|restx_logged_out|rest_api_authentication_required)$/

/** Codes for callers whom WordPress did not recognize as users. */
const anonymousCodes = /^rest_(not_logged_in|forbidden|forbidden_context|cannot_\w+)$/

/** The next step where the web server asks for a password in front of WordPress. */
export const twoPasswords =
  'a request has one Authorization header, and the password in front of the site has it: ask whoever runs the site to exempt the REST API from that password, to let your address in without it, or to pass the header X-Authorization on to WordPress as Authorization'

/** The next step where a site takes no application passwords. */
export const allowPasswords =
  'ask an administrator of the site to allow application passwords: a security plugin, or plain http, turns them off'

function errorProblem(response: Response, error: ApiError, label: string, isRead: boolean): Problem | undefined {
  const { status, withCredentials = false } = response
  const { code, message } = error
  if (closedCodes.test(code))
    return problem(
      'closed-api',
      'denied',
      `${label} has closed its REST API: ${message}`,
      withCredentials
        ? 'ask whoever runs the site to open it for your user: a security plugin closes it'
        : 'log in with a user and an application password, or ask whoever runs the site to open it: a plugin closes it',
    )
  if (/^application_passwords_disabled/.test(code))
    return problem('passwords-off', 'denied', `access denied by ${label}: ${message}`, allowPasswords)
  if (status === 503 && (code === 'wp_die' || /maintenance/.test(code)))
    return problem('maintenance', 'unreachable', `${label} is down for maintenance`, tryAgain(response), waits)
  if (status === 401 && withCredentials && anonymousCodes.test(code))
    return problem(
      'user-not-seen',
      'denied',
      `access denied by ${label}: it did not see the name and password that were sent (${code})`,
      response.isBehindFront
        ? twoPasswords
        : 'the server may drop the Authorization header, or application passwords are off: see which with: calctl doctor',
    )
  if (status === 401 && /^(invalid_username|invalid_email|incorrect_password|invalid_application_\w+)$/.test(code))
    return problem(
      'wrong-password',
      'denied',
      `access denied by ${label}: ${message}`,
      'create an application password in wp-admin, under Users > Profile; the password for logging in does not work here',
    )
  // A site that forbids reading has not looked at rights.
  if (status === 403 && withCredentials && !isRead && /^rest_(forbidden|cannot_\w+)$/.test(code))
    return problem(
      'no-right',
      'refused',
      `refused by ${label}: ${message}`,
      'ask an administrator of the site for a role with that right; see what your user may do with: calctl doctor',
    )
  if (code === 'internal_server_error')
    return problem(
      'fatal-error',
      'unreachable',
      `${label} answered ${status}: ${message}`,
      'ask whoever runs the site: its error log says why',
    )
  if (status === 429) return tooManyRequests(response, `${label} answered 429: ${message}`)
  // Answers of calctl's own service say by themselves what somebody has to do.
  if (status === 503 && (!code.startsWith('calctl_') || response.headers['retry-after'] !== undefined))
    return problem('unavailable', 'unreachable', `${label} answered 503: ${message}`, tryAgain(response), waits)
  return undefined
}

function pageProblem(response: Response, error: ApiError | undefined, label: string): Problem | undefined {
  if (error || (response.status < 300 && parseBody(response) !== undefined)) return undefined
  const { status, headers, body } = response
  const isPage = status < 300 || status >= 400
  if (!isPage) return undefined
  if (status === 503 && isMaintenancePage(response))
    return problem('maintenance', 'unreachable', `${label} is down for maintenance`, tryAgain(response), waits)
  const culprit = fatalErrorIn(response)
  if (culprit !== undefined)
    return problem(
      'fatal-error',
      'unreachable',
      `${label} answered with a fatal PHP error${culprit === '' ? '' : ` in ${culprit}`}`,
      'ask whoever runs the site: its error log says why',
    )
  if (status === 429) return tooManyRequests(response, `${label} answered 429 with ${contentOf(response)}`)
  if (status === 503)
    return problem(
      'unavailable',
      'unreachable',
      `${label} answered 503 with ${contentOf(response)}`,
      tryAgain(response),
      waits,
    )
  const realm = /^basic\b(?:.*realm="([^"]*)")?/i.exec(headers['www-authenticate'] ?? '')
  if (status === 401 && realm)
    return problem(
      'front-password',
      'denied',
      `${label} asks for a password of the web server, in front of WordPress${realm[1] ? ` ("${realm[1]}")` : ''}`,
      'ask whoever runs the site to exempt the REST API from it; if that cannot be, ask for the password, and give it with: calctl login --front-user NAME',
    )
  if (wantsHttps(response))
    return problem(
      'only-https',
      'settings',
      `${label} speaks https on this port`,
      `use ${label.replace(/^http:/, 'https:') || 'https://'}`,
    )
  if ([401, 403, 406, 418, 451].includes(status)) {
    const name = blockerOf(response)
    if (name !== undefined || status !== 401)
      return problem(
        'blocked',
        'denied',
        `${label} answered ${status} with ${contentOf(response)}: ${name ?? 'a firewall or a security plugin'} blocks the request`,
        `ask whoever runs the site to allow the REST API, or your address, in ${name ?? 'it'}`,
      )
  }
  if (status < 300 && isLoginPage(response))
    return problem(
      'login-page',
      'settings',
      `${label} answered with a login page instead of data`,
      'ask whoever runs the site to let requests for its REST API through: a plugin, or the host, wants a login first',
    )
  if (status < 300 && body.length === 0)
    return problem(
      'empty-answer',
      'settings',
      `${label} answered ${status} with nothing`,
      'ask whoever runs the site: PHP has probably stopped, and its error log says why',
    )
  if (status === 404 || status === 410)
    return problem('not-the-api', 'settings', `${label} answered ${status} with ${contentOf(response)}`, findTheApi)
  return undefined
}

/** The problem of a site that redirects in a circle. */
export const redirectLoop = (baseUrl: string): Problem =>
  problem(
    'redirect-loop',
    'settings',
    `too many redirects from ${baseUrl}`,
    'ask whoever runs the site: its address in WordPress, its proxy and its https redirect contradict one another; is the base URL right?',
    { passes: false },
  )

/** The next step where something other than the API answers. */
export const findTheApi =
  'is the base URL right? for WordPress it ends in /wp-json; look for it with: calctl doctor https://SITE'

const waits = { passes: true } as const

const tooManyRequests = (response: Response, message: string): Problem =>
  problem(
    'too-many-requests',
    'unreachable',
    message,
    `${tryAgain(response)}; in runs, send fewer with: --rate 1/s`,
    waits,
  )

/** When to try again, as far as the server says. */
export function tryAgain(response: Response): string {
  const wait = retryAfter(response, Date.now())
  if (wait === undefined || wait <= longestWait) return 'try again later'
  return `try again in ${counted(Math.ceil(wait / 60_000), 'minute')}, as the server asks`
}

/** What a body is, in words. */
export function contentOf({ headers, body }: Response): string {
  if (body.length === 0) return 'nothing'
  const type = headers['content-type']?.split(';')[0]
  if (type === 'text/html') return 'HTML'
  return type === 'application/json' ? 'malformed JSON' : (type ?? 'text')
}

/** A page that something between calctl and the API answers with, and how it is recognized. */
interface Signature {
  /** Who answers. */
  readonly name: string
  readonly header?: (headers: Response['headers']) => boolean
  readonly text?: RegExp
}

/** Checks that only a browser passes. */
const challenges: readonly Signature[] = [
  { name: 'SiteGround', header: headers => headers['sg-captcha'] === 'challenge', text: /\/\.well-known\/sgcaptcha/ },
  {
    name: 'Cloudflare',
    header: headers => headers['cf-mitigated'] === 'challenge',
    // Its script /cdn-cgi/challenge-platform/ is in ordinary pages too.
    text: /<title>just a moment|_cf_chl_opt|cf-chl-/i,
  },
  { name: 'Sucuri', text: /sucuri_cloudproxy_js/ },
  { name: 'Imunify360', text: /imunify360.*(captcha|bot-protection)|webshield.*captcha/is },
  { name: 'DDoS-Guard', text: /ddos-guard.*(checking your browser|js-challenge)/is },
  { name: 'AWS WAF', header: headers => headers['x-amzn-waf-action'] !== undefined },
  {
    name: 'its firewall',
    text: /<title>[^<]*(checking your browser|are you (a )?human|verify you are human)/i,
  },
]

/** Firewalls and security plugins that refuse a request. */
const blockers: readonly Signature[] = [
  { name: 'Wordfence', text: /generated by wordfence|wordfence.{0,200}(blocked|limited)|wfwaf|\/wordfence\//is },
  {
    name: 'the Sucuri firewall',
    header: headers => headers['x-sucuri-block'] !== undefined,
    text: /sucuri website firewall|access denied - sucuri/i,
  },
  { name: 'Solid Security', text: /solid security|ithemes security|itsec-|better wp security/i },
  { name: 'All-In-One Security', text: /all[ -]in[ -]one (wp )?security|aiowps/i },
  { name: 'NinjaFirewall', text: /ninjafirewall/i },
  { name: 'Shield Security', text: /shield security|wp-simple-firewall|icwp-wpsf/i },
  { name: 'Imunify360', text: /imunify360/i },
  { name: 'BitNinja', text: /bitninja/i },
  {
    name: 'Cloudflare',
    text: /attention required! \| cloudflare|cloudflare ray id|error code:? 10\d\d|cf-error-details/i,
  },
  { name: 'ModSecurity', text: /mod_?security|not acceptable!/i },
  { name: 'Akamai', text: /reference #[\da-f.]{10,}.*(akamai|edgesuite)/is },
]

/** Whose browser check a page is; undefined if it is none. */
const challengerOf = (response: Response): string | undefined => nameOf(challenges, response)

/** Whose refusal a page is; undefined if nobody is recognized. */
const blockerOf = (response: Response): string | undefined => nameOf(blockers, response)

/** Whether headers say that an answer is a challenge: then the site itself did not get the request. */
const hasChallengeHeader = ({ headers }: Response): boolean => challenges.some(({ header }) => header?.(headers))

function nameOf(signatures: readonly Signature[], response: Response): string | undefined {
  const text = pageIn(response)
  return signatures.find(one => one.header?.(response.headers) || (text !== '' && one.text?.test(text)))?.name
}

/** Whether a page asks for a name and a password, and is not one of many with a form for that. */
function isLoginPage(response: Response): boolean {
  const page = pageIn(response)
  if (/<form[^>]*(id=["']loginform|action=["'][^"']*wp-login\.php)/i.test(page)) return true
  const asksPassword = /<input[^>]*type=["']password["']/i.test(page)
  return asksPassword && /<title>[^<]*(log ?in|sign ?in|password|anmeld|iniciar|inicia|acced|connexion)/i.test(page)
}

/** Whether a page is that of WordPress, or of one of its plugins, while the site is put in order. */
const isMaintenancePage = (response: Response): boolean =>
  /briefly unavailable for scheduled maintenance|<title>[^<]*(maintenance|coming soon|under construction)/i.test(
    pageIn(response),
  )

/** The plugin or theme in which PHP stopped; empty if the page does not say, undefined if it is no such page. */
function fatalErrorIn(response: Response): string | undefined {
  const text = textOf(response)
  const isPhp = /(<b>|^|\bphp )(fatal|parse) error(<\/b>)?:/im.test(text)
  const isWordPress = response.status === 500 && /wp-die-message|critical error/i.test(text)
  if (!isPhp && !isWordPress) return undefined
  const [, kind, name] = /wp-content\/(plugin|theme)s\/([\w.-]+)/.exec(text) ?? []
  return kind === undefined ? '' : `the ${kind} ${name}`
}

/** Whether a server says that it speaks https on this port. */
const wantsHttps = (response: Response): boolean =>
  response.status === 400 &&
  /plain http request was sent to https port|speaking plain http to an ssl-enabled/i.test(textOf(response))

/** The text of a page; empty for anything else. */
const pageIn = (response: Response): string => {
  const text = textOf(response)
  return /^\s*[{[]/.test(text) ? '' : text
}

/** As much of a body as signatures are looked for in. */
function textOf({ body }: Response): string {
  const most = 200_000
  return typeof body === 'string' ? body.slice(0, most) : new TextDecoder().decode(body.subarray(0, most))
}
