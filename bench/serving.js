// Starts and stops `calctl serve` for the benchmarks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export const calctl = join(import.meta.dirname, '..', 'bin', 'calctl.js')

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
