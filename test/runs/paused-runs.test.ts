import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NoResponse } from '../../src/client/http/connection-errors.ts'
import { unreachable } from '../../src/client/http/problems/connection-problems.ts'
import { html, json, type Staged, stagedSite } from '../support/staged-site.ts'

const rows = Array.from({ length: 8 }, (_, n) => `Act ${n + 1},2030-12-0${n + 1} 19:00,2030-12-0${n + 1} 21:00`)
const sheet = `title,start_date,end_date\n${rows.join('\n')}\n`

const maintenance = html(
  503,
  '<!DOCTYPE html><title>Maintenance</title><p>Briefly unavailable for scheduled maintenance.',
  {
    'retry-after': '30',
  },
)
const captcha = html(202, '<html>/.well-known/sgcaptcha/</html>', { 'sg-captcha': 'challenge' })
const moment = html(200, '<!DOCTYPE html><title>Just a moment...</title>')
const tooMany = json(429, { code: 'too_many', message: 'Slow down.', data: { status: 429 } }, { 'retry-after': '45' })
const unavailable = html(503, 'Service Unavailable', { 'retry-after': '20' })
const atOnce = html(503, 'Service Unavailable', { 'retry-after': '0' })

/** A site that refuses what comes after the first writes, until so much time was slept. */
async function site(refusal: Staged, { from = 3, until = 60_000, only = '' } = {}) {
  let writes = 0
  let refused = 0
  const state = { slept: 0, until }
  const staged = await stagedSite({
    answer: ({ method }) => {
      const isWrite = method === 'POST'
      if (isWrite) writes += 1
      if (writes < from || state.slept >= state.until || (only !== '' && method !== only)) return undefined
      if (isWrite) refused += 1
      return refusal
    },
  })
  const file = join(staged.folder, 'acts.csv')
  writeFileSync(file, sheet)
  const run = staged.calctlWith(
    {},
    {
      sleep: async ms => {
        state.slept += ms
      },
    },
  )
  return { run, file, state, seen: staged.seen, refused: () => refused }
}

const pauses = (err: string) => err.split('\n').filter(line => line.includes('; waiting '))

test.each([
  ['maintenance mode', maintenance, 'is down for maintenance; waiting 30 s'],
  ['a captcha', captcha, 'answered with a browser check (SiteGround) instead of data; waiting 1 s'],
  ['too many requests', tooMany, 'answered 429: Slow down; waiting 45 s'],
  ['503', unavailable, 'answered 503 with HTML; waiting 20 s'],
  ['503 that asks for no wait', atOnce, 'answered 503 with HTML; waiting 1 s'],
])('a run that meets %s waits for its end, and fails nothing', async (_, refusal, line) => {
  const { run, file, refused } = await site(refusal)
  const { status, err } = await run(`apply ${file} --yes --jobs 2 --retries 0`)
  expect(err).toContain(line)
  expect(pauses(err).length).toBeLessThan(12)
  expect(err).toContain('8 done')
  expect(status).toBe(0)
  // Each pause costs a request of each job, not one of each step.
  expect(refused()).toBeLessThanOrEqual(2 * (pauses(err).length + 1))
  expect(await run('events list --all-dates -o count')).toMatchObject({ out: '8\n' })
})

test('a run whose writes alone are refused waits as well', async () => {
  const { run, file } = await site(captcha, { only: 'POST' })
  const { status, err } = await run(`apply ${file} --yes --retries 0`)
  expect(pauses(err).length).toBeGreaterThan(1)
  expect(status).toBe(0)
  expect(await run('events list --all-dates -o count')).toMatchObject({ out: '8\n' })
})

test('after --max-wait the run stops, names no step as failed, and can be resumed', async () => {
  const { run, file, state, refused } = await site(captcha, { until: Number.POSITIVE_INFINITY })
  const { status, err } = await run(`apply ${file} --yes --jobs 1 --max-wait 1m`)
  expect(status).toBe(5)
  expect(err).toMatch(/^error: .* answered with a browser check \(SiteGround\) instead of data: 2 done, 6 not sent$/m)
  expect(err).toMatch(/^hint: ask whoever runs the site .*; then resume with: calctl runs resume \w+/m)
  expect(state.slept).toBeLessThanOrEqual(60_000)
  expect(refused()).toBeLessThan(10)
  state.until = 0
  const resumed = await run('runs resume')
  expect(resumed.err).toContain('6 of 8 steps left')
  expect(resumed.status).toBe(0)
  expect(await run('events list --all-dates -o count')).toMatchObject({ out: '8\n' })
})

test('a run does not wait where the site asks for longer than --max-wait', async () => {
  const { run, file, state, refused } = await site(tooMany, { until: Number.POSITIVE_INFINITY })
  const { status, err } = await run(`apply ${file} --yes --jobs 1 --max-wait 30s`)
  expect(status).toBe(5)
  expect(err).toMatch(/^error: .*answered 429: Slow down: 2 done, 6 not sent$/m)
  expect(state.slept).toBe(0)
  expect(refused()).toBe(1)
})

