import { expect, test } from 'vitest'
import type { Response } from '../../src/contract/exchange.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const json = { 'content-type': 'application/json' }
const refusal = (status: number, code: string): Response => ({
  status,
  headers: json,
  body: JSON.stringify({ code, message: 'No.', data: { status } }),
})
const noRoute = refusal(404, 'rest_no_route')

/** A site whose `wp/v2` answers with what `state.answer` is, once that is set. */
async function siteThatRefuses(answer: Response | undefined, isMeant = (_: string) => true) {
  const state = { answer }
  const site = await productionSite({
    intercept: async ({ method, path }) => (path.startsWith('/wp/v2') && isMeant(method) ? state.answer : undefined),
  })
  const create = async (options = '') =>
    (await site.json(`events create --title Concert ${dates} ${options} --json`)).id
  return { ...site, state, create }
}

test.each([
  ['switches wp/v2 off', noRoute, '404 rest_no_route'],
  ['closes wp/v2 to everybody', refusal(403, 'rest_disabled'), '403 rest_disabled'],
  ['does not let this user edit', refusal(403, 'rest_cannot_edit'), '403 rest_cannot_edit'],
  ['does not know this user', refusal(401, 'rest_not_logged_in'), '401 rest_not_logged_in'],
])('an update says once that a site %s', async (_, answer, reason) => {
  const { calctl, create } = await siteThatRefuses(answer, method => method === 'POST')
  const ids = [await create(), await create(), await create()]
  const { status, err } = await calctl(`events update ${ids.join(' ')} --title Recital`)
  expect(status).toBe(0)
  const lines = err.split('\n').filter(line => line.includes('wp/v2'))
  expect(lines).toEqual([
    expect.stringMatching(`^wp/v2 of http\\S+ answered ${reason}: updating through the events API$`),
  ])
})

test('a refused list is said as well, once an update needs it', async () => {
  const { calctl, create } = await siteThatRefuses(refusal(403, 'rest_forbidden_context'))
  const id = await create('--cost "20 - 35"')
  const { status, err } = await calctl(`events update ${id} --title Recital`)
  expect([status, err]).toEqual([0, expect.stringContaining('answered 403 rest_forbidden_context')])
})

test.each([
  ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hello</p>' }],
  ['nothing', { status: 204, headers: {}, body: '' }],
  ['cut JSON', { status: 200, headers: json, body: '[{"id":1,' }],
  ['a refused parameter', refusal(400, 'rest_invalid_param')],
] as const)('%s in place of stored texts stops an update, and does not send it another way', async (_, answer) => {
  const { calctl, create, writes, state } = await siteThatRefuses(undefined, method => method === 'GET')
  const id = await create('--cost "20 - 35"')
  state.answer = answer
  const before = writes().length
  const { status, err } = await calctl(`events update ${id} --title Recital`)
  expect([status === 0, err]).toEqual([false, expect.stringContaining('error: ')])
  expect(writes()).toHaveLength(before)
  expect((await calctl(`events update ${id} --title Recital --via events -q`)).status).toBe(0)
})

test('--via wp never falls back', async () => {
  const { calctl, create, writes } = await siteThatRefuses(refusal(403, 'rest_forbidden_context'))
  const id = await create('--cost "20 - 35"')
  const before = writes().length
  const { status, err } = await calctl(`events update ${id} --title Recital --via wp`)
  expect([status, err]).toEqual([3, expect.stringContaining('error: access denied')])
  expect(writes()).toHaveLength(before)
})

test('that a site has no wp/v2 is asked again where the events API will not do', async () => {
  const site = await siteThatRefuses(noRoute)
  const { calctl, json, create, state } = site
  const id = await create('--description Long --cost "20 - 35"')
  expect((await calctl(`events update ${id} --title Recital -q`)).status).toBe(0)
  const refused = await calctl(`events update ${id} --clear description`)
  expect([refused.status, refused.err]).toEqual([4, expect.stringContaining('cannot clear it')])
  state.answer = undefined
  expect((await calctl(`events update ${id} --clear description`)).status).toBe(0)
  expect((await json(`events get ${id} --json`)).description).toBe('')
})

