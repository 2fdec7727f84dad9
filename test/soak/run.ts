import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { calendarAt } from '../../src/client/calendar.ts'
import type { Client } from '../../src/client/client.ts'
import { createClient } from '../../src/client/create-client.ts'
import { createHttpTransport } from '../../src/client/http.ts'
import type { Transport } from '../../src/contract/exchange.ts'
import { journalPath, listRuns } from '../../src/runs/runs-folder.ts'
import { startServe } from '../start-serve.ts'
import { bundle } from './bundle.ts'
import { type Live, live, mixedPlan, seed } from './run-records.ts'

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
    writeFileSync(file, JSON.stringify({ ...plan, calendar: { id: client.calendar.id, label: client.calendar.label } }))
    const every = plan.steps.length / (stops.length + 1)
    const marks = stops.map((signal, index): Stop => ({ signal, done: Math.floor(every * (index + 1)) }))
    const start = (words: readonly string[]) =>
      calctl(script, folder, [...words, '--base-url', url, '--yes', '--jobs', '8', '--timeout', '1s', '-q'])
    const runs = join(folder, 'state/calctl/runs')
    const forth = await untilDone(start, ['apply', file, '--max-trash', String(2 * tenth)], runs, marks)
    const after = await live(client)
    const back = await untilDone(start, ['runs', 'undo'], runs, [])
    return { before, intended, after, undone: await live(client), starts: forth + back }
  })
}

/** Starts a run, stops it, and goes on with it, until all is done; how many starts that takes. */
async function untilDone(
  start: (words: readonly string[]) => Running,
  first: readonly string[],
  runs: string,
  stops: readonly Stop[],
): Promise<number> {
  const before = listRuns(runs).length
  const left = [...stops]
  for (let starts = 1; starts <= mostStarts; starts++) {
    const hasBegun = listRuns(runs).length > before
    const running = start(hasBegun ? ['runs', 'resume'] : first)
    const [stop] = left
    if (stop && (await stopAt(running, stop, runs))) left.shift()
    const status = await running.ended
    if (status === 0) return starts
    if (!goingOn.includes(status)) throw new Error(`calctl ended with ${status}: ${running.err()}`)
  }
  throw new Error(`not done after ${mostStarts} starts`)
}

const mostStarts = 60

/** What stands for an exit status where there is none. */
const killed = -1

/** Ends that more starts help against: killed, interrupted, some failed, unreachable while records were read. */
const goingOn = [killed, 130, 6, 7, 5]

/** A signal, and how many steps are to be done before it is sent. */
interface Stop {
  readonly signal: NodeJS.Signals
  readonly done: number
}

interface Running {
  /** The exit status, or `killed`. */
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
    ended: once(child, 'close').then(([status]) => status ?? killed),
    kill: signal => child.kill(signal),
    err: () => err,
  }
}

/** Sends the signal as soon as the journal has so many steps done; false if calctl has ended by then. */
async function stopAt({ ended, kill }: Running, { signal, done }: Stop, runs: string): Promise<boolean> {
  let isOver = false
  ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    if (stepsDone(runs) >= done) {
      kill(signal)
      return true
    }
    await sleep(20)
  }
  return false
}

function stepsDone(folder: string): number {
  const [run] = listRuns(folder)
  return run ? readFileSync(journalPath(folder, run), 'utf8').split('\n{"done":').length - 1 : 0
}

/** Serves the calendar until the work is done; gives a client that does not give up reading. */
async function whileServing<T>(options: string, work: (client: Client, url: string) => Promise<T>): Promise<T> {
  const server = await startServe(options)
  if (!('url' in server)) throw new Error(server.err)
  const transport = await createHttpTransport({ baseUrl: server.url, timeout: 1000 })
  const client = createClient({
    transport: stubborn(transport),
    calendar: calendarAt(server.url, 'calendar/events/v1'),
    namespace: 'calendar/events/v1',
  })
  try {
    return await work(client, server.url)
  } finally {
    await transport.close()
    await server.stop()
  }
}

const stubborn =
  (transport: Transport): Transport =>
  async request => {
    for (let attempt = 1; ; attempt++)
      try {
        const answer = await transport(request)
        if (request.method !== 'GET' || answer.status !== 503 || attempt === mostAttempts) return answer
      } catch (error) {
        if (request.method !== 'GET' || attempt === mostAttempts) throw error
      }
  }

const mostAttempts = 20
