import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileStore } from '../../src/service/store/file-store.ts'
import { openStore } from '../../src/service/store/open-calendar-file.ts'
import { addTag } from '../support/temp-calendar-file.ts'
import { bundle } from './bundle.ts'

/** How many owners were stopped at which operations, and what was wrong afterwards. */
export interface Stops {
  readonly stops: number
  readonly operations: number
  readonly acknowledged: number
  readonly problems: readonly string[]
}

/**
 * Stops the owner of a calendar file at one operation on its files after another, lets another one take the file over and write,
 * and continues the first one. Whatever either of them acknowledged must be there, whenever the second one is killed after that.
 */
export async function stopEverywhere(file: string, stops: number): Promise<Stops> {
  const script = await bundle('doomed-writer')
  const start = (round: string, at: number) => {
    const child = spawn(process.execPath, [script, file, round, String(at), 'stop'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', piece => {
      text += piece
    })
    child.stderr.resume()
    const ended = once(child, 'close')
    const named = (word: string) =>
      text.split('\n').flatMap(line => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))
    return { child, ended, named }
  }
  const first = start('0', -1)
  await first.ended
  const operations = Number(first.named('operations')[0])
  const asked = new Set(first.named('asked'))
  const acknowledged = new Set(first.named('acknowledged'))
  const problems: string[] = []
  for (let stop = 0; stop < stops; stop++) {
    const at = Math.floor((stop * operations) / stops)
    const stopped = start(String(stop + 1), at)
    await untilStopped(stopped.child)
    moveElsewhere(file)
    const next = await openStore({
      file,
      now: () => new Date(),
      wait: 20_000,
      sleep: async () => {},
    })
    const write = async (name: string) => {
      asked.add(name)
      await next.write(addTag(name))
      acknowledged.add(name)
    }
    await write(`next-${stop}-1`)
    await Promise.all([2, 3].map(number => write(`next-${stop}-${number}`)))
    // Longer than a write that is only slow.
    await sleep(100)
    stopped.child.kill('SIGCONT')
    await stopped.ended
    for (const name of stopped.named('asked')) asked.add(name)
    for (const name of stopped.named('acknowledged')) acknowledged.add(name)
    const place = `${at} (${stopped.named('at')[0]})`
    const check = async (when: string) => {
      const found = await namesAfterKill(file).catch((error: Error) => error)
      if (found instanceof Error) problems.push(`stopped at ${place}, ${when}: ${found.message}`)
      else
        problems.push(...differences(found, acknowledged, asked).map(what => `stopped at ${place}, ${when}: ${what}`))
    }
    // No system can remove a file only if nobody has replaced it: that the next one notices has to be enough.
    if (!place.includes('remove of calendar.json.journal')) await check('at once')
    await write(`next-${stop}-4`)
    await check('after a write')
    await next.close()
  }
  const left = readdirSync(join(file, '..')).filter(name => name !== 'calendar.json')
  if (left.length > 0) problems.push(`left ${left}`)
  return { stops, operations, acknowledged: acknowledged.size, problems }
}

function differences(found: ReadonlySet<string>, acknowledged: Iterable<string>, asked: ReadonlySet<string>): string[] {
  const lost = [...acknowledged].filter(name => !found.has(name))
  const unknown = [...found].filter(name => !asked.has(name))
  return [...(lost.length > 0 ? [`lost ${lost}`] : []), ...(unknown.length > 0 ? [`never asked for ${unknown}`] : [])]
}

/** The kernel tells when all threads of a process are stopped; one that ends before is as good. */
async function untilStopped({ pid, exitCode }: ChildProcess): Promise<void> {
  for (;;) {
    const state = /\) (\w)/.exec(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '')?.[1]
    if (exitCode !== null || state === undefined || 'TZX'.includes(state)) return
    await sleep(5)
  }
}

/** Makes the lock look like that of another machine, whose processes nobody here can see. */
export function moveElsewhere(file: string): void {
  const folder = `${file}.lock`
  const [entry] = existsSync(folder) ? readdirSync(folder) : []
  if (entry === undefined) return
  const [pid, started] = entry.split('-')
  renameSync(join(folder, entry), join(folder, `${pid}-${started}-00000000--b2c3d4e5.other`))
}

/** The names of the tags that are found if the owner is killed now. */
async function namesAfterKill(file: string): Promise<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-stopped-'))
  const copy = join(folder, 'calendar.json')
  try {
    for (const end of ['', '.journal']) if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`)
    const store: FileStore = await openStore({ file: copy, now: () => new Date(), readOnly: true })
    const names = new Set([...store.table('tags').values()].map(({ name }) => name))
    await store.close()
    return names
  } finally {
    rmSync(folder, { recursive: true })
  }
}
