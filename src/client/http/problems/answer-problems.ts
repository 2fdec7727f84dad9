import { phrase } from '../../../base/words/phrase.ts'
import type { Request, Response } from '../../../contract/exchange.ts'
import { placeOf } from '../../calendar.ts'
import type { Calendar } from '../../client.ts'
import { type ApiError, apiErrorIn } from '../api-error.ts'
import { parseBody } from '../response.ts'
import { longestWait, retryAfter } from '../retry-after.ts'
import { answerShows, type Problem } from './unavailable.ts'

/** What an unexpected answer says about the site; undefined if it is only about the record or values that were asked for. */
export function answerProblem(
  response: Response,
  calendar: Pick<Calendar, 'id' | 'label' | 'flags'>,
  request?: Pick<Request, 'method' | 'path'>,
): Problem | undefined {
  const error = apiErrorIn(response)
  if (error?.code === 'rest_no_route' && request) return noRoute(calendar, request)
  const { label } = calendar
  const challenge = challengeIn(response, label)
  if (challenge) return challenge
  if (error) {
    const answered = answeredError(label, response, error)
    const answer = { response, error, label, answered, isRead: request?.method === 'GET' }
    return firstProblem([...errorRules, ...anyRules], answer)
  }
  const { status } = response
  const isData = status < 300 && parseBody(response) !== undefined
  if (isData || (status >= 300 && status < 400)) return undefined
  return firstProblem([...anyRules, ...pageRules], { response, label, answered: answeredOther(label, response) })
}

/** The problem of a missing namespace: the plugin is switched off, or uses another namespace. */
const noRoute = (
  calendar: Pick<Calendar, 'id' | 'label' | 'flags'>,
  { method, path }: Pick<Request, 'method' | 'path'>,
): Problem =>
  answerShows(
    'no-namespace',
    phrase('no route {route} {place}', { route: `${method} ${path}`, place: placeOf(calendar) }),
    path.startsWith('/tribe/events/v1')
      ? phrase(
          'check that The Events Calendar is active there; see what the site has with: {command}; calctl serve uses --namespace calendar/events/v1',
          { command: `calctl doctor${calendar.flags ?? ''}` },
        )
      : phrase('WordPress sites use --namespace tribe/events/v1; calctl serve uses calendar/events/v1'),
  )

function challengeIn(response: Response, label: string): Problem | undefined {
  const name = nameOf(challenges, response)
  if (name === undefined) return undefined
  // With such a header, the request certainly never reached the site.
  const isInFront = challenges.some(({ header }) => header?.(response.headers))
  return answerShows(
    'challenge',
    phrase('{calendar} answered with a browser check ({name}) instead of data', {
      calendar: label,
      name: name === '' ? phrase('its firewall') : name,
    }),
    phrase('ask whoever runs the site to exempt its REST API from that check; it may end by itself after some minutes'),
    { passes: true, isInFront },
  )
}

/** Error codes of plugins that close the REST API, to everybody or to visitors who are not logged in. */
const closedCodes =
  /^(rest_(cannot_access|disabled|api_disabled|login_required|not_allowed|unauthorized|authorization_required)|itsec_rest_api_access_restricted|disabled_rest_api|restx_logged_out|rest_api_authentication_required)$/

/** Error codes for requests that WordPress did not recognize as those of a user. */
const anonymousCodes = /^rest_(not_logged_in|forbidden|forbidden_context|cannot_\w+)$/

/** The next step where the web server asks for a password in front of WordPress. */
export const twoPasswords = (): string =>
  phrase(
    'a request has one Authorization header, and the password in front of the site has it: ask whoever runs the site to exempt the REST API from that password, to let your address in without it, or to pass the header X-Authorization on to WordPress as Authorization',
  )

/** The next step where a site accepts no application passwords. */
export const allowPasswords = (): string =>
  phrase(
    'ask an administrator of the site to allow application passwords: a security plugin, or plain http, turns them off',
  )

const readErrorLog = (): string => phrase('ask whoever runs the site: its error log says why')

/** The problem that an answer shows, if this rule recognizes one. */
type Rule<A> = (answer: A) => Problem | false | undefined

