import { Readable } from 'node:stream'
import type { Sink, World } from '../../src/cli/world.ts'
import { run } from './program.ts'
import { words } from './world.ts'

/** A `calctl serve` in this process, with its output. */
export interface Serving {
  /** The first line on stdout. */
  readonly url: string
  out(): string
  err(): string
  /** Stops as SIGTERM would; returns the exit status. */
  stop(): Promise<number>
}

interface Setup {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly now?: Date
  /** Called instead of waiting. */
  readonly sleep?: World['sleep']
}

/** Runs `calctl serve` until it prints its URL. If it ends before, returns its exit status and stderr. */
export async function startServe(line: string, setup: Setup = {}): Promise<Serving | { status: number; err: string }> {
  const { cwd = '/nowhere', env = {}, now, sleep = async () => {} } = setup
  const controller = new AbortController()
  const out: string[] = []
  const err: string[] = []
  let announced = (_: string) => {}
  const url = new Promise<string>(resolve => {
    announced = resolve
  })
  const world: World = {
    args: ['serve', ...words(line)],
    env: { HOME: '/nowhere', ...env },
    cwd,
    platform: 'linux',
    stdin: Object.assign(Readable.from([]), { isTTY: false }),
    stdout: sink(text => {
      out.push(text)
      announced(text.trim())
    }),
    stderr: sink(text => err.push(text)),
    now: () => now ?? new Date(),
    sleep,
    timeZone: () => 'Europe/Madrid',
    openPage: async () => {},
    startPager: async () => ({ write: async () => false, end: async () => false }),
    stopping: () => controller.signal,
    stopSignal: () => controller.signal,
    openCalendar: () => Promise.reject(new Error('serve opens its calendar itself')),
  }
  const ended = run(world)
  const first = await Promise.race([url, ended])
  if (typeof first === 'number') return { status: first, err: err.join('') }
  return {
    url: first,
    out: () => out.join(''),
    err: () => err.join(''),
    stop() {
      controller.abort()
      return ended
    },
  }
}

const sink = (write: (text: string) => void): Sink => ({
  write: async text => write(String(text)),
  isTTY: false,
  columns: undefined,
})
