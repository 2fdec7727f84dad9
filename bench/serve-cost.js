// The processor time that `serve` needs for each request on a socket, and how many it answers, by turns with other checkouts:
// `npm run bench -- serve-cost [other checkout…]`. wrk sends the requests, so that little but the server runs.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writeCalendar } from './serve/calendar.js'
import { median } from './serving.js'

const run = promisify(execFile)
const size = 50_000
const rounds = 5
const script = join(import.meta.dirname, 'serve', 'requests.lua')

/** What is measured: the kind of request in `requests.lua`, and how many connections send it. */
const rows = {
  'the same page of 50': ['page', 10],
  'other pages of it': ['pages', 10],
  'pages of other spans': ['spans', 10],
  'one event': ['record', 10],
  'creates, 1 caller': ['create', 1],
  'creates, 32 callers': ['create', 32],
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
  console.log(
    `${cpus().length} x ${cpus()[0].model}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
  )
  for (const [row, [kind, connections]] of Object.entries(rows))
    console.log(row, await inTurns(servers, server => measure(server, kind, connections)))
  for (const { child } of servers) child.kill('SIGTERM')
  await Promise.all(servers.map(({ child }) => once(child, 'exit')))
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

/** The first turn is a warm-up and does not count. */
async function inTurns(servers, once) {
  const turns = Object.fromEntries(servers.map(({ name }) => [name, []]))
  for (let turn = 0; turn <= rounds; turn++)
    for (const server of servers) {
      const measured = await once(server)
      if (turn > 0) turns[server.name].push(measured)
    }
  return Object.fromEntries(
    Object.entries(turns).map(([name, all]) => [
      name,
      {
        ms: median(all.map(({ ms }) => ms)).toFixed(3),
        perSecond: Math.round(median(all.map(each => each.perSecond))),
      },
    ]),
  )
}

async function measure({ child, url }, kind, connections) {
  await untilIdle(child.pid)
  const before = await processorTime(child.pid)
  const options = ['-t', '1', '-c', String(connections), '-d', '1s', '-s', script]
  const { stdout } = await run('wrk', [...options, url, '--', kind])
  const [requests, duration, errors] = stdout.trim().split('\n').at(-1).split(' ').map(Number)
  if (!(requests > 0)) throw new Error(`${kind}: no request was answered`)
  if (errors > 0) throw new Error(`${kind}: ${errors} of ${requests} requests failed`)
  return { ms: ((await processorTime(child.pid)) - before) / requests, perSecond: (requests * 1e6) / duration }
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
