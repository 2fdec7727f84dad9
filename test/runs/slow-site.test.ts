import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { onlyInSoak, skipped } from '../support/skipped.ts'
import { startServe } from '../support/start-serve.ts'
import { worldOf } from '../support/world.ts'

/** How much faster everything is than in reality: a write takes 20 ms in place of 3 s, and what waits for it waits so much less. */
const scale = 150

/** Longer than a write takes; the server is in this process, whose timers end in order however slow the machine is. */
const shortestWait = 50

/** A site that takes its time, a calctl that can be killed, and one that is not. */
async function slowSite() {
  const server = await startServe('--memory --quirks --open --port 0 --latency 20ms')
  if (!('url' in server)) throw new Error(server.err)
  onTestFinished(async () => void (await server.stop()))
  const { folder, file } = calendarWithFiles()
  const env = { CALCTL_BASE_URL: server.url, XDG_STATE_HOME: join(folder, 'state') }
  const script = await bundle('calctl')

  /** Starts a run, and kills it when the site is at work on so many writes. */
  async function killed(words: readonly string[], writes: number, later = 0): Promise<void> {
    const child = spawn(process.execPath, [script, ...words], { env: { ...process.env, ...env }, stdio: 'ignore' })
    let arrived = 0
    const onRequest = (message: unknown) => {
      const { request } = message as { request: IncomingMessage }
      if (request.method !== 'GET' && ++arrived === writes) void wait(later).then(() => child.kill('SIGKILL'))
    }
    subscribe('http.server.request.start', onRequest)
    await once(child, 'close')
    unsubscribe('http.server.request.start', onRequest)
  }

  const world = { env, sleep: (ms: number) => wait(Math.max(ms / scale, shortestWait)), now: () => new Date() }
  return { calctl: worldOf(world), killed, file }
}

test('what was sent to a slow site before a kill is done once, and appears in lists', async () => {
  const { calctl, killed, file } = await slowSite()
  const rows = [1, 2, 3, 4].map(day => `Act ${day},2030-12-0${day} 19:00,2030-12-0${day} 21:00,${day === 4}`)
  const sheet = file('acts.csv', `title,start_date,end_date,hide_from_listings\n${rows.join('\n')}\n`)
  await killed(['apply', sheet, '--yes', '--jobs', '4'], 4)
  expect(await calctl('runs resume')).toMatchObject({ status: 0 })
  expect((await calctl('events list --all-dates --fields title -o tsv')).out).toBe('title\nAct 1\nAct 2\nAct 3\n')
  expect((await calctl('events get act-4 --fields title -o tsv')).out).toBe('title\nAct 4\n')
  expect(await calctl('events get act-4-2')).toMatchObject({ status: 4 })

  await killed(
    ['apply', file('costs.csv', 'id,cost\n1,12\n2,12\n3,12\n'), '--resource', 'events', '--yes', '--jobs', '3'],
    3,
  )
  expect(await calctl('runs resume')).toMatchObject({ status: 0 })
  expect((await calctl('events list --all-dates --fields title,cost -o tsv')).out).toBe(
    'title\tcost\nAct 1\t$12\nAct 2\t$12\nAct 3\t$12\n',
  )
})

const rounds = process.env.SOAK_ROUNDS ? Math.ceil(Number(process.env.SOAK_ROUNDS) / 10) : 0

const why = skipped(rounds === 0, onlyInSoak)

test.skipIf(why !== '')(`a kill at any moment doubles and loses nothing${why}`, { timeout: 600_000 }, async () => {
  for (let round = 1; round <= rounds; round++) {
    const { calctl, killed, file } = await slowSite()
    const titles = Array.from({ length: 12 }, (_, index) => `Act ${index + 10}`)
    const rows = titles.map((title, day) => `${title},2030-12-${day + 10} 19:00,2030-12-${day + 10} 21:00`)
    const sheet = file('acts.csv', `title,start_date,end_date\n${rows.join('\n')}\n`)
    await killed(['apply', sheet, '--yes', '--jobs', '4'], 1, Math.random() * 400)
    expect(await calctl('runs resume'), `round ${round}`).toMatchObject({ status: 0 })
    const list = async () =>
      (await calctl('events list --all-dates --fields title,cost -o tsv')).out.split('\n').slice(1, -1)
    expect(await list(), `round ${round}`).toEqual(titles.map(title => `${title}\t`))
    const ids = (await calctl('events list --all-dates -o ids')).out.trim().split('\n')
    const costs = file('costs.csv', `id,cost\n${ids.map(id => `${id},12\n`).join('')}`)
    await killed(['apply', costs, '--resource', 'events', '--yes', '--jobs', '4'], 1, Math.random() * 400)
    expect(await calctl('runs resume'), `round ${round}`).toMatchObject({ status: 0 })
    expect(await list(), `round ${round}`).toEqual(titles.map(title => `${title}\t$12`))
  }
})