test('a refusal of the events API makes the next command ask for wp/v2 again', async () => {
  let refusesEvents = false
  const state = { answer: noRoute as Response | undefined }
  const site = await productionSite({
    intercept: async ({ method, path }) => {
      if (path.startsWith('/wp/v2')) return state.answer
      return refusesEvents && method === 'POST' ? refusal(403, 'rest_forbidden') : undefined
    },
  })
  const { id } = await site.json(`events create --title Concert ${dates} --cost 15 --json`)
  expect((await site.calctl(`events update ${id} --title Recital -q`)).status).toBe(0)
  state.answer = undefined
  refusesEvents = true
  expect((await site.calctl(`events update ${id} --title Opera -q`)).status).toBe(4)
  expect((await site.calctl(`events update ${id} --title Opera -q`)).status).toBe(0)
})

for (const [name, answer] of [
  ['switched off', noRoute],
  ['closed to this user', refusal(403, 'rest_cannot_edit')],
] as const)
  test(`wp/v2 ${name} half-way through a run loses nothing, and the rest is done once it is back`, async () => {
    let patchesLeft = Number.POSITIVE_INFINITY
    const site = await productionSite({
      intercept: async ({ method, path }) => {
        if (!path.startsWith('/wp/v2')) return undefined
        if (method === 'POST') patchesLeft -= 1
        return patchesLeft >= 0 ? undefined : answer
      },
    })
    const { calctl, json, file } = site
    const costs = ['5, 10, 15', '1.234,56', '20', '']
    const ids: number[] = []
    for (let n = 0; n < 8; n++) {
      const { id } = await json(`events create --title E${n} ${dates} --description Text${n} --json`)
      ids.push(id)
      expect((await site.storeCost(id, costs[n % 4] ?? '')).status).toBe(0)
    }
    const rows = ids.map((id, n) => ({
      resource: 'events',
      id,
      title: `New ${n}`,
      ...(n > 5 && { description: null }),
    }))
    const text = rows.map(row => JSON.stringify(row)).join('\n')
    patchesLeft = 3
    const applied = await calctl(['apply', file('town.ndjson', text), '--yes', '--jobs', '1'])
    expect([applied.status, applied.err]).toEqual([6, expect.stringContaining('updating through the events API')])
    expect(applied.err).toContain('retry the failed steps with: calctl runs resume')
    patchesLeft = Number.POSITIVE_INFINITY
    const resumed = await calctl('runs resume --yes -q')
    expect([resumed.status, resumed.err]).toEqual([0, ''])
    const { out } = await calctl('export events')
    const records = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(records.map(({ title, cost, description }) => [title, cost ?? '', description ?? ''])).toEqual(
      ids.map((_, n) => [`New ${n}`, costs[n % 4], n > 5 ? '' : `Text${n}`]),
    )
  })

test.each(['GET', 'POST'])('a wp/v2 that always fails at %s ends with how to leave it out', async failing => {
  const { calctl, create, state } = await siteThatRefuses(undefined, method => method === failing)
  const id = await create('--cost "20 - 35"')
  state.answer = { status: 500, headers: json, body: '{"code":"internal","message":"Failed."}' }
  const { status, err } = await calctl(`events update ${id} --title Recital --retries 0`)
  expect([status, err]).toEqual([5, expect.stringContaining('leave wp/v2 out with: --via events')])
  expect(await calctl(`events update ${id} --title Recital --via events -q`)).toMatchObject({ status: 0 })
})

test('a wp/v2 that answers everything with an empty list ends with how to leave it out', async () => {
  const { calctl, create, state } = await siteThatRefuses(undefined)
  const id = await create()
  state.answer = { status: 200, headers: json, body: '[]' }
  const { status, err } = await calctl(`events update ${id} --title Recital`)
  expect([status, err]).toEqual([5, expect.stringContaining('leave wp/v2 out with: --via events')])
  expect(await calctl('runs resume --via events')).toMatchObject({ status: 0 })
  const half = await calctl(`events update ${id} --title Concert --sticky`)
  expect([half.status, half.err]).toEqual([7, expect.stringContaining('leave wp/v2 out with: --via events')])
})

test('a write without a user name and password says that none were given, and how to give them', async () => {
  const site = await wordpressSite({ env: { CALCTL_USER: '', CALCTL_PASSWORD: '' } })
  const { status, err } = await site.calctl('tags create --name Jazz')
  expect([status, err]).toEqual([
    3,
    expect.stringMatching(
      /^error: access denied by \S+: .*; no user name and password were given\nhint: store them with: calctl login http\S+; or set CALCTL_USER and CALCTL_PASSWORD\n$/,
    ),
  ])
})
