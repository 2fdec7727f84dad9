import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { startServe } from '../support/start-serve.ts'

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
