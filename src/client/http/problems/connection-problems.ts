import { Failure } from '../../../base/failure.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { maxResponseSize, NoResponse, ProxyRefused, RequestTimeout } from '../connection-errors.ts'
import type { Problem, ProblemCode } from './unavailable.ts'

/** What the error of a connection means, by Node's, OpenSSL's or undici's code; `timeout` is in ms. */
export function connectionProblem(error: unknown, url: URL, timeout: number): Problem {
  const { host, origin } = url
  const code = codeOf(error)
  const found = (name: ProblemCode, message: string, hint: string): Problem => ({
    code: name,
    kind: 'unreachable',
    message,
    hint,
    ...(/^(certificate|no-https|tls)/.test(name) && { passes: false }),
  })
  if (isTimeout(error))
    return found(
      'timeout',
      phrase('no answer from {origin} within {seconds} s', { origin, seconds: timeout / 1000 }),
      phrase('wait longer with: --timeout 2m'),
    )
  if (error instanceof ProxyRefused)
    return found(
      'connection-refused',
      phrase('the proxy refused to connect to {host}: it answered {status}', { host, status: error.status }),
      phrase('check the proxy settings: HTTPS_PROXY, NO_PROXY'),
    )
  const explanation = explanations[code]
  if (explanation) return found(...explanation(url))
  if (/CERT|SIGNED|VERIFY|ISSUER/.test(code)) return found(...certificateProblem(code, error, url))
  if (/SSL|TLS|EPROTO/.test(code)) return found(...tlsProblem(code, error, url))
  if (malformedAnswer.test(`${error instanceof Error && error.name} ${code}`)) return found(...malformed(url))
  return found(
    'connection-lost',
    phrase('no answer from {origin}: {reason}', { origin, reason: messageOf(error) }),
    phrase('check the base URL and the network connection'),
  )
}

/** Whether the connection failed because the request took too long. */
const isTimeout = (error: unknown): boolean => error instanceof RequestTimeout || connectTimeouts.has(codeOf(error))

/** Whether the answer was larger than the limit. */
const isTooLarge = (error: unknown): boolean => explanations[codeOf(error)] === tooLarge

const connectTimeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])

type Found = readonly [code: ProblemCode, message: string, hint: string]

const checkNetwork = (): string => phrase('check the network connection')

const notSecure = (host: string, reason: string): string =>
  phrase('no secure connection to {host}: {reason}', { host, reason })

const noRoute = ({ host, hostname }: URL): Found => [
  'no-network-route',
  phrase('no route to {host}', { host }),
  hostname.startsWith('[')
    ? phrase('check that this network has IPv6, or try a name that has an IPv4 address as well')
    : checkNetwork(),
]

const connectionLost = ({ origin, protocol }: URL): Found => [
  'connection-lost',
  phrase('the connection to {origin} was lost', { origin }),
  protocol === 'http:'
    ? phrase('try again later; if it happens again, try https:// in the base URL')
    : phrase('try again later'),
]

/** What the HTTP client, its parser and zlib throw at an answer that they cannot read: their messages are for developers. */
const malformedAnswer = /^HTTPParserError| ERR_ASSERTION| UND_ERR_(?:HEADERS|RES)_| Z_/

const malformed = ({ origin }: URL): Found => [
  'connection-lost',
  phrase('the answer of {origin} is not well-formed HTTP', { origin }),
  phrase('check the port in the base URL; if it is right, ask whoever runs the site, or the proxy in front of it'),
]

const tooLarge = ({ origin }: URL): Found => [
  'not-the-api',
  phrase('the answer of {origin} is larger than {size} MB', { origin, size: maxResponseSize / 1024 ** 2 }),
  phrase('request fewer records with: --per-page 10'),
]

const unknownIssuer = ({ host }: URL): Found => [
  'certificate-issuer',
  notSecure(host, phrase('its certificate is not signed by an authority that this machine trusts')),
  phrase(
    'if the network or the site has its own certificate authority, ask for its certificate and add: --ca-file PATH',
  ),
]

const expired = ({ host }: URL): Found => [
  'certificate-expired',
  notSecure(host, phrase('its certificate has expired')),
  phrase('check the clock of this machine, or ask whoever runs the site to renew the certificate'),
]

const notYetValid = ({ host }: URL): Found => [
  'certificate-expired',
  notSecure(host, phrase('its certificate is not valid yet')),
  phrase('check the clock of this machine'),
]

const plainPort = ({ host }: URL): Found => [
  'no-https',
  notSecure(host, phrase('it does not speak https on this port')),
  phrase('use {address}, or the port on which it speaks https', { address: `http://${host}` }),
]

