import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { png } from '../images/png.ts'
import { told } from '../soak/told.ts'
import { worldOf } from '../support/world.ts'

const open: { server: ReturnType<typeof createServer>; sockets: Set<Socket> }[] = []
afterEach(() => {
  for (const { server, sockets } of open.splice(0)) {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
})

/** A server that answers each request with these bytes, whole or slowly; it ends the connection if `ends` is set. */
async function rawSite(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push({ server, sockets })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const body = '{"tags":[],"total":0,"total_pages":0}'
const head = (lines: string, status = '200 OK') => `HTTP/1.1 ${status}\r\n${lines}\r\n\r\n`
const json = 'content-type: application/json'

const ends = (bytes: string | Buffer) => (socket: Socket) => void socket.end(bytes)
const stays = (bytes: string) => (socket: Socket) => void socket.write(bytes)

const attacks: Readonly<Record<string, (socket: Socket) => void>> = {
  nothing: socket => void socket.destroy(),
  'half a status line': ends('HTTP/1.1 20'),
  'a wrong status': ends(head(json, '99999 x')),
  'no HTTP': ends('220 mail.test ESMTP\r\n'),
  'an old version': ends(`HTTP/0.9 200 OK\r\n\r\n${body}`),
  'a length that is too long': ends(`${head(`${json}\r\ncontent-length: 9999`)}${body}`),
  'a length that is too short': ends(`${head(`${json}\r\ncontent-length: 3`)}${body}`),
  'a length that is none': ends(`${head(`${json}\r\ncontent-length: x`)}${body}`),
  'a negative length': ends(`${head(`${json}\r\ncontent-length: -5`)}${body}`),
  'two lengths': ends(`${head(`${json}\r\ncontent-length: 3\r\ncontent-length: 9`)}${body}`),
  'a length and chunks': ends(`${head(`${json}\r\ncontent-length: 3\r\ntransfer-encoding: chunked`)}0\r\n\r\n`),
  'chunks that are none': ends(`${head(`${json}\r\ntransfer-encoding: chunked`)}zz\r\n${body}\r\n0\r\n\r\n`),
  'an enormous chunk': ends(`${head(`${json}\r\ntransfer-encoding: chunked`)}ffffffffffffffff\r\n${body}`),
  'an unfinished chunk': ends(`${head(`${json}\r\ntransfer-encoding: chunked`)}25\r\n{"tags":`),
  'enormous headers': ends(head(`${json}\r\nx: ${'x'.repeat(100_000)}`)),
  'many headers': ends(head(`${json}\r\n${'x: y\r\n'.repeat(20_000)}z: z`)),
  'a broken header': ends(`${head(`${json}\r\n\u0000: x`)}${body}`),
  'gzip that is none': ends(`${head(`${json}\r\ncontent-encoding: gzip`)}${body}`),
  'cut gzip': ends(Buffer.concat([Buffer.from(head('content-encoding: gzip')), gzipSync(body).subarray(0, 20)])),
  'gzip in gzip': ends(Buffer.concat([Buffer.from(head('content-encoding: gzip')), gzipSync(gzipSync(body))])),
  'an unknown encoding': ends(`${head(`${json}\r\ncontent-encoding: zstd`)}${body}`),
  'another type': ends(`${head('content-type: text/html')}<html>no</html>`),
  'no type': ends(`${head('x: y')}${body}`),
  'bytes that are not UTF-8': ends(Buffer.concat([Buffer.from(head(json)), Buffer.from([0xff, 0xfe, 0x00])])),
  'a redirect to nowhere': ends(head('location: http://[', '302 Found')),
  'a redirect to a file': ends(head('location: file:///etc/passwd', '302 Found')),
  'only early hints': stays(head('link: </x>', '103 Early Hints')),
  'an upgrade': ends(head('connection: upgrade\r\nupgrade: websocket', '101 Switching Protocols')),
  'no body': ends(head('x: y', '204 No Content')),
  silence: () => {},
  'an endless header': stays('HTTP/1.1 200 OK\r\nx: '),
  'an endless body': stays(`${head(json)}{"tags":[`),
}

const lines = [
  'tags list',
  'tags list --all --json',
  'tags create --name Jazz',
  'tags update 1 --name Folk',
  'export tags',
]

/** Five commands for each attack: 160 in all. */
test.each(Object.entries(attacks))('%s ends every command with a sentence', { timeout: 60_000 }, async (_, attack) => {
  const url = await rawSite(attack)
  const run = worldOf({ env: { CALCTL_BASE_URL: url } })
  await Promise.all(
    lines.map(async line => {
      const { status, err } = await run(`${line} --retries 0 --timeout 100ms`)
      expect(told).toContain(status)
      if (status > 1) expect(err).toMatch(/error: |"error":/)
    }),
  )
})

/** A tunnel of a gateway that has lost the site. */
const badGateway = ends(head('content-type: text/html\r\ncontent-length: 0', '502 Bad Gateway'))

const lostAnswers = {
  silence: attacks.silence,
  nothing: attacks.nothing,
  cut: attacks['a length that is too long'],
  badGateway,
}

test.each(Object.entries(lostAnswers))(
  '%s after a request that calctl cannot look for says that it may have succeeded',
  async (_, answer) => {
    const url = await rawSite(answer ?? (() => {}))
    const folder = mkdtempSync(join(tmpdir(), 'calctl-lost-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'poster.png'), png(8, 6))
    const run = worldOf({ env: { CALCTL_BASE_URL: url, XDG_STATE_HOME: folder }, cwd: folder })
    for (const [line, done, hint] of [
      ['api POST tags -f name=Jazz', 'it may have succeeded', 'check whether it succeeded before you send it again'],
      ['api DELETE tags/1', 'it may have succeeded', 'check whether it succeeded before you send it again'],
    ] as const) {
      const { status, err } = await run(`${line} --timeout 100ms`)
      expect([line, status, err]).toEqual([line, 5, expect.stringMatching(`^error: .*; ${done}\nhint: ${hint}\n$`)])
    }
    expect(await run('api GET tags --timeout 100ms --retries 0')).toMatchObject({
      status: 5,
      err: expect.not.stringContaining('may have'),
    })
  },
)
