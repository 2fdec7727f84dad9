import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

test.each([
  ['while a patch of it is refused', '--title Recital'],
  ['between the two parts of an update', '--title Recital --sticky'],
])('the status that an editor gives an event %s is kept', async (_, options) => {
  const site = await productionSite({
    intercept: async ({ method, path, ...request }, pass) => {
      if (!path.startsWith('/wp/v2/') || method !== 'POST') return undefined
      const body = Buffer.from('{"status":"publish"}')
      await pass({ method: 'POST', path: `/wp/v2/tribe_events/${id}`, headers: request.headers, body })
      return { status: 404, headers: { 'content-type': 'application/json' }, body: '{"code":"rest_no_route"}' }
    },
  })
  const { id } = await site.json(`events create --title Concert ${dates} --status pending --json`)
  const { status, err } = await site.calctl(`events update ${id} ${options}`)
  expect([status, err]).toEqual([0, expect.not.stringContaining('error')])
  expect(await site.json(`events get ${id} --json`)).toMatchObject({ title: 'Recital', status: 'publish' })
})
