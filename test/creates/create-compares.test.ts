import { expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { productionSite } from '../support/production-site.ts'

const when = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']
const create = (...options: string[]) => ['events', 'create', '--title', 'Ball', ...when, ...options]

/** A site that publishes nothing of a contributor and loads no images. */
const reluctant = async (request: Request, pass: (request: Request) => Promise<Response>) => {
  if (request.method !== 'POST' || request.path !== '/tribe/events/v1/events') return undefined
  const { image, ...values } = JSON.parse(String(request.body))
  return pass({ ...request, body: JSON.stringify({ ...values, status: 'pending' }) })
}

test.each([
  ['--description', 'a\\b', 'description should be "a\\\\b" but is "<p>ab</p>'],
  ['--status', 'future', 'status should be "future" but is "publish"'],
  ['--cost', '0', 'cost should be "0" but is ""'],
])('a new event whose %s %s was not taken over ends with 7', async (option, value, message) => {
  const { calctl, json } = await productionSite({ wordpress: option !== '--cost' })
  const { status, out, err } = await calctl(create(option, value, '-o', 'ids'))
  expect([status, err]).toEqual([7, expect.stringContaining(message)])
  expect((await json(`events get ${out.trim()} --json`)).title).toBe('Ball')
})

test('a contributor is told that the event waits for review, and that its image was not loaded', async () => {
  const { calctl } = await productionSite({ intercept: reluctant })
  const { status, err } = await calctl(create('--status', 'publish', '--image', 'https://example.org/a.png', '--json'))
  expect(status).toBe(7)
  expect(JSON.parse(err).error.drift).toEqual({
    status: { before: null, asked: 'publish', after: 'pending' },
    image: { before: null, asked: 'https://example.org/a.png', after: false },
  })
})

test.each([
  ['--description', '<ul><li>Un</li><li>Dos & tres</li></ul>\n\nI "prou"...'],
  ['--description', '<!-- wp:paragraph --><p>Un</p><!-- /wp:paragraph --> [gallery] :)'],
  ['--excerpt', "L'entrada -- gratuïta"],
  ['--cost', '20 EUR'],
  ['--timezone', 'Europe/Madrid'],
  ['--website', 'https://example.org/?a=1&b=2'],
  ['--date', '2026-12-01 10:00'],
  ['--status', 'draft'],
  ['--slug', 'Un Ball'],
  ['--categories', 'Dansa'],
  ['--venue', '{"venue":"Sala","city":"Girona"}'],
  ['--organizer', '[{"organizer":"Ateneu"}]'],
  ['--image', 'https://example.org/poster.png'],
])('a new event with %s %s is as it was asked for', async (option, value) => {
  const { calctl, json } = await productionSite()
  await json('categories create --name Dansa --json')
  expect(await calctl(create(option, value, '-o', 'ids'))).toMatchObject({
    ...{ status: 0, err: expect.not.stringContaining('should be') },
  })
})

test('a sheet of new events names those that were changed on the way', async () => {
  const { calctl, file } = await productionSite()
  const rows = 'Ball,2026-12-05 19:00,2026-12-05 21:00,bé\nFira,2026-12-06 19:00,2026-12-06 21:00,a\\b\n'
  const sheet = file('events.csv', `title,start_date,end_date,description\n${rows}`)
  const { status, err } = await calctl(`apply ${sheet} --yes`)
  expect([status, err]).toEqual([7, expect.stringContaining('description should be "a\\\\b"')])
  expect(err).not.toContain('"bé"')
})

test('a cost that somebody changes before the second request of a create is repeated stays', async () => {
  let isBusy = true
  const site = await productionSite({
    intercept: async ({ method, path, ...request }, pass) => {
      if (!isBusy || method !== 'POST' || !path.startsWith('/wp/v2/')) return undefined
      isBusy = false
      const body = Buffer.from('{"meta":{"_EventCost":"30"}}')
      await pass({ method, path, headers: request.headers, body })
      return { status: 503, headers: { 'retry-after': '0' }, body: '' }
    },
  })
  const { id } = JSON.parse((await site.calctl(create('--cost', '20', '--post-password', 'secret', '--json'))).out)
  expect(await site.json(`events get ${id} --json`)).toMatchObject({ cost: '$30', status: 'publish' })
})
