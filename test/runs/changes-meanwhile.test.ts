import { expect, test } from 'vitest'
import { siteBehindProxy } from '../support/site-behind-proxy.ts'

/** A site with this many events, and a hook that runs before a write, with its number. */
async function town(events: number) {
  let time = Date.parse('2026-11-21T02:00:00Z')
  let writes = 0
  const hook: { atWrite?: (number: number) => Promise<unknown> | undefined } = {}
  const site = await siteBehindProxy(
    {
      before: async ({ method }) => {
        if (method === 'GET') return
        writes += 1
        await hook.atWrite?.(writes)
      },
    },
    { now: () => new Date(time) },
  )
  const rows = Array.from({ length: events }, (_, index) => `Act ${index + 1},2030-12-05 19:00,2030-12-05 21:00,10`)
  await site.calctl(
    `events create --from ${site.file('all.csv', `title,start_date,end_date,cost\n${rows.join('\n')}\n`)} --yes -q`,
  )
  site.requests.length = 0
  writes = 0
  const edit = (id: number, values: object) => site.send('POST', `/events/${id}`, values)
  const pass = (ms: number) => {
    time += ms
  }
  const ids = Array.from({ length: events }, (_, index) => `${index + 1}\n`).join('')
  const get = async (id: number) => JSON.parse((await site.calctl(`events get ${id} --json`)).out)
  return { ...site, hook, edit, pass, ids, get }
}

test('a change of other fields during a run is kept, and one of the same field is not overwritten', async () => {
  const { calctl, hook, edit, ids, get, requests } = await town(60)
  hook.atWrite = number => {
    if (number !== 5) return undefined
    // The editor leaves the rest as it is, as its form does.
    return Promise.all([
      edit(58, { title: 'Sold out', cost: '10', featured: true }),
      edit(59, { title: 'Act 59', cost: '99' }),
    ])
  }
  const { status, err } = await calctl('events update - --cost 12 --yes --jobs 1', ids)
  expect(status).toBe(7)
  expect(err).toContain('event 59 (line 59) changed in the meantime: cost')
  expect(err).toContain('59 done, 1 failed')
  expect(await get(58)).toMatchObject({ title: 'Sold out', featured: true, cost: '$12' })
  expect(await get(59)).toMatchObject({ cost: '$99' })
  expect(requests.length).toBeLessThanOrEqual(60 + 60 / 25 + 5 + 2)
})

test('a record that was changed while it waited for longer than 10 s is checked again', async () => {
  const { calctl, hook, edit, pass, ids, get } = await town(12)
  hook.atWrite = number => {
    pass(4000)
    return number === 4 ? edit(11, { title: 'Act 11', cost: '99' }) : undefined
  }
  expect(await calctl('events update - --cost 12 --yes --jobs 1', ids)).toMatchObject({
    status: 7,
    err: expect.stringContaining('event 11 (line 11) changed in the meantime: cost'),
  })
  expect(await get(11)).toMatchObject({ cost: '$99' })
})

test('what an update through the events API sends along is not older than a few seconds', async () => {
  const { calctl, hook, edit, pass, ids, get } = await town(6)
  hook.atWrite = number => {
    pass(1500)
    return number === 2 ? edit(6, { title: 'Act 6', status: 'pending', cost: '10' }) : undefined
  }
  expect(await calctl('events update - --sticky --yes --jobs 1', ids)).toMatchObject({ status: 0 })
  expect(await get(6)).toMatchObject({ sticky: true, status: 'pending' })
})

test('a run does not trash what somebody changed meanwhile, and an undo leaves it, too', async () => {
  const { calctl, hook, edit, ids, get } = await town(60)
  hook.atWrite = number => (number === 5 ? edit(58, { title: 'Still on', cost: '10' }) : undefined)
  expect(await calctl('events delete - --yes --max-trash 60 --jobs 1', ids)).toMatchObject({ status: 7 })
  expect(await get(58)).toMatchObject({ title: 'Still on', status: 'publish' })
  await calctl('events update - --cost 12 --yes --jobs 1', '58\n')
  hook.atWrite = undefined
  expect(await calctl('runs undo --yes')).toMatchObject({ status: 0 })
  expect(await get(58)).toMatchObject({ title: 'Still on', cost: '$10' })
})

test('what somebody else trashed during a run counts as trashed, and its undo leaves it in the trash', async () => {
  const { calctl, hook, send, pass, ids, get } = await town(6)
  hook.atWrite = number => {
    pass(4000)
    return number === 2 ? send('DELETE', '/events/6', {}) : undefined
  }
  expect(await calctl('events delete - --yes --jobs 1', ids)).toMatchObject({
    status: 0,
    err: expect.stringContaining('6 done (1 already gone)'),
  })
  hook.atWrite = undefined
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await get(5)).toMatchObject({ status: 'publish' })
  expect((await calctl('events list --status trash --all-dates -o ids')).out).toBe('6\n')
})

test('an undo keeps what somebody changes while it runs', async () => {
  const { calctl, hook, edit, ids, get } = await town(60)
  await calctl('events update - --cost 12 --yes -q', ids)
  hook.atWrite = number => (number === 65 ? edit(2, { title: 'Sold out', cost: '$12' }) : undefined)
  expect(await calctl('runs undo --yes --jobs 1')).toMatchObject({ status: 0 })
  expect(await get(2)).toMatchObject({ title: 'Sold out', cost: '$10' })
})

test('a saved plan leaves alone every record in which anything has changed since', async () => {
  const { calctl, edit, get, file } = await town(4)
  const plan = `${file('costs.csv', 'id,cost\n1,12\n2,12\n3,12\n4,12\n')}.plan.json`
  await calctl(`diff ${plan.replace('.plan.json', '')} --resource events --save ${plan}`)
  await edit(2, { title: 'Sold out', cost: '$10' })
  await edit(3, { title: 'Act 3', cost: '99' })
  expect(await calctl(`apply ${plan} --yes`)).toMatchObject({
    status: 7,
    err: expect.stringContaining('event 3 (row 4) changed in the meantime: '),
  })
  expect(await get(2)).toMatchObject({ title: 'Sold out', cost: '$10' })
  expect(await get(3)).toMatchObject({ cost: '$99' })
  expect(await get(4)).toMatchObject({ cost: '$12' })
})

test('an update of a single record takes two requests', async () => {
  const { calctl, requests } = await town(3)
  await calctl('events update - --cost 12 --yes', '2\n')
  expect(requests).toEqual(['GET /', 'GET /events/2', 'POST /events/2'])
})
