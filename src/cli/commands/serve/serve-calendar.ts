import { once } from 'node:events'
import { get } from 'node:http'
import { parse, resolve } from 'node:path'
import { badSettings } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { createPages } from '../../../page/pages.ts'
import type { Users } from '../../../service/access.ts'
import { roles } from '../../../service/dialect.ts'
import { Conditions } from '../../../service/http/conditions.ts'
import { createControl } from '../../../service/http/control.ts'
import { changesOf } from '../../../service/http/event-stream.ts'
import { createGateway, type Gateway } from '../../../service/http/gateway.ts'
import { createHostCheck, inUrl, isLoopback, reachable } from '../../../service/http/origins.ts'
import { type HttpServer, listen } from '../../../service/http/server.ts'
import { welcome } from '../../../service/http/welcome.ts'
import { createService } from '../../../service/service.ts'
import type { Store } from '../../../service/store/store.ts'
import type { App } from '../../app.ts'
import { dataFile } from '../../profiles/user-folders.ts'
import type { Sink } from '../../world.ts'
import { serverShape } from '../shared/output-shapes.ts'
import { openStoreFor } from './open-store.ts'
import { parentEnded } from './parent-process.ts'
import { readSettings, type ServeOptions, type Settings } from './serve-settings.ts'

/**
 * The command `serve`. Input: options as typed. Output: an HTTP server, until the process is asked to stop. `serve-settings.ts` parses the
 * options, `open-store.ts` opens the calendar, and `src/service/http` does the rest. Prints the base URL once requests are answered, and
 * then calls `onReady`.
 */
export async function serveCalendar(app: App, options: ServeOptions, onReady?: (url: string) => Promise<void>) {
  const { world } = app
  const stopping = world.stopping()
  const settings = await readSettings(world, app.globals, options)
  const server = await startListening(world.stderr, settings, options)
  const baseUrl = server.origin + settings.basePath
  const store = await openStoreFor(app, settings, options, baseUrl).catch(async error => {
    await server.stop()
    throw error
  })
  try {
    const stopped = Promise.race([untilAborted(stopping), parentEnded(world.env)])
    const pause = () => Promise.race([world.sleep(pauseAfterFailure), stopped])
    const access = accessOf(store, settings, options, app.globals.demo === true)
    const onRefusedOrigin = tellOnce(origin =>
      app.notice(phrase('refused a write of a page of {origin}; to allow it, add: --cors {origin}', { origin })),
    )
    const file = servedFile(app, options)
    const name = options.from ?? (file === null ? undefined : parse(file).name)
    const context = { baseUrl, port: server.port, pause, onRefusedOrigin, name, users: access.users }
    server.begin(gatewayOf(store, settings, options, context))
    await announce(app, settings, { url: baseUrl, file, note: access.note })
    await onReady?.(baseUrl)
    await stopped
  } finally {
    await server.stop()
    await store.close()
  }
}

/** The file in which changes are stored. */
function servedFile({ world, globals }: App, { file, memory }: ServeOptions): string | null {
  if (memory) return null
  if (file !== undefined) return resolve(world.cwd, file)
  return globals.demo ? null : dataFile(world)
}

/** Reports each name once, up to a number of names, because strangers can make up any number. */
function tellOnce(tell: (name: string) => Promise<void>): (name: string) => void {
  const told = new Set<string>()
  return name => {
    if (told.has(name) || told.size === mostTold) return
    told.add(name)
    void tell(name)
  }
}

const mostTold = 20

/** How long the answer to a failed login, and any login after it, is delayed, in ms. */
const pauseAfterFailure = 500

async function startListening(stderr: Sink, { host, port }: Settings, { log }: ServeOptions): Promise<HttpServer> {
  const writeLine = (text: string) => void stderr.write(`${text}\n`)
  try {
    return await listen({
      host,
      port,
      onBug: error => writeLine(error instanceof Error ? (error.stack ?? error.message) : String(error)),
      ...(log
        ? {
            onAnswered: (method, url, status, ms) =>
              writeLine(`${method} ${url} ${status ?? 'cut off'} ${Math.round(ms)}ms`),
          }
        : {}),
    })
  } catch (error) {
    throw await listenFailure(error, host, port)
  }
}

/**
 * Who may use the calendar, and what people must know to sign in; `users` is undefined if everybody may do everything. With quirks, visitors
 * see only what is public, as on a real site; the demo has users of its own.
 */
function accessOf(store: Store, { users, host }: Settings, options: ServeOptions, isDemo: boolean) {
  if (users.size > 0) return { users }
  if (options.open || !(options.quirks ?? store.site.quirks)) return { users: undefined }
  if (!isDemo || !isLoopback(host))
    return {
      users,
      note: phrase(
        'no users: everyone can read public records, and no one can write; add --user NAME:PASSWORD or --open',
      ),
    }
  return {
    users: new Map(roles.map(role => [role === 'administrator' ? 'admin' : role, { password: 'demo', role }])),
    note: phrase(
      'users: admin, editor, author, contributor and subscriber, each with the password "demo"; everyone may write with --open',
    ),
  }
}

