import { Failure } from '../failure.ts'
import { NoResponse, RequestTimeout } from './send.ts'

interface Attempt {
  readonly method: string
  readonly url: string
  /** In ms. */
  readonly timeout: number
  /** The proxy that stands between, as `http://host:port`. */
  readonly proxy?: string | undefined
}

/** Why no answer came, as a sentence; and whether the request may have been carried out nevertheless. */
export function unreachable(error: unknown, { method, url, timeout, proxy }: Attempt): Failure {
  const { host, origin, pathname } = new URL(url)
  const { reason, wasSent } = error instanceof NoResponse ? error : { reason: error, wasSent: true }
  const timedOut = reason instanceof RequestTimeout || timeouts.has(codeOf(reason))
  const [what, hint] = timedOut ? late(timeout) : sentence(reason)
  return new Failure('unreachable', what.replace('HOST', host).replace('ORIGIN', origin), {
    hint: proxy === undefined || wasSent ? hint : `it goes through the proxy ${proxy}: is that right?`,
    method,
    url: origin + pathname,
    timedOut,
    done: !wasSent || method === 'GET' ? 'no' : reason instanceof RequestTimeout ? 'late' : 'unknown',
  })
}

type Sentence = [what: string, hint: string]

const late = (timeout: number): Sentence => [
  `no answer from ORIGIN within ${timeout / 1000} s`,
  'wait longer with: --timeout 2m',
]

function sentence(reason: unknown): Sentence {
  const code = codeOf(reason)
  const refusal = /^Proxy response \((\d+)\)/.exec(messageOf(reason))?.[1]
  if (refusal) return [`the proxy does not lead to HOST: it answered ${refusal}`, '']
  const known = sentences[code]
  if (known) return known
  if (/CERT|SIGNED|VERIFY|SSL|TLS|EPROTO/.test(code))
    return [`no secure connection to HOST: ${secureReason(reason)}`, secureHint(code)]
  return [`no answer from ORIGIN: ${messageOf(reason)}`, 'is the base URL right, and is the network up?']
}

/** Of `…:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/….c:355:`, what people can read. */
const secureReason = (reason: unknown): string => {
  const message = messageOf(reason)
  return /SSL routines:[^:]*:([^:]+)/.exec(message)?.[1] ?? message.trim()
}

const secureHint = (code: string) =>
  /SIGNED|VERIFY|ISSUER/.test(code)
    ? 'if you trust who signed it, name their certificate with: --ca-file PATH'
    : 'is it https, and is its certificate valid?'

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])

const sentences: Readonly<Record<string, Sentence>> = {
  ENOTFOUND: ['no such host: HOST', 'is the base URL spelt right, and is the network up?'],
  EAI_AGAIN: ['cannot look up the host HOST', 'is the network up?'],
  ECONNREFUSED: ['nothing answers at ORIGIN', 'is the server running, and is the port right?'],
  EHOSTUNREACH: ['no way to HOST', 'is the network up?'],
  ENETUNREACH: ['no way to HOST', 'is the network up?'],
  ECONNRESET: ['the connection to ORIGIN broke off', 'try again in a while'],
  EPIPE: ['the connection to ORIGIN broke off', 'try again in a while'],
  UND_ERR_SOCKET: ['the connection to ORIGIN broke off', 'try again in a while'],
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ['the answer of ORIGIN is too large', 'ask for less with: --per-page 10'],
  ERR_BUFFER_TOO_LARGE: ['the answer of ORIGIN is too large', 'ask for less with: --per-page 10'],
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
