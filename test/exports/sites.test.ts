import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { productionSite } from '../support/production-site.ts'
import { startServe } from '../support/start-serve.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

test('a calendar with one site a language is exported from all and applied to each', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-sites-'))
  const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder }
  const servers = [await startServe('--memory --port 0'), await startServe('--memory --lang en --port 0')]
  const [catalan, english] = servers.map(server => ('url' in server ? server.url : server.err))
  const calctl = calendar({ env })
  await calctl(`profiles add town --base-url ${catalan} --base-url-for en=${english} --lang ca`)
  const record = (lang_code: string, title: string) =>
    JSON.stringify({
      resource: 'events',
      lang_code,
      title,
      slug: 'gala',
      start_date: '2026-12-04 19:00',
      end_date: '2026-12-04 21:00',
    })
  const both = `${record('ca', 'Gala de Nadal')}\n${record('en', 'Christmas gala')}\n`
  expect(await calctl('apply - -p town --yes', both)).toMatchObject({ status: 0 })
  const titles = async (url: string | undefined) =>
    (await calctl(`events list --base-url ${url} --fields title -o csv`)).out
  expect(await titles(catalan)).toBe('title\nGala de Nadal\n')
  expect(await titles(english)).toBe('title\nChristmas gala\n')
  const { out } = await calctl('export events -p town --lang all')
  expect(
    out
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
      .map(({ lang_code, title }) => [lang_code, title]),
  ).toEqual([
    ['ca', 'Gala de Nadal'],
    ['en', 'Christmas gala'],
  ])
  expect(await calctl('diff --exit-code - -p town', both)).toMatchObject({ status: 0 })
  for (const server of servers) if ('stop' in server) await server.stop()
  rmSync(folder, { recursive: true })
})

test('a publication date keeps its moment at a site with another time zone', async () => {
  const now = '--now 2026-11-21T02:00:00Z --memory --port 0'
  const servers = [
    await startServe(`${now} --timezone Asia/Tokyo`),
    await startServe(`${now} --timezone America/New_York`),
  ]
  const [tokyo, york] = servers.map(server => ('url' in server ? server.url : server.err))
  const calctl = calendar()
  await calctl(`venues create --venue Budokan --base-url ${tokyo}`)
  const { out: exported } = await calctl(`export venues --base-url ${tokyo}`)
  expect(JSON.parse(exported)).toMatchObject({ date: '2026-11-21 11:00:00+09:00' })
  expect(await calctl(`apply - --base-url ${york} --yes`, exported)).toMatchObject({ status: 0 })
  expect((await calctl(`venues get 1 --base-url ${york} --fields status,date,date_utc -o ndjson`)).out).toBe(
    '{"status":"publish","date":"2026-11-20 21:00:00","date_utc":"2026-11-21 02:00:00"}\n',
  )
  expect(await calctl(`diff --exit-code - --base-url ${york}`, exported)).toMatchObject({ status: 0 })
  for (const server of servers) if ('stop' in server) await server.stop()
})

test('a publication date is in the zone of the site, not of the machine', async () => {
  const server = await startServe('--now 2026-11-21T02:00:00Z --memory --port 0 --timezone Asia/Tokyo')
  const at = `--base-url ${'url' in server ? server.url : server.err}`
  const sheet = 'title,start_date,end_date\nJazz,2026-12-05T18:00:00Z,2026-12-05T20:00:00Z\n'
  const feed = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:opera',
    'SUMMARY:Opera',
    'DTSTART:20261206T180000Z',
    'DURATION:PT2H',
    'END:VEVENT',
    'END:VCALENDAR\n',
  ].join('\n')
  const calctl = calendar()
  expect(await calctl(`apply - --format csv ${at} --yes`, sheet)).toMatchObject({ status: 0 })
  expect(await calctl(`apply - ${at} --yes`, feed)).toMatchObject({ status: 0 })
  await calctl(`events create ${at} --title Gala --start-date 2026-12-07T18:00:00Z --end-date 2026-12-07T20:00:00Z`)
  expect((await calctl(`events list ${at} --fields title,start_date,timezone -o tsv`)).out).toBe(
    'title\tstart_date\ttimezone\n' +
      'Jazz\t2026-12-06 03:00:00\tAsia/Tokyo\n' +
      'Opera\t2026-12-07 03:00:00\tAsia/Tokyo\n' +
      'Gala\t2026-12-08 03:00:00\tAsia/Tokyo\n',
  )
  expect(await calctl(`diff --exit-code - --format csv ${at}`, sheet)).toMatchObject({ status: 0 })
  expect(await calctl(`diff --exit-code - ${at}`, feed)).toMatchObject({ status: 0 })
  if ('stop' in server) await server.stop()
})

