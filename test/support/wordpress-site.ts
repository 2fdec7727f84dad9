import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startServe } from './start-serve.ts'
import { words, worldOf } from './world.ts'

/** `calctl serve --quirks` with a user name, as a site of WordPress is reached, and a command line that knows its password. */
export async function wordpressSite({ options = '', env = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const server = await startServe(
    `--memory --quirks --namespace tribe/events/v1 --timezone Europe/Madrid --user admin:secret --log --port 0 ${options}`,
  )
  if (!('url' in server)) throw new Error(server.err)
  onTestFinished(async () => {
    await server.stop()
  })
  const baseUrl = new URL(server.url).origin
  const site = {
    CALCTL_BASE_URL: baseUrl,
    CALCTL_NAMESPACE: 'tribe/events/v1',
    CALCTL_USER: 'admin',
    CALCTL_PASSWORD: 'secret',
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    ...env,
  }
  const authorization = `Basic ${Buffer.from('admin:secret').toString('base64')}`
  /** A request of another program, below the base URL. */
  const ask = async (line: string, body?: object) => {
    const [method = 'GET', path = '/'] = line.split(' ')
    const response = await fetch(baseUrl + path.replace(/^\/(?!wp\/v2)/, '/tribe/events/v1/'), {
      method,
      // A slow machine may close a kept connection just when the next request is sent.
      headers: { authorization, connection: 'close', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return JSON.parse(await response.text())
  }
  const run = worldOf({ env: site })
  /** Without the line that undoes a write, whose name changes from run to run. */
  const calctl = async (line: string | readonly string[], stdin = '') => {
    const { err, ...outcome } = await run(line, stdin)
    return { ...outcome, err: err.replace(/^.*Undo: calctl undo \w+\n/gm, '') }
  }
  let logged = 0
  /** The requests since the last call: `GET /events/1`, `POST /wp/v2/tribe_events/1`. */
  const requests = (): string[] => {
    const lines = server.err().split('\n').slice(0, -1)
    const since = lines.slice(logged)
    logged = lines.length
    return since
      .flatMap(line => /(GET|POST|PUT|PATCH|DELETE) (\S+)/.exec(line)?.slice(1, 3).join(' ') ?? [])
      .map(line => line.replace('/tribe/events/v1', '').replace(/\?.*/, ''))
  }
  return {
    calctl,
    ask,
    folder,
    baseUrl,
    env: site,
    requests,
    /** The requests of one command. */
    async counted(line: string | readonly string[], stdin = '') {
      requests()
      const outcome = await calctl(line, stdin)
      return { ...outcome, requests: requests() }
    },
    /** Writes a file and returns its path. */
    file(name: string, text: string): string {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    /** Runs a command that must end with 0, and gives what it prints as JSON. */
    async json(line: string | readonly string[]) {
      const list = typeof line === 'string' ? words(line) : line
      const { status, out, err } = await calctl([...list, '--json'])
      if (status !== 0) throw new Error(`${list.join(' ')}: ${status} ${err}`)
      return JSON.parse(out)
    },
  }
}