interface ServerContext {
  /** The name of the calendar, if it is not its address. */
  readonly name: string | undefined
  readonly baseUrl: string
  readonly port: number
  readonly users: Users | undefined
  pause(): Promise<void>
  onRefusedOrigin(origin: string): void
}

function gatewayOf(store: Store, settings: Settings, options: ServeOptions, context: ServerContext): Gateway {
  const { namespace, basePath, host, perPage } = settings
  const { baseUrl, name, port, users, pause, onRefusedOrigin } = context
  const quirks = options.quirks ?? store.site.quirks
  const conditions = new Conditions({ ...settings.conditions, now: settings.now, namespace })
  const { now } = conditions
  const clock = () => ({ now: now(), stands: options.now !== undefined || conditions.isFrozen })
  const service = createService({
    store,
    now,
    baseUrl,
    namespace,
    quirks: options.quirks,
    noWordPress: options.wp === false,
    readOnly: options.readOnly ?? false,
    hasControl: true,
    users,
    pause,
    perPage,
  })
  return createGateway({
    basePath,
    service: conditions.apply(service),
    pages: createPages({
      service,
      baseUrl,
      namespace,
      site: { ...store.site, name },
      access: accessFor(users),
      quirks,
      version: () => store.version,
      now,
      clockStands: () => clock().stands,
    }),
    welcome: () => welcome({ baseUrl, namespace, hasUsers: users !== undefined }),
    control: createControl(store, conditions, settings.token.text),
    changes: changesOf(store, clock),
    isOwnHost: createHostCheck(host, port, settings.allowHosts),
    cors: { origins: settings.origins, quirks },
    onRefusedOrigin,
    now: () => (clock().stands ? now() : undefined),
  })
}

const accessFor = (users: Users | undefined) => {
  if (users === undefined) return 'everybody'
  return users.size > 0 ? 'users' : 'nobody'
}

/** Prints the base URL on stdout, and warnings and the token on stderr. Programs get one line of JSON with all of it. */
async function announce(
  app: App,
  { host, users, conditions, token }: Settings,
  { url, file, note }: { readonly url: string; readonly file: string | null; readonly note: string | undefined },
): Promise<void> {
  const { stdout, stderr } = app.world
  if (!isLoopback(host)) await stderr.write(`${exposure(host, users)}\n`)
  if (note !== undefined) await app.notice(note)
  if (conditions.faults.length > 0)
    await app.notice(phrase('injecting failures; repeat them with --seed {seed}', { seed: conditions.seed }))
  const ready = { url, pid: process.pid, file, token: token.text }
  if (token.isRandom && !app.output)
    await app.notice(phrase('token for {baseUrl}/__calctl/: {text}', { baseUrl: url, text: token.text }))
  const { jq, fields } = app.globals
  if (app.output === 'json' && jq === undefined && fields === undefined)
    await stdout.write(`${JSON.stringify(ready)}\n`)
  else if (app.output) await app.print(serverShape, ready)
  else await stdout.write(`${url}\n`)
}

const exposure = (host: string, { size }: Users): string =>
  size === 0
    ? phrase('warning: every machine that can reach {host} can write to this calendar', { host })
    : phrase('warning: user names and passwords are sent to {host} unencrypted', { host })

/** Resolves once the process is asked to stop. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** The failure for an address that a server cannot listen on; other errors are returned unchanged. */
async function listenFailure(error: unknown, host: string, port: number): Promise<unknown> {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE': {
      const server = await serverAt(host, port)
      return badSettings(
        server === undefined
          ? phrase('port {port} is in use', { port })
          : phrase('port {port} is in use by {server}', { port, server }),
        phrase('use another port with --port {next}, or any free port with --port 0', { next: port + 1 }),
      )
    }
    case 'EACCES':
      return badSettings(
        phrase('no permission to listen on port {port}', { port }),
        phrase('use a port above 1023, for example --port 8787'),
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return badSettings(
        phrase('{host} is not an address of this machine', { host }),
        phrase('leave out --host to serve this machine only, or pass one of its addresses'),
      )
    default:
      return error
  }
}

/** The name and process ID of another calctl that listens there; undefined for any other server. */
const serverAt = (host: string, port: number): Promise<string | undefined> =>
  new Promise(resolve => {
    const request = get(`http://${inUrl(reachable(host))}:${port}/`, { timeout: 1000 }, response => {
      response.resume()
      const server = String(response.headers.server)
      resolve(server.startsWith('calctl/') ? server : undefined)
    })
    request.on('timeout', () => request.destroy()).on('error', () => resolve(undefined))
  })
