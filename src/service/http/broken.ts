import type { Socket } from 'node:net'
import type { Response } from '../../contract/exchange.ts'
import { errorAnswer } from './error.ts'

interface Broken {
  readonly reason: string
  readonly answer: Response
}

const byCode: Readonly<Record<string, Broken>> = {
  HPE_HEADER_OVERFLOW: {
    reason: 'Request Header Fields Too Large',
    answer: errorAnswer(431, 'rest_headers_too_large', 'The headers, or the URL, are too large.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    reason: 'Request Timeout',
    answer: errorAnswer(408, 'rest_request_timeout', 'The request took too long to arrive.'),
  },
}

const otherwise: Broken = {
  reason: 'Bad Request',
  answer: errorAnswer(400, 'rest_malformed_request', 'This is not HTTP as it should be.'),
}

/** How long a caller who is still sending has to read why nobody listens any more, in ms. */
const parting = 1000

/** Answers what Node could not read as a request, as far as anyone is still there, and hangs up. */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writableEnded) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { reason, answer } = byCode[error.code ?? ''] ?? otherwise
  const headers = { ...answer.headers, 'content-length': answer.body.length, connection: 'close' }
  const lines = [`HTTP/1.1 ${answer.status} ${reason}`, ...Object.entries(headers).map(pair => pair.join(': '))]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${answer.body}`)
  setTimeout(() => socket.destroy(), parting).unref()
}