const explanations: Readonly<Record<string, (url: URL) => Found>> = {
  ENOTFOUND: ({ host }) => [
    'unknown-host',
    phrase('no such host: {host}', { host }),
    phrase('check the spelling of the base URL, and the network connection'),
  ],
  EAI_AGAIN: ({ host }) => ['unknown-host', phrase('cannot look up the host {host}', { host }), checkNetwork()],
  ECONNREFUSED: ({ origin }) => [
    'connection-refused',
    phrase('connection refused by {origin}', { origin }),
    phrase('check that the server is running, and the port'),
  ],
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EADDRNOTAVAIL: noRoute,
  ECONNRESET: connectionLost,
  EPIPE: connectionLost,
  UND_ERR_SOCKET: connectionLost,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: tooLarge,
  ERR_BUFFER_TOO_LARGE: tooLarge,
  CERT_HAS_EXPIRED: expired,
  CERT_NOT_YET_VALID: notYetValid,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownIssuer,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  ERR_SSL_WRONG_VERSION_NUMBER: plainPort,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: plainPort,
  ERR_SSL_UNKNOWN_PROTOCOL: plainPort,
}

function certificateProblem(code: string, error: unknown, { host, hostname }: URL): Found {
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID')
    return [
      'certificate-issuer',
      notSecure(host, phrase('its certificate is not valid: {reason}', { reason: tlsReason(error) })),
      phrase('ask whoever runs the site to fix it; if you trust its issuer, add: --ca-file PATH'),
    ]
  const names = namesOf(error)
  const others = names.length > 0 ? listOf(names.slice(0, 3)) : phrase('another name')
  const [name = ''] = names
  return [
    'certificate-name',
    notSecure(host, phrase('its certificate is for {names}', { names: others })),
    /^[\w.-]+$/.test(name) && name !== hostname
      ? phrase(
          'use {address} if that is the right address, or ask whoever runs {host} for a certificate of that name',
          { address: `https://${name}`, host: hostname },
        )
      : phrase('ask whoever runs {host} for a certificate of that name', { host: hostname }),
  ]
}

/** The host names in a certificate, as OpenSSL lists them. */
const namesOf = (error: unknown): string[] =>
  error instanceof Error && 'cert' in error
    ? String((error.cert as { subjectaltname?: string } | undefined)?.subjectaltname ?? '')
        .split(', ')
        .flatMap(entry => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1] ?? [])
    : []

const tlsProblem = (code: string, error: unknown, url: URL): Found =>
  /wrong version number|packet length|unknown protocol|http request/i.test(tlsReason(error))
    ? plainPort(url)
    : [
        'tls',
        notSecure(url.host, tlsReason(error) || code),
        phrase('check that the server uses https; if it does, ask whoever runs it'),
      ]

/** The `reason` of OpenSSL's errors is meant for people; their message names source files and lines. */
const tlsReason = (error: unknown): string =>
  error instanceof Error && 'reason' in error && typeof error.reason === 'string'
    ? error.reason
    : messageOf(error).trim()

/** The code of an error. If several addresses of a host were tried, each has an error of its own. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : ''
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

interface Attempt {
  readonly method: string
  readonly url: string
  /** In ms. */
  readonly timeout: number
  /** The proxy that was used, as `http://host:port`. */
  readonly proxy?: string | undefined
}

/** Problems that keep every request from being sent, not just this one. */
const beforeSending = new Set<ProblemCode>(['unknown-host', 'connection-refused', 'no-network-route', 'timeout'])

/** The failure of a request without an answer; `done` says whether the request may have been carried out anyway. */
export function unreachable(error: unknown, { method, url, timeout, proxy }: Attempt): Failure {
  const target = new URL(url)
  const { reason, wasSent } = error instanceof NoResponse ? error : { reason: error, wasSent: true }
  // calctl itself refused to connect.
  if (reason instanceof Failure) return reason
  const { code, kind, message, hint, passes } = connectionProblem(reason, target, timeout)
  return new Failure(kind, message, {
    hint:
      proxy === undefined || wasSent
        ? hint
        : phrase('check the proxy {proxy}, through which the request goes', { proxy }),
    problem: code,
    passes: !wasSent && beforeSending.has(code) ? true : passes,
    method,
    url: target.origin + target.pathname,
    timedOut: isTimeout(reason),
    isTooLarge: isTooLarge(reason),
    done: doneAfter(reason, wasSent && method !== 'GET'),
  })
}

function doneAfter(reason: unknown, wasSent: boolean): 'no' | 'unknown' | 'late' {
  if (!wasSent) return 'no'
  return reason instanceof RequestTimeout ? 'late' : 'unknown'
}
