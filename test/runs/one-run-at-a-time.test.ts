import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { currentOwner, ownerName } from '../../src/base/lock/owner.ts'
import { siteBehindProxy } from '../support/site-behind-proxy.ts'
import { worldOf } from '../support/world.ts'

/** A sheet of events. */
const sheet = (...titles: readonly string[]) =>
  ['title,start_date,end_date', ...titles.map(title => `${title},2026-12-05 19:00,2026-12-05 21:00`), ''].join('\n')

/** A site whose first write waits until it is let through, and a run that waits for it. */
async function runInProgress() {
  let letThrough = () => {}
  let arrived = () => {}
  const held = new Promise<void>(resolve => {
    letThrough = resolve
  })
  const writing = new Promise<void>(resolve => {
    arrived = resolve
  })
  let isFirst = true
  const site = await siteBehindProxy({
    async before({ method }) {
      if (method !== 'POST' || !isFirst) return
      isFirst = false
      arrived()
      await held
    },
  })
  const first = site.calctl(`apply ${site.file('first.csv', sheet('Jazz'))} --yes`)
  await writing
  return { ...site, first, letThrough, runs: join(site.env.XDG_STATE_HOME, 'calctl/runs') }
}

test('a second run on the same calendar waits 5 seconds, then says who is writing, with status 7', async () => {
  const { calctl, file, requests, first, letThrough } = await runInProgress()
  const before = requests.filter(request => request.startsWith('POST')).length
  const outcome = await calctl(`apply ${file('second.csv', sheet('Blues'))} --yes`)
  expect(outcome.status).toBe(7)
  expect(outcome.err).toMatch(
    new RegExp(
      `error: another run is writing to http://127.0.0.1:\\d+: calctl apply, since \\d\\d:\\d\\d:\\d\\d, pid ${process.pid}\nhint: nothing was sent; wait until that run ends`,
    ),
  )
  expect(requests.filter(request => request.startsWith('POST'))).toHaveLength(before)
  letThrough()
  expect((await first).status).toBe(0)
})

test('a second run goes on as soon as the first one ends, and leaves no lock', async () => {
  const { env, file, first, letThrough, runs } = await runInProgress()
  let waits = 0
  const patient = worldOf({
    env,
    now: new Date(),
    async sleep() {
      waits += 1
      letThrough()
      await first
    },
  })
  const second = patient(`apply ${file('second.csv', sheet('Blues'))} --yes`)
  expect([(await second).status, (await first).status, waits]).toEqual([0, 0, 1])
  expect(readdirSync(runs).filter(name => !name.endsWith('.ndjson'))).toEqual([])
})

test('--wait says how long a second run waits, and what it waits for', async () => {
  const { env, file, first, letThrough } = await runInProgress()
  let waited = 0
  const patient = worldOf({
    env,
    now: new Date(),
    async sleep(ms) {
      waited += ms
      if (waited < 60_000) return
      letThrough()
      await first
    },
  })
  const { status, err } = await patient(`apply ${file('second.csv', sheet('Blues'))} --yes --wait 10m`)
  expect([status, waited > 5000]).toEqual([0, true])
  expect(err).toMatch(
    /another run is writing to http:\S+: calctl apply, since [\d:]+, pid \d+; waiting for it to end\n/,
  )
})

test('dry runs, reads, other calendars and other machines do not wait', async () => {
  const { calctl, env, file, first, letThrough } = await runInProgress()
  const other = await siteBehindProxy({})
  const rows = file('second.csv', sheet('Blues'))
  expect((await calctl(`apply ${rows} --dry-run`)).status).toBe(0)
  expect((await calctl('events list')).status).toBe(0)
  expect((await calctl(`apply ${rows} --yes --base-url ${other.baseUrl}`)).status).toBe(0)
  const elsewhere = worldOf({ env: { ...env, XDG_STATE_HOME: `${env.XDG_STATE_HOME}-2` }, now: new Date() })
  expect((await elsewhere(`apply ${rows} --yes`)).status).toBe(0)
  letThrough()
  expect((await first).status).toBe(0)
})

test('the write of a record that is named does not wait, and the run keeps what it changed', async () => {
  const { calctl, first, letThrough } = await runInProgress()
  expect((await calctl('venues create --venue Hall')).status).toBe(0)
  letThrough()
  expect((await first).status).toBe(0)
})

test('the lock of a run that was killed is taken over, even if its pid belongs to another process now', async () => {
  const { baseUrl, calctl, env, file } = await siteBehindProxy({})
  const runs = join(env.XDG_STATE_HOME, 'calctl/runs')
  const lock = join(runs, `${baseUrl.replaceAll(/[^\w.]+/g, '-')}-calendar-events-v1.lock`)
  mkdirSync(lock, { recursive: true })
  writeFileSync(join(lock, ownerName({ ...currentOwner(), started: '1' })), 'calctl apply, since 09:00:00')
  expect((await calctl(`apply ${file('first.csv', sheet('Jazz'))} --yes`)).status).toBe(0)
  expect(existsSync(lock)).toBe(false)
})
