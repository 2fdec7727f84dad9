import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { originOf } from '../../src/bulk/origin.ts'
import type { Client } from '../../src/client/client.ts'
import { createClient } from '../../src/client/create.ts'
import { openSite } from '../../src/client/site.ts'
import { serving } from '../serving.ts'
import { type Live, live, mixedPlan, seed } from './bulk-records.ts'
import { bundle } from './bundle.ts'

/** How much is done, and what goes wrong meanwhile. */
export interface Soak {
  readonly folder: string
  /** How many steps the plan has: ten times this. */
  readonly tenth: number
  /** Options of `calctl serve` while the plan is carried out. */
  readonly trouble: string
  /** What stops calctl, one after another, each after as many more steps as the others. */
  readonly stops: readonly NodeJS.Signals[]
}

/** The live records before, as they should be, as they were then, and when all was taken back. */
export interface Outcome {
  readonly before: Live
  readonly intended: Live
  readonly after: Live
  readonly undone: Live
  /** How often calctl was started. */
  readonly starts: number
}

/** Carries out a plan of mixed steps against a server that fails, interrupted and killed, then takes it back. */
export async function soak({ folder, tenth, trouble, stops }: Soak): Promise<Outcome> {
  const script = await bundle('calctl', folder)
  const calm = `--file ${join(folder, 'calendar.json')} --port 0`
  const { before, plan, intended } = await whileServing(calm, async client => {
    const seeded = await seed(client, tenth)
    const before = await live(client)
    return { before, ...mixedPlan(client, seeded, before) }
  })
  return whileServing(`${calm} ${trouble}`, async (client, url) => {
    const file = join(folder, 'plan.json')
    writeFileSync(file, JSON.stringify({ ...plan, origin: originOf(client) }))
    const every = plan.steps.length / (stops.length + 1)
    const all = (first: readonly string[], stops: readonly Stop[]) =>
      untilDone(
        words => calctl(script, folder, [...words, '--base-url', url, '--yes', '--timeout', '1s', '-q']),
        first,
        stops,
      )
    const marks = stops.map((signal, index): Stop => ({ signal, done: Math.floor(every * (index + 1)) }))
    const forth = await all(['apply', file, '--max-trash', String(2 * tenth), '--jobs', '8'], marks)
    const after = await live(client)
    const back = await all(['runs', 'undo', '--jobs', '8'], [])
    return { before, intended, after, undone: await live(client), starts: forth + back }

    async function untilDone(
      start: (words: readonly string[]) => Running,
      first: readonly string[],
      stops: readonly Stop[],
    ): Promise<number> {
      const left = [...stops]
      for (let starts = 1; starts <= mostStarts; starts++) {
        const running = start(starts === 1 ? first : ['runs', 'resume', '--jobs', '8'])
        const stop = left.shift()
        if (stop) await stopAt(running, stop, join(folder, 'state/calctl/runs'))
        const status = await running.ended
        if (status === 0) return starts
        if (![130, 6, 7].includes(status) && !stop) throw new Error(`calctl ended with ${status}: ${running.err()}`)
      }
      throw new Error(`not done after ${mostStarts} starts`)
    }
  })
}

const mostStarts = 20

/** A signal, and how many steps are to be done before it is sent. */
interface Stop {
  readonly signal: NodeJS.Signals
  readonly done: number
}

interface Running {
  /** The exit status; -1 where it was killed. */
  readonly ended: Promise<number>
  kill(signal: NodeJS.Signals): void
  err(): string
}

function calctl(script: string, folder: string, words: readonly string[]): Running {
  const env = { ...process.env, HOME: folder, XDG_STATE_HOME: join(folder, 'state') }
  const child = spawn(process.execPath, [script, ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let err = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  return {
    ended: once(child, 'close').then(([status]) => status ?? -1),
    kill: signal => child.kill(signal),
    err: () => err,
  }
}

/** Sends the signal as soon as the journal has so many steps done, or does nothing if calctl has ended by then. */
async function stopAt({ ended, kill }: Running, { signal, done }: Stop, runs: string): Promise<void> {
  let isOver = false
  ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    if (stepsDone(runs) >= done) return kill(signal)
    await sleep(5)
  }
}

function stepsDone(runs: string): number {
  const [journal] = existsSync(runs) ? readdirSync(runs) : []
  return journal ? readFileSync(join(runs, journal), 'utf8').split('\n{"done":').length - 1 : 0
}

/** Serves the calendar until the work is done; gives a client that does not give up. */
async function whileServing<T>(options: string, work: (client: Client, url: string) => Promise<T>): Promise<T> {
  const server = await serving(options)
  if (!('url' in server)) throw new Error(server.err)
  const site = await openSite({
    baseUrl: server.url,
    credentials: undefined,
    timeout: 1000,
    env: {},
    caFile: undefined,
    retries: 20,
    stopping: () => new AbortController().signal,
    now: Date.now,
    notice: async () => {},
  })
  const client = createClient({ transport: site.transport, site: site.site, namespace: 'calendar/events/v1' })
  try {
    return await work(client, server.url)
  } finally {
    await site.close()
    await server.stop()
  }
}
