import type { Exchange } from './client/traffic.ts'
import type { Globals } from './globals.ts'
import type { World } from './world.ts'

/** Shows the requests that a command sends, on stderr. */
export interface TrafficLog {
  observe(exchange: Exchange): Promise<void>
}

/** The log that --debug and --print-curl ask for. */
export async function openTrafficLog(world: World, { debug, printCurl }: Globals): Promise<TrafficLog> {
  const { curlLine } = await import('./client/curl-line.ts')
  return {
    async observe(exchange) {
      if (printCurl) await world.stderr.write(`${curlLine(exchange)}\n`)
      if (debug) await world.stderr.write(debugLines(exchange))
    },
  }
}

/** `GET https://example.org/… → 200, 1234 bytes, 34 ms`, and the body of a write. */
function debugLines({ method, url, body, outcome, duration }: Exchange): string {
  return `${method} ${url} → ${outcome}, ${duration} ms\n${body === undefined ? '' : `  ${body}\n`}`
}
