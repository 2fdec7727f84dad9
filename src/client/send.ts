import type { Dispatcher } from 'undici'
import type { Request, Response } from '../contract/exchange.ts'

/** A request as it goes to one origin: `path` holds the query too. */
export type Sent = Omit<Request, 'query'>

/** In bytes, packed or not. */
export const largestAnswer = 64 * 1024 * 1024

/** Said when an answer takes longer than it may. */
export class TimedOut extends Error {}

/** One request and its whole answer. Rejects with undici's error, or `TimedOut` after so many ms. */
export async function exchange(
  dispatcher: Dispatcher,
  { method, path, headers, body }: Sent,
  timeout: number,
): Promise<Response> {
  const response = await new Promise<Response & { body: Buffer }>((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    let received: Record<string, string> = {}
    let abort = (_: Error) => {}
    const timer = setTimeout(() => {
      const error = new TimedOut()
      abort(error)
      reject(error)
    }, timeout)
    dispatcher.dispatch(
      { method, path, headers, body },
      {
        onRequestStart(controller) {
          abort = error => controller.abort(error)
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
          clearTimeout(timer)
          reject(error)
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
  return gunzipSync(body, { maxOutputLength: largestAnswer })
}
