import { setTimeout } from 'node:timers/promises'
import open from 'open'

/** How long to look whether the opener fails, in ms: without a browser it does so at once, and with one it may run as long as that. */
const opening = 1500

/** Opens an address or a file in the user's browser; rejects if the program that opens it cannot be started, or fails at once. */
export async function openInBrowser(target: string): Promise<void> {
  const opener = await open(target)
  const ended = new Promise<number>(resolve => opener.once('exit', status => resolve(status ?? 1)))
  const waiting = new AbortController()
  const status = await Promise.race([ended, setTimeout(opening, 0, waiting)])
  waiting.abort()
  if (status !== 0) throw new Error(`the opener exited with status ${status}`)
}
