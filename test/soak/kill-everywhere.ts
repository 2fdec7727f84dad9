import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { openStore } from '../../src/service/store/open-calendar-file.ts'
import { bundle } from './bundle.ts'

/** How many processes were killed, and what was wrong with what they left. */
export interface Kills {
  readonly kills: number
  /** The operations of one life of the writer; each is the last one of some process if there are as many kills. */
  readonly operations: number
  readonly acknowledged: number
  readonly problems: readonly string[]
}

/**
 * Kills a process at one operation on its files after another: before it, and in the middle of a write. The next process continues
 * with the same files, and has to find everything acknowledged and nothing that was never asked for.
 */
export async function killEverywhere(file: string, kills: number): Promise<Kills> {
  const script = await bundle('doomed-writer')
  const life = (round: string, at: number, where: string) => {
    const { stdout, stderr, signal } = spawnSync(process.execPath, [script, file, round, String(at), where], {
      encoding: 'utf8',
    })
    const lines = stdout.split('\n')
    const named = (word: string) =>
      lines.flatMap(line => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))
    return {
      signal,
      stderr,
      asked: named('asked'),
      acknowledged: named('acknowledged'),
      operations: Number(named('operations')[0]),
    }
  }
  const first = life('0', -1, 'before')
  const asked = new Set(first.asked)
  const acknowledged = new Set(first.acknowledged)
  const problems: string[] = []
  const { operations } = first
  for (let kill = 0; kill < kills; kill++) {
    // Operations far apart if there are only a few kills, and each one in turn if there are many.
    const at = Math.floor((kill * operations * Math.ceil(kills / operations)) / kills) % operations
    const where = kill % 2 === 0 ? 'before' : 'middle'
    const outcome = life(String(kill + 1), at, where)
    for (const name of outcome.asked) asked.add(name)
    for (const name of outcome.acknowledged) acknowledged.add(name)
    if (outcome.signal !== 'SIGKILL' && outcome.stderr !== '') problems.push(`kill ${kill} at ${at}: ${outcome.stderr}`)
  }
  const store = await openStore({ file, now: () => new Date(), wait: 0 })
  const found = new Set([...store.table('tags').values()].map(({ name }) => name))
  await store.close()
  const lost = [...acknowledged].filter(name => !found.has(name))
  const unknown = [...found].filter(name => !asked.has(name))
  if (lost.length > 0) problems.push(`lost ${lost}`)
  if (unknown.length > 0) problems.push(`never asked for ${unknown}`)
  const left = readdirSync(dirname(file)).filter(name => name !== 'calendar.json' && !name.endsWith('.mjs'))
  if (left.length > 0) problems.push(`left ${left}`)
  return { kills, operations, acknowledged: acknowledged.size, problems }
}
