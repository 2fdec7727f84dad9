import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { siteBehindProxy } from '../support/site-behind-proxy.ts'
import { startServe } from '../support/start-serve.ts'
import { words, worldOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-signals-'))
let script = ''
beforeAll(async () => {
  script = await bundle('calctl')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** calctl as a process, and its stderr so far. */
function started(line: string, { limit = 'unlimited' } = {}) {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: folder }
  const args = ['-c', `ulimit -f ${limit}; exec "$@"`, 'sh', process.execPath, script, ...words(line)]
  const child = spawn('sh', args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let err = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  return {
    child,
    err: () => err,
    async ended() {
      const [status] = await once(child, 'close')
      return { status, err }
    },
  }
}

async function town(): Promise<string> {
  const served = await startServe('--memory --port 0')
  if (!('stop' in served)) throw new Error(served.err)
  onTestFinished(async () => void (await served.stop()))
  return served.url
}

/** A sheet with this number of events. */
function sheet(name: string, count: number): string {
  const rows = Array.from({ length: count }, (_, n) => `Concert ${n},2026-12-05 19:00,2026-12-05 21:00`)
  writeFileSync(join(folder, name), ['title,start_date,end_date', ...rows, ''].join('\n'))
  return join(folder, name)
}

/** The same command line, in this process and a minute later. */
const calctl = worldOf({ env: { XDG_STATE_HOME: folder }, now: new Date(Date.now() + 60_000) })

test('a run whose terminal is closed finishes the steps in progress, and says how to resume', async () => {
  let writes = 0
  const { baseUrl: url } = await siteBehindProxy({
    before({ method }) {
      if (method === 'POST' && ++writes === 8) command.child.kill('SIGHUP')
    },
  })
  const command = started(`apply ${sheet('many.csv', 60)} --yes --base-url ${url}`)
  const { status, err } = await command.ended()
  expect(status).toBe(130)
  const [, done, run] = /interrupted: (\d+) done, \d+ not sent\nhint: .* resume (\S+) /.exec(err) ?? []
  expect((await calctl(`events list --base-url ${url} -o count`)).out).toBe(`${done}\n`)
  expect((await calctl(`runs resume ${run} --base-url ${url}`)).status).toBe(0)
  expect((await calctl(`events list --base-url ${url} -o count`)).out).toBe('60\n')
})

test.each([
  ['', 'error: interrupted\n'],
  [' --json', /^\{"error":\{"kind":"interrupted","message":"interrupted",.*\}\}\n$/],
])('Ctrl-C before a run has begun says so%s', async (flag, expected) => {
  const server = createServer(() => command.child.kill('SIGINT')).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const command = started(`apply ${sheet('one.csv', 1)} --match title --yes --base-url http://127.0.0.1:${port}${flag}`)
  const { status, err } = await command.ended()
  expect(status).toBe(130)
  if (typeof expected === 'string') expect(err).toBe(expected)
  else expect(err).toMatch(expected)
})

test('Ctrl-C ends a read that was sent again after a failure, and is not answered', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    if (requests === 1) response.writeHead(503).end()
    else command.child.kill('SIGINT')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => server.closeAllConnections())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const command = started(`tags list --timeout 4s --base-url http://127.0.0.1:${port}`)
  const { status, err } = await command.ended()
  expect([status, err]).toEqual([130, expect.stringMatching(/answered 503; retrying in .*\nerror: interrupted\n$/)])
})

test('Ctrl-C during the write of a single record says that its answer is awaited, and how not to wait', async () => {
  const answer = { id: 1, name: 'Jazz', slug: 'jazz' }
  const server = createServer((request, response) => {
    if (request.method === 'POST') command.child.kill('SIGINT')
    setTimeout(() => response.end(JSON.stringify(request.method === 'POST' ? answer : {})), 500)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const command = started(`tags create --name Jazz --base-url http://127.0.0.1:${port}`)
  const { err } = await command.ended()
  expect(err).toMatch(/^finishing 1 request; press Ctrl-C again to quit at once\nCreated tag "Jazz" \(1\)\. Undo: /)
})

test('a full disk under the journal stops a run, which can be resumed when there is space', async () => {
  const url = await town()
  const { status, err } = await started(`apply ${sheet('some.csv', 20)} --yes --base-url ${url}`, {
    limit: '14',
  }).ended()
  expect(status).toBe(6)
  const [, run] =
    /error: cannot write to the journal .*\nerror: \d+ done, \d+ not sent; .*\nhint: free some space, .* with: calctl runs resume (\S+) --base-url/.exec(
      err,
    ) ?? [err]
  const { err: output } = await calctl(`runs resume ${run} --base-url ${url}`)
  expect(output).toMatch(/\d+ of 20 steps left\n\d+ done\. Undo:/)
  expect((await calctl(`events list --base-url ${url} -o count`)).out).toBe('20\n')
})

test('a full disk before a run begins leaves nothing behind', async () => {
  const url = await town()
  const { status, err } = await started(`apply ${sheet('some.csv', 20)} --yes --base-url ${url}`, {
    limit: '1',
  }).ended()
  expect(status).toBe(3)
  expect(err).toMatch(
    /error: cannot write to the journal .*; nothing was sent\nhint: free some space, then run the command again\n$/,
  )
  expect((await calctl('runs list -o json')).out).not.toContain('unreadable')
})
