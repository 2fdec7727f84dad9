import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { calendarWithFiles } from './calendar-with-files.ts'
import { startServe } from './start-serve.ts'
import { worldOf } from './world.ts'

/** An answer on its way from the site to calctl. */
export interface Passing {
  readonly method: string
  /** The path below the namespace, with the query: `/events/1`. */
  readonly path: string
  status: number
  body: string
}

interface Proxy {
  /** Called before a request reaches the site. */
  before?: (request: Pick<Passing, 'method' | 'path'>) => Promise<void> | void
  /** Changes an answer; true cuts the connection instead. */
  garble?: (answer: Passing) => boolean | undefined
}

/**
 * `calctl serve --quirks` behind a proxy that garbles answers, and command lines that only know the proxy and do not wait.
 */
export async function siteBehindProxy(proxy: Proxy, { options = '', now = () => new Date() } = {}) {
  const { folder, file } = calendarWithFiles()
  const server = await startServe(`--memory --quirks --open --port 0 ${options}`)
  if (!('url' in server)) throw new Error(server.err)
  const { port } = new URL(server.url)
  const direct = `http://127.0.0.1:${port}`
  const requests: string[] = []

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = incoming
    const path = url.replace(/^\/[a-z]+\/events\/v1/, '')
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    requests.push(`${method} ${path.split('?')[0]}`)
    await proxy.before?.({ method, path })
    const body = method === 'GET' || method === 'DELETE' ? null : Buffer.concat(chunks)
    const answer = await fetch(`${direct}${url}`, {
      method,
      body,
      headers: { 'content-type': 'application/json' },
    })
    const passing: Passing = { method, path, status: answer.status, body: await answer.text() }
    if (proxy.garble?.(passing)) {
      outgoing.destroy()
      return
    }
    const type = passing.body.startsWith('<!') ? 'text/html' : 'application/json'
    outgoing.writeHead(passing.status, { 'content-type': type, date: now().toUTCString() })
    outgoing.end(passing.status === 204 ? undefined : passing.body)
  }

  const front = createServer((incoming, outgoing) => void forward(incoming, outgoing).catch(() => outgoing.destroy()))
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    front.closeAllConnections()
    front.close()
    await server.stop()
  })
  const address = front.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const baseUrl = `http://127.0.0.1:${address.port}`
  const env = { CALCTL_BASE_URL: baseUrl, XDG_STATE_HOME: `${folder}/state` }
  return {
    baseUrl,
    requests,
    env,
    file,
    calctl: worldOf({ env, now }),
    /** A command line on another machine, whose requests do not pass the proxy. */
    second: worldOf({ env: { CALCTL_BASE_URL: server.url, XDG_STATE_HOME: `${folder}/second` }, now }),
    /** A request of somebody else's, past the proxy; `path` is below the namespace. */
    async send(method: string, path: string, values: object): Promise<void> {
      const url = `${server.url.replace(/\/$/, '')}/calendar/events/v1${path}`
      const body = JSON.stringify(values)
      const { status } = await fetch(url, { method, body, headers: { 'content-type': 'application/json' } })
      if (status >= 300) throw new Error(`${method} ${path}: ${status}`)
    },
  }
}
