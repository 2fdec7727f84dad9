import type { Dispatcher } from 'undici'
import type { Request, Response } from '../../contract/exchange.ts'

/** A request to one origin; its `path` includes the query. */
export type OutgoingRequest = Omit<Request, 'query'> & {
  readonly origin: string
  /** In bytes: no more is read of a body, which is then left as it was sent. */
  readonly mostBytes?: number
}

/** In bytes, compressed or not. */
export const maxResponseSize = 64 * 1024 * 1024

/** No response came within the timeout. */
export class RequestTimeout extends Error {}

/** The proxy answered a request for a tunnel with this status. */
export class ProxyRefused extends Error {
  constructor(readonly status: number) {
    super(`the proxy answered ${status}`)
  }
}

/** Why no response came, and whether any of the request had been sent by then. */
export class NoResponse extends Error {
  constructor(
    readonly reason: unknown,
    readonly wasSent: boolean,
  ) {
    super('no response', { cause: reason })
  }
}

/**
 * Sends a request and reads the whole response. Rejects with a `NoResponse` for undici's error or, after `timeout` ms,
 * a `RequestTimeout`.
 */
export async function sendRequest(
  dispatcher: Dispatcher,
  { origin, method, path, headers, body, wantsBytes, mostBytes }: OutgoingRequest,
  timeout: number,
): Promise<Response> {
  const response = await new Promise<Response & { body: Buffer }>((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    let length = 0
    let received: Record<string, string> = {}
    let controller: Dispatcher.DispatchController | undefined
    let timedOut: RequestTimeout | undefined
    const finish = () => {
      clearTimeout(timer)
      resolve({ status, headers: received, body: Buffer.concat(chunks) })
    }
    const fail = (reason: unknown) => {
      clearTimeout(timer)
      reject(new NoResponse(reason, controller !== undefined))
    }
    const timer = setTimeout(() => {
      timedOut = new RequestTimeout()
      fail(timedOut)
      controller?.abort(timedOut)
    }, timeout)
    dispatcher.dispatch(
      { origin, method, path, headers, body },
      {
        onRequestStart(starting) {
          // It waited for a connection for longer than the timeout.
          if (timedOut) starting.abort(timedOut)
          else controller = starting
        },
        onResponseStart(_, statusCode, responseHeaders) {
          status = statusCode
          received = joinHeaders(responseHeaders)
        },
        onResponseData(_, chunk) {
          chunks.push(chunk)
          length += chunk.length
          if (mostBytes === undefined || length < mostBytes) return
          finish()
          controller?.abort(new Error('the rest is not needed'))
        },
        onResponseEnd: finish,
        onResponseError(_, error) {
          fail(error)
        },
      },
    )
  })
  const bytes = mostBytes === undefined ? await decompress(response) : response.body
  return { ...response, body: wantsBytes ? bytes : bytes.toString() }
}

const joinHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

async function decompress({ headers, body }: Response & { body: Buffer }): Promise<Buffer> {
  if (headers['content-encoding'] !== 'gzip' || body.length === 0) return body
  const { gunzipSync } = await import('node:zlib')
  return gunzipSync(body, { maxOutputLength: maxResponseSize })
}
