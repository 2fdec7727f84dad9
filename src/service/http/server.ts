import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Response } from '../../contract/exchange.ts'
import { errorAnswer } from './error.ts'
import { inUrl, reachable } from './hosts.ts'
import type { Answering } from './site.ts'

/** Where to listen; port 0 takes a free one. */
export interface Address {
  readonly host: string
  readonly port: number
}

export interface ServerOptions extends Address {
  /** How long a request may take to arrive, in ms. */
  readonly patience?: number
  /** Told of every request when it is over; status is undefined where no answer was given. */
  readonly onAnswered?: (method: string, url: string, status: number | undefined, ms: number) => void
  /** Told of what no request should be able to cause. */
  readonly onBug?: (error: unknown) => void
}

export interface HttpServer {
  /** `http://127.0.0.1:8787` */
  readonly origin: string
  readonly port: number
  /** Begins to answer; requests that came before have waited for it. */
  begin(answering: Answering): void
  /** Takes no more requests, finishes those in flight, resolves when the last connection is closed. */
  stop(): Promise<void>
}

/** How long a stopping server waits for answers in flight. */
const grace = 10_000

/** Listens; rejects with Node's own error where it cannot. */
export async function listen({ host, port, patience = 30_000, onAnswered, onBug }: ServerOptions): Promise<HttpServer> {
  const begun = withResolvers<Answering>()
  const held = new Set<Socket>()
  let hasBegun = false
  let stopping = false
  const server = createServer({
    // A missing Host is refused with the wrong ones, in the form of the API.
    requireHostHeader: false,
    requestTimeout: patience,
    headersTimeout: patience,
    connectionsCheckingInterval: Math.min(1000, patience / 2),
  })

  const hold = (socket: Socket) => {
    held.add(socket)
    socket.once('close', () => held.delete(socket))
  }
  const handle = async (message: IncomingMessage, response: ServerResponse, invite: () => void) => {
    if (onAnswered) tellWhenOver(message, response, onAnswered)
    const answering = await begun.promise
    const outcome = await answering(message, invite).catch(error => {
      if (message.destroyed && !message.complete) return 'reset' as const
      onBug?.(error)
      return bug
    })
    if (outcome === 'timeout' && !stopping) hold(message.socket)
    else if (typeof outcome === 'string') message.socket.resetAndDestroy()
    else send(response, outcome, stopping)
  }
  server.on('request', (message, response) => handle(message, response, () => {}))
  server.on('checkContinue', (message, response) => handle(message, response, () => response.writeContinue()))
  server.on('clientError', refuseBroken)

  server.listen(port, host.replace(/^\[|\]$/g, ''))
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    origin: `http://${inUrl(reachable(host))}:${address.port}`,
    port: address.port,
    begin(answering) {
      hasBegun = true
      begun.resolve(answering)
    },
    async stop() {
      stopping = true
      const closed = once(server, 'close')
      server.close()
      if (!hasBegun) server.closeAllConnections()
      for (const socket of held) socket.destroy()
      const impatience = setTimeout(() => server.closeAllConnections(), grace)
      await closed
      clearTimeout(impatience)
    },
  }
}

function send(response: ServerResponse, { status, headers, body }: Response, isLast: boolean): void {
  if (isLast) response.shouldKeepAlive = false
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': length })
  response.end(body)
}

const bug = errorAnswer(500, 'internal_server_error', 'This is a mistake in calctl; its console says more.')

const broken: Readonly<Record<string, Response>> = {
  HPE_HEADER_OVERFLOW: errorAnswer(431, 'rest_headers_too_large', 'The headers, or the URL, are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: errorAnswer(408, 'rest_request_timeout', 'The request took too long to arrive.'),
}
const malformed = errorAnswer(400, 'rest_malformed_request', 'This is not HTTP as it should be.')

/** Answers what Node could not read as a request, as far as anyone is still there, and hangs up. */
function refuseBroken(error: NodeJS.ErrnoException, stream: NodeJS.EventEmitter): void {
  const socket = stream as Socket
  if (socket.writableEnded) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, headers, body } = broken[error.code ?? ''] ?? malformed
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const start = `HTTP/1.1 ${status} ${reasons[status] ?? 'Bad Request'}\r\n`
  socket.end(`${start}${lines.join('')}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
  // To hang up on a caller who is still sending would take the answer from under their eyes.
  setTimeout(() => socket.destroy(), 1000).unref()
}

const reasons: Readonly<Record<number, string>> = { 408: 'Request Timeout', 431: 'Request Header Fields Too Large' }

function tellWhenOver(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  tell: NonNullable<ServerOptions['onAnswered']>,
): void {
  const start = performance.now()
  response.once('close', () => {
    tell(method, url, response.writableFinished ? response.statusCode : undefined, performance.now() - start)
  })
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
