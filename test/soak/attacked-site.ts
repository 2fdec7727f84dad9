import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clockSetter } from './clock.ts'

export const namespace = 'tribe/events/v1'

export const eventPath = `/${namespace}/events`

/** A served calendar file that answers as a real site does, and requests to it of somebody who does not use calctl. */
export interface Site {
  port(): number
  request(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; body: unknown }>
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Starts it. `clock` is how far its clock is ahead, in ms. */
export async function startSite(script: string, folder: string, clock = 0): Promise<Site> {
  let port = 0
  let server: ChildProcess
  const start = async () => {
    const options = ['--quirks', '--file', join(folder, 'town.json'), '--user', 'admin:pw', '--base-path', '/wp-json']
    // The proxy passes on its own address.
    options.push('--allow-host', '127.0.0.1', '--user', 'writer:pw:contributor')
    const address = ['--namespace', namespace, '--timezone', 'Europe/Madrid', '--port', String(port)]
    const preloads = clock === 0 ? [] : ['--import', clockSetter]
    server = spawn(process.execPath, [...preloads, script, 'serve', ...options, ...address], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, HOME: folder, CLOCK_OFF: String(clock) },
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

/** An event as `wp/v2` shows it to an editor. */
export interface Post {
  readonly id: number
  readonly slug: string
  readonly status: string
  readonly date: string
  readonly password: string
  readonly title: { readonly raw: string }
  readonly content: { readonly raw: string }
  readonly excerpt: { readonly raw: string }
  readonly meta: Readonly<Record<string, unknown>>
}

/** All records of a list of `wp/v2`. */
export async function readAll<T>(site: Site, path: string): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const { body } = await site.request('GET', `${path}&per_page=100&page=${page}`)
    if (!Array.isArray(body)) return all
    all.push(...body)
    if (body.length < 100) return all
  }
}

/** All events, also those in the trash. */
export const readPosts = (site: Site): Promise<Post[]> =>
  readAll<Post>(site, '/wp/v2/tribe_events?status=any,trash&context=edit')

/** Kills the server every few seconds. */
export async function killNowAndThen(site: Site, random: () => number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(3000 + random() * 6000)
    if (!isOver()) await site.kill()
  }
}
