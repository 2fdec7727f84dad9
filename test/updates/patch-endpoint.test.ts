import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const concert = {
  title: 'Concert',
  start_date: '2027-03-04 18:30:00',
  end_date: '2027-03-04 20:00:00',
  timezone: 'Europe/Madrid',
}

/** A site with one event; `stored` gives the event as WordPress stores it. */
async function siteWithEvent(values: object = {}, patch?: object, options?: Parameters<typeof wordpressSite>[0]) {
  const site = await wordpressSite(options)
  const { id } = await site.ask('POST /events', { ...concert, ...values })
  if (patch) await site.ask(`POST /wp/v2/tribe_events/${id}`, patch)
  return { ...site, id, stored: () => site.ask(`GET /wp/v2/tribe_events/${id}?context=edit`) }
}

test('a draft stays a draft when its title changes, with one read and one patch', async () => {
  const { id, counted, ask } = await siteWithEvent({ status: 'draft' })
  const { status, err, out, requests } = await counted(`events update ${id} --title Recital`)
  expect([status, err, requests]).toEqual([0, '', [`GET /events/${id}`, `POST /wp/v2/tribe_events/${id}`]])
  expect(out).toContain('Recital')
  expect(await ask(`GET /events/${id}?context=edit`)).toMatchObject({ title: 'Recital', status: 'draft' })
})

test('a patch of an event with a cost takes one more read, because the event shows its cost only as an amount', async () => {
  const { id, counted, stored } = await siteWithEvent({ cost: '15' })
  const { status, err, requests } = await counted(`events update ${id} --title Recital`)
  expect([status, err]).toEqual([0, expect.stringContaining('--slug recital\n')])
  expect(requests).toEqual([`GET /events/${id}`, 'GET /wp/v2/tribe_events', `POST /wp/v2/tribe_events/${id}`])
  expect((await stored()).meta._EventCost).toBe('15')
})

test('blocks, shortcodes and backslashes survive an update of another field, and one that writes them', async () => {
  const content = '<!-- wp:paragraph -->\n<p>a\\b [gallery]</p>\n<!-- /wp:paragraph -->'
  const { id, calctl, stored } = await siteWithEvent({}, { content })
  expect((await calctl(`events update ${id} --title Recital`)).status).toBe(0)
  expect((await stored()).content.raw).toBe(content)
  const changed = `${content}\n[events]`
  const { status, err } = await calctl(['events', 'update', String(id), '--description', changed])
  expect([status, err]).toEqual([0, ''])
  expect((await stored()).content.raw).toBe(changed)
})

test('the description, excerpt, image and venue of an event can be cleared', async () => {
  const site = await wordpressSite()
  const venue = await site.ask('POST /venues', { venue: 'Sala' })
  const { id } = await site.ask('POST /events', { ...concert, description: 'Text', excerpt: 'Short', venue: venue.id })
  const { status, err } = await site.calctl(`events update ${id} --clear description,excerpt,image,venue`)
  expect([status, err]).toEqual([0, ''])
  expect(await site.ask(`GET /events/${id}`)).toMatchObject({ description: '', excerpt: '', image: false, venue: [] })
})

test('the parent and the description of a category can be cleared', async () => {
  const site = await wordpressSite()
  const { id: parent } = await site.ask('POST /categories', { name: 'Music' })
  const { id } = await site.ask('POST /categories', { name: 'Jazz', parent, description: 'Blue' })
  const { status, err } = await site.calctl(`categories update ${id} --clear parent,description`)
  expect([status, err]).toEqual([0, ''])
  expect(await site.ask(`GET /categories/${id}`)).toMatchObject({ parent: 0, description: '' })
})

for (const cost of [
  '0',
  '1.234,56',
  '5, 10, 15',
  '20-35',
  'de 5 a 10 €',
  'Entrada 10 €, socis gratis',
  '15€',
  'Gratis',
  '12,50',
])
  test(`the cost "${cost}" stays as it was written`, async () => {
    const { id, counted, stored } = await siteWithEvent({}, { meta: { _EventCost: cost } })
    expect((await counted(`events update ${id} --title Recital`)).status).toBe(0)
    expect((await stored()).meta._EventCost).toBe(cost)
    const { status, err } = await counted(
      `events update ${id} --start-date 2027-03-04T18:00 --duration 2h --sticky --excerpt Brief`,
    )
    expect([status, err]).toEqual([0, ''])
    expect((await stored()).meta).toMatchObject({ _EventCost: cost, _EventStartDate: '2027-03-04 18:00:00' })
  })

