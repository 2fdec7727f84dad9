import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const namespace = 'tribe/events/v1'

export const eventPath = `/${namespace}/events`

/** A served calendar file that answers as a real site does, and requests to it of somebody who does not use calctl. */
export interface Site {
  port(): number
  request(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; body: unknown }>
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startSite(script: string, folder: string): Promise<Site> {
  let port = 0
  let server: ChildProcess
  const start = async () => {
    const options = ['--quirks', '--file', join(folder, 'town.json'), '--user', 'admin:pw', '--base-path', '/wp-json']
    // The proxy passes on its own address.
    options.push('--allow-host', '127.0.0.1')
    const address = ['--namespace', namespace, '--timezone', 'Europe/Madrid', '--port', String(port)]
    server = spawn(process.execPath, [script, 'serve', ...options, ...address], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, HOME: folder },
    })
    const [url] = await once(server.stdout as NodeJS.ReadableStream, 'data')
    port = Number(new URL(String(url).trim()).port)
  }
  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal)
    await once(server, 'close')
  }
  await start()
  return {
    port: () => port,
    async request(method, path, body) {
      const response = await fetch(`http://127.0.0.1:${port}/wp-json${path}`, {
        method,
        headers: { authorization: `Basic ${btoa('admin:pw')}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    },
    async kill() {
      await end('SIGKILL')
      await start()
    },
    stop: () => end('SIGTERM'),
  }
}

/** Shells on several machines, in which calctl is run. */
export interface Shells {
  /** Runs a command, and kills it after some ms; the status of one that was killed is -1. */
  calctl(
    shell: string,
    words: readonly string[],
    killAfter?: number,
    given?: { readonly input?: string; readonly editor?: string },
  ): Promise<{ status: number; out: string; err: string }>
  /** Stack traces and commands that hung. */
  readonly problems: string[]
  readonly commands: number
  /** Commands that ended with 0. */
  readonly succeeded: number
  readonly kills: number
}

export function createShells(script: string, folder: string, port: number): Shells {
  const problems: string[] = []
  const counts = { commands: 0, succeeded: 0, kills: 0 }
  return {
    problems,
    get commands() {
      return counts.commands
    },
    get succeeded() {
      return counts.succeeded
    },
    get kills() {
      return counts.kills
    },
    async calctl(shell, words, killAfter, { input, editor } = {}) {
      counts.commands += 1
      const child = spawn(process.execPath, [script, ...words, '--yes', '--retries', '2'], {
        stdio: ['pipe', 'pipe', 'pipe'],
        env: {
          ...process.env,
          HOME: join(folder, shell),
          XDG_STATE_HOME: join(folder, shell, 'state'),
          XDG_CACHE_HOME: join(folder, shell, 'cache'),
          ...(editor && { VISUAL: editor }),
          CALCTL_BASE_URL: `http://127.0.0.1:${port}/wp-json`,
          CALCTL_NAMESPACE: namespace,
          CALCTL_USER: 'admin',
          CALCTL_PASSWORD: 'pw',
        },
      })
      let [out, err] = ['', '']
      // It may be killed before it has read everything.
      child.stdin.on('error', () => {}).end(input)
      child.stdout.setEncoding('utf8').on('data', text => {
        out += text
      })
      child.stderr.setEncoding('utf8').on('data', text => {
        err += text
      })
      if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter)
      const hung = setTimeout(() => {
        problems.push(`calctl ${words.join(' ')} hung`)
        child.kill('SIGKILL')
      }, 300_000)
      const [status] = await once(child, 'close')
      clearTimeout(hung)
      if (status === null) counts.kills += 1
      if (status === 0) counts.succeeded += 1
      if (/\n\s+at .+:\d+:\d+/.test(err)) problems.push(`calctl ${words.join(' ')} printed a stack trace: ${err}`)
      if (process.env.ATTACK_LOG) console.log(shell, words.join(' '), '->', status, err)
      return { status: status ?? -1, out, err }
    },
  }
}

/** How many runs a shell has journals of. */
export const countJournals = (folder: string, shell: string): number => {
  const runs = join(folder, shell, 'state', 'calctl', 'runs')
  return existsSync(runs) ? readdirSync(runs).filter(name => name.endsWith('.ndjson')).length : 0
}
