import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

const json = { 'content-type': 'application/json' }

/** How sites close `wp/v2`. */
const closedWordPress = {
  missing: { status: 404, headers: json, body: Buffer.from('{"code":"rest_no_route","message":"No route."}') },
  forbidden: { status: 403, headers: json, body: Buffer.from('{"code":"rest_closed","message":"Closed."}') },
  page: {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<html><body>Log in</body></html>'),
  },
  failing: { status: 500, headers: json, body: Buffer.from('{"code":"internal","message":"Failed."}') },
  list: { status: 200, headers: json, body: Buffer.from('[]') },
} satisfies Readonly<Record<string, Answer>>

export interface ConfusingProxy {
  readonly port: number
  /** The share of requests that get a record's answer to another one, and of lists of IDs that are short. */
  rate: number
  /** What is answered in place of WordPress's own API; `odd` is now this, now that. */
  wordpress: 'itself' | 'odd' | keyof typeof closedWordPress
  /** How many answers were not the ones to their requests. */
  readonly confused: number
  /** How many answers came from the cache. */
  readonly stale: number
  close(): void
}

/**
 * A proxy on loopback that mixes up answers: it answers reads as it did up to `cachesFor` ms before, now and then with another
 * record, or with a list of IDs that leaves one out. The clock in its answers is `clock` ms ahead. Whether an answer is from its cache it says only every other time.
 */
export async function startConfusingProxy(
  targetPort: () => number,
  random: () => number,
  { cachesFor, clock = 0 }: { readonly cachesFor: number; readonly clock?: number },
): Promise<ConfusingProxy> {
  const cache = new Map<string, { readonly answer: Answer; readonly at: number }>()
  const counts = { confused: 0, stale: 0 }
  let lastRecord: Answer | undefined

  const cached = (url: string): Answer | undefined => {
    const found = cache.get(url)
    if (!found || Date.now() - found.at >= cachesFor) return undefined
    counts.stale += 1
    const age = String(Math.floor((Date.now() - found.at) / 1000))
    return random() < 0.5
      ? found.answer
      : { ...found.answer, headers: { ...found.answer.headers, age, 'cache-control': 'max-age=60' } }
  }

  const confuse = (url: string, answer: Answer): Answer => {
    const other = lastRecord
    if (isRecord(answer)) lastRecord = answer
    if (random() >= proxy.rate) return answer
    counts.confused += 1
    if (url.includes('include=')) return withoutOne(answer)
    return other && isRecord(answer) ? other : answer
  }

  const closedAnswer = (url: string): Answer | undefined => {
    if (proxy.wordpress === 'itself' || !url.includes('/wp/v2/')) return undefined
    if (proxy.wordpress !== 'odd') return closedWordPress[proxy.wordpress]
    const answers = Object.values(closedWordPress)
    return random() < 0.5 ? undefined : answers[Math.floor(random() * answers.length)]
  }

  const server = createServer(async (incoming, outgoing) => {
    const { method, url = '/' } = incoming
    const body: Buffer[] = []
    for await (const chunk of incoming) body.push(chunk)
    const reply = ({ status, headers, body }: Answer) => void outgoing.writeHead(status, headers).end(body)
    const instead = closedAnswer(url) ?? (method === 'GET' ? cached(url) : undefined)
    if (instead) {
      reply(instead)
      return
    }
    const forwarded = request({
      host: '127.0.0.1',
      port: targetPort(),
      path: url,
      method,
      headers: { ...incoming.headers, 'accept-encoding': 'identity', connection: 'close' },
    })
    forwarded.on('error', () => incoming.socket.destroy())
    forwarded.on('response', async message => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of message) chunks.push(chunk)
        const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...headers } = message.headers
        if (headers.date) headers.date = new Date(Date.parse(headers.date) + clock).toUTCString()
        const answer = { status: message.statusCode ?? 502, headers, body: Buffer.concat(chunks) }
        if (method === 'GET') cache.set(url, { answer, at: Date.now() })
        reply(confuse(url, answer))
      } catch {
        incoming.socket.destroy()
      }
    })
    forwarded.end(Buffer.concat(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const proxy: ConfusingProxy = {
    port: (server.address() as AddressInfo).port,
    rate: 0,
    wordpress: 'itself',
    get confused() {
      return counts.confused
    },
    get stale() {
      return counts.stale
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}

const isRecord = ({ status, headers, body }: Answer): boolean =>
  status < 300 && headers['content-encoding'] === undefined && /^\{"id":\d+,/.test(body.subarray(0, 40).toString())

/** A list, of either API, without one of its records. */
function withoutOne(answer: Answer): Answer {
  if (answer.status !== 200 || answer.headers['content-encoding'] !== undefined) return answer
  try {
    const list = JSON.parse(answer.body.toString())
    const rows = Array.isArray(list) ? list : list.events
    if (Array.isArray(rows)) rows.pop()
    return { ...answer, body: Buffer.from(JSON.stringify(list)) }
  } catch {
    return answer
  }
}
