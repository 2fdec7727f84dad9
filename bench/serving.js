// Starts and stops `calctl serve` for the other benches.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export const calctl = join(import.meta.dirname, '..', 'bin', 'calctl.js')

/** A server on a free port: its base URL, its process id, and a clean stop. `log` is where its stderr goes. */
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
