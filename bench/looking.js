// How long `agenda` and `month` take over an embedded calendar.
import { spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { calctl, createHome, median } from './serving.js'

const goal = 300

/** Prints the median of each command in ms, with its goal. */
export default async function looking([count = '10000', rounds = '11']) {
  const { env, remove } = await createHome(calendarOf(Number(count)))
  const commands = {
    'node -e 0': ['-e', '0'],
    agenda: [calctl, 'agenda'],
    month: [calctl, 'month'],
    'month --html -': [calctl, 'month', '--html', '-'],
    'events list': [calctl, 'events', 'list', '-q'],
  }
  // What calctl itself wrote is not checked again when it is opened.
  run([calctl, 'tags', 'create', '--name', 'Any', '-q', '-o', 'ids'], env)
  const times = Object.fromEntries(Object.keys(commands).map(name => [name, []]))
  for (let round = 0; round < Number(rounds); round++)
    for (const [name, args] of Object.entries(commands)) times[name].push(run(args, env))
  await remove()
  for (const [name, all] of Object.entries(times))
    console.log(
      `${name.padEnd(16)} ${median(all).toFixed(0)} ms${/agenda|month/.test(name) ? `   goal ${goal} ms` : ''}`,
    )
}

function run(args, env) {
  const start = performance.now()
  const { status } = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  if (status !== 0) throw new Error(`${args.slice(1).join(' ')} ended with ${status}`)
  return performance.now() - start
}

/** Events over two years around today, every twentieth of them three days long. */
export function calendarOf(count) {
  const first = Date.now() - 365 * 86_400_000
  const day = (index, more = 0) =>
    new Date(first + (Math.floor((index * 730) / count) + more) * 86_400_000).toISOString().slice(0, 10)
  const events = Array.from({ length: count }, (_, index) => ({
    id: index + 10,
    title: `Concert number ${index}`,
    start_date: `${day(index)} 19:00:00`,
    end_date: `${day(index, index % 20 === 0 ? 2 : 0)} 21:00:00`,
    venue: 1,
    categories: [(index % 5) + 2],
  }))
  const categories = ['Music', 'Fairs', 'Cinema', 'Theatre', 'Books'].map((name, index) => ({ id: index + 2, name }))
  const venues = [{ id: 1, venue: 'Teatre Principal' }]
  return JSON.stringify({ calctl: 1, site: { timezone: 'Europe/Madrid', language: 'en' }, events, venues, categories })
}
