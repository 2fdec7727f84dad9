import { writeSync } from 'node:fs'
import { exitStatus, Failure, renderFailure } from './failure.ts'
import { run } from './run.ts'
import type { CalendarPlace, OpenCalendar, Sink, World } from './world.ts'

/** Runs calctl in the real world and sets the process's exit status. */
export async function start(): Promise<void> {
  process.exitCode = await run(realWorld(process.argv.slice(2)))
}

function realWorld(args: readonly string[]): World {
  const stopping = stoppable(args)
  const world: World = {
    args,
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    // A getter, because the first access loads Node's streams and most commands read no input.
    get stdin() {
      return process.stdin
    },
    stdout: sink(process.stdout, error => cannotAnswer(error, world.statusUnread)),
    stderr: sink(process.stderr, () => undefined),
    now: () => new Date(),
    sleep: ms => new Promise(done => setTimeout(done, ms)),
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    stopping,
    edit: async (editor, file) => {
      const { spawnSync } = await import('node:child_process')
      return spawnSync(`${editor} ${JSON.stringify(file)}`, { shell: true, stdio: 'inherit' }).status ?? 1
    },
    openCalendar,
  }
  return world
}

/** Ctrl-C, a request to end, and a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal aborts what `stopping` returns; without a caller of `stopping` it ends the process, and so does a second one. */
function stoppable(args: readonly string[]): World['stopping'] {
  const controller = new AbortController()
  let isHandled = false
  const stop = () => {
    if (isHandled) return controller.abort()
    const failure = new Failure('interrupted', 'interrupted')
    try {
      writeSync(process.stderr.fd, renderFailure(failure, args.includes('--json')))
    } finally {
      process.exit(exitStatus.interrupted)
    }
  }
  for (const signal of signals) process.once(signal, stop)
  return () => {
    isHandled = true
    return controller.signal
  }
}

/** A stream as a sink. The write that fails throws what `failureOf` makes of the error, if anything. */
function sink(stream: NodeJS.WriteStream, failureOf: (error: NodeJS.ErrnoException) => Failure | undefined): Sink {
  // Each write gets its error by callback; without a listener the event would be an uncaught exception too.
  stream.on('error', () => {})
  return {
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
  }
}

/** A reader that stops early, as in `calctl … | head`, is no failure. */
function cannotAnswer({ code, message }: NodeJS.ErrnoException, status = 0): Failure {
  if (code === 'EPIPE') process.exit(status)
  return new Failure('settings', `cannot write the output: ${code === 'ENOSPC' ? 'no space left' : message}`, {
    hint: 'free some space, or write to another disk',
  })
}

/** The service as a function in this process. Client and service meet only here. */
async function openCalendar(place: CalendarPlace, onlyReads: boolean): Promise<OpenCalendar> {
  const { openEmbedded } = await import('./service/embedded.ts')
  return openEmbedded(place, () => new Date(), onlyReads)
}
