import { run } from './run.ts'
import type { CalendarPlace, OpenCalendar, Sink, World } from './world.ts'

/** Runs calctl in the real world and sets the process's exit status. */
export async function start(): Promise<void> {
  leaveQuietlyOnClosedPipe()
  process.exitCode = await run(realWorld(process.argv.slice(2)))
}

function realWorld(args: readonly string[]): World {
  let stopping: AbortController | undefined
  return {
    args,
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    stdin: process.stdin,
    stdout: sink(process.stdout),
    stderr: sink(process.stderr),
    now: () => new Date(),
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    stopping() {
      if (!stopping) {
        const controller = new AbortController()
        stopping = controller
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort(signal))
      }
      return stopping.signal
    },
    edit: async (editor, file) => {
      const { spawnSync } = await import('node:child_process')
      return spawnSync(`${editor} ${JSON.stringify(file)}`, { shell: true, stdio: 'inherit' }).status ?? 1
    },
    openCalendar,
  }
}

const sink = (stream: NodeJS.WriteStream): Sink => ({
  write: text =>
    new Promise((resolve, reject) => {
      stream.write(text, error => (error ? reject(error) : resolve()))
    }),
  isTTY: stream.isTTY === true,
  columns: stream.columns,
})

/** `calctl … | head` has had enough: not a failure. */
function leaveQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

/** Where client and service meet: the service as a function in this process. */
async function openCalendar(place: CalendarPlace): Promise<OpenCalendar> {
  const { openEmbedded } = await import('./service/embedded.ts')
  return openEmbedded(place, () => new Date())
}
