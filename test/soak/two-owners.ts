import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../src/service/store/open-calendar-file.ts'
import { bundle } from './bundle.ts'
import { moveElsewhere } from './stop-everywhere.ts'

/** How often a file changed its owner, and what was wrong. */
export interface Takeovers {
  readonly takeovers: number
  readonly acknowledged: number
  /** Owners that noticed that they were no longer. */
  readonly refused: number
  readonly problems: readonly string[]
}

/**
 * Stops the owner of a calendar file at any moment and lets another process take the file over, as one does that cannot see the
 * owner; then the first one goes on. Both write as fast as they can. Each acknowledged write must be there in the end.
 */
export async function changeOwners(file: string, takeovers: number): Promise<Takeovers> {
  const script = await bundle('rival')
  const acknowledged = new Set<string>()
  const problems: string[] = []
  let refused = 0
  let owner = await start(script, file, 'owner-0')
  for (let round = 1; round <= takeovers; round++) {
    await sleep(20 + Math.random() * 60)
    owner.child.kill('SIGSTOP')
    moveElsewhere(file)
    const next = await start(script, file, `owner-${round}`)
    // Longer than a write that is only slow.
    await sleep(100)
    owner.child.kill('SIGCONT')
    const lines = await owner.ended
    if (lines.some(line => line.startsWith('refused '))) refused++
    else problems.push(`owner ${round - 1} ended with ${lines.at(-1)}`)
    for (const line of lines) acknowledged.add(line)
    owner = next
  }
  await sleep(50)
  owner.child.kill('SIGKILL')
  for (const line of await owner.ended) acknowledged.add(line)
  const names = [...acknowledged].flatMap(line => (line.startsWith('acknowledged ') ? [line.slice(13)] : []))
  const store = await openStore({ file, now: () => new Date(), wait: 0 })
  const found = new Set([...store.table('tags').values()].map(({ name }) => name))
  await store.close()
  const lost = names.filter(name => !found.has(name))
  if (lost.length > 0) problems.push(`lost ${lost}`)
  return { takeovers, acknowledged: names.length, refused, problems }
}

interface Running {
  readonly child: ChildProcess
  /** What it printed. */
  readonly ended: Promise<string[]>
}

/** Starts a writer; resolves when it has the file. */
async function start(script: string, file: string, name: string): Promise<Running> {
  const child = spawn(process.execPath, [script, file, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', piece => {
    text += piece
  })
  const ended = once(child, 'close').then(() => text.split('\n').slice(0, -1))
  await Promise.race([once(child.stdout, 'data'), ended])
  return { child, ended }
}
