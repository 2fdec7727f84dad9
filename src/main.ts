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
    // Making it wakes the streams, and most commands read nothing.
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

/** Ctrl-C, a request to end, and a terminal that is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What is asked for by a first signal; a second one ends the process at once, and so does the first where nobody heeds it. */
function stoppable(args: readonly string[]): World['stopping'] {
  const controller = new AbortController()
  let isHeeded = false
  const stop = () => {
    if (isHeeded) return controller.abort()
    const failure = new Failure('interrupted', 'stopped before it was done')
    try {
      writeSync(process.stderr.fd, renderFailure(failure, args.includes('--json')))
    } finally {
      process.exit(exitStatus.interrupted)
    }
  }
  for (const signal of signals) process.once(signal, stop)
  return () => {
    isHeeded = true
    return controller.signal
  }
}

/** A stream; what its failures come to, if anything, is thrown by the write that fails. */
function sink(stream: NodeJS.WriteStream, meaning: (error: NodeJS.ErrnoException) => Failure | undefined): Sink {
  // The write is told as well, and without a listener this would be an exception of nobody's.
  stream.on('error', () => {})
  return {
    write: text =>
      new Promise((resolve, reject) => {
        stream.write(text, error => {
          const failure = error ? meaning(error) : undefined
          if (failure) reject(failure)
          else resolve()
        })
      }),
    isTTY: stream.isTTY === true,
    columns: stream.columns,
  }
}

/** `calctl … | head` has had enough: not a failure. */
function cannotAnswer({ code, message }: NodeJS.ErrnoException, status = 0): Failure {
  if (code === 'EPIPE') process.exit(status)
  return new Failure('settings', `cannot write the answer: ${code === 'ENOSPC' ? 'no space left' : message}`, {
    hint: 'write it elsewhere, or make room first',
  })
}

/** Where client and service meet: the service as a function in this process. */
async function openCalendar(place: CalendarPlace, onlyReads: boolean): Promise<OpenCalendar> {
  const { openEmbedded } = await import('./service/embedded.ts')
  return openEmbedded(place, () => new Date(), onlyReads)
}
