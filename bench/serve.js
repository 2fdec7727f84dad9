// How fast `serve` answers reads and acknowledges writes, compared with plain node:http and the bare disk in the same run.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import autocannon from 'autocannon'
import { writeCalendar } from './serve/calendar.js'
import { journalRate } from './serve/journal.js'
import { pageQuery } from './serve/pages.js'
import { startPlain } from './serve/plain-server.js'
import { serve } from './serving.js'

const rounds = 5
const seconds = 1
/** In ms. After two seconds without writes the server rewrites its file, which is not what is measured here. */
const bareMs = 700

/** `npm run bench -- serve [1000 10000 100000]` */
export default async function bench(sizes = []) {
  const folder = await mkdtemp(join(tmpdir(), 'calctl-bench-'))
  const rows = []
  for (const size of sizes.length > 0 ? sizes.map(Number) : [1000, 10_000, 100_000])
    rows.push(await measure(folder, size))
  await rm(folder, { recursive: true })
  print(rows)
}

async function measure(folder, size) {
  const file = join(folder, `${size}.json`)
  await writeCalendar(file, size)
  // A file that calctl did not write is validated on opening; opening it once with --repair makes it calctl's own.
  await (await serve(['--file', file, '--repair'])).stop()
  const server = await serve(['--file', file])
  const pages = Array.from({ length: 100 }, (_, number) => `/calendar/events/v1/events${pageQuery(number, size)}`)
  const plain = await startPlain(
    folder,
    pages.map(page => server.url + page),
  )
  // No page is asked for twice before all others have been.
  const varied = { requests: pages.map(path => ({ path })) }
  const page = await inTurns({ ours: () => rate(server.url, varied), bare: () => rate(plain.url, varied) })
  const p50 = await p50Of(pages.map(path => server.url + path))
  const memory = await residentMegabytes(server.pid)
  const one = await inTurns({
    ours: () => creates(server.url, 1),
    floor: () => creates(plain.url, 1),
    bare: () => journalRate(folder, 1, bareMs),
  })
  const many = await inTurns({ ours: () => creates(server.url, 32), bare: () => journalRate(folder, 32, bareMs) })
  await plain.stop()
  await server.stop()
  return { size, page, p50, one, many, memory }
}

/**
 * Medians of several rates and of their ratios to the bare one. The candidates take turns, so that noise affects all of them
 * alike; the first turn is a warm-up and does not count.
 */
async function inTurns(measures) {
  const turns = []
  for (let turn = 0; turn <= rounds; turn++) {
    const rates = {}
    for (const [name, once] of Object.entries(measures)) rates[name] = await once()
    if (turn > 0) turns.push(rates)
  }
  const over = pick => median(turns.map(pick))
  return Object.fromEntries(
    Object.keys(measures).map(name => [
      name,
      { rate: over(rates => rates[name]), ratio: over(rates => rates[name] / rates.bare) },
    ]),
  )
}

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Requests per second; all answers must be 2xx. */
async function rate(url, options = {}) {
  const result = await autocannon({ url, connections: 10, duration: seconds, ...options })
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  if (result.requests.total === 0) throw new Error(`${url}: no request was answered`)
  return result.requests.total / result.duration
}

let created = 0
const creates = (url, connections) =>
  rate(`${url}/calendar/events/v1/events`, {
    connections,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupRequest: request => ({
          ...request,
          body: JSON.stringify({
            title: `Created ${created++}`,
            start_date: '2026-12-05 19:00:00',
            end_date: '2026-12-05 21:00:00',
            description: 'Doors open half an hour before.',
          }),
        }),
      },
    ],
  })

/** Median latency in ms of one caller on one connection. */
async function p50Of(urls, count = 1000) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times = []
  for (let n = 0; n < count; n++) {
    const start = performance.now()
    const [answer] = await once(get(urls[n % urls.length], { agent }), 'response')
    for await (const _ of answer);
    times.push(performance.now() - start)
  }
  agent.destroy()
  return median(times.slice(count / 5))
}

async function residentMegabytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

function print(rows) {
  console.log(
    `${cpus().length} x ${cpus()[0].model}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
  )
  const [smallest] = rows
  console.table(
    Object.fromEntries(
      rows.map(({ size, page, p50, one, many, memory }) => [
        size.toLocaleString('en'),
        {
          'varied pages of 50 /s': Math.round(page.ours.rate),
          '÷ node:http (≥ 0.50)': short(page.ours.ratio),
          'p50 ms': short(p50),
          '÷ smallest (≤ 1.5)': short(p50 / smallest.p50),
          'create /s': Math.round(one.ours.rate),
          '÷ journal (≥ 0.50)': short(one.ours.ratio),
          'node:http + journal ÷ journal': short(one.floor.ratio),
          '32 callers /s': Math.round(many.ours.rate),
          '÷ journal (≥ 0.10)': short(many.ours.ratio),
          'journal 1, 32 /s': `${Math.round(one.bare.rate)}, ${Math.round(many.bare.rate)}`,
          MB: memory,
        },
      ]),
    ),
  )
}

const short = number => Number(number.toFixed(2))
