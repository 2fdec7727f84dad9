import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { version } from '../package.json'
import type { Exchange } from './client/traffic.ts'
import { Failure } from './failure.ts'
import { reason } from './fs.ts'
import type { Globals } from './globals.ts'
import type { World } from './world.ts'

/** What the user wants to see of the requests that a command sends: on stderr, or in a file. */
export interface TrafficLog {
  observe(exchange: Exchange): Promise<void>
  /** Writes the file of --har. */
  close(): void
}

/** The log that --debug, --print-curl and --har ask for. */
export async function openTrafficLog(world: World, { debug, printCurl, har }: Globals): Promise<TrafficLog> {
  const { curlLine } = await import('./client/curl-line.ts')
  const { harOf } = await import('./client/har.ts')
  const exchanges: Exchange[] = []
  const path = har === undefined ? undefined : resolve(world.cwd, har)
  const save = () => {
    if (path === undefined) return
    try {
      writeFileSync(path, `${JSON.stringify(harOf(exchanges, version))}\n`, { mode: 0o600 })
    } catch (error) {
      throw new Failure('settings', `--har: cannot write ${har}: ${reason(error as Error)}`, {
        hint: 'name a file in a folder that you may write to',
      })
    }
  }
  if (path !== undefined) await checkArchive(path, har ?? '')
  // Before anything is sent, it must be certain that the file can be written.
  save()
  return {
    async observe(exchange) {
      if (path !== undefined) exchanges.push(exchange)
      if (printCurl) await world.stderr.write(`${curlLine(exchange)}\n`)
      if (debug) await world.stderr.write(debugLines(exchange))
    },
    close: save,
  }
}

/** Refuses to overwrite a file that is no archive of calctl. */
async function checkArchive(path: string, name: string): Promise<void> {
  const { isOwnArchive } = await import('./client/har.ts')
  const beginning = await beginningOf(path)
  if (beginning === '' || isOwnArchive(beginning)) return
  throw new Failure('usage', `${name} exists and is not an archive of calctl`, { hint: 'name another file with --har' })
}

/** The first characters of a file; empty for one that is not there, and for devices and pipes. */
async function beginningOf(path: string): Promise<string> {
  const { openAsBlob, statSync } = await import('node:fs')
  try {
    if (!statSync(path).isFile()) return ''
    return await (await openAsBlob(path)).slice(0, 200).text()
  } catch {
    // That it cannot be written is said when it is.
    return ''
  }
}

/** `GET https://example.org/… → 200, 1234 bytes, 34 ms`, and the body of a write. */
function debugLines({ method, url, body, answer, problem, size, duration }: Exchange): string {
  const outcome = answer ? `${answer.status}, ${size} bytes` : problem
  return `${method} ${url} → ${outcome}, ${duration} ms\n${body === undefined ? '' : `  ${body}\n`}`
}
