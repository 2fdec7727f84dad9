import { writeSync } from 'node:fs'
import { badSettings, exitStatus, Failure, renderFailure } from './base/failure.ts'
import { reason } from './base/io-reasons.ts'
import { phrase } from './base/words/phrase.ts'
import { run } from './cli/program.ts'
import { openKeyboard, safeSink } from './cli/terminal/streams.ts'
import type { Sink, World } from './cli/world.ts'
import type { CalendarPlace, OpenCalendar } from './service/embedded.ts'

/** For tests, which run these parts of the built program. */
export { Failure, run }
export const embedded = () => import('./service/embedded.ts')

/** What the thread runs that parses long files. */
export const parseInThread = async () => (await import('./files/parsing-thread.ts')).answerFromThread()

/** Runs calctl with the process's streams, clock and environment, and sets its exit status. */
export async function start(): Promise<void> {
  const world = realWorld(process.argv.slice(2))
  try {
    process.exitCode = await run(world)
  } catch (error) {
    // A bug: its message can hold text of a site, which Node would print as it is.
    const { inspect } = await import('node:util')
    await world.stderr.write(`${inspect(error)}\n`)
    process.exitCode = bugStatus
  }
}

/** What Node itself exits with after an exception that nobody caught. */
const bugStatus = 1

function realWorld(args: readonly string[]): World {
  const { stopping, stopSignal, ignoreInterrupts } = stoppable(args)
  const world: World = {
    args,
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    // A getter, because the first access loads Node's streams and most commands read no input.
    get stdin() {
      return process.stdin
    },
    openKeyboard: () => openKeyboard(process.platform),
    stdout: sink(process.stdout, error => outputFailure(error, world.statusUnread)),
    stderr: sink(process.stderr, () => undefined),
    now: () => new Date(),
    sleep: (ms, signal) =>
      new Promise(done => {
        const end = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', end)
          done()
        }
        const timer = setTimeout(end, ms)
        signal?.addEventListener('abort', end, { once: true })
      }),
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    stopping,
    stopSignal,
    openPage: async url => {
      const { openInBrowser } = await import('./cli/terminal/browser.ts')
      await openInBrowser(url)
    },
    startPager: async command => {
      const { startPager } = await import('./cli/terminal/pager.ts')
      return startPager(command, process.env, ignoreInterrupts())
    },
    openCalendar,
  }
  return world
}

/** Ctrl-C, `kill`, and a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal aborts what `stopping` returned. If nobody has called `stopping`, it ends the process. A second signal always
 * does. While `ignoreInterrupts` has not been taken back, Ctrl-C is for another program on the terminal.
 */
function stoppable(
  args: readonly string[],
): Pick<World, 'stopping' | 'stopSignal'> & { ignoreInterrupts: () => () => void } {
  const controller = new AbortController()
  let isHandled = false
  let ignoring = 0
  const stop = (signal: NodeJS.Signals) => {
    if (ignoring > 0 && signal === 'SIGINT') return void process.once(signal, stop)
    if (isHandled) return controller.abort()
    const failure = new Failure('interrupted', phrase('interrupted'))
    try {
      writeSync(process.stderr.fd, renderFailure(failure, args.includes('--json')))
    } finally {
      process.exit(exitStatus.interrupted)
    }
  }
  for (const signal of signals) process.once(signal, stop)
  return {
    stopping() {
      isHandled = true
      return controller.signal
    },
    stopSignal: () => controller.signal,
    ignoreInterrupts() {
      ignoring += 1
      return () => {
        ignoring -= 1
      }
    },
  }
}

/** Wraps a stream. A write that fails rejects with what `failureOf` returns for the error, if anything. */
function sink(stream: NodeJS.WriteStream, failureOf: (error: NodeJS.ErrnoException) => Failure | undefined): Sink {
  // Errors reach the callback of each write; without a listener, the event would also be an uncaught exception.
  stream.on('error', () => {})
  return safeSink({
    write: text =>
      new Promise((resolve, reject) => {
        stream.write(text, error => {
          const failure = error ? failureOf(error) : undefined
          if (failure) reject(failure)
          else resolve()
        })
      }),
    isTTY: stream.isTTY === true,
    columns: stream.columns,
    rows: stream.rows,
  })
}

/** A reader that closes the pipe early, as in `calctl … | head`, is not an error. */
function outputFailure(error: NodeJS.ErrnoException, status: World['statusUnread'] = 0): Failure {
  if (error.code === 'EPIPE' && status !== 'none') process.exit(status)
  return badSettings(
    phrase('cannot write the output: {reason}', { reason: reason(error) }),
    phrase('free some space, or write to another disk'),
  )
}

/** Opens the service in this process. Apart from `serve`, only this function connects client and service. */
async function openCalendar(
  place: CalendarPlace,
  onlyReads: boolean,
  notice: (text: string) => void,
): Promise<OpenCalendar> {
  const { openEmbedded } = await embedded()
  return openEmbedded(place, () => new Date(), { onlyReads, notice })
}
