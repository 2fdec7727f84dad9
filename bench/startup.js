// How long the first answer takes, as a ratio to `node -e 0` in the same run. Medians, side by side.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

const calctl = join(import.meta.dirname, '..', 'bin', 'calctl.js')

/** Prints four ratios, each beside the goal. */
export default async function startup([rounds = '21']) {
  const home = await mkdtemp(join(tmpdir(), 'calctl-bench-'))
  const env = { ...process.env, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, CALCTL_PROFILE: '' }
  const run = (...args) => spawnSync(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await fill(run)
  const server = await serve(env)
  const commands = {
    'node -e 0': ['-e', '0'],
    '--version': [calctl, '--version'],
    '--help': [calctl, '--help'],
    'events list --json, embedded': [calctl, 'events', 'list', '--json'],
    'events list --json, loopback': [calctl, 'events', 'list', '--json', '--base-url', server.url],
  }
  const times = Object.fromEntries(Object.keys(commands).map(name => [name, []]))
  for (let round = 0; round < Number(rounds); round++)
    for (const [name, args] of Object.entries(commands)) {
      const start = performance.now()
      const { status } = run(...args)
      times[name].push(performance.now() - start)
      if (status !== 0) throw new Error(`calctl ${args.slice(1).join(' ')} ended with ${status}`)
    }
  server.child.kill('SIGTERM')
  await rm(home, { recursive: true })
  const goals = {
    '--version': 1.15,
    '--help': 1.35,
    'events list --json, embedded': 1.7,
    'events list --json, loopback': 2.2,
  }
  const base = median(times['node -e 0'])
  console.log(`node -e 0: ${base.toFixed(1)} ms, median of ${rounds}`)
  for (const [name, goal] of Object.entries(goals))
    console.log(`${name.padEnd(32)} ${(median(times[name]) / base).toFixed(2)} x   goal ${goal} x`)
}

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** The embedded calendar gets 1,000 events, through the front door. */
async function fill(run) {
  const { status } = run(join(import.meta.dirname, 'fill.js'), calctl, '1000')
  if (status !== 0) throw new Error('the calendar could not be filled')
}

function serve(env) {
  const child = spawn(process.execPath, [calctl, 'serve', '--demo', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.stdout.once('data', data => resolve({ child, url: String(data).trim() }))
    child.once('exit', status => reject(new Error(`serve ended with ${status}`)))
  })
}
