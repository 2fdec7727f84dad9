import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { largestBody } from '../request/body.ts'

/**
 * The bytes of a body, undefined where there is none; rejects when the caller leaves. `invite` tells a caller who asked
 * beforehand (`Expect: 100-continue`) to send it.
 */
export async function readBody(
  message: IncomingMessage,
  invite: () => void,
): Promise<Uint8Array | undefined | 'too large'> {
  const { 'content-length': announced, 'transfer-encoding': chunked, expect } = message.headers
  if (chunked === undefined && (announced === undefined || announced === '0')) return undefined
  if (expect !== undefined && Number(announced) > largestBody) return 'too large'
  invite()
  const chunks: Uint8Array[] = []
  let length = 0
  // Read to the end also when it is too much: a caller who is still sending would not see an answer.
  message.on('data', (chunk: Uint8Array) => {
    length += chunk.length
    if (length <= largestBody) chunks.push(chunk)
  })
  await once(message, 'end')
  return length > largestBody ? 'too large' : Buffer.concat(chunks)
}
