import type { Request, Transport } from '../contract/exchange.ts'
import { hidden, hidePassword, hideSecrets, isSecretName } from '../text/escaping.ts'
import { addressOf } from './address.ts'

/** A request and its answer, without secrets. */
export interface Exchange {
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
    }
    try {
      const response = await transport(request)
      const outcome = `${response.status}, ${Buffer.byteLength(response.body)} bytes`
      await observe({ ...sent, outcome, duration: now() - started })
      return response
    } catch (error) {
      const outcome = error instanceof Error ? error.message : String(error)
      await observe({ ...sent, outcome, duration: now() - started })
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