test('a write that got a page instead of an answer is looked for when the site answers again', async () => {
  const { run, file, seen } = await site(moment)
  const { err } = await run(`apply ${file} --yes --jobs 2 --retries 3`)
  expect(err).toContain('; waiting ')
  expect(err).toMatch(/[67] done, [12] unknown/)
  // Whether it was done cannot be seen in an answer that says nothing: a resume, some time later, looks again.
  expect((await run('runs resume')).status).toBe(0)
  expect(await run('events list --all-dates -o count')).toMatchObject({ out: '8\n' })
  expect(seen.length).toBeLessThan(80)
}, 30_000)

/** A site that dies with a write, and is started again once so much time was slept. */
async function dyingSite({ at = 3, until = Number.POSITIVE_INFINITY } = {}) {
  const state = { slept: 0, writes: 0, isDead: false }
  const staged = await stagedSite({
    answer: ({ method }) => {
      if (method === 'POST') state.writes += 1
      state.isDead = state.writes === at
      return state.isDead ? 'dies' : undefined
    },
  })
  const file = join(staged.folder, 'acts.csv')
  writeFileSync(file, sheet)
  const revive = async () => {
    state.writes += 1
    state.isDead = false
    await staged.revive()
  }
  const run = staged.calctlWith(
    {},
    {
      sleep: async ms => {
        state.slept += ms
        if (state.isDead && state.slept >= until) await revive()
      },
    },
  )
  return { run, file, state, revive }
}

test('a run whose server dies waits until it is started again, and fails nothing', async () => {
  const { run, file } = await dyingSite({ until: 60_000 })
  const { status, err } = await run(`apply ${file} --yes --jobs 1`)
  expect(err).toMatch(/^connection refused by http:\/\/127\.0\.0\.1:\d+; waiting 1 s$/m)
  expect(err).not.toContain('; retrying in')
  expect(pauses(err).length).toBeLessThan(12)
  expect(err).toContain('8 done')
  expect(status).toBe(0)
  expect(await run('events list --all-dates -o count')).toMatchObject({ out: '8\n' })
}, 30_000)

test('a run whose server stays dead stops after --max-wait, and can be resumed', async () => {
  const { run, file, state, revive } = await dyingSite()
  const { status, err } = await run(`apply ${file} --yes --jobs 4 --max-wait 1m`)
  expect(err).toMatch(/^error: connection refused by \S+: \d done, [1-4] unknown, \d not sent$/m)
  expect(err).toMatch(/^hint: try again when \S+ answers; then resume with: calctl runs resume \w+$/m)
  expect(err).not.toContain('; retrying in')
  expect(pauses(err).length).toBeLessThan(8)
  expect(status).toBe(5)
  expect(state.slept).toBeLessThanOrEqual(60_000)
  await revive()
  expect((await run('runs resume')).status).toBe(0)
  expect(await run('events list --all-dates -o count')).toMatchObject({ out: '8\n' })
}, 30_000)

test('a run does not pause for a single connection that was lost', async () => {
  let writes = 0
  const { calctl, folder } = await stagedSite({
    before: ({ method }) => {
      if (method === 'POST') writes += 1
      if (method === 'POST' && writes === 3) throw new Error('the connection is broken off')
    },
  })
  const file = join(folder, 'acts.csv')
  writeFileSync(file, sheet)
  const { status, err } = await calctl(`apply ${file} --yes --jobs 1`)
  expect(err).toMatch(/^the connection to \S+ was lost; the event was not created, retrying$/m)
  expect(pauses(err)).toEqual([])
  expect(status).toBe(0)
}, 30_000)

test.each([
  ['a refused connection', 'ECONNREFUSED', false, true],
  ['a host that is not reached', 'EHOSTUNREACH', false, true],
  ['a network that is not reached', 'ENETUNREACH', false, true],
  ['a name that is not resolved', 'ENOTFOUND', false, true],
  ['a name server that does not answer', 'EAI_AGAIN', false, true],
  ['a connection that takes too long', 'UND_ERR_CONNECT_TIMEOUT', false, true],
  ['a lost connection', 'ECONNRESET', true, undefined],
  ['a route that is lost with a request', 'EHOSTUNREACH', true, undefined],
  ['an answer that takes too long', 'ETIMEDOUT', true, undefined],
  ['an expired certificate', 'CERT_HAS_EXPIRED', false, false],
])('%s: whether a run waits', (_, code, wasSent, passes) => {
  const error = new NoResponse(Object.assign(new Error(code), { code }), wasSent)
  const failure = unreachable(error, { method: 'POST', url: 'https://example.org/wp-json', timeout: 30_000 })
  expect(failure.details.passes).toBe(passes)
})

test('a command for one record does not wait', async () => {
  const { run, state } = await site(maintenance, { from: 1, until: Number.POSITIVE_INFINITY })
  expect(await run('tags create --name Jazz --retries 0')).toMatchObject({ status: 5 })
  expect(state.slept).toBe(0)
})

test('--max-wait takes a duration', async () => {
  const { run, file } = await site(captcha)
  expect(await run(`apply ${file} --yes --max-wait soon`)).toMatchObject({
    status: 2,
    err: expect.stringContaining('error: --max-wait: expected a duration, got "soon"'),
  })
})
