import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Acknowledgement, inWords, isLost, type Outcome } from './acknowledged.ts'
import { bundle } from './bundle.ts'
import { versionOf, writeUntilGone } from './clients.ts'

/** Kills `calctl serve` at random moments under eight clients, starts it again, and checks the writes that it had acknowledged. */
export async function killServer(file: string, rounds: number): Promise<Outcome> {
  const script = await bundle('server')
  const all = new Map<number, Acknowledgement>()
  const lost: string[] = []
  let recent: ReadonlyMap<number, Acknowledgement> = all
  let acknowledged = 0
  for (let round = 1; round <= rounds; round++) {
    // Sometimes it is killed while it starts.
    if (Math.random() < 0.2) await killWhileStarting(script, file)
    const answers = await withServer(script, file, async ({ events, kill }) => {
      lost.push(...(await missing(events, recent)).map(what => `before kill ${round}: ${what}`))
      return writeUntilGone(events, 2 + Math.random() * 60, kill)
    })
    for (const [id, last] of answers.acknowledgements) all.set(id, last)
    recent = answers.acknowledgements
    acknowledged += answers.acknowledged
  }
  const atTheEnd = await withServer(script, file, ({ events }) => missing(events, all))
  return { acknowledged, lost: [...lost, ...atTheEnd.map(what => `at the end: ${what}`)] }
}

const run = (script: string, file: string) =>
  spawn(process.execPath, [script, 'serve', '--file', file, '--port', '0', '--timezone', 'UTC', '-q'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

interface Server {
  /** The URL of its events. */
  readonly events: string
  kill(): void
}

/** Starts the server for some work, and ends it afterwards. */
async function withServer<T>(script: string, file: string, work: (server: Server) => Promise<T>): Promise<T> {
  const child = run(script, file)
  const ended = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  try {
    const line = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)])
    if (!line) throw new Error(`calctl serve ended with ${child.exitCode}`)
    return await work({ events: `${String(line[0]).trim()}/calendar/events/v1/events`, kill })
  } finally {
    kill()
    await ended
  }
}

async function killWhileStarting(script: string, file: string): Promise<void> {
  const child = run(script, file)
  const ended = once(child, 'exit')
  await sleep(Math.random() * 200)
  child.kill('SIGKILL')
  await ended
}

async function missing(events: string, acknowledgements: ReadonlyMap<number, Acknowledgement>): Promise<string[]> {
  const lost: string[] = []
  for (const [id, last] of acknowledgements)
    if (isLost(last, await versionOf(events, id))) lost.push(`event ${id}, ${inWords(last)}`)
  return lost
}