function firstProblem<A>(rules: readonly Rule<A>[], answer: A): Problem | undefined {
  for (const rule of rules) {
    const problem = rule(answer)
    if (problem) return problem
  }
  return undefined
}

/** An answer, and what messages say of it. */
interface GivenAnswer {
  readonly response: Response
  /** The error of the API, if it is one. */
  readonly error?: ApiError
  readonly label: string
  /** `https://example.org answered 500 with HTML` */
  readonly answered: string
}

/** Rules for an error of the API. */
const errorRules: readonly Rule<GivenAnswer & { readonly error: ApiError; readonly isRead: boolean }>[] = [
  ({ error, label, response }) =>
    closedCodes.test(error.code) &&
    answerShows(
      'closed-api',
      phrase('{calendar} has closed its REST API: {message}', { calendar: label, message: error.message }),
      response.withCredentials
        ? phrase('ask whoever runs the site to open it for your user: a security plugin closes it')
        : phrase(
            'log in with a user and an application password, or ask whoever runs the site to open it: a plugin closes it',
          ),
    ),
  ({ error, label }) =>
    /^application_passwords_disabled/.test(error.code) &&
    answerShows(
      'passwords-off',
      phrase('access denied by {calendar}: application passwords are turned off', { calendar: label }),
      allowPasswords(),
    ),
  ({ response, error, label }) =>
    response.status === 401 &&
    response.withCredentials &&
    anonymousCodes.test(error.code) &&
    answerShows(
      'user-not-seen',
      phrase('access denied by {calendar}: it did not see the name and password that were sent ({code})', {
        calendar: label,
        code: error.code,
      }),
      response.isBehindFront
        ? twoPasswords()
        : phrase(
            'the server may drop the Authorization header, or application passwords may be disabled; find out with: calctl doctor',
          ),
    ),
  ({ response, error, label }) =>
    response.status === 401 &&
    // The code says what is wrong; the message would be in the language of the site.
    /^invalid_(username|email)$/.test(error.code) &&
    answerShows(
      'wrong-password',
      phrase('access denied by {calendar}: no such user', { calendar: label }),
      phrase('check the name: it is in wp-admin, under Users > Profile; the email address works, too'),
    ),
  ({ response, error, label }) =>
    response.status === 401 &&
    /^(incorrect_password|invalid_application_\w+)$/.test(error.code) &&
    answerShows(
      'wrong-password',
      phrase('access denied by {calendar}: wrong application password', { calendar: label }),
      phrase(
        'create an application password in wp-admin, under Users > Profile; the password for logging in does not work here',
      ),
    ),
  // A site that forbids all reading has not looked at the rights of the user.
  ({ response, error, label, isRead }) =>
    response.status === 403 &&
    response.withCredentials &&
    !isRead &&
    /^rest_(forbidden|cannot_\w+)$/.test(error.code) &&
    answerShows(
      'no-right',
      phrase('refused by {calendar}: {reason}', { calendar: label, reason: error.message }),
      phrase(
        'ask an administrator of the site for a role with that permission; check your permissions with: calctl doctor',
      ),
    ),
]

/** Rules for any answer. */
const anyRules: readonly Rule<GivenAnswer>[] = [
  ({ response, error, label }) =>
    response.status === 503 &&
    (error ? error.code === 'wp_die' || /maintenance/.test(error.code) : isMaintenancePage(response)) &&
    answerShows('maintenance', phrase('{calendar} is down for maintenance', { calendar: label }), tryAgain(response), {
      passes: true,
    }),
  ({ response, error, label, answered }) => {
    const isOther = error !== undefined && error.code !== 'internal_server_error'
    const message = error ? answered : fatalErrorText(label, response)
    if (isOther || message === undefined) return undefined
    return answerShows('fatal-error', message, readErrorLog())
  },
  ({ response, answered }) =>
    response.status === 429 &&
    answerShows(
      'too-many-requests',
      answered,
      phrase('{hint}; in runs, send fewer with: --rate 1/s', { hint: tryAgain(response) }),
      { passes: true },
    ),
  // The service of calctl itself says in its answer what somebody has to do.
  ({ response, error, answered }) =>
    response.status === 503 &&
    (!error?.code.startsWith('calctl_') || response.headers['retry-after'] !== undefined) &&
    answerShows('unavailable', answered, tryAgain(response), { passes: true }),
]

