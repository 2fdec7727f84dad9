// Speed and number of requests of bulk writes, compared with a bare undici pool that sends the same writes and with one curl
// process per record.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Pool } from 'undici'
import { copies, printCopies } from './bulk/copies.js'
import { calctl, serve } from './serving.js'

const jobs = 8
const path = '/calendar/events/v1/events'
const json = { 'content-type': 'application/json', accept: 'application/json' }

/** `npm run bench -- bulk [10000]` */
export default async function bench([size = '10000']) {
  const count = Number(size)
  const folder = await mkdtemp(join(tmpdir(), 'calctl-bench-'))
  const server = await serve(['--memory', '--timezone', 'UTC'])
  const pool = new Pool(server.url, { connections: jobs })
  const rows = []
  for (const kind of kinds(count)) {
    const ours = await carriedOut(folder, server.url, kind, count)
    const bare = await timed(() => sentBare(pool, kind.requests(count)))
    const curl = await timed(() => sentByCurl(server.url, kind.requests(2 * count).slice(0, few)))
    rows.push({ kind: kind.name, ours: count / ours, bare: count / bare, curl: few / curl })
  }
  await pool.close()
  await server.stop()
  for (const row of rows) row.requests = await requestsOf(folder, row.kind)
  print(rows, count)
  printCopies(await copies(folder, [count, 10 * count]))
  await rm(folder, { recursive: true })
}

/** Enough records to measure curl's speed. */
const few = 160

/** calctl uses the first third of the IDs, the bare pool the second, curl the last. */
const numbers = (count, from = 1) => Array.from({ length: count }, (_, index) => from + index)

const concert = number => ({
  title: `Concert ${number}`,
  start_date: '2027-03-05 19:00:00',
  end_date: '2027-03-05 21:00:00',
})

/** What a safe update sends along with the change. */
const kept = {
  status: 'publish',
  timezone: 'UTC',
  ...concert(0),
  all_day: false,
  show_map: false,
  show_map_link: false,
  hide_from_listings: false,
  sticky: false,
  featured: false,
  website: '',
  cost: '',
  organizer: [],
}

const kinds = count => [
  {
    name: 'create',
    records: numbers(count).map(number => ({ ...concert(number), action: 'create' })),
    requests: from => numbers(count, from + 1).map(number => ({ method: 'POST', path, body: concert(number) })),
  },
  {
    name: 'update',
    records: numbers(count).map(id => ({ id, title: `Recital ${id}` })),
    requests: from =>
      numbers(count, from + 1).map(id => ({
        method: 'POST',
        path: `${path}/${id}`,
        body: { ...kept, title: `Recital ${id}` },
      })),
  },
  {
    name: 'delete',
    records: numbers(count).map(id => ({ id, action: 'trash' })),
    requests: from => numbers(count, from + 1).map(id => ({ method: 'DELETE', path: `${path}/${id}` })),
  },
]

async function timed(work) {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** Wall time of the whole process, in seconds. */
async function carriedOut(folder, url, { name, records }, count) {
  const file = join(folder, `${name}.ndjson`)
  await writeFile(file, records.map(record => `${JSON.stringify({ resource: 'events', ...record })}\n`).join(''))
  const words = ['apply', file, '--base-url', url, '--yes', '-q', '--jobs', String(jobs), '--max-trash', String(count)]
  return timed(() => done(process.execPath, [calctl, ...words], { XDG_STATE_HOME: folder }))
}

async function done(program, words, env = {}) {
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
}

async function sentBare(pool, requests) {
  const queue = requests.values()
  const worker = async () => {
    for (const { body, ...request } of queue) {
      const answer = await pool.request({ ...request, headers: json, ...(body && { body: JSON.stringify(body) }) })
      await answer.body.json()
      if (answer.statusCode >= 300) throw new Error(`${request.method} ${request.path}: ${answer.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, worker))
}

async function sentByCurl(url, requests) {
  const lines = requests.map(({ method, path, body }) =>
    ['-sf', '-o', '/dev/null', '-X', method, ...(body ? ['--json', JSON.stringify(body)] : []), url + path]
      .map(word => `'${word}'`)
      .join(' '),
  )
  const child = spawn('xargs', [`-P${jobs}`, '-L1', 'curl'], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end(`${lines.join('\n')}\n`)
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`xargs ended with ${status}`)
}

/** The number of requests for a thousand writes. */
async function requestsOf(folder, name) {
  const log = join(folder, `${name}.log`)
  const server = await serve(['--memory', '--log'], process.env, openSync(log, 'a'))
  const all = kinds(1000)
  for (const kind of all.slice(0, all.findIndex(kind => kind.name === name) + 1)) {
    await writeFile(log, '')
    await carriedOut(folder, server.url, kind, 1000)
  }
  await server.stop()
  return (await readFile(log, 'utf8')).split('\n').filter(line => /(GET|POST|DELETE) /.test(line)).length
}

function print(rows, count) {
  console.log(`${count} events, ${jobs} at once; writes a second, the start of calctl included\n`)
  console.log('          calctl    bare pool  calctl ÷ bare  xargs curl  requests for 1,000')
  for (const { kind, ours, bare, curl, requests } of rows) {
    const cells = [ours.toFixed(0), bare.toFixed(0), (ours / bare).toFixed(2), curl.toFixed(0), requests]
    console.log(kind.padEnd(8), ...cells.map((cell, index) => String(cell).padStart([7, 12, 14, 11, 19][index])))
  }
}
