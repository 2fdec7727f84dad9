// The processor time that `serve` needs for each request on a socket, and how many it answers, by turns with other checkouts and with plain
// servers: `npm run bench -- serve-cost [other checkout…]`. wrk sends the requests, so that little but the server runs.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writeCalendar } from './serve/calendar.js'
import { pageQuery } from './serve/pages.js'
import { startPlain } from './serve/plain-server.js'
import { median } from './serving.js'

const run = promisify(execFile)
const size = 20_000
const rounds = 5
const script = join(import.meta.dirname, 'serve', 'requests.lua')
const root = '/calendar/events/v1/events'

/** What is measured: the kind of request in `requests.lua`, how many connections send it, and how many writes a second come in between. */
const rows = {
  'pages of 50 that vary': { kind: 'pages', connections: 10 },
  'the same with ten writes a second': { kind: 'pages', connections: 10, writes: 10 },
  'one event': { kind: 'record', connections: 10 },
  'creates, 1 caller': { kind: 'create', connections: 1 },
  'creates, 32 callers': { kind: 'create', connections: 32 },
}

export default async function bench(others) {
  await run('wrk', ['--version']).catch(error => {
    if (error.code === 'ENOENT') throw new Error('wrk is not installed')
  })
  const folder = await mkdtemp(join(tmpdir(), 'calctl-bench-'))
  const calendar = join(folder, 'calendar.json')
  await writeCalendar(calendar, size)
  const checkouts = [resolve(import.meta.dirname, '..'), ...others.map(other => resolve(other))]
  const servers = []
  for (const [index, checkout] of checkouts.entries()) {
    const file = join(folder, `${index}.json`)
    await copyFile(calendar, file)
    servers.push({ name: basename(checkout), ...(await start(checkout, file)) })
  }
  const pages = Array.from({ length: 100 }, (_, number) => `${servers[0].url}${root}${pageQuery(number, size)}`)
  for (const { url } of servers) await warmUp(url)
  const plain = []
  for (const kind of ['stringify', 'bytes'])
    plain.push({ name: kind, isPlain: true, ...(await startPlain(folder, pages, kind)) })
  const load = loadavg()[0].toFixed(1)
  const date = new Date().toISOString().slice(0, 10)
  console.log(`${cpus().length} x ${cpus()[0].model}, Node ${process.version}, ${date}, load ${load}`)
  for (const [row, what] of Object.entries(rows)) {
    const measured = what.kind === 'pages' ? [...servers, ...plain] : servers
    console.log(row)
    console.table(await inTurns(measured, server => measure(server, what)))
  }
  for (const { child } of [...servers, ...plain]) child.kill('SIGTERM')
  await Promise.all([...servers, ...plain].map(({ child }) => child.exitCode ?? once(child, 'exit')))
  await rm(folder, { recursive: true })
}

async function start(checkout, file) {
  const options = ['serve', '--port', '0', '--file', file, '--repair']
  const child = spawn(process.execPath, [join(checkout, 'bin', 'calctl.js'), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { child, url: String(line).trim() }
}

/** Reads nearly all events once. */
async function warmUp(url) {
  let number = 0
  const reader = async () => {
    while (number < 1300) await (await fetch(`${url}${root}${pageQuery(number++, size)}`)).arrayBuffer()
  }
  await Promise.all(Array.from({ length: 4 }, reader))
}

/** Medians for each server, and of the ratios to the last one. The first turn does not count. */
async function inTurns(servers, once) {
  const turns = []
  for (let turn = 0; turn <= rounds; turn++) {
    const measured = {}
    for (const server of servers) measured[server.name] = await once(server)
    if (turn > 0) turns.push(measured)
  }
  const over = pick => median(turns.map(pick))
  const last = servers.at(-1).name
  return Object.fromEntries(
    servers.map(({ name }) => [
      name,
      {
        ms: over(turn => turn[name].ms).toFixed(3),
        [`÷ ${last}`]: over(turn => turn[name].ms / turn[last].ms).toFixed(2),
        perSecond: Math.round(over(turn => turn[name].perSecond)),
        MB: Math.round(over(turn => turn[name].megabytes)),
      },
    ]),
  )
}

async function measure({ child, url, isPlain }, { kind, connections, writes = 0 }) {
  await untilIdle(child.pid)
  const before = await processorTime(child.pid)
  const options = ['-t', '1', '-c', String(connections), '-d', '1s', '-s', script]
  const writing = isPlain ? undefined : write(url, writes)
  const { stdout } = await run('wrk', [...options, url, '--', kind, String(size)])
  await writing?.stop()
  const [requests, duration, errors] = stdout.trim().split('\n').at(-1).split(' ').map(Number)
  if (!(requests > 0)) throw new Error(`${kind}: no request was answered`)
  if (errors > 0) throw new Error(`${kind}: ${errors} of ${requests} requests failed`)
  const ms = ((await processorTime(child.pid)) - before) / requests
  return { ms, perSecond: (requests * 1e6) / duration, megabytes: await residentMegabytes(child.pid) }
}

let written = 0

/** Updates this many records a second until it is stopped: mostly events, now and then a venue that events contain. */
function write(url, perSecond) {
  let isStopped = perSecond === 0
  const writing = (async () => {
    while (!isStopped) {
      written++
      const isVenue = written % 10 === 0
      const path = isVenue ? `/venues/${1 + (written % 200)}` : `/events/${401 + ((written * 7919) % size)}`
      const answer = await fetch(`${url}/calendar/events/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(isVenue ? { city: `Town ${written}` } : { title: `Updated ${written}` }),
      })
      if (!answer.ok) throw new Error(`POST ${path}: ${answer.status}`)
      await setTimeout(1000 / perSecond)
    }
  })()
  return {
    stop() {
      isStopped = true
      return writing
    },
  }
}

/** Two seconds after the last write the server writes its file, which is not what is measured here. */
async function untilIdle(pid) {
  let [before, now] = [0, await processorTime(pid)]
  for (let quiet = 0; quiet < 5; quiet = now - before < 20 ? quiet + 1 : 0) {
    await setTimeout(500)
    ;[before, now] = [now, await processorTime(pid)]
  }
}

/** In ms, of all threads of a process; the kernel counts hundredths of a second. */
async function processorTime(pid) {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function residentMegabytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
