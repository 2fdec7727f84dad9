import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import type { Rows, TableName } from '../../src/service/store/rows.ts'
import { testTime, worldOf } from './world.ts'

interface Options {
  /** Whether the site has WordPress's own API. */
  readonly wordpress?: boolean
  readonly now?: () => Date
  readonly zone?: string
  readonly rows?: { readonly [T in TableName]?: readonly Rows[T][] }
  /** Answers in place of the site, or changes what is asked of it. */
  readonly intercept?: (
    request: Request,
    pass: (request: Request) => Promise<Response>,
  ) => Promise<Response | undefined>
}

/**
 * A site that answers as The Events Calendar does, at its own address and namespace, and a command line that is connected to it.
 * `seen` has every request, as `POST /events/1`; those to WordPress's own API begin with `wp/v2`.
 */
export async function productionSite({
  wordpress = true,
  rows,
  intercept,
  now = () => testTime,
  zone = 'Europe/Madrid',
}: Options = {}) {
  const seen: string[] = []
  const store = memoryStore({ language: 'ca', timezone: zone, quirks: true }, rows)
  const service = createService({
    store,
    now,
    baseUrl: 'http://calendar.test/wp-json',
    namespace: 'tribe/events/v1',
  })
  const pass = async (request: Request): Promise<Response> => {
    if (!wordpress && request.path.startsWith('/wp/v2')) return noRoute
    return service(request)
  }
  const server = createServer(async (message, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of message) chunks.push(chunk)
    const url = new URL(message.url ?? '/', 'http://calendar.test')
    const path = url.pathname.replace(/^\/wp-json/, '') || '/'
    const body = Buffer.concat(chunks)
    const request: Request = {
      method: message.method ?? 'GET',
      path,
      query: url.search.slice(1),
      headers: message.headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    }
    seen.push(`${request.method} ${path.replace('/tribe/events/v1', '').replace('/wp/v2', 'wp/v2')}`)
    const answer = (await intercept?.(request, pass)) ?? (await pass(request))
    response.writeHead(answer.status, { date: now().toUTCString(), ...answer.headers })
    response.end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { port } = server.address() as AddressInfo
  const calctl = worldOf({
    env: {
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CACHE_HOME: join(folder, 'cache'),
      CALCTL_BASE_URL: `http://127.0.0.1:${port}/wp-json`,
      CALCTL_NAMESPACE: 'tribe/events/v1',
      CALCTL_USER: 'admin',
      CALCTL_PASSWORD: 'secret',
    },
  })
  return {
    calctl,
    baseUrl: `http://127.0.0.1:${port}/wp-json`,
    seen,
    /** The requests that could change something. */
    writes: () => seen.filter(line => !line.startsWith('GET ') && !line.startsWith('HEAD ')),
    /** Runs a command line that must succeed, and reads what it prints as JSON. */
    async json(line: string | readonly string[], stdin?: string | Uint8Array) {
      const { status, out, err } = await calctl(line, stdin)
      if (status !== 0) throw new Error(`${JSON.stringify(line)}: status ${status}\n${err}`)
      return JSON.parse(out)
    },
    /** Stores a cost as it is written, as WordPress's editor does. */
    storeCost: (id: number, cost: string) =>
      calctl(`api POST /wp/v2/tribe_events/${id} --input -`, JSON.stringify({ meta: { _EventCost: cost } })),
    /** Keeps a backup of the site; returns what restores it. */
    backUp() {
      const backup = structuredClone(store.snapshot())
      return () => store.restore(structuredClone(backup))
    },
    /** Forgets what was found out about the site, as on another machine. */
    forget: () => rmSync(join(folder, 'cache'), { recursive: true, force: true }),
    folder,
    /** Writes a file and returns its path. */
    file(name: string, text: string | Uint8Array): string {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
  }
}

const noRoute: Response = {
  status: 404,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: JSON.stringify({
    code: 'rest_no_route',
    message: 'No route was found matching the URL and request method.',
    data: { status: 404 },
  }),
}

/** The options that every new event needs. */
export const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'
