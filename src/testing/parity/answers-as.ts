import type { Response, Transport } from '../../contract/exchange.ts'
import { familyOf } from './play.ts'
import { type Exchange, pathBelowRoot, type Recording } from './recording.ts'

/** The address of a server, and whose credentials a request has. */
interface Served {
  readonly baseUrl: string
  readonly namespace: string
  /** Called for each read without a recorded answer, with `GET /events/{id}`. */
  onUnrecorded(request: string): void
}

/**
 * Answers reads as a recorded site did, if there is a recording, and passes everything else to `service`. Recordings of an anonymous caller
 * answer requests without credentials, others those with credentials. Addresses are replaced by those of this server.
 */
export function answerAs(
  recordings: readonly Recording[],
  service: Transport,
  { baseUrl, namespace, onUnrecorded }: Served,
): Transport {
  const known = new Map<string, Exchange>()
  for (const { steps } of recordings)
    for (const step of steps) {
      if (!('request' in step) || step.request.method !== 'GET') continue
      const { path, headers } = step.request
      known.set(keyOf(pathBelowRoot(path, namespace), headers.authorization !== undefined), step)
    }
  return async request => {
    const { method, path, query = '', headers = {} } = request
    const target = query === '' ? path : `${path}?${query}`
    const found = method === 'GET' ? known.get(keyOf(target, headers.authorization !== undefined)) : undefined
    if (found) return recordedAnswer(found, baseUrl)
    if (method === 'GET') onUnrecorded(familyOf(method, path.replace(`/${namespace}/`, '/')))
    return service(request)
  }
}

const keyOf = (path: string, isUser: boolean): string => `${isUser} ${path}`

function recordedAnswer({ response }: Exchange, baseUrl: string): Response {
  const text = typeof response.body === 'string' ? response.body : JSON.stringify(response.body)
  const { origin, host } = new URL(baseUrl)
  return { ...response, body: text.replaceAll('http://calendar.test', origin).replaceAll('calendar.test', host) }
}
