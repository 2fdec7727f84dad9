import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../src/service/store/open-calendar-file.ts'
import { type Acknowledgement, inWords, isLost, type Outcome } from './acknowledged.ts'
import { bundle } from './bundle.ts'

/** Kills a process that is writing to a calendar file, at random moments, and checks the writes that it had acknowledged. */
export async function kill(file: string, rounds: number): Promise<Outcome> {
  const script = await bundle('writer')
  const acknowledgements = new Map<number, Acknowledgement>()
  const lost: string[] = []
  let acknowledged = 0
  for (let round = 1; round <= rounds; round++) {
    for (const line of await writeUntilKilled(script, file, round % 5 === 0)) {
      const [what = '', id, version] = line.split(' ')
      acknowledgements.set(Number(id), what === 'put' ? { version: Number(version) } : (what as 'deleting' | 'deleted'))
      if (what !== 'deleting') acknowledged++
    }
    lost.push(...(await missing(file, acknowledgements)).map(what => `round ${round}: ${what}`))
  }
  return { acknowledged, lost }
}

/** The complete lines that the writers printed. */
async function writeUntilKilled(script: string, file: string, early: boolean): Promise<string[]> {
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  const length = 100 + Math.random() * 2000
  child.stdout.setEncoding('utf8').on('data', piece => {
    text += piece
    if (!early && text.length > length) child.kill('SIGKILL')
  })
  const ended = once(child, 'close')
  // While it opens the file.
  if (early) void sleep(Math.random() * 300).then(() => child.kill('SIGKILL'))
  const [status] = await ended
  if (status !== null) throw new Error(`the writers ended with ${status}`)
  return text.split('\n').slice(0, -1)
}

async function missing(file: string, acknowledgements: ReadonlyMap<number, Acknowledgement>): Promise<string[]> {
  const store = await openStore({ file, now: () => new Date(), wait: 0, readOnly: true })
  const tags = store.table('tags')
  const lost = [...acknowledgements].filter(([id, last]) => {
    const found = tags.get(id)
    return isLost(last, found && Number(found.description.slice('version '.length)))
  })
  await store.close()
  return lost.map(([id, last]) => `tag ${id}, ${inWords(last)}`)
}
