import { shellWord } from '../../base/text/escaping.ts'
import { hidden, hideHeaders, hidePassword, shownBody } from '../../base/text/secrets.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Transport } from '../../contract/exchange.ts'
import { addressOf } from './request.ts'

/** A request and its answer, without secrets. */
export interface TracedExchange {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON as text; undefined for a request without a body. */
  readonly body: string | undefined
  /** The status and size of the answer, or why none came: `200, 1234 bytes`. */
  readonly outcome: string
  /** In ms. */
  readonly duration: number
}

interface TrafficOptions {
  readonly baseUrl: string
  /** Headers with credentials, which the transport adds. */
  readonly credentials?: () => Promise<Readonly<Record<string, string>>>
  now(): number
  observe(exchange: TracedExchange): Promise<void>
}

/** A transport that passes every request and its answer to `observe`, including requests that are sent again. */
export function withTraffic(transport: Transport, { baseUrl, credentials, now, observe }: TrafficOptions): Transport {
  return async request => {
    const started = now()
    const sent = {
      method: request.method,
      url: hidePassword(addressOf(baseUrl, request)),
      headers: { ...hideHeaders(request.headers ?? {}), ...hideAll((await credentials?.()) ?? {}) },
      body: request.body === undefined ? undefined : hideInText(request.body, request.headers?.['content-type']),
    }
    try {
      const response = await transport(request)
      const outcome = phrase('{status}, {count, plural, one {# byte} other {# bytes}}', {
        status: response.status,
        count: Buffer.byteLength(response.body),
      })
      await observe({ ...sent, outcome, duration: now() - started })
      return response
    } catch (error) {
      const outcome = error instanceof Error ? error.message : String(error)
      await observe({ ...sent, outcome, duration: now() - started })
      throw error
    }
  }
}

/** Headers that come from secret sources, whatever their names are. */
const hideAll = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map(name => [name, hidden]))

/** JSON without its secrets; other text unless it names one; for bytes, their number. */
function hideInText(body: string | Uint8Array, type: string | undefined): string {
  if (typeof body !== 'string')
    return `(${phrase('{count, plural, one {# byte} other {# bytes}}', { count: body.length })})`
  const shown = shownBody(body, type)
  return typeof shown === 'string' ? shown : JSON.stringify(shown)
}

/**
 * A request as a command line for curl, to be pasted. Secrets are variables: `$AUTHORIZATION`, and `$PASSWORD` for the password of a
 * record.
 */
function curlLine({ method, url, headers, body }: TracedExchange): string {
  const words = [
    'curl',
    ...methodWords(method),
    ...Object.entries(headers)
      .filter(([name]) => !addedByCurl.has(name))
      .flatMap(([name, value]) => ['-H', withVariables(`${name}: ${value}`, variableOf(name))]),
    ...(body === undefined ? [] : ['--data-raw', withVariables(body, 'PASSWORD')]),
    withVariables(url, 'PASSWORD'),
  ]
  return words.join(' ')
}

/** With `-X HEAD`, curl would wait for a body that never comes. */
function methodWords(method: string): string[] {
  if (method === 'GET') return []
  return method === 'HEAD' ? ['--head'] : ['-X', method]
}

/** Headers that curl adds itself. Without its own `--compressed`, it would not decompress the answer. */
const addedByCurl = new Set(['accept-encoding', 'user-agent'])

const variableOf = (header: string): string => header.toUpperCase().replace(/\W/g, '_')

/** A shell word in which each hidden secret is a variable. */
const withVariables = (text: string, variable: string): string =>
  text
    .split(hidden)
    .map(part => (part === '' ? '' : shellWord(part)))
    .join(`"$${variable}"`)

/** Shows the requests that a command sends, on stderr. */
export interface TrafficLog {
  observe(exchange: TracedExchange): Promise<void>
}

/** The log that --debug and --print-curl ask for. */
export function openTrafficLog(
  write: (text: string) => Promise<void>,
  { debug, printCurl }: { readonly debug?: boolean; readonly printCurl?: boolean },
): TrafficLog {
  return {
    async observe(exchange) {
      if (printCurl) await write(`${curlLine(exchange)}\n`)
      if (debug) await write(debugLines(exchange))
    },
  }
}

/** `GET https://example.org/… → 200, 1234 bytes, 34 ms`, and the body of a write. */
function debugLines({ method, url, body, outcome, duration }: TracedExchange): string {
  return `${method} ${url} → ${outcome}, ${duration} ms\n${body === undefined ? '' : `  ${body}\n`}`
}
