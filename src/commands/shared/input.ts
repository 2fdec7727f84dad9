import type { App } from '../../app.ts'
import { Failure, type FailureKind } from '../../failure.ts'
import { looksLikePlan } from '../../plan/plan-file.ts'

/** The bytes of a file, of what an address answers, or of stdin for `-`. Throws `usage` for what cannot be read, and for a plan. */
export async function* readInput(app: App, name: string, taken?: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isBegun = false
  for await (const bytes of name === '-' && taken ? taken : bytesOf(app, name)) {
    if (!isBegun && looksLikePlan(Buffer.from(bytes).toString('utf8', 0, 200))) throw planAmongRecords(name)
    isBegun = true
    yield bytes
  }
}

const planAmongRecords = (name: string) =>
  new Failure('usage', `${name === '-' ? 'stdin' : name} is a saved plan, not a file of records`, {
    hint: `apply it on its own with: calctl apply ${name === '-' ? 'plan.json' : name}`,
  })

function bytesOf(app: App, name: string): AsyncGenerator<Uint8Array> {
  if (name === '-') return stdin(app)
  return isAddress(name) ? fetched(app, name) : bytesOfFile(app, name)
}

const isAddress = (name: string): boolean => /^(https?|webcal):\/\//i.test(name)

async function* stdin({ world }: App): AsyncGenerator<Uint8Array> {
  for await (const chunk of world.stdin) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}

/**
 * All of stdin, which can be gone through afterwards. Who writes into the pipe may have the calendar that is to be opened next,
 * and waits to be read before it lets go.
 */
export async function takeStdin(app: App): Promise<Iterable<Uint8Array>> {
  const { createSpool } = await import('../../plan/spool.ts')
  const pieces = createSpool<string>(0)
  for await (const bytes of stdin(app)) pieces.add(Buffer.from(bytes).toString('base64'))
  return {
    *[Symbol.iterator]() {
      for (const piece of pieces) yield Buffer.from(piece, 'base64')
    },
  }
}

/** The bytes of a file; `option` names what it was given for. Throws `usage` for what cannot be read. */
export async function* bytesOfFile(
  { world }: App,
  name: string,
  { option, hint = 'pass a file, an http(s) URL, or - for stdin' }: { option?: string; hint?: string } = {},
): AsyncGenerator<Uint8Array> {
  const { createReadStream } = await import('node:fs')
  const { resolve } = await import('node:path')
  try {
    yield* createReadStream(resolve(world.cwd, name))
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Failure('usage', `${option ? `${option}: ` : ''}cannot read ${name}: ${reasons[code] ?? message}`, {
      hint,
    })
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
}

/** Feeds are often given with a scheme of their own. */
function addressOf(name: string): URL {
  const address = name.replace(/^webcal:/i, 'https:')
  if (URL.canParse(address)) return new URL(address)
  throw new Failure('usage', `invalid URL: ${name}`, { hint: 'for example: https://example.org/town.ics' })
}

async function* fetched(app: App, name: string): AsyncGenerator<Uint8Array> {
  const { openResilientHttp } = await import('../../client/resilient-http.ts')
  const { world, globals } = app
  const { origin, pathname, search } = addressOf(name)
  const site = await openResilientHttp({
    baseUrl: origin,
    credentials: async () => ({}),
    timeout: globals.timeout,
    env: world.env,
    caFile: globals.caFile,
    retries: globals.retries ?? 3,
    stopping: () => world.stopping(),
    now: () => world.now().getTime(),
    notice: app.notice,
  })
  try {
    const request = { method: 'GET', path: pathname, query: search.slice(1), headers: { accept: '*/*' } }
    const { status, body } = await site.transport(request)
    if (status !== 200)
      throw new Failure(kindOf(status), `${name} answered ${status}`, {
        hint:
          status === 401
            ? 'download it with your credentials and pipe it in: curl … | calctl apply -'
            : 'open the URL in a browser to see its answer',
        status,
      })
    yield typeof body === 'string' ? Buffer.from(body) : body
  } finally {
    await site.close()
  }
}

const kindOf = (status: number): FailureKind =>
  status === 401 || status === 403 ? 'denied' : status < 500 ? 'refused' : 'unreachable'
