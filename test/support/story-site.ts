import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { startServe } from './start-serve.ts'
import { worldOf } from './world.ts'

/** What is done with a site while it is served. */
export interface Visit {
  readonly calctl: ReturnType<typeof worldOf>
  /** Runs a command line in a process of its own, and kills it as soon as so many writes have arrived; returns its signal. */
  killed(words: string, writes: number): Promise<NodeJS.Signals | null>
}

export type Records = readonly Readonly<Record<string, unknown>>[]

/** A calendar file that is served as a site of The Events Calendar, again and again, each time with other options. */
export async function storySite(env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-story-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'calendar.json')
  const script = await bundle('calctl')
  // One address, because that is what a calendar is known by.
  let port = 0

  /** Does something with the served calendar; returns what is on disk afterwards. */
  async function served(options: string, work: (visit: Visit) => Promise<void>): Promise<Record<string, Records>> {
    const server = await startServe(
      `--file ${file} --quirks --namespace tribe/events/v1 --base-path /wp-json --port ${port} --user admin:secret ${options}`,
    )
    if (!('url' in server)) throw new Error(server.err)
    const { origin, port: used } = new URL(server.url)
    port = Number(used)
    const settings = {
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_DATA_HOME: join(folder, 'data'),
      CALCTL_BASE_URL: `${origin}/wp-json`,
      CALCTL_NAMESPACE: 'tribe/events/v1',
      CALCTL_USER: 'admin',
      CALCTL_PASSWORD: 'secret',
      CALCTL_LANG: 'ca',
      ...env,
    }
    // Whatever waits for the site waits a hundredth of the time.
    const sleep = (ms: number) => wait(ms / 100)
    await work({
      calctl: worldOf({ env: settings, sleep, now: () => new Date() }),
      async killed(words, writes) {
        const child = spawn(process.execPath, [script, ...words.split(' ')], {
          env: { ...process.env, ...settings },
          stdio: 'ignore',
        })
        let arrived = 0
        const onRequest = (message: unknown) => {
          const { request } = message as { request: IncomingMessage }
          if (request.method !== 'GET' && ++arrived === writes) child.kill('SIGKILL')
        }
        subscribe('http.server.request.start', onRequest)
        const [, signal] = await once(child, 'close')
        unsubscribe('http.server.request.start', onRequest)
        return signal
      },
    })
    await server.stop()
    return contentOf(file)
  }
  return { served }
}

/** Everything in a calendar file but when it was saved, which is also the date of a draft. */
function contentOf(file: string): Record<string, Records> {
  const tables = JSON.parse(readFileSync(file, 'utf8'))
  const withoutTimes = ({ modified: _, modified_utc: __, ...record }: Record<string, unknown>) =>
    String(record.date_utc).startsWith('0000') ? { ...record, date: '' } : record
  return Object.fromEntries(
    ['events', 'venues', 'organizers', 'categories', 'tags'].map(name => [name, tables[name].map(withoutTimes)]),
  )
}

export const lines = (records: readonly object[]): string =>
  records.map(record => `${JSON.stringify(record)}\n`).join('')