/** Rules for an answer that does not come from the API. */
const pageRules: readonly Rule<GivenAnswer>[] = [
  ({ response: { status, headers }, label }) => {
    const realm = /^basic\b(?:.*realm="([^"]*)")?/i.exec(headers['www-authenticate'] ?? '')
    return (
      status === 401 &&
      realm !== null &&
      answerShows(
        'front-password',
        realm[1]
          ? phrase('{calendar} asks for a password of the web server, in front of WordPress ("{realm}")', {
              calendar: label,
              realm: realm[1],
            })
          : phrase('{calendar} asks for a password of the web server, in front of WordPress', { calendar: label }),
        phrase(
          'ask whoever runs the site to exempt the REST API from it; if that is not possible, ask for the password, and give it with: calctl login --front-user NAME',
        ),
      )
    )
  },
  ({ response, label }) =>
    wantsHttps(response) &&
    answerShows(
      'only-https',
      phrase('{calendar} speaks https on this port', { calendar: label }),
      phrase('use {address}', { address: label.replace(/^http:/, 'https:') || 'https://' }),
    ),
  ({ response, answered }) => {
    const { status } = response
    const name = [401, 403, 406, 418, 451].includes(status) ? nameOf(blockers, response) : undefined
    const isBlocked = name !== undefined || [403, 406, 418, 451].includes(status)
    return (
      isBlocked &&
      answerShows(
        'blocked',
        phrase('{answer}: {blocker} blocks the request', {
          answer: answered,
          blocker: name ?? phrase('a firewall or a security plugin'),
        }),
        name
          ? phrase('ask whoever runs the site to allow the REST API, or your address, in {name}', { name })
          : phrase('ask whoever runs the site to allow the REST API, or your address, in it'),
      )
    )
  },
  ({ response, label }) =>
    response.status < 300 &&
    isLoginPage(response) &&
    answerShows(
      'login-page',
      phrase('{calendar} answered with a login page instead of data', { calendar: label }),
      phrase(
        'ask whoever runs the site to let requests for its REST API through: a plugin, or the host, wants a login first',
      ),
    ),
  ({ response, answered }) =>
    response.status < 300 &&
    response.body.length === 0 &&
    answerShows(
      'empty-answer',
      answered,
      phrase('ask whoever runs the site: PHP has probably crashed, and its error log says why'),
    ),
  ({ response, answered }) =>
    (response.status === 404 || response.status === 410) && answerShows('not-the-api', answered, findTheApi()),
]

/** The problem of a site that redirects in a circle. */
export const redirectLoop = (baseUrl: string): Problem =>
  answerShows(
    'redirect-loop',
    phrase('too many redirects from {address}', { address: baseUrl }),
    phrase(
      'check the base URL, or ask whoever runs the site: its address in WordPress, its proxy and its https redirect contradict one another',
    ),
    { passes: false },
  )

/** The next step where something other than the API answers. */
export const findTheApi = (): string =>
  phrase('check the base URL: for WordPress it ends in /wp-json; look for it with: calctl doctor https://SITE')

/** When to try again, as far as the server says. */
export function tryAgain(response: Response): string {
  const wait = retryAfter(response, Date.now())
  if (wait === undefined || wait <= longestWait) return phrase('try again later')
  return phrase('try again in {count, plural, one {# minute} other {# minutes}}, as the server asks', {
    count: Math.ceil(wait / 60_000),
  })
}

/** What kind of content a body is, in words. */
export function contentOf({ headers, body }: Response): string {
  if (body.length === 0) return phrase('nothing')
  const type = headers['content-type']?.split(';')[0]
  if (type === 'text/html') return 'HTML'
  return type === 'application/json' ? phrase('malformed JSON') : (type ?? phrase('text'))
}

