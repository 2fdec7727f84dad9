import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../src/base/failure.ts'
import { listRuns } from '../../src/changes/run/runs-folder.ts'
import { calendarAt } from '../../src/client/calendar.ts'
import type { Client } from '../../src/client/client.ts'
import { calendarApi, createClient } from '../../src/client/create-client.ts'
import { createHttpTransport } from '../../src/client/http/transport.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Transport } from '../../src/contract/exchange.ts'

import { startServe } from '../support/start-serve.ts'
import { bundle } from './bundle.ts'
import { type Edit, editsOf, type Live, live, mixedPlan, seed, withEdits } from './run-records.ts'

/** The size of the plan, and the faults during its run. */
export interface Soak {
  readonly folder: string
  /** A tenth of the number of steps. */
  readonly tenth: number
  /** Options of `calctl serve` while the plan is executed. */
  readonly faults: string
  /** Signals that stop calctl, one after another, at equal distances in the plan. */
  readonly stops: readonly NodeJS.Signals[]
}

/** The live records before the run, as intended, after the run, and after the undo; the first two with what somebody else edited. */
export interface Outcome {
  readonly before: Live
  readonly intended: Live
  readonly after: Live
  readonly undone: Live
  /** How often calctl was started. */
  readonly starts: number
}

/** Executes a plan of mixed steps against a failing server, interrupted and killed, then undoes it. */
export async function soak({ folder, tenth, faults, stops }: Soak): Promise<Outcome> {
  const script = await bundle('calctl')
  const serveOptions = `--file ${join(folder, 'calendar.json')} --port 0`
  const { before, plan, intended, edits } = await whileServing(serveOptions, async client => {
    const seeded = await seed(client, tenth)
    const before = await live(client)
    return { before, ...mixedPlan(client, seeded, before), edits: editsOf(seeded) }
  })
  return whileServing(`${serveOptions} ${faults}`, async (client, url) => {
    const file = join(folder, 'plan.json')
    writeFileSync(file, JSON.stringify({ ...plan, calendar: { id: client.calendar.id, label: client.calendar.label } }))
    const every = plan.steps.length / (stops.length + 1)
    const marks = stops.map((signal, index): Stop => ({ signal, done: Math.floor(every * (index + 1)) }))
    const start = (words: readonly string[]) =>
      calctl(script, folder, [...words, '--base-url', url, '--yes', '--jobs', '8', '--timeout', '1s', '-q'])
    const runs = join(folder, 'state/calctl/runs')
    const editing = new AbortController()
    const edited = edit(client, edits, plan.steps.length, runs, editing.signal)
    const applyStarts = await untilDone(start, ['apply', file, '--max-trash', String(2 * tenth)], runs, marks)
    editing.abort()
    await edited
    const after = await live(client)
    const undoStarts = await untilDone(start, ['runs', 'undo', '--last', '1'], runs, [])
    return {
      before: withEdits(before, edits),
      intended: withEdits(intended, edits),
      after,
      undone: await live(client),
      starts: applyStarts + undoStarts,
    }
  })
}

/** Somebody else, who changes records while a run is under way: one after another, as often as it gets on. */
async function edit(
  client: Client,
  edits: readonly Edit[],
  steps: number,
  runs: string,
  ended: AbortSignal,
): Promise<void> {
  let made = 0
  for (const { id, description } of edits) {
    while (!ended.aborted && stepsDone(runs) < (made * steps) / edits.length) await sleep(20)
    while (!(await isDone(() => client.overwrite(resourceNamed('events'), { id }, { description }))));
    made += 1
  }
}

async function isDone(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** Starts a run, stops it, and resumes it until all is done; returns the number of starts. */
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
    if (!resumable.includes(status)) throw new Error(`calctl ended with ${status}: ${running.err()}`)
  }
  throw new Error(`not done after ${mostStarts} starts`)
}

const mostStarts = 60

/** The status of a process that was killed. */
const killed = -1

/** Statuses after which the run is resumed: killed, interrupted, some failed, unreachable while reading records. */
const resumable = [killed, 130, 6, 7, 5]

/** A signal, and the number of steps done before it is sent. */
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

/** Sends the signal when this number of steps is done in the journal; false if calctl ended before. */
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
  return run ? readFileSync(run.file, 'utf8').split('\n{"done":').length - 1 : 0
}

/** Serves the calendar until the work is done; its client retries reads persistently. */
async function whileServing<T>(options: string, work: (client: Client, url: string) => Promise<T>): Promise<T> {
  const server = await startServe(options)
  if (!('url' in server)) throw new Error(server.err)
  const transport = await createHttpTransport({ baseUrl: server.url, timeout: 1000 })
  const client = createClient(
    calendarApi({
      transport: stubborn(transport),
      calendar: calendarAt(server.url, 'calendar/events/v1'),
      namespace: 'calendar/events/v1',
    }),
  )
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