/** Asks whether an event may have organizers that the events API does not show. */
const trash = 'GET /organizers'

test('fields of both APIs take a read, a look into the trash and two writes', async () => {
  const { id, counted, ask } = await siteWithEvent({ status: 'private' })
  const { status, err, requests } = await counted(`events update ${id} --title Recital --sticky`)
  expect([status, err]).toEqual([0, expect.stringContaining('--slug recital\n')])
  expect(requests).toEqual([`GET /events/${id}`, trash, `POST /events/${id}`, `POST /wp/v2/tribe_events/${id}`])
  expect(await ask(`GET /events/${id}?context=edit`)).toMatchObject({
    title: 'Recital',
    sticky: true,
    status: 'private',
  })
})

test('fields of the events API alone take a read, a look into the trash and a write', async () => {
  const { id, counted } = await siteWithEvent({ status: 'private' })
  const { status, requests } = await counted(`events update ${id} --sticky`)
  expect([status, requests]).toEqual([0, [`GET /events/${id}`, trash, `POST /events/${id}`]])
})

test('the events API is sent the stored cost, and a patch follows only where the API cannot write it', async () => {
  for (const [cost, writes] of [
    ['15', ['POST /events/1']],
    ['Entrada 10 €, socis gratis', ['POST /events/1', 'POST /wp/v2/tribe_events/1']],
  ] as const) {
    const { id, counted, stored } = await siteWithEvent({}, { meta: { _EventCost: cost } })
    const { status, requests } = await counted(`events update ${id} --sticky`)
    expect([status, requests]).toEqual([0, ['GET /events/1', 'GET /wp/v2/tribe_events', trash, ...writes]])
    expect((await stored()).meta._EventCost).toBe(cost)
  }
})

test('many records named by ID are read a page at a time before they are changed or trashed', async () => {
  const { calctl, counted, ask } = await siteWithEvent({ cost: '15' })
  for (let number = 2; number <= 60; number++) await ask('POST /events', { ...concert, cost: `${number} €` })
  const ids = Array.from({ length: 60 }, (_, index) => index + 1)
  const { status, requests } = await counted(`events update ${ids.join(' ')} --excerpt Brief`)
  const reads = (lines: readonly string[]) => lines.filter(line => line.startsWith('GET'))
  expect([status, requests.length - reads(requests).length]).toEqual([0, 60])
  expect(reads(requests).length).toBeLessThanOrEqual(60 / 25 + 5)
  const removed = await counted(`events delete ${ids.slice(0, 40).join(' ')} 99 --yes --skip-invalid`)
  expect([removed.status, removed.err]).toEqual([6, expect.stringContaining('event 99')])
  expect(reads(removed.requests).length).toBeLessThanOrEqual(40 / 25 + 5)
  expect(removed.requests).not.toContain('GET /wp/v2/tribe_events')
  expect((await calctl('events list --all --quiet')).out.split('\n')).toHaveLength(21)
})

test('--via events sends everything through the events API', async () => {
  const { id, counted } = await siteWithEvent({ cost: '15', status: 'draft' })
  const { status, requests } = await counted(`events update ${id} --title Recital --via events`)
  expect([status, requests]).toEqual([0, [`GET /events/${id}`, `POST /events/${id}`]])
})

test('an event trashed and restored has its slug back', async () => {
  const { id, calctl, ask } = await siteWithEvent({ status: 'draft' }, { slug: 'own-slug' })
  expect((await calctl(`events delete ${id} --yes`)).status).toBe(0)
  const { status, err } = await calctl(`events restore ${id}`)
  expect([status, err]).toEqual([0, ''])
  expect(await ask(`GET /events/${id}?context=edit`)).toMatchObject({ slug: 'own-slug', status: 'draft' })
})