/** The sentence for an answer that is an error of the API. */
export const answeredError = (calendar: string, { status }: Response, { message }: ApiError): string =>
  phrase('{calendar} answered {status}: {message}', { calendar, status, message })

/** The sentence for any other answer. */
export const answeredOther = (calendar: string, response: Response): string =>
  phrase('{calendar} answered {status} with {content}', {
    calendar,
    status: response.status,
    content: contentOf(response),
  })

/** How to recognize a page that something between calctl and the API has answered with. */
interface Signature {
  /** Who answered; empty if the page does not say. */
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
    // Its script /cdn-cgi/challenge-platform/ is also part of ordinary pages.
    text: /<title>just a moment|_cf_chl_opt|cf-chl-/i,
  },
  { name: 'Sucuri', text: /sucuri_cloudproxy_js/ },
  { name: 'Imunify360', text: /imunify360.*(captcha|bot-protection)|webshield.*captcha/is },
  { name: 'DDoS-Guard', text: /ddos-guard.*(checking your browser|js-challenge)/is },
  { name: 'AWS WAF', header: headers => headers['x-amzn-waf-action'] !== undefined },
  { name: '', text: /<title>[^<]*(checking your browser|are you (a )?human|verify you are human)/i },
]

/** Firewalls and security plugins that refuse a request. */
const blockers: readonly Signature[] = [
  { name: 'Wordfence', text: /generated by wordfence|wordfence.{0,200}(blocked|limited)|wfwaf|\/wordfence\//is },
  {
    name: 'Sucuri',
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

/** The name of who answered, by the signatures of an answer; undefined if it has none of these. */
function nameOf(signatures: readonly Signature[], response: Response): string | undefined {
  const text = pageIn(response)
  return signatures.find(one => one.header?.(response.headers) || (text !== '' && one.text?.test(text)))?.name
}

/** Whether a page is a login page, not just a page with a login form. */
function isLoginPage(response: Response): boolean {
  const page = pageIn(response)
  if (/<form[^>]*(id=["']loginform|action=["'][^"']*wp-login\.php)/i.test(page)) return true
  const asksPassword = /<input[^>]*type=["']password["']/i.test(page)
  return asksPassword && /<title>[^<]*(log ?in|sign ?in|password|anmeld|iniciar|inicia|acced|connexion)/i.test(page)
}

/** Whether a page is the maintenance page of WordPress or of one of its plugins. */
const isMaintenancePage = (response: Response): boolean =>
  /briefly unavailable for scheduled maintenance|<title>[^<]*(maintenance|coming soon|under construction)/i.test(
    pageIn(response),
  )

/** The sentence about a page on which PHP failed, with the plugin or theme that it names; undefined for other pages. */
function fatalErrorText(calendar: string, response: Response): string | undefined {
  const text = textOf(response)
  const isPhp = /(<b>|^|\bphp )(fatal|parse) error(<\/b>)?:/im.test(text)
  const isWordPress = response.status === 500 && /wp-die-message|critical error/i.test(text)
  if (!isPhp && !isWordPress) return undefined
  const [, kind, name = ''] = /wp-content\/(plugin|theme)s\/([\w.-]+)/.exec(text) ?? []
  if (kind === 'plugin')
    return phrase('{calendar} answered with a fatal PHP error in the plugin {plugin}', { calendar, plugin: name })
  if (kind === 'theme')
    return phrase('{calendar} answered with a fatal PHP error in the theme {theme}', { calendar, theme: name })
  return phrase('{calendar} answered with a fatal PHP error', { calendar })
}

/** Whether the server says that this port needs https. */
const wantsHttps = (response: Response): boolean =>
  response.status === 400 &&
  /plain http request was sent to https port|speaking plain http to an ssl-enabled/i.test(textOf(response))

/** The text of a page; empty for anything else. */
const pageIn = (response: Response): string => {
  const text = textOf(response)
  return /^\s*[{[]/.test(text) ? '' : text
}

/** The beginning of a body, in which signatures are looked for. */
function textOf({ body }: Response): string {
  const most = 200_000
  return typeof body === 'string' ? body.slice(0, most) : new TextDecoder().decode(body.subarray(0, most))
}
