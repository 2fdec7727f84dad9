// Start-up time as a ratio to `node -e 0` in the same run; medians.
import { spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { calctl, serve } from './serving.js'

const goals = {
  '--version': 1.15,
  '--help': 1.35,
  'Tab after events get': 1.6,
  'events list --json, embedded': 1.7,
  'events list --json, loopback': 2.2,
  "import 'calctl/testing'": 2.0,
  "import 'calctl/client'": 1.6,
}

/** Prints a ratio for each of them, with its goal. */
export default async function startup([rounds = '21']) {
  const home = await mkdtemp(join(tmpdir(), 'calctl-bench-'))
  const file = join(home, 'served.json')
  const env = { ...process.env, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home }
  await fill(env)
  await copyFile(join(home, 'calctl', 'calendar.json'), file)
  const server = await serve(['--file', file], env)
  const commands = {
    'node -e 0': ['-e', '0'],
    '--version': [calctl, '--version'],
    '--help': [calctl, '--help'],
    'Tab after events get': [calctl, '__complete', '--', 'events', 'get', 'c'],
    'events list --json, embedded': [calctl, 'events', 'list', '--json'],
    'events list --json, loopback': [calctl, 'events', 'list', '--json', '--base-url', server.url],
    "import 'calctl/testing'": ['--input-type=module', '-e', "import 'calctl/testing'"],
    "import 'calctl/client'": ['--input-type=module', '-e', "import 'calctl/client'"],
  }
  const times = measure(commands, Number(rounds), env)
  await server.stop()
  await rm(home, { recursive: true })
  const base = times['node -e 0']
  console.log(`node -e 0: ${base.toFixed(1)} ms, median of ${rounds}`)
  for (const [name, goal] of Object.entries(goals))
    console.log(`${name.padEnd(32)} ${(times[name] / base).toFixed(2)} x   goal ${goal} x`)
}

/** Median ms of each command. The commands take turns, so that noise affects all of them alike. */
function measure(commands, rounds, env) {
  const times = Object.fromEntries(Object.keys(commands).map(name => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, args] of Object.entries(commands)) {
      const start = performance.now()
      const { status } = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      times[name].push(performance.now() - start)
      if (status !== 0) throw new Error(`${name} ended with ${status}`)
    }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))
}

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Fills the embedded calendar with 1,000 events over the coming year, through `serve`. */
async function fill(env) {
  const server = await serve([], env)
  const today = Date.now()
  for (let n = 0; n < 1000; n++) {
    const day = new Date(today + (n % 365) * 86_400_000).toISOString().slice(0, 10)
    const event = {
      title: `Concert ${n}`,
      start_date: `${day} 19:00`,
      end_date: `${day} 21:00`,
      description: 'Music in the square',
    }
    const answer = await fetch(`${server.url}/calendar/events/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
    })
    if (answer.status !== 201) throw new Error(`a create was answered ${answer.status}`)
  }
  await server.stop()
}