const dates = { start_date: '2027-03-04 18:30:00', end_date: '2027-03-04 20:00:00' }

async function siteWithHidden(options = '') {
  const site = await wordpressSite({ options })
  await site.ask('POST /events', { ...dates, title: 'Open' })
  await site.ask('POST /events', { ...dates, title: 'Rehearsal', hide_from_listings: true })
  await site.ask('POST /events', { ...dates, title: 'Board meeting', hide_from_listings: true, status: 'draft' })
  return site
}

const titlesIn = (text: string): string[] =>
  text
    .split('\n')
    .filter(line => line)
    .map(line => JSON.parse(line).title)

test('an export has the hidden events, which no list shows', async () => {
  const { counted } = await siteWithHidden()
  const { out, err, requests } = await counted('export events')
  expect(titlesIn(out).toSorted()).toEqual(['Board meeting', 'Open', 'Rehearsal'])
  expect(err).toBe('')
  // The list, its texts, the IDs of all events, both hidden ones with their texts, and the size of the trash.
  expect(requests).toHaveLength(7)
})

test('hidden events that an export has are hidden again at another site', async () => {
  const [from, to] = [await siteWithHidden(), await wordpressSite()]
  const { out } = await from.calctl('export events')
  const { status } = await to.calctl(`apply ${to.file('events.ndjson', out)} --yes`)
  expect(status).toBe(0)
  expect((await to.json('events list --all-dates')).map(({ title }: { title: string }) => title)).toEqual(['Open'])
  expect((await to.json('events get rehearsal')).hide_from_listings).toBe(true)
})

test('where hidden events cannot be found, or filters leave out others, an export says that they are missing', async () => {
  for (const [options, line, end] of [
    ['--no-wp', 'export events', 'does not list\n'],
    ['--no-wp', 'export events --starts-after 2026-01-01', 'does not list\n'],
    ['', 'export events --starts-after 2026-01-01', 'does not list; an export without filters has them\n'],
  ] as const) {
    const { calctl } = await siteWithHidden(options)
    const { out, err } = await calctl(line)
    expect(titlesIn(out)).toEqual(['Open'])
    expect(err).toMatch(new RegExp(`not exported: hidden events, which \\S+ ${end}`))
  }
})

// Before a delete, it is asked as well whether the site shows hidden events.
test.each([
  ['export events', 2],
  ['tags delete TAG --yes', 3],
])(
  '%s ends, although the site answers with the first page of wp/v2 whatever page is asked for',
  async (line, expected) => {
    const ids = Array.from({ length: 100 }, (_, index) => index + 1000)
    let requests = 0
    const { calctl, json } = await productionSite({
      intercept: async ({ method, path, query = '' }) => {
        if (method !== 'GET' || path !== '/wp/v2/tribe_events' || !query.includes('_fields=id')) return undefined
        requests += 1
        if (requests > 10) return undefined
        return { status: 200, headers: {}, body: JSON.stringify(ids.map(id => ({ id, tags: [] }))) }
      },
    })
    const { id } = await json('tags create --name Open --json')
    expect(await calctl(line.replace('TAG', id))).toMatchObject({ status: 0 })
    expect(requests).toBe(expected)
  },
)

test('hidden events that a site has but does not show are named', async () => {
  const hidden = '--hide-from-listings'
  const site = await productionSite({
    intercept: async ({ method, path }) =>
      method === 'GET' && /\/events\/[23]$/.test(path)
        ? {
            status: 403,
            headers: { 'content-type': 'application/json' },
            body: '{"code":"closed","message":"Closed."}',
          }
        : undefined,
  })
  for (const title of ['One', 'Two', 'Three', 'Four'])
    await site.calctl(
      `events create --title ${title} --start-date "2027-03-04 18:30" --end-date "2027-03-04 20:00" ${hidden}`,
    )
  const { out, err } = await site.calctl('export events')
  expect([titlesIn(out), err]).toEqual([
    ['One', 'Four'],
    expect.stringMatching(/^not exported: 2 events: 2 and 3, which \S+ has but does not show\n/),
  ])
})
