// What the benchmarks share: calendars in this process, and `calctl serve`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

export const calctl = join(import.meta.dirname, '..', 'bin', 'calctl.js')

export const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Makes a home whose calendar file has this content; returns the environment for commands, the file, and what removes it all. */
export async function createHome(calendar) {
  const home = await mkdtemp(join(tmpdir(), 'calctl-bench-'))
  const env = { ...process.env, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home }
  const file = join(home, 'calctl', 'calendar.json')
  await mkdir(join(home, 'calctl'))
  await writeFile(file, calendar)
  return { env, file, remove: () => rm(home, { recursive: true }) }
}

/** Starts a server on a free port; returns its base URL, its process id and a function that stops it. `log` receives its stderr. */
export async function serve(options, env = process.env, log = 'inherit') {
  const child = spawn(process.execPath, [calctl, 'serve', '--port', '0', ...options], {
    env,
    stdio: ['ignore', 'pipe', log],
  })
  const url = await new Promise((resolve, reject) => {
    child.stdout.once('data', data => resolve(String(data).trim()))
    child.once('exit', status => reject(new Error(`serve ended with ${status}`)))
  })
  return {
    url,
    pid: child.pid,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The last line of stderr is what the process used. */
const measured = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  require('node:fs').writeSync(2, '\\n' + JSON.stringify([(userCPUTime + systemCPUTime) / 1000, maxRSS / 1024]))
})`

/** Runs a command line; returns its output, wall and processor time in ms, and its memory in MB. Throws unless it ends as expected. */
export async function runMeasured(args, { env, cwd, isExpected = () => false }) {
  const preload = `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('/'); ${measured}`)}`
  const start = performance.now()
  const child = spawn(process.execPath, ['--import', preload, calctl, ...args], {
    env,
    ...(cwd && { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', text => {
      output[name] += text
    })
  const [status] = await once(child, 'close')
  const wall = performance.now() - start
  if (status !== 0 && !isExpected({ status, ...output }))
    throw new Error(`${args.join(' ')} ended with ${status}: ${output.stderr}`)
  const [cpu, memory] = JSON.parse(output.stderr.trim().split('\n').at(-1))
  return { ...output, wall, cpu, memory }
}
