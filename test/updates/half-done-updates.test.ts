import { expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { dates, productionSite } from '../support/production-site.ts'

const json = { 'content-type': 'application/json' }

const error = (status: number): Response => ({
  status,
  headers: json,
  body: JSON.stringify({ code: 'rest_invalid_param', message: 'No.', data: { status } }),
})

/** A site with event 1 that refuses what `refuses` says, and says so to the client. */
async function siteThatRefuses() {
  const site = { refuses: (_: Request): boolean => false, status: 400 }
  const production = await productionSite({
    intercept: async request => (site.refuses(request) ? error(site.status) : undefined),
  })
  const { id } = await production.json(`events create --title Concert ${dates} --json`)
  return Object.assign(site, production, { id, event: () => production.json(`events get ${id} --json`) })
}

const isPatch = ({ method, path }: Request) => method === 'POST' && path.startsWith('/wp/v2')

test('undo takes back the half of an update that was done, and no older run', async () => {
  const site = await siteThatRefuses()
  site.refuses = isPatch
  const failed = await site.calctl(`events update ${site.id} --title Recital --sticky`)
  expect([failed.status, failed.err]).toEqual([7, expect.stringMatching(/; undo with: calctl undo \w{3}\b/)])
  expect(await site.event()).toMatchObject({ title: 'Concert', sticky: true })
  site.refuses = () => false
  expect(await site.calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await site.event()).toMatchObject({ title: 'Concert', sticky: false, status: 'publish' })
})

test('a run undoes and resumes the updates that it did by half', async () => {
  const site = await siteThatRefuses()
  const file = site.file('events.csv', `id,title,sticky\n${site.id},Recital,true\n`)
  for (const next of ['runs resume', 'undo']) {
    site.refuses = isPatch
    expect((await site.calctl(`events update --from ${file} --yes`)).status).toBe(7)
    site.refuses = () => false
    expect(await site.calctl(`${next} --yes`), next).toMatchObject({ status: 0 })
    const isDone = next === 'runs resume'
    expect(await site.event()).toMatchObject({ title: isDone ? 'Recital' : 'Concert', sticky: isDone })
    if (isDone) expect((await site.calctl('undo --yes')).status).toBe(0)
  }
})

test('a record that was restored without all of its fields is named as such', async () => {
  const site = await siteThatRefuses()
  await site.calctl(`events update ${site.id} --sticky`)
  await site.calctl(`events update ${site.id} --no-sticky --status trash`)
  site.refuses = ({ method, path }) => method === 'POST' && path.includes('/events/v1/')
  const { status, err } = await site.calctl('undo --yes')
  expect([status, err]).toEqual([7, expect.stringMatching(/event \d+: changed .*status.*, but not .*sticky/)])
})

test('an update is done although the names of its links cannot be read after it', async () => {
  const site = await siteThatRefuses()
  const { id: venue } = await site.json('venues create --venue Sala --json')
  let reads = 0
  site.status = 403
  site.refuses = ({ method, path }) => method === 'GET' && path.endsWith(`/events/${site.id}`) && ++reads > 1
  const { status, err } = await site.calctl(`events update ${site.id} --venue ${venue}`)
  expect([status, err]).toEqual([0, expect.stringMatching(/^Changed "Concert" \(\d+\): venue \(none\) → \d+\. Undo: /)])
})

test('a site that does not show stored costs keeps them', async () => {
  const withoutMeta = async (request: Request, pass: (request: Request) => Promise<Response>) => {
    if (!request.path.startsWith('/wp/v2') || request.method !== 'GET') return undefined
    const answer = await pass(request)
    const records = JSON.parse(String(answer.body))
    for (const record of [records].flat()) delete record.meta
    return { ...answer, body: JSON.stringify(records) }
  }
  const site = await productionSite({ intercept: withoutMeta })
  const { id, cost } = await site.json(`events create --title Concert ${dates} --cost "20 - 35" --json`)
  await site.calctl(`events update ${id} --title Recital`)
  expect(await site.json(`events get ${id} --json`)).toMatchObject({ title: 'Recital', cost })
})
