// Time to list a whole calendar and to copy it to another server, and whether memory grows with its size.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Pool } from 'undici'
import { writeCalendar } from '../serve/calendar.js'
import { calctl, serve } from '../serving.js'

const peakScript = join(import.meta.dirname, 'peak.cjs')

/** Seconds and peak memory in MB of each command, for calendars of these sizes. */
export async function copies(folder, sizes) {
  const rows = []
  for (const size of sizes) rows.push({ size, ...(await copy(folder, size)) })
  return rows
}

async function copy(folder, size) {
  const file = join(folder, `copy-${size}.json`)
  await writeCalendar(file, size)
  const from = await serve(['--file', file, '--repair'])
  const to = await serve(['--memory'])
  const run = (words, output = 'exported') => watched(folder, words, join(folder, output))
  const exported = join(folder, 'exported')
  const writing = ['--base-url', to.url, '--yes', '-q', '--jobs', '8']
  try {
    const bare = await timed(() => bareLoop(from.url, join(folder, 'bare')))
    const list = await run(['events', 'list', '--all', '--all-dates', '-o', 'ndjson', '--base-url', from.url], 'listed')
    const written = await run(['export', '-q', '--base-url', from.url])
    const applied = await run(['apply', exported, '--format', 'ndjson', ...writing], 'said')
    const again = await run(['apply', exported, '--format', 'ndjson', ...writing], 'said')
    return { bare, list, export: written, apply: applied, again }
  } finally {
    await from.stop()
    await to.stop()
  }
}

async function timed(work) {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** Reads the same pages, requesting the next one while the last one is written. */
async function bareLoop(url, file) {
  const pool = new Pool(url, { connections: 2 })
  const output = await open(file, 'w')
  const page = async number => {
    const path = `/calendar/events/v1/events?per_page=50&page=${number}&starts_after=1000-01-01+00%3A00%3A00`
    const answer = await pool.request({ path, method: 'GET' })
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
    return answer.body.json()
  }
  for (let number = 1, next = page(1); ; number++) {
    const { events, total_pages } = await next
    if (number < total_pages) next = page(number + 1)
    await output.write(events.map(event => `${JSON.stringify(event)}\n`).join(''))
    if (number >= total_pages) break
  }
  await output.close()
  await pool.close()
}

async function watched(folder, words, file) {
  const peakFile = join(folder, 'peak')
  const output = await open(file, 'w')
  const seconds = await timed(async () => {
    const child = spawn(process.execPath, ['--require', peakScript, calctl, ...words], {
      stdio: ['ignore', output.fd, 'inherit'],
      env: { ...process.env, PEAK_FILE: peakFile, XDG_STATE_HOME: folder },
    })
    const [status] = await once(child, 'close')
    if (status !== 0) throw new Error(`calctl ${words.join(' ')} ended with ${status}`)
  })
  await output.close()
  return { seconds, peak: Number(await readFile(peakFile, 'utf8')) }
}

export function printCopies(rows) {
  console.log('\na whole calendar, seconds and the most memory in MB\n')
  console.log('events   list as NDJSON ÷ bare loop    list   export   applied elsewhere   applied again')
  for (const { size, bare, list, ...others } of rows) {
    const cells = [list, others.export, others.apply, others.again].map(
      ({ seconds, peak }) => `${seconds.toFixed(1)} s ${peak.toFixed(0)} MB`,
    )
    console.log(String(size).padEnd(8), (list.seconds / bare).toFixed(2), ...cells.map(cell => cell.padStart(16)))
  }
}