test('a draft without a slug that was trashed and restored has none again', async () => {
  const { id, calctl, ask } = await siteWithEvent({ status: 'draft' })
  expect((await calctl(`events delete ${id} --yes`)).status).toBe(0)
  const { status, err } = await calctl(`events restore ${id}`)
  expect([status, err]).toEqual([0, ''])
  expect((await ask(`GET /events/${id}?context=edit`)).slug).not.toContain('__trashed')
})

test('an update names the venue that it links', async () => {
  const site = await siteWithEvent()
  const { id: venue } = await site.ask('POST /venues', { venue: 'Sala Gran' })
  expect((await site.calctl(`events update ${site.id} --venue ${venue}`)).out).toContain('Sala Gran')
})

const json = { 'content-type': 'application/json' }
const key = "--header 'X-Key: env:HOME'"

test('a failure between the two writes says what was changed and what was not, and the same command finishes it', async () => {
  let isDown = true
  const site = await productionSite({
    intercept: async ({ method, path }) =>
      isDown && method === 'POST' && path.startsWith('/wp/v2')
        ? { status: 400, headers: json, body: '{"code":"rest_invalid_param","message":"No.","data":{"status":400}}' }
        : undefined,
  })
  const { id } = await site.json(`events create --title Concert ${dates} --json`)
  const update = `events update ${id} --title Recital --sticky ${key}`
  const failed = await site.calctl(update)
  expect([failed.status, failed.err]).toEqual([7, expect.stringContaining('changed sticky, but not title')])
  isDown = false
  expect((await site.calctl(update)).status).toBe(0)
  expect(await site.json(`events get ${id} --json`)).toMatchObject({ title: 'Recital', sticky: true })
})

for (const [name, status, code] of [
  ['has no wp/v2', 404, 'rest_no_route'],
  ['closes wp/v2 to everybody', 403, 'rest_disabled'],
] as const)
  test(`a site that ${name} is asked once a day, and written through its events API`, async () => {
    const site = await productionSite({
      intercept: async ({ path }) =>
        path.startsWith('/wp/v2')
          ? { status, headers: json, body: JSON.stringify({ code, message: 'No.', data: { status } }) }
          : undefined,
    })
    const { id } = await site.json(`events create --title Concert ${dates} --cost 15 --json`)
    for (const title of ['Recital', 'Opera']) {
      site.seen.length = 0
      expect((await site.calctl(`events update ${id} --title ${title} ${key}`)).status).toBe(0)
    }
    expect(site.seen).toEqual([`GET /events/${id}`, `POST /events/${id}`])
  })

test('a page of a firewall in place of one answer does not close wp/v2 for a day', async () => {
  let isBlocking = true
  const site = await productionSite({
    intercept: async ({ method, path }) =>
      isBlocking && method === 'POST' && path.startsWith('/wp/v2')
        ? { status: 403, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Blocked</title>' }
        : undefined,
  })
  const { id } = await site.json(`events create --title Concert ${dates} --cost 15 --json`)
  await site.calctl(`events update ${id} --title Recital ${key}`)
  isBlocking = false
  await site.calctl(`events update ${id} --title Opera ${key}`)
  expect(site.seen.at(-1)).toBe(`POST wp/v2/tribe_events/${id}`)
})

test('whoever may not edit a record through wp/v2 does it through the events API', async () => {
  const site = await productionSite({
    intercept: async ({ method, path }) =>
      method === 'POST' && path.startsWith('/wp/v2')
        ? { status: 403, headers: json, body: '{"code":"rest_cannot_edit","message":"No.","data":{"status":403}}' }
        : undefined,
  })
  const { id } = await site.json(`events create --title Concert ${dates} --cost 15 --status draft --json`)
  expect((await site.calctl(`events update ${id} --title Recital ${key}`)).status).toBe(0)
  expect(await site.json(`events get ${id} --json`)).toMatchObject({ title: 'Recital', status: 'draft', cost: '$15' })
})

test('an event has one venue: the last one that is given', async () => {
  const { calctl, ask } = await siteWithEvent({})
  for (const venue of ['Hall', 'Barn']) await ask('POST /venues', { venue })
  expect(await calctl('events update 1 --venue Hall --venue Barn')).toMatchObject({ status: 0 })
  expect(await ask('GET /events/1')).toMatchObject({ venue: { venue: 'Barn' } })
})
