import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { startServe } from './start-serve.ts'
import { worldOf } from './world.ts'

/** An answer on its way from the site, or one that stands in its place. */
export interface Staged {
  status: number
  headers: Record<string, string>
  body: string
}

/** A request as it reaches the site. */
interface Asked {
  readonly method: string
  /** With the query: `/wp-json/tribe/events/v1/events?page=2`. */
  readonly url: string
  readonly headers: Record<string, string>
}

/** What goes wrong: an answer in place of the site's, a changed one, or a request changed before the site gets it. */
export interface Stage {
  /** Answers instead of the site, or never, or dies without an answer; undefined lets the site answer. */
  readonly answer?: (asked: Asked) => Staged | 'nothing' | 'dies' | undefined
  /** Changes a request before the site gets it. */
  readonly before?: (asked: Asked) => void
  /** Changes an answer of the site. */
  readonly after?: (answer: Staged, asked: Asked) => void
  /** The certificate of `test/tls` with which the site speaks https. */
  readonly certificate?: string
}

export const pem = (name: string): string => resolve(import.meta.dirname, 'tls', name)

export const html = (status: number, body: string, headers: Record<string, string> = {}): Staged => ({
  status,
  headers: { 'content-type': 'text/html; charset=UTF-8', ...headers },
  body,
})

export const json = (status: number, body: object, headers: Record<string, string> = {}): Staged => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify(body),
})

/**
 * `calctl serve --quirks` as a site of WordPress, with the user `admin` and the contributor `guest`, behind a proxy that stages what
 * goes wrong on real sites, and a command line that knows the site's address and password.
 */
export async function stagedSite(stage: Stage = {}, { options = '', now = undefined as Date | undefined } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  const server = await startServe(
    `--memory --quirks --namespace tribe/events/v1 --base-path /wp-json --timezone Europe/Madrid ` +
      `--user admin:secret --user guest:secret:contributor --port 0 ${options}`,
    now ? { now } : {},
  )
  if (!('url' in server)) throw new Error(server.err)
  const direct = new URL(server.url).origin
  const seen: string[] = []

  const listener: RequestListener = (incoming, outgoing) =>
    void pass(incoming, outgoing).catch(() => outgoing.destroy())

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = incoming
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    seen.push(`${method} ${url.replace(/\?.*/, '')}`)
    const asked: Asked = { method, url, headers: { ...(incoming.headers as Record<string, string>) } }
    const instead = stage.answer?.(asked)
    if (instead === 'nothing') return
    if (instead === 'dies') return die()
    if (instead) return send(outgoing, instead)
    stage.before?.(asked)
    const { authorization, accept = '*/*', 'content-type': type, 'content-disposition': disposition } = asked.headers
    const response = await fetch(`${direct}${asked.url}`, {
      method,
      redirect: 'manual',
      headers: {
        accept,
        ...(authorization && { authorization }),
        ...(type && { 'content-type': type }),
        ...(disposition && { 'content-disposition': disposition }),
      },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const answer: Staged = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: (await response.text()).replaceAll(direct, origin),
    }
    const { link } = answer.headers
    if (link) answer.headers.link = link.replaceAll(direct, origin)
    delete answer.headers['content-length']
    stage.after?.(answer, asked)
    send(outgoing, answer)
  }

  const { certificate } = stage
  const front: Server = certificate
    ? createTlsServer({ key: readFileSync(pem('key.pem')), cert: readFileSync(pem(certificate)) }, listener)
    : createServer(listener)
  await new Promise<void>(done => front.listen(0, '127.0.0.1', done))
  const { port } = front.address() as AddressInfo
  /** Breaks all connections and refuses new ones. */
  function die(): void {
    front.close()
    front.closeAllConnections()
  }
  const origin = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`
  onTestFinished(async () => {
    front.closeAllConnections()
    front.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    CALCTL_BASE_URL: `${origin}/wp-json`,
    CALCTL_NAMESPACE: 'tribe/events/v1',
    CALCTL_USER: 'admin',
    CALCTL_PASSWORD: 'secret',
  }
  return {
    origin,
    port,
    env,
    folder,
    /** The requests that reached the site, as `GET /wp-json/tribe/events/v1/events`. */
    seen,
    /** Starts the site again after it died. */
    revive: () => new Promise<void>(done => front.listen(port, '127.0.0.1', done)),
    calctl: worldOf({ env, now: () => new Date() }),
    /** The same with other variables; undefined unsets one. */
    calctlWith: (others: Record<string, string | undefined>, setup: Partial<Parameters<typeof worldOf>[0]> = {}) =>
      worldOf({
        env: Object.fromEntries(
          Object.entries({ ...env, ...others }).filter(entry => entry[1] !== undefined),
        ) as Record<string, string>,
        now: () => new Date(),
        ...setup,
      }),
  }
}

function send(outgoing: ServerResponse, { status, headers, body }: Staged): void {
  outgoing.writeHead(status, headers)
  outgoing.end(status === 204 || status === 304 ? undefined : body)
}
