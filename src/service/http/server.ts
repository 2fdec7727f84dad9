/**
 * The service behind a socket. `server.ts` listens; `gateway.ts` decides who may send a request, and whether the service, the welcome page
 * or the control actions of tests answer it. Input: a service as a function. Output: an HTTP server that stops without cutting off answers.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { hidePassword } from '../../base/text/secrets.ts'
import type { Response } from '../../contract/exchange.ts'
import { errorResponse } from '../refusal.ts'
import { isStream, Streams } from './event-stream.ts'
import type { Gateway } from './gateway.ts'
import { inUrl, reachable } from './origins.ts'

export interface ServerOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Whether the server keeps its process alive; it does by default. */
  readonly keepsAlive?: boolean
  /** How long a request may take to arrive, in ms. */
  readonly requestTimeout?: number
  /** Called when a request has ended; the status is undefined if it was not answered. */
  readonly onAnswered?: (method: string, url: string, status: number | undefined, ms: number) => void
  /** Called with errors that no request should be able to cause. */
  readonly onBug?: (error: unknown) => void
}

/** A server that is listening. */
export interface HttpServer {
  /** `http://127.0.0.1:8787` */
  readonly origin: string
  readonly port: number
  /** Starts to answer; until then every request gets a 503. */
  begin(gateway: Gateway): void
  /** Accepts no more requests, finishes those in flight, resolves when the last connection is closed. */
  stop(): Promise<void>
}

/** How long a stopping server waits for unfinished answers, in ms. */
const gracePeriod = 10_000

/** Rejects with Node's own error if it cannot listen. */
export async function listen(options: ServerOptions): Promise<HttpServer> {
  const { host, port, keepsAlive = true, requestTimeout = 30_000, onAnswered, onBug } = options
  const connections = new Set<Socket>()
  const unanswered = new Set<Socket>()
  const streams = new Streams()
  let gateway: Gateway = async () => starting
  let isStopping = false
  const server = createServer({
    // The gateway refuses a missing Host together with wrong ones, in the form of the API.
    requireHostHeader: false,
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.min(1000, requestTimeout / 2),
  })

  const leaveUnanswered = (socket: Socket) => {
    unanswered.add(socket)
    socket.once('close', () => unanswered.delete(socket))
  }
  const handle = async (message: IncomingMessage, response: ServerResponse, sendContinue: () => void) => {
    if (onAnswered) reportWhenOver(message, response, onAnswered)
    const outcome = await gateway(message, sendContinue).catch(error => {
      if (message.destroyed && !message.complete) return 'reset' as const
      onBug?.(error)
      return internalError
    })
    if (outcome === 'timeout' && !isStopping) leaveUnanswered(message.socket)
    else if (typeof outcome === 'string') message.socket.resetAndDestroy()
    else if (isStream(outcome) && !isStopping) streams.open(response, outcome, send)
    else send(response, outcome, isStopping)
  }
  const turns = takeTurns()
  server.on('request', (message, response) =>
    turns.answer(message.socket, response, () => handle(message, response, () => {})),
  )
  server.on('checkContinue', (message, response) =>
    turns.answer(message.socket, response, () => handle(message, response, () => response.writeContinue())),
  )
  server.on('connection', socket => {
    turns.connect(socket)
    connections.add(socket)
    if (!keepsAlive) socket.unref()
    socket.once('close', () => connections.delete(socket))
  })
  server.on('clientError', (error, stream) => answerClientError(error, stream as Socket))

  server.listen(port, host.replace(/^\[|\]$/g, ''))
  await once(server, 'listening')
  if (!keepsAlive) server.unref()
  const address = server.address() as AddressInfo
  return {
    origin: `http://${inUrl(reachable(host))}:${address.port}`,
    port: address.port,
    begin(next) {
      gateway = next
    },
    async stop() {
      isStopping = true
      const closed = once(server, 'close')
      server.close()
      streams.endAll()
      for (const socket of unanswered) socket.destroy()
      // Node closes connections that are idle after an answer, and waits for those that never asked for anything.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
      const deadline = setTimeout(() => server.closeAllConnections(), gracePeriod)
      await closed
      clearTimeout(deadline)
    },
  }
}

