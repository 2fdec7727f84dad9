import { Failure } from '../failure.ts'
import { maxResponseSize, NoResponse, ProxyRefused, RequestTimeout } from './send.ts'

interface Attempt {
  readonly method: string
  readonly url: string
  /** In ms. */
  readonly timeout: number
  /** The proxy that was used, as `http://host:port`. */
  readonly proxy?: string | undefined
}

/** The failure of a request without a response; its `done` says whether the request may have been carried out nevertheless. */
export function unreachable(error: unknown, { method, url, timeout, proxy }: Attempt): Failure {
  const { origin, pathname } = new URL(url)
  const { reason, wasSent } = error instanceof NoResponse ? error : { reason: error, wasSent: true }
  const timedOut = reason instanceof RequestTimeout || connectTimeouts.has(codeOf(reason))
  const { message, hint } = timedOut ? explainTimeout(origin, timeout) : explain(reason, new URL(url))
  return new Failure('unreachable', message, {
    hint: proxy === undefined || wasSent ? hint : `the request goes through the proxy ${proxy}: is that right?`,
    method,
    url: origin + pathname,
    timedOut,
    isTooLarge: explanations[codeOf(reason)] === tooLarge,
    done: doneAfter(reason, wasSent && method !== 'GET'),
  })
}

function doneAfter(reason: unknown, wasSent: boolean): 'no' | 'unknown' | 'late' {
  if (!wasSent) return 'no'
  return reason instanceof RequestTimeout ? 'late' : 'unknown'
}

interface Explanation {
  readonly message: string
  readonly hint: string
}

const explainTimeout = (origin: string, timeout: number): Explanation => ({
  message: `no answer from ${origin} within ${timeout / 1000} s`,
  hint: 'wait longer with: --timeout 2m',
})

function explain(reason: unknown, { host, origin }: URL): Explanation {
  if (reason instanceof ProxyRefused)
    return {
      message: `the proxy refused to connect to ${host}: it answered ${reason.status}`,
      hint: 'check the proxy settings: HTTPS_PROXY, NO_PROXY',
    }
  const code = codeOf(reason)
  const explanation = explanations[code]
  if (explanation) return explanation(host, origin)
  if (/CERT|SIGNED|VERIFY|SSL|TLS|EPROTO/.test(code))
    return { message: `no secure connection to ${host}: ${tlsReason(reason)}`, hint: tlsHint(code) }
  return {
    message: `no answer from ${origin}: ${messageOf(reason)}`,
    hint: 'is the base URL right, and is the network up?',
  }
}

/** OpenSSL's errors have a `reason` for people; their message names source files and lines. */
const tlsReason = (error: unknown): string =>
  error instanceof Error && 'reason' in error && typeof error.reason === 'string'
    ? error.reason
    : messageOf(error).trim()

const tlsHint = (code: string) =>
  /SIGNED|VERIFY|ISSUER/.test(code)
    ? 'if you trust the issuer of its certificate, add: --ca-file PATH'
    : 'does the server use https, and is its certificate valid?'

const connectTimeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])

const noRoute = (host: string): Explanation => ({ message: `no route to ${host}`, hint: 'is the network up?' })

const connectionLost = (_: string, origin: string): Explanation => ({
  message: `the connection to ${origin} was lost`,
  hint: 'try again later',
})

const tooLarge = (_: string, origin: string): Explanation => ({
  message: `the answer of ${origin} is larger than ${maxResponseSize / 1024 ** 2} MB`,
  hint: 'request fewer records with: --per-page 10',
})

/** By Node's or undici's error code. */
const explanations: Readonly<Record<string, (host: string, origin: string) => Explanation>> = {
  ENOTFOUND: host => ({
    message: `no such host: ${host}`,
    hint: 'is the base URL spelt right, and is the network up?',
  }),
  EAI_AGAIN: host => ({ message: `cannot look up the host ${host}`, hint: 'is the network up?' }),
  ECONNREFUSED: (_, origin) => ({
    message: `connection refused by ${origin}`,
    hint: 'is the server running, and is the port right?',
  }),
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ECONNRESET: connectionLost,
  EPIPE: connectionLost,
  UND_ERR_SOCKET: connectionLost,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: tooLarge,
  ERR_BUFFER_TOO_LARGE: tooLarge,
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
