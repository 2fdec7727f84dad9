import type { Dispatcher } from 'undici'
import type { Request, Response } from '../contract/exchange.ts'

/** A request as it goes to one origin: `path` holds the query too. */
export type OutgoingRequest = Omit<Request, 'query'> & { readonly origin: string }

/** In bytes, packed or not. */
export const maxResponseSize = 64 * 1024 * 1024

/** Said when an answer takes longer than it may. */
export class RequestTimeout extends Error {}

/** Why no answer came, and whether by then anything of the request had left. */
export class NoResponse extends Error {
  constructor(
    readonly reason: unknown,
    readonly wasSent: boolean,
  ) {
    super('no answer', { cause: reason })
  }
}

/** One request and its whole answer. Rejects with `Unanswered`, because of undici's error or, after so many ms, `TimedOut`. */
export async function sendRequest(
  dispatcher: Dispatcher,
  { origin, method, path, headers, body }: OutgoingRequest,
  timeout: number,
): Promise<Response> {
  const response = await new Promise<Response & { body: Buffer }>((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    let received: Record<string, string> = {}
    let controller: Dispatcher.DispatchController | undefined
    let late: RequestTimeout | undefined
    const fail = (reason: unknown) => {
      clearTimeout(timer)
      reject(new NoResponse(reason, controller !== undefined))
    }
    const timer = setTimeout(() => {
      late = new RequestTimeout()
      fail(late)
      controller?.abort(late)
    }, timeout)
    dispatcher.dispatch(
      { origin, method, path, headers, body },
      {
        onRequestStart(starting) {
          // It waited for a connection, and nobody waits for it any more.
          if (late) starting.abort(late)
          else controller = starting
        },
        onResponseStart(_, statusCode, answered) {
          status = statusCode
          received = joined(answered)
        },
        onResponseData(_, chunk) {
          chunks.push(chunk)
        },
        onResponseEnd() {
          clearTimeout(timer)
          resolve({ status, headers: received, body: Buffer.concat(chunks) })
        },
        onResponseError(_, error) {
          fail(error)
        },
      },
    )
  })
  return { ...response, body: (await unpacked(response)).toString() }
}

const joined = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

async function unpacked({ headers, body }: Response & { body: Buffer }): Promise<Buffer> {
  if (headers['content-encoding'] !== 'gzip' || body.length === 0) return body
  const { gunzipSync } = await import('node:zlib')
  return gunzipSync(body, { maxOutputLength: maxResponseSize })
}