/** Runs one task in each turn of the event loop, so that other connections are read in between: hundreds of tasks may be waiting. */
function taskQueue(): (task: () => void) => void {
  const waiting: (() => void)[] = []
  let isScheduled = false
  const schedule = () => {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      waiting.shift()?.()
      schedule()
    })
  }
  return task => {
    waiting.push(task)
    schedule()
  }
}

/**
 * Answers the requests of a connection one after another. If a client sends many at once and reads no answers, one answer is prepared, and
 * no more is read from it.
 */
function takeTurns() {
  const queues = new WeakMap<Socket, (() => void)[]>()
  const whenIdle = taskQueue()
  return {
    connect(socket: Socket): void {
      const queue: (() => void)[] = []
      queues.set(socket, queue)
      readInPieces(socket)
      // Node continues to read at the end of each message, so pausing at its beginning would be useless.
      socket.on('data', () => {
        if (queue.length > 1) socket.pause()
      })
    },
    answer(socket: Socket, response: ServerResponse, begin: () => void): void {
      const queue = queues.get(socket) ?? []
      queue.push(begin)
      response.once('close', () => {
        queue.shift()
        if (socket.destroyed) return
        if (queue.length < 2) socket.resume()
        if (queue[0]) whenIdle(queue[0])
      })
      if (queue.length === 1) begin()
    },
  }
}

/** In bytes: about thirty of the shortest requests. */
const pieceLength = 1024

/**
 * Passes on in small pieces what arrives on a connection, up to 64 KB at a time, so that it can be paused in between. Otherwise hundreds of
 * requests in such a chunk would be read at once, for one client after another, before any is answered.
 */
function readInPieces(socket: Socket): void {
  const push = socket.push.bind(socket)
  socket.push = (chunk: Uint8Array | null) => {
    if (chunk === null) return push(null)
    let wantsMore = true
    for (let at = 0; at < chunk.length; at += pieceLength) wantsMore = push(chunk.subarray(at, at + pieceLength))
    return wantsMore
  }
}

function send(response: ServerResponse, { status, headers, body }: Response, isLast = false): void {
  if (isLast) response.shouldKeepAlive = false
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  // The answer to a HEAD has no body, and its length is not known here.
  response.writeHead(status, length === 0 ? headers : { ...headers, 'content-length': length })
  response.end(body)
}

const starting = errorResponse(503, 'calctl_starting', 'The calendar is still being opened.', { 'retry-after': '1' })

const internalError = errorResponse(
  500,
  'internal_server_error',
  'Internal error in calctl; the terminal that runs calctl serve shows it.',
)

function reportWhenOver(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  report: NonNullable<ServerOptions['onAnswered']>,
): void {
  const start = performance.now()
  response.once('close', () => {
    report(
      method,
      hidePassword(url),
      response.writableFinished ? response.statusCode : undefined,
      performance.now() - start,
    )
  })
}

interface ClientError {
  readonly reason: string
  readonly response: Response
}

/** Sentences for what Node cannot read as a request, by error code. */
const clientErrors: Readonly<Record<string, ClientError>> = {
  HPE_HEADER_OVERFLOW: {
    reason: 'Request Header Fields Too Large',
    response: errorResponse(431, 'rest_headers_too_large', 'The headers or the URL are too large.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    reason: 'Request Timeout',
    response: errorResponse(408, 'rest_request_timeout', 'The request took too long to arrive.'),
  },
}

const badRequest: ClientError = {
  reason: 'Bad Request',
  response: errorResponse(400, 'rest_malformed_request', 'The request is not valid HTTP.'),
}

/** How long a client that is still sending can read the answer before the connection is closed, in ms. */
const lingerTime = 1000

function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writableEnded) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { reason, response } = clientErrors[error.code ?? ''] ?? badRequest
  const headers = { ...response.headers, 'content-length': response.body.length, connection: 'close' }
  const lines = [`HTTP/1.1 ${response.status} ${reason}`, ...Object.entries(headers).map(pair => pair.join(': '))]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${response.body}`)
  setTimeout(() => socket.destroy(), lingerTime).unref()
}
