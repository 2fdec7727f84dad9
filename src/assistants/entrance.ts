/**
 * The entrance of a server on this machine that acts for the user who started it: it answers only the browser that came through here.
 * Everybody on the machine can reach the port, and everybody can see command lines, so the browser is given a file that only the user can
 * read. It leads to an address with a token that works once, for which the browser gets a cookie. Input: the page that is shown first, and
 * what answers below a secret path. Output: a server, the file and the address.
 */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { badSettings } from '../base/failure.ts'
import { reason } from '../base/io-reasons.ts'
import { escapeXml } from '../base/text/escaping.ts'
import { isSameSecret } from '../base/text/same-secret.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Response } from '../contract/exchange.ts'
import type { Gateway } from '../service/http/gateway.ts'
import { createHostCheck, isForeignOrigin, isFromOtherSite } from '../service/http/origins.ts'
import { listen } from '../service/http/server.ts'
import { readTarget } from '../service/http/target.ts'

/** A request of the user's own page; `path` is below the secret path, and begins with `/`. */
interface OwnRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  /** Reads the body of a request that may change something. */
  body(): Promise<string>
}

/** What answers the requests of the user's own page. */
export type Answerer = (request: OwnRequest) => Promise<Response>

const enterPath = '/enter'

/** Listens on a free port, with an entrance to `page`: a path with its query, below the secret path. */
export async function openEntrance(page: string) {
  const server = await listen({ host: '127.0.0.1', port: 0 })
  const [root, token, pass] = [`/${newSecret()}`, newSecret(), newSecret()]
  const address = `${server.origin}${enterPath}?token=${token}`
  const file = await fileLeadingTo(address).catch(async error => {
    await server.stop()
    throw badSettings(
      phrase('cannot write {file}: {reason}', { file: tmpdir(), reason: reason(error) }),
      phrase('free some space, or write to another disk'),
    )
  })
  // Browsers send the cookies of a host to all its ports, and others can listen on those: the path is a secret, too.
  const cookie = `calctl-${server.port}=${pass}`
  const isOwnHost = createHostCheck('127.0.0.1', server.port, [])
  let isUsed = false
  const enter = async (method: string, query: string): Promise<Response> => {
    if (method !== 'GET' || isUsed || !isSameSecret(query, `token=${token}`)) return refusal()
    isUsed = true
    await removeFile(file)
    // A page that leads on by itself: after a redirect, the request would still come from the file, and have no strict cookie.
    const headers = { 'content-type': 'text/html', 'set-cookie': `${cookie}; Path=${root}/; HttpOnly; SameSite=Strict` }
    return guarded({ status: 200, headers, body: pageLeadingTo(root + page) })
  }
  const gatewayFor =
    (answer: Answerer): Gateway =>
    async message => {
      const { method = 'GET', headers } = message
      const target = readTarget(message, isOwnHost)
      if ('status' in target || hasForeignOrigin(headers.origin, target.host)) return refusal()
      const { path, query } = target
      if (path === enterPath) return enter(method, query)
      const isOwn = path.startsWith(`${root}/`) && !isFromOtherSite(headers) && hasCookie(message, cookie)
      // Browsers name the origin of everything but reads.
      const isNamed = headers.origin !== undefined || method === 'GET' || method === 'HEAD'
      if (!isOwn || !isNamed) return refusal()
      return guarded(await answer({ method, path: path.slice(root.length), query, body: () => bodyOf(message) }))
    }
  return {
    /** The address of the pages, below the secret path. */
    home: server.origin + root,
    /** For a browser that cannot be opened from here; works once, whether through `file` or not. */
    address,
    /** Leads a browser to the address; removed when it was used. */
    file,
    /** Begins to answer the user's own page. */
    begin: (answer: Answerer) => server.begin(gatewayFor(answer)),
    close: async () => {
      await removeFile(file)
      await server.stop()
    },
  }
}

/** In characters: a request names the steps of a plan by their numbers. */
const longestBody = 1_000_000

/** A text that is too long is cut off, and then is no JSON; it is read to its end, so that the client sees the answer. */
async function bodyOf(message: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of message.setEncoding('utf8')) if (text.length < longestBody) text += piece
  return text
}

const hasForeignOrigin = (origin: string | undefined, host: string): boolean =>
  origin !== undefined && isForeignOrigin(origin, host, noOthers)

async function fileLeadingTo(address: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'calctl-')), 'open.html')
  await writeFile(file, pageLeadingTo(address), { mode: 0o600 })
  return file
}

const removeFile = (file: string) => rm(dirname(file), { recursive: true, force: true })

const newSecret = () => randomBytes(32).toString('base64url')

const noOthers = { origins: new Set<string>(), quirks: false }

const hasCookie = ({ headers: { cookie = '' } }: IncomingMessage, expected: string): boolean =>
  cookie.split(';').some(one => isSameSecret(one.trim(), expected))

const pageLeadingTo = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${escapeXml(address)}">
<title>calctl</title>
`

/** No other page can show, open or load these answers, and nothing keeps them. */
const guarded = (answer: Response): Response => ({
  ...answer,
  headers: {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...answer.headers,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  },
})

/** The same for every request that did not come through the entrance. */
const refusal = (): Response =>
  guarded({
    status: 403,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: phrase(
      'The address of this page works once. For a new one, run the command again, or have the assistant ask again.\n',
    ),
  })
