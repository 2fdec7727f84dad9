import type { ProblemCode } from '../../src/client/http/problems/unavailable.ts'
import { html, json, type Stage } from '../support/staged-site.ts'

/** What goes wrong on a site, and what calctl is to say about it. */
export interface StagedFailure {
  /** As in the table of docs/troubleshooting.md. */
  readonly name: string
  readonly stage?: Stage
  /** The base URL, made of the site's port; by default that of the site. */
  readonly baseUrl?: (port: number) => string
  /** More words of the command line. */
  readonly flags?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The command that meets it. */
  readonly command?: string
  readonly code: ProblemCode | null
  readonly error: RegExp
  readonly hint: RegExp
  /** The exit status of the command. */
  readonly status: number
}

const isApi = ({ url }: { url: string }) => url.includes('/tribe/') || url.includes('/wp/v2')

/** For everything below `/wp-json`. */
const instead = (answer: ReturnType<typeof html>): Stage => ({
  answer: ({ url }) => (url.startsWith('/wp-json') ? answer : undefined),
})

const always = (answer: ReturnType<typeof html>): Stage => ({ answer: () => answer })

const restError = (code: string, message: string, status: number) => json(status, { code, message, data: { status } })

const loginPage =
  '<!DOCTYPE html><html><head><title>Log In</title></head><body class="login"><form name="loginform" id="loginform" action="https://calendar.test/wp-login.php" method="post"><input type="text" name="log"><input type="password" name="pwd"></form></body></html>'

const phpNotice =
  '<br />\n<b>Warning</b>:  Undefined array key "id" {"noisy": [1, {}]} in <b>/srv/www/wp-content/plugins/slider/slider.php</b> on line <b>12</b><br />\n'

const list = 'events list'
const create = 'tags create --name Jazz'

