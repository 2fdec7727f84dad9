// Runs the conformance tests and the inspector of the Model Context Protocol against `calctl mcp --demo`: `npm run conformance`, on Node 22 or
// later. Both are fetched from the registry. The tests speak HTTP only, so a bridge stands between: a process of calctl for each session,
// and for each request of the clients of 2026-07-28, which have none. Left out are scenarios about HTTP itself (server-stateless, too), and
// those about tools, prompts and resources that only a server made for these tests has.
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
const packages = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', '@modelcontextprotocol/inspector@2.12.0']

const scenarios = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list'],
  '2026-07-28': ['tools-list', 'resources-list', 'sep-2164-resource-not-found', 'caching'],
  extension: ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest'],
}

const home = mkdtempSync(join(tmpdir(), 'calctl-conformance-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home }

/** Checks of these scenarios that do not concern calctl, and why. */
const beside = {
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
  const answer = await server.ask(message)
  if (!sessions.has(session)) server.stop()
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
  const child = spawn(join(home, 'node_modules/.bin', program), args, {
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
    await run(`${revision} ${name}`, 'conformance', 'server', '--url', url, '--scenario', name, ...version)
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
