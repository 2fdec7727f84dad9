/** The stored cost of an event stays as it is, whatever else of the event is written. */
import { expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { fates } from '../support/lost-answers.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { words, worldOf } from '../support/world.ts'

const costs = ['Entrada 10 €, socis gratis', '1.234,56', '20-35', '0']

interface Stored {
  readonly cost: string
  readonly meta?: object
}

/** A site with events whose costs are stored like this. */
async function siteWithCosts(events: readonly Stored[], options: Parameters<typeof productionSite>[0] = {}) {
  const site = await productionSite(options)
  const ids: number[] = []
  for (const [index, { cost, meta, ...values }] of events.entries()) {
    const { id } = await site.json(`events create --title "Ball ${index}" ${dates} --json`)
    const body = { ...values, meta: { ...meta, _EventCost: cost } }
    await site.json(`api POST /wp/v2/tribe_events/${id} --input -`, JSON.stringify(body))
    ids.push(id)
  }
  const storedIn = async (id: number) =>
    (await site.json(`api GET /wp/v2/tribe_events/${id}?context=edit`)).meta._EventCost
  return { ...site, ids, stored: () => Promise.all(ids.map(storedIn)) }
}

const kinds = [
  {},
  { status: 'draft' },
  { status: 'private' },
  { password: 'secret' },
  { meta: { _EventHideFromUpcoming: true } },
]

const chains: Readonly<Record<string, readonly string[]>> = {
  'an update through wp/v2': ['events update IDS --excerpt Nou --yes', 'undo --yes', 'redo --yes'],
  'an update through the events API': ['events update IDS --sticky --yes', 'undo --yes', 'redo --yes'],
  'an update through both': ['events update IDS --sticky --excerpt Nou --yes', 'undo --yes', 'redo --yes'],
  'new times and links': [
    'events update IDS --shift 1d --venue Sala --organizer Club --tags Jazz --create-missing --yes',
    'tags delete 1 --yes',
    'undo --last 2 --yes',
  ],
  'another status': ['events update IDS --status pending --no-featured --yes', 'undo --yes', 'redo --yes'],
  'the trash and the way back': ['events delete IDS --yes', 'undo --yes', 'redo --yes', 'events restore IDS --yes'],
  'another cost that is taken back': ['events update IDS --cost 7 --yes', 'undo --yes', 'redo --yes', 'undo --yes'],
  'no cost that is taken back': ['events update IDS --clear cost --sticky --yes', 'undo --yes'],
}

test.each(Object.entries(chains))('costs of all forms survive %s', async (_, lines) => {
  const each = costs.flatMap(cost => kinds.map(kind => ({ ...kind, cost })))
  const { calctl, ids, stored } = await siteWithCosts(each)
  for (const line of lines) {
    const { status, err } = await calctl(line.replace('IDS', ids.join(' ')))
    expect([status, line], err).toEqual([0, line])
  }
  expect(await stored()).toEqual(each.map(({ cost }) => cost))
})

const isOf = ({ method, path }: Request, wanted: string, start: string): boolean =>
  method === wanted && path.startsWith(start)

test('a new event keeps its cost when its password is set, although the site does not show it as it is stored', async () => {
  let hidesCosts = true
  const { json } = await productionSite({
    intercept: async (request, pass) => {
      if (!hidesCosts || !isOf(request, 'GET', '/wp/v2')) return undefined
      const answer = await pass(request)
      const rows = [JSON.parse(String(answer.body))].flat()
      return { ...answer, body: JSON.stringify(rows.map(({ meta: _, ...row }) => row)) }
    },
  })
  const { id } = await json(`events create --title Ball ${dates} --cost 20-35 --post-password secret --json`)
  hidesCosts = false
  expect((await json(`api GET /wp/v2/tribe_events/${id}?context=edit`)).meta._EventCost).toBe('20 - 35')
})

const nothing: Response = { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' }

test('an event of another language, which lists of wp/v2 leave out, keeps its cost', async () => {
  const isLeftOut = (request: Request) =>
    isOf(request, 'GET', '/wp/v2/tribe_events') && request.query?.includes('include=')
  const { ids, stored, calctl, seen } = await siteWithCosts([{ cost: 'Entrada 10 €, socis gratis' }], {
    intercept: async request => (isLeftOut(request) ? nothing : undefined),
  })
  for (const line of ['--sticky', '--excerpt Nou', '--cost 7']) {
    const { status, err } = await calctl(`events update ${ids} ${line}`)
    expect([status, err]).toEqual([0, expect.not.stringContaining('wp/v2')])
  }
  expect(seen).toContain('GET wp/v2/tribe_events/1')
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await stored()).toEqual(['Entrada 10 €, socis gratis'])
})

test('of many events that wp/v2 does not show to a user, only a few are asked for alone', async () => {
  const isOfEvents = (request: Request) => isOf(request, 'GET', '/wp/v2/tribe_events')
  const forbidden: Response = {
    ...nothing,
    status: 403,
    body: '{"code":"rest_forbidden_context","data":{"status":403}}',
  }
  const { calctl, seen } = await siteWithCosts(
    Array.from({ length: 20 }, () => ({ cost: '20-35' })),
    {
      intercept: async request =>
        isOfEvents(request) ? (request.path.endsWith('tribe_events') ? nothing : forbidden) : undefined,
    },
  )
  const { status } = await calctl('export -o json')
  expect(status).toBe(0)
  expect(seen.filter(line => line.startsWith('GET wp/v2/tribe_events/')).length).toBeLessThanOrEqual(3)
})

test('a new event of another language, which has an address of its own, keeps its cost when its password is set', async () => {
  const { baseUrl, folder, file, json } = await productionSite({
    intercept: async (request, pass) => {
      const path = request.path.replace('/es/wp-json', '')
      const isSpanish = path !== request.path
      if (isSpanish) return pass({ ...request, path, query: `${request.query}&lang_code=es` })
      return isOf(request, 'GET', '/wp/v2/tribe_events') && request.query?.includes('_fields=') ? nothing : undefined
    },
  })
  const calctl = worldOf({ env: { HOME: folder, CALCTL_PASSWORD: 'secret' } })
  const spanish = baseUrl.replace('/wp-json', '/es/wp-json')
  const site = words(`--base-url ${baseUrl} --base-url-for es=${spanish} --namespace tribe/events/v1 --lang ca`)
  await calctl(['profiles', 'add', 'site', ...site, '--user', 'admin', '--secret', 'env:CALCTL_PASSWORD'])
  const row = 'Ball,2027-03-04 19:00,2027-03-04 21:00,20-35,secret,es'
  const sheet = file('new.csv', `title,start_date,end_date,cost,post_password,lang_code\n${row}\n`)
  const { status, err } = await calctl(`-p site apply ${sheet} --yes`)
  expect([status, err]).toEqual([0, expect.stringContaining('1 to create')])
  expect((await json('api GET /wp/v2/tribe_events/1?context=edit&lang_code=es')).meta._EventCost).toBe('20 - 35')
})

test('undo takes back a new event whose cost of 0 the site shows as a word', async () => {
  const { calctl, file, json } = await productionSite()
  const sheet = file('new.csv', 'title,start_date,end_date,cost\nBall,2026-12-05 19:00,2026-12-05 21:00,0\n')
  expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({ status: 0 })
  expect((await json('events get 1 --json')).cost).toBe('Free')
  expect(await calctl('undo --yes')).toMatchObject({ status: 0, err: expect.not.stringContaining('kept') })
})

test('a cost from 0 is applied where a site without wp/v2 shows a word for it, and no details', async () => {
  const { calctl, json } = await productionSite({
    wordpress: false,
    intercept: async (request, pass) => {
      const answer = await pass(request)
      const body = String(answer.body).replace(/"cost":"[^"]*","cost_details":\{[^}]*\}/g, '"cost":"Gratis – 10 €"')
      return { ...answer, body }
    },
  })
  const { id } = await json(`events create --title Ball ${dates} --json`)
  expect(await calctl(`events update ${id} --cost "0 - 10"`)).toMatchObject({ status: 0 })
  expect(await calctl(`events update ${id} --cost "5 - 10"`)).toMatchObject({ status: 7 })
})

test.each(['1.234,56', '5, 10, 15'])(
  'an update whose answer is lost is known to be done, although the site shows the cost %s as another one',
  async cost => {
    let isLost = false
    const { ids, stored, calctl } = await siteWithCosts([{ cost }], {
      intercept: async (request, pass) =>
        isLost && isOf(request, 'POST', '/tribe') ? fates.done(() => pass(request)) : undefined,
    })
    isLost = true
    const { status, err } = await calctl(`events update ${ids} --sticky`)
    expect([status, err]).toEqual([0, expect.stringContaining('event 1 was changed anyway')])
    expect(await stored()).toEqual([cost])
  },
)

test('the cost that a patch sends along is not older than a few seconds', async () => {
  let time = Date.parse('2026-11-21T02:00:00Z')
  let patches = 0
  const { baseUrl, folder, file, ids, stored, storeCost } = await siteWithCosts(
    Array.from({ length: 6 }, () => ({ cost: '10' })),
    {
      intercept: async request => {
        if (!isOf(request, 'POST', '/wp/v2/tribe_events') || !String(request.body).includes('Nou')) return undefined
        time += 1500
        if (++patches === 2) await storeCost(6, 'Entrada 10 €, socis gratis')
        return undefined
      },
    },
  )
  const calctl = worldOf({
    now: () => new Date(time),
    env: {
      HOME: folder,
      CALCTL_BASE_URL: baseUrl,
      CALCTL_USER: 'admin',
      CALCTL_PASSWORD: 'secret',
      CALCTL_NAMESPACE: 'tribe/events/v1',
    },
  })
  const sheet = file('new.csv', `id,excerpt\n${ids.map(id => `${id},Nou\n`).join('')}`)
  expect(await calctl(`apply ${sheet} --resource events --yes --jobs 1`)).toMatchObject({ status: 0 })
  expect((await stored())[5]).toBe('Entrada 10 €, socis gratis')
})