export const stagedFailures: readonly StagedFailure[] = [
  {
    name: 'the name does not exist',
    baseUrl: () => 'http://calendar.invalid/wp-json',
    code: 'unknown-host',
    error: /^error: (no such host:|cannot look up the host) calendar\.invalid$/m,
    hint: /^hint: check the (spelling of the base URL, and the )?network connection$/m,
    status: 5,
  },
  {
    name: 'nothing listens on the port',
    baseUrl: () => 'http://127.0.0.1:9/wp-json',
    code: 'connection-refused',
    error: /^error: connection refused by http:\/\/127\.0\.0\.1:9$/m,
    hint: /^hint: check that the server is running, and the port$/m,
    status: 5,
  },
  {
    name: 'the certificate is for another name',
    stage: { certificate: 'certificate.pem' },
    baseUrl: port => `https://localhost:${port}/wp-json`,
    flags: '--ca-file CERTIFICATE',
    code: 'certificate-name',
    error: /^error: no secure connection to localhost:\d+: its certificate is for calendar\.test and 127\.0\.0\.1$/m,
    hint: /^hint: use https:\/\/calendar\.test if that is the right address, or ask whoever runs localhost for a certificate/m,
    status: 5,
  },
  {
    name: 'the certificate has expired',
    stage: { certificate: 'expired.pem' },
    flags: '--ca-file EXPIRED',
    code: 'certificate-expired',
    error: /^error: no secure connection to 127\.0\.0\.1:\d+: its certificate has expired$/m,
    hint: /^hint: check the clock of this machine, or ask whoever runs the site to renew the certificate$/m,
    status: 5,
  },
  {
    name: 'the certificate is of an unknown authority',
    stage: { certificate: 'certificate.pem' },
    code: 'certificate-issuer',
    error:
      /^error: no secure connection to \S+: its certificate is not signed by an authority that this machine trusts$/m,
    hint: /^hint: .* ask for its certificate and add: --ca-file PATH$/m,
    status: 5,
  },
  {
    name: 'plain http on the port of https',
    baseUrl: port => `https://127.0.0.1:${port}/wp-json`,
    code: 'no-https',
    error: /^error: no secure connection to \S+: it does not speak https on this port$/m,
    hint: /^hint: use http:\/\/127\.0\.0\.1:\d+, or the port on which it speaks https$/m,
    status: 5,
  },
  {
    name: 'https on the port of plain http',
    stage: always(
      html(400, '<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>'),
    ),
    code: 'only-https',
    error: /^error: http:\/\/\S+ speaks https on this port$/m,
    hint: /^hint: use https:\/\/127\.0\.0\.1:\d+\/wp-json$/m,
    status: 3,
  },
  {
    name: '404 with a page',
    stage: instead(html(404, '<!DOCTYPE html><title>Page not found</title>')),
    code: 'not-the-api',
    error: /^error: http:\/\/\S+ answered 404 with HTML$/m,
    hint: /^hint: check the base URL: .*calctl doctor/m,
    status: 3,
  },
  {
    name: 'a login page with 200',
    stage: instead(html(200, loginPage)),
    code: 'login-page',
    error: /^error: http:\/\/\S+ answered with a login page instead of data$/m,
    hint: /^hint: ask whoever runs the site to let requests for its REST API through/m,
    status: 3,
  },
  {
    name: '202 with SG-Captcha: challenge',
    stage: instead(
      html(202, '<html><head><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F"></head></html>', {
        'sg-captcha': 'challenge',
      }),
    ),
    code: 'challenge',
    error: /^error: http:\/\/\S+ answered with a browser check \(SiteGround\) instead of data$/m,
    hint: /^hint: ask whoever runs the site to exempt its REST API from that check/m,
    status: 5,
  },
  {
    name: 'cf-mitigated: challenge',
    stage: instead(
      html(403, '<html><body>Enable JavaScript and cookies</body></html>', { 'cf-mitigated': 'challenge' }),
    ),
    code: 'challenge',
    error: /^error: http:\/\/\S+ answered with a browser check \(Cloudflare\) instead of data$/m,
    hint: /^hint: ask whoever runs the site to exempt its REST API from that check/m,
    status: 5,
  },
  {
    name: 'a page "Just a moment"',
    stage: instead(html(503, '<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>')),
    code: 'challenge',
    error: /^error: http:\/\/\S+ answered with a browser check \(Cloudflare\) instead of data$/m,
    hint: /it may end by itself after some minutes$/m,
    status: 5,
  },
  {
    name: 'the 403 page of a security plugin',
    stage: instead(
      html(
        403,
        '<html><body><h1>Your access to this site has been limited</h1><p>Generated by Wordfence at ...</p></body></html>',
      ),
    ),
    code: 'blocked',
    error: /^error: http:\/\/\S+ answered 403 with HTML: Wordfence blocks the request$/m,
    hint: /^hint: ask whoever runs the site to allow the REST API, or your address, in Wordfence$/m,
    status: 3,
  },
  {
    name: 'rest_cannot_access',
    stage: instead(restError('rest_cannot_access', 'DRA: Only authenticated users can access the REST API.', 401)),
    env: { CALCTL_USER: undefined, CALCTL_PASSWORD: undefined },
    code: 'closed-api',
    error: /^error: http:\/\/\S+ has closed its REST API: DRA: Only authenticated users can access the REST API$/m,
    hint: /^hint: log in with a user and an application password, or ask whoever runs the site to open it/m,
    status: 3,
  },
  {
    name: 'rest_disabled',
    stage: instead(restError('rest_disabled', 'The REST API is disabled on this site.', 403)),
    code: 'closed-api',
    error: /^error: http:\/\/\S+ has closed its REST API: The REST API is disabled on this site$/m,
    hint: /^hint: ask whoever runs the site to open it for your user: a security plugin closes it$/m,
    status: 3,
  },
  {
    name: 'rest_no_route',
    stage: {
      answer: ({ url }) =>
        isApi({ url })
          ? restError('rest_no_route', 'No route was found matching the URL and request method.', 404)
          : undefined,
      after: (answer, { url }) => {
        if (/^\/wp-json\/?(\?|$)/.test(url)) answer.body = answer.body.replace('"tribe/events/v1",', '')
      },
    },
    code: 'no-namespace',
    error: /^error: no route GET \/tribe\/events\/v1\/events at http:\/\/\S+$/m,
    hint: /^hint: check that The Events Calendar is active there; .*calctl doctor.*; calctl serve uses --namespace calendar\/events\/v1$/m,
    status: 4,
  },
  {
    name: 'a password of the web server in front',
    stage: always(
      html(401, '<html><head><title>401 Authorization Required</title></head></html>', {
        'www-authenticate': 'Basic realm="Staging"',
      }),
    ),
    code: 'front-password',
    error: /^error: http:\/\/\S+ asks for a password of the web server, in front of WordPress \("Staging"\)$/m,
    hint: /^hint: ask whoever runs the site to exempt the REST API from it/m,
    status: 3,
  },
  {
    name: '401 with the correct password',
    stage: {
      before: asked => {
        delete asked.headers.authorization
      },
    },
    command: create,
    code: 'user-not-seen',
    error:
      /^error: access denied by http:\/\/\S+: it did not see the name and password that were sent \(rest_forbidden\)$/m,
    hint: /^hint: the server may drop the Authorization header, or application passwords may be disabled; .*calctl doctor$/m,
    status: 3,
  },
  {
    name: 'application passwords are off',
    stage: {
      answer: ({ url, headers }) =>
        isApi({ url }) && headers.authorization
          ? restError('application_passwords_disabled', 'Application passwords are not available.', 401)
          : undefined,
      after: (answer, { url }) => {
        if (/^\/wp-json\/?(\?|$)/.test(url))
          answer.body = JSON.stringify({ ...JSON.parse(answer.body), authentication: [] })
      },
    },
    code: 'passwords-off',
    error: /^error: access denied by http:\/\/\S+: application passwords are turned off$/m,
    hint: /^hint: ask an administrator of the site to allow application passwords/m,
    status: 3,
  },
  {
    name: 'a wrong password',
    env: { CALCTL_PASSWORD: 'wrong' },
    code: 'wrong-password',
    error: /^error: access denied by http:\/\/\S+: /m,
    hint: /^hint: create an application password in wp-admin/m,
    status: 3,
  },
  {
    name: 'a user without rights',
    env: { CALCTL_USER: 'guest' },
    command: create,
    code: 'no-right',
    error: /^error: refused by http:\/\/\S+: Sorry, you are not allowed to do that$/m,
    hint: /^hint: ask an administrator of the site for a role with that permission; .*calctl doctor$/m,
    status: 4,
  },
  {
    name: 'maintenance mode',
    stage: always(
      html(
        503,
        '<!DOCTYPE html><title>Maintenance</title><p>Briefly unavailable for scheduled maintenance. Check back in a minute.',
        {
          'retry-after': '600',
        },
      ),
    ),
    code: 'maintenance',
    error: /^error: http:\/\/\S+ is down for maintenance$/m,
    hint: /^hint: try again in 10 minutes, as the server asks$/m,
    status: 5,
  },
  {
    name: 'PHP notices before the JSON',
    stage: {
      after: (answer, { url }) => {
        if (isApi({ url })) answer.body = phpNotice + answer.body
      },
    },
    code: null,
    error:
      /^http:\/\/\S+ prints PHP messages before its answers, which are still readable: Warning: Undefined array key/m,
    hint: /ask whoever runs the site to turn off display_errors/,
    status: 0,
  },
  {
    name: 'a fatal PHP error',
    stage: instead(
      html(
        200,
        '<br />\n<b>Fatal error</b>:  Uncaught Error: Call to undefined function in /srv/www/wp-content/plugins/slider/slider.php:12\nStack trace:\n#0 {main}',
      ),
    ),
    code: 'fatal-error',
    error: /^error: http:\/\/\S+ answered with a fatal PHP error in the plugin slider$/m,
    hint: /^hint: ask whoever runs the site: its error log says why$/m,
    status: 5,
  },
  {
    name: 'an empty 200',
    stage: instead(html(200, '')),
    code: 'empty-answer',
    error: /^error: http:\/\/\S+ answered 200 with nothing$/m,
    hint: /^hint: ask whoever runs the site: PHP has probably crashed, and its error log says why$/m,
    status: 3,
  },
  {
    name: '429 with Retry-After',
    stage: instead(html(429, 'Too many requests', { 'retry-after': '120' })),
    code: 'too-many-requests',
    error: /^error: http:\/\/\S+ answered 429 with HTML$/m,
    hint: /^hint: try again in 2 minutes, as the server asks; in runs, send fewer with: --rate 1\/s$/m,
    status: 5,
  },
  {
    name: 'a redirect loop',
    stage: {
      answer: ({ url }) => (url.startsWith('/wp-json') ? html(302, '', { location: url }) : undefined),
    },
    code: 'redirect-loop',
    error: /^error: too many redirects from http:\/\/\S+$/m,
    hint: /^hint: check the base URL, or ask whoever runs the site: its address in WordPress/m,
    status: 3,
  },
  {
    name: 'http redirects to https',
    stage: {
      answer: ({ url }) => html(301, '', { location: `https://127.0.0.1${url}` }),
    },
    code: 'only-https',
    error: /^error: http:\/\/\S+ redirects to https:\/\/127\.0\.0\.1\/\S+: nothing was read from there$/m,
    hint: /use --base-url https:\/\/127\.0\.0\.1\/wp-json/m,
    status: 3,
  },
]

export const commandOf = ({ command = list }: StagedFailure): string => command
