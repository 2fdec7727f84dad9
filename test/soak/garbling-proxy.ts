import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What happens to a request on its way: lost before or after the service has answered it, or its answer spoiled. */
const writeFaults = [
  'reset before',
  '502 before',
  'reset after',
  '502 after',
  'cut',
  'late',
  'notice',
  'bytes after',
  'html',
  'accepted',
  'empty',
] as const
const readFaults = ['reset before', '502 before', 'cut', 'notice', 'bytes after'] as const

type Fault = (typeof writeFaults)[number]

export interface GarblingProxy {
  readonly port: number
  /** The share of writes that go wrong; of reads it is a third of that. */
  rate: number
  /** How many requests went wrong. */
  readonly garbled: number
  /** The events that were updated through the events API, which is sent all that it would reset: see docs/promises.md. */
  readonly updatedWhole: ReadonlySet<number>
  close(): void
}

/** A proxy on loopback that spoils some of what passes through it, as hosts, caches and other plugins do. */
export async function startGarblingProxy(targetPort: () => number, random: () => number): Promise<GarblingProxy> {
  let garbled = 0
  const updatedWhole = new Set<number>()
  const pick = (faults: readonly Fault[]) => faults[Math.floor(random() * faults.length)]
  const faultFor = (method: string | undefined): Fault | undefined => {
    const isRead = method === 'GET'
    if (random() >= proxy.rate / (isRead ? 3 : 1)) return undefined
    return pick(isRead ? readFaults : writeFaults)
  }
  const server = createServer(async (incoming, outgoing) => {
    const fault = faultFor(incoming.method)
    if (fault !== undefined) garbled += 1
    const body = await bytesOf(incoming)
    const [, event] = /\/events\/v1\/events\/(\d+)/.exec(incoming.url ?? '') ?? []
    if (incoming.method === 'POST' && event !== undefined) updatedWhole.add(Number(event))
    if (process.env.ATTACK_LOG && (fault !== undefined || incoming.method !== 'GET'))
      console.log('proxy', incoming.method, incoming.url, body.toString(), fault ?? '')
    if (fault === 'reset before') return incoming.socket.destroy()
    if (fault === '502 before') return badGateway(outgoing)
    const forwarded = request({
      host: '127.0.0.1',
      port: targetPort(),
      path: incoming.url,
      method: incoming.method,
      headers: { ...incoming.headers, connection: 'close' },
    })
    forwarded.on('error', () => incoming.socket.destroy())
    forwarded.on('response', async answer => {
      try {
        await spoil(fault, incoming, answer, await bytesOf(answer), outgoing)
      } catch {
        incoming.socket.destroy()
      }
    })
    forwarded.end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const proxy: GarblingProxy = {
    port: (server.address() as AddressInfo).port,
    rate: 0,
    updatedWhole,
    get garbled() {
      return garbled
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function badGateway(outgoing: ServerResponse): void {
  outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<html><body>Bad gateway</body></html>')
}

const notice = '<br />\n<b>Notice</b>: Undefined index: {name} in <b>/srv/wp/x.php</b> on line <b>[12]</b><br />\n'

async function spoil(
  fault: Fault | undefined,
  incoming: IncomingMessage,
  answer: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<void> {
  const { statusCode: status = 502, headers } = answer
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = headers
  const isDone = status < 300
  if (fault === 'reset after') incoming.socket.destroy()
  else if (fault === '502 after') badGateway(outgoing)
  else if (fault === 'cut') {
    outgoing.writeHead(status, { ...kept, 'content-length': body.length })
    outgoing.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy())
  } else if (fault === 'html' && isDone)
    outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Hello</body></html>')
  else if (fault === 'accepted' && isDone) outgoing.writeHead(202).end()
  else if (fault === 'empty' && isDone) outgoing.writeHead(204).end()
  else {
    // Long enough for a command to be killed between a write and its answer, as those of an attack are after up to 2.7 s.
    if (fault === 'late') await sleep(1500)
    const before = fault === 'notice' && isDone ? notice : ''
    const after = fault === 'bytes after' && isDone ? '\n<!-- cached {"x":1} -->' : ''
    outgoing.writeHead(status, kept).end(Buffer.concat([Buffer.from(before), body, Buffer.from(after)]))
  }
}
