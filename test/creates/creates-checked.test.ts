import { expect, test } from 'vitest'
import { siteBehindProxy } from '../support/site-behind-proxy.ts'

const sheet = (acts: number, extra = '', cells = (_: number) => '') =>
  `title,start_date,end_date,venue${extra}\n${Array.from(
    { length: acts },
    (_, index) =>
      `Act ${index},2030-12-${10 + (index % 20)} 19:00,2030-12-${10 + (index % 20)} 21:00,Sala Gran${cells(index)}\n`,
  ).join('')}`

const named = (calctl: Awaited<ReturnType<typeof siteBehindProxy>>['calctl'], resource: string) =>
  calctl(`${resource} list ${resource === 'events' ? '--all-dates ' : ''}-o count`).then(({ out }) => Number(out))

test.each([
  ['by title and dates', sheet(60)],
  ['by slug', sheet(60, ',slug', index => `,act-${index}`)],
])('two machines that apply one file at the same time create its events once, %s', async (_, text) => {
  let isSecondDone = false
  const { calctl, second, file, requests } = await siteBehindProxy({
    before: async ({ method, path: below }) => {
      // The second machine is done after the first has created a few.
      const created = requests.filter(line => line === 'POST /events').length
      if (isSecondDone || method !== 'GET' || !below.startsWith('/events') || created === 0) return
      isSecondDone = true
      await second(`apply ${path} --create-missing --yes -q`)
    },
  })
  const path = file('season.csv', text)
  const { status, err } = await calctl(`apply ${path} --create-missing --yes --jobs 1`)
  expect(status).toBe(0)
  expect(err).toContain('already there')
  expect(await named(calctl, 'events')).toBe(60)
  const created = requests.filter(line => line === 'POST /events').length
  expect(created).toBeLessThan(20)
  // The undo takes back what its run created, and no more.
  expect(await calctl('runs undo --yes')).toMatchObject({ status: 0 })
  expect(await named(calctl, 'events')).toBe(60 - created)
})

test('a term that another machine made meanwhile is used', async () => {
  let isSecondDone = false
  const { calctl, second, file } = await siteBehindProxy({
    before: async ({ method, path }) => {
      if (method === 'POST' && path === '/tags' && !isSecondDone) {
        isSecondDone = true
        await second(`apply ${tags} --yes -q`)
      }
    },
  })
  const rows = [
    '{"resource":"venues","venue":"Sala"}',
    '{"resource":"tags","name":"Jazz"}',
    '{"resource":"tags","name":"Soul"}',
  ]
  const tags = file('tags.ndjson', rows.slice(2).join('\n'))
  const all = file('all.ndjson', rows.join('\n'))
  const { status, err } = await calctl(`apply ${all} --yes --jobs 1`)
  expect([status, err]).toEqual([0, expect.stringContaining('3 done (1 already there)')])
  expect(await named(calctl, 'venues')).toBe(1)
})

test('what is created whatever exists is not checked', async () => {
  const { calctl, file } = await siteBehindProxy({})
  const path = file('season.csv', sheet(5))
  for (const _ of [1, 2])
    expect(await calctl(`events create --from ${path} --create-missing --yes`)).toMatchObject({ status: 0 })
  expect(await named(calctl, 'events')).toBe(10)
})

test('checking creates takes a request for ten of them', async () => {
  const { calctl, file, requests } = await siteBehindProxy({})
  await calctl(`apply ${file('season.csv', sheet(100))} --create-missing --yes`)
  expect(requests.filter(line => line === 'POST /events').length).toBe(100)
  expect(requests.filter(line => line.startsWith('GET')).length).toBeLessThanOrEqual(100 / 10 + 11)
})
