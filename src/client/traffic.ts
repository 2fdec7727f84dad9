import type { Request, Response, Transport } from '../contract/exchange.ts'
import { hidden, hidePassword, hideSecrets, isSecretName } from '../text/secret-parameters.ts'
import { addressOf } from './address.ts'

/** A request and its answer, without secrets. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON as text; undefined for a request without a body. */
  readonly body: string | undefined
  /** Undefined if no answer came. */
  readonly answer: { readonly status: number; readonly headers: Response['headers']; readonly body: string } | undefined
  /** Why no answer came. */
  readonly problem: string | undefined
  /** In ms. */
  readonly started: number
  readonly duration: number
  /** Of the answer's body, in bytes. */
  readonly size: number
}

interface TrafficOptions {
  readonly baseUrl: string
  /** Headers that the transport adds, with credentials. */
  readonly credentials: () => Promise<Readonly<Record<string, string>>>
  now(): number
  observe(exchange: Exchange): Promise<void>
}

/** A transport that shows every request with its answer to `observe`, those that are sent again included. */
export function withTraffic(transport: Transport, { baseUrl, credentials, now, observe }: TrafficOptions): Transport {
  return async request => {
    const started = now()
    const sent = {
      method: request.method,
      url: hidePassword(addressOf(baseUrl, request)),
      headers: hideHeaders({ ...request.headers, ...(await credentials()) }),
      body: request.body === undefined ? undefined : hideInText(request.body),
      started,
    }
    try {
      const response = await transport(request)
      const { status, headers, body } = response
      const answer = { status, headers: hideHeaders(headers), body: hideInText(body) }
      await observe({ ...sent, answer, problem: undefined, duration: now() - started, size: Buffer.byteLength(body) })
      return response
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      await observe({ ...sent, answer: undefined, problem, duration: now() - started, size: 0 })
      throw error
    }
  }
}

const hideHeaders = (headers: Request['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? hidden : value]))

/** JSON without its secrets; anything else as it is, and bytes by their number. */
function hideInText(body: string | Uint8Array): string {
  if (typeof body !== 'string') return `(${body.length} bytes)`
  try {
    return JSON.stringify(hideSecrets(JSON.parse(body)))
  } catch {
    return body
  }
}
