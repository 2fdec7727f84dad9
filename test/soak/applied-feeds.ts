import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { testTime } from '../support/world.ts'
import { countJournals } from './attacking-shells.ts'
import { clockSetter } from './clock.ts'

/** How a calendar is reached: as a file, or from `calctl serve` with these options, in a process of its own. */
export interface Door {
  readonly name: string
  /** For a file: whether it has the quirks of The Events Calendar. */
  readonly quirks?: boolean
  readonly serve?: readonly string[]
  readonly namespace?: string
  readonly login?: Readonly<Record<string, string>>
}

const atProduction = { namespace: 'tribe/events/v1', serve: ['--base-path', '/wp-json'] }

const production = {
  ...atProduction,
  serve: [...atProduction.serve, '--quirks', '--user', 'admin:secret'],
  login: { CALCTL_USER: 'admin', CALCTL_PASSWORD: 'secret' },
}

export const doors: readonly Door[] = [
  { name: 'a calendar file' },
  { name: 'a calendar file with quirks', quirks: true },
  { name: 'calctl serve', serve: [] },
  { name: 'calctl serve with the path of The Events Calendar', ...atProduction },
  { name: 'calctl serve --quirks', ...production },
  { name: 'calctl serve --quirks --no-wp', ...production, serve: [...production.serve, '--no-wp'] },
]

export interface AppliedFeeds {
  /** The feeds from which something was applied. */
  readonly applied: readonly string[]
  /** Why nothing was applied from the others: the last line of their errors. */
  readonly refused: Readonly<Record<string, string>>
  /** What the second `apply` said of each feed that it changed, or that it could not apply. */
  readonly changed: Readonly<Record<string, string>>
}

/** Applies feeds of a folder, each to an empty calendar, twice. */
export async function applyFeeds(folder: string, names: readonly string[], door: Door): Promise<AppliedFeeds> {
  const found = {
    applied: [] as string[],
    refused: {} as Record<string, string>,
    changed: {} as Record<string, string>,
  }
  const calendar = await openCalendar(door)
  for (const name of names) {
    const file = join(folder, name)
    const words = ['apply', file, '--format', 'ics', '--yes', '--create-missing', ...extentOf(file)]
    const home = await calendar.empty()
    const first = await calendar.calctl(home, words)
    if (/ done[,;.]/.test(first.err)) {
      found.applied.push(name)
      const second = await calendar.calctl(home, words)
      const isSame = /^(\d+ (unchanged|invalid)|nothing to do)\b/m.test(second.err) && second.runs === first.runs
      if (!isSame || second.status !== first.status) found.changed[name] = `${second.status} ${second.err.trim()}`
    } else found.refused[name] = `${first.status} ${first.err.trim()}`
    rmSync(home, { recursive: true, force: true })
  }
  await calendar.close()
  return found
}

/** Thousands of hours of a year say no more than those of a month. */
const extentOf = (file: string): readonly string[] =>
  /(FREQ=(HOURLY|MINUTELY|SECONDLY)|BY(HOUR|MINUTE|SECOND)=)/i.test(readFileSync(file, 'latin1'))
    ? ['--until', '2026-12-21']
    : []

/** As users start it, at the time of the tests. */
function spawnCalctl(words: readonly string[], home: string, env: Readonly<Record<string, string>> = {}) {
  const script = resolve(import.meta.dirname, '../../bin/calctl.js')
  return spawn(process.execPath, ['--import', clockSetter, script, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
      TZ: 'Europe/Madrid',
      CLOCK_OFF: String(testTime.getTime() - Date.now()),
      ...env,
    },
  })
}

const newHome = (): string => mkdtempSync(join(tmpdir(), 'calctl-feed-'))

async function openCalendar(door: Door) {
  const server = door.serve && (await startServer(door))
  const namespace = door.namespace === undefined ? [] : ['--namespace', door.namespace]
  return {
    /** Empties it, and returns the home of somebody who has never used it. */
    async empty(): Promise<string> {
      const home = newHome()
      const site = JSON.stringify({ language: 'ca', timezone: 'Europe/Madrid', quirks: door.quirks ?? false })
      if (server) await server.reset()
      else writeFileSync(join(home, 'town.json'), `{"calctl": 1, "site": ${site}}\n`)
      return home
    },
    async calctl(home: string, words: readonly string[]) {
      const address = server?.url ?? `file:${join(home, 'town.json')}`
      const child = spawnCalctl([...words, ...namespace, '--base-url', address], home, door.login)
      const err: string[] = []
      child.stderr.setEncoding('utf8').on('data', text => err.push(text))
      child.stdout.resume()
      const [status] = await once(child, 'close')
      return { status, err: err.join(''), runs: countJournals(home, '.') }
    },
    close: async () => server?.close(),
  }
}

async function startServer({ serve = [], namespace }: Door) {
  const options = ['--memory', '--port', '0', '--timezone', 'Europe/Madrid', '--token', 'secret']
  const home = newHome()
  const words = ['serve', ...options, ...(namespace === undefined ? [] : ['--namespace', namespace]), ...serve]
  const child = spawnCalctl(words, home)
  const [line] = await once(child.stdout, 'data')
  const url = String(line).trim()
  child.stdout.resume()
  child.stderr.resume()
  return {
    url,
    async reset() {
      const { status } = await fetch(`${url}/__calctl/reset`, {
        method: 'POST',
        headers: { 'X-Calctl-Token': 'secret' },
      })
      if (status !== 200) throw new Error(`reset was answered with ${status}`)
    },
    async close() {
      child.kill()
      await once(child, 'close')
      rmSync(home, { recursive: true, force: true })
    },
  }
}
