import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Response } from '../../contract/exchange.ts'
import { refuseBroken } from './broken.ts'
import { errorAnswer } from './error.ts'
import { inUrl, reachable } from './hosts.ts'
import type { Answering } from './site.ts'

/** Where to listen, and who is told what happens. */
export interface ServerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** How long a request may take to arrive, in ms. */
  readonly patience?: number
  /** Told of every request when it is over; status is undefined where no answer was given. */
  readonly onAnswered?: (method: string, url: string, status: number | undefined, ms: number) => void
  /** Told of what no request should be able to cause. */
  readonly onBug?: (error: unknown) => void
}

/** A server that listens. */
export interface HttpServer {
  /** `http://127.0.0.1:8787` */
  readonly origin: string
  readonly port: number
  /** Begins to answer; until then every request is told to come again. */
  begin(answering: Answering): void
  /** Takes no more requests, finishes those in flight, resolves when the last connection is closed. */
  stop(): Promise<void>
}

/** How long a stopping server waits for answers in flight, in ms. */
const grace = 10_000

/** Listens; rejects with Node's own error where it cannot. */
export async function listen({ host, port, patience = 30_000, onAnswered, onBug }: ServerOptions): Promise<HttpServer> {
  const held = new Set<Socket>()
  let answering: Answering = async () => starting
  let stopping = false
  const server = createServer({
    // A missing Host is refused together with the wrong ones, in the form of the API.
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
  server.on('clientError', (error, stream) => refuseBroken(error, stream as Socket))

  server.listen(port, host.replace(/^\[|\]$/g, ''))
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    origin: `http://${inUrl(reachable(host))}:${address.port}`,
    port: address.port,
    begin(next) {
      answering = next
    },
    async stop() {
      stopping = true
      const closed = once(server, 'close')
      server.close()
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
  // Of a body that is left out, after HEAD, nobody knows the length here.
  response.writeHead(status, length === 0 ? headers : { ...headers, 'content-length': length })
  response.end(body)
}

const starting = errorAnswer(503, 'calctl_starting', 'The calendar is being opened.', { 'retry-after': '1' })

const bug = errorAnswer(500, 'internal_server_error', 'This is a mistake in calctl; its console says more.')

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
