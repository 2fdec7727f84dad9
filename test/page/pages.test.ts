import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { get } from 'node:http'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { feed } from '../../src/page/feed.ts'
import { skipped } from '../support/skipped.ts'
import { serve } from './serve-page.ts'

const concert = { title: 'Concert', start_date: '2027-03-04 19:00:00', end_date: '2027-03-04 21:00:00' }

test.each(['--memory', '--memory --quirks --open'])(
  'the url of every record leads to its page, with schema.org data (%s)',
  async options => {
    const { page, create } = await serve(`${options} --timezone Europe/Madrid`)
    const venue = await create('venues', { venue: 'Teatre <b>Principal</b>', city: 'Girona' })
    const organizer = await create('organizers', { organizer: '市役所' })
    const parent = await create('categories', { name: 'Música' })
    const category = await create('categories', { name: 'Jazz', parent: parent.id })
    const tag = await create('tags', { name: 'ジャズ' })
    const event = await create('events', {
      ...concert,
      venue: venue.id,
      description: '<script>alert(1)</script><p>Bis</p>',
    })
    expect((await page(`/calendar.ics?tags=${encodeURIComponent('ジャズ')}`)).status).toBe(200)
    for (const { url } of [venue, organizer, category, tag, event])
      expect((await page(new URL(url).pathname)).status, url).toBe(200)
    const { text, headers } = await page(new URL(event.url).pathname)
    const data = JSON.parse(/<script type="application\/ld\+json">(.*)<\/script>/.exec(text)?.[1] ?? '')
    expect(data).toMatchObject({ '@type': 'Event', name: 'Concert', startDate: '2027-03-04T19:00:00+01:00' })
    expect(text).not.toContain('<script>alert')
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  },
)

/** Who may read an event, by its status, its password, and whether it is hidden from lists. */
const kindsOfEvents = ['publish', 'draft', 'pending', 'private', 'future'].flatMap(status =>
  ['', 'secret'].flatMap(password => [false, true].map(isHidden => ({ status, password, isHidden }))),
)

describe.each(['--memory', '--memory --quirks --open', '--memory --quirks --user admin:secret'])(
  'of a calendar with %s',
  options => {
    test('only public events have a page, and only those that are listed are in the feed', async () => {
      // Only a site like production has passwords.
      const kinds = kindsOfEvents.filter(({ password }) => password === '' || options.includes('--quirks'))
      const { page, create, protect } = await serve(`${options} --timezone Europe/Madrid`)
      for (const [index, { status, password, isHidden }] of kinds.entries()) {
        const { id } = await create('events', {
          ...concert,
          title: `Kind ${index} ends`,
          slug: `kind-${index}`,
          description: `Text ${index} ends`,
          status,
          ...(status === 'future' && { date: '2040-01-01 00:00:00' }),
          hide_from_listings: isHidden,
        })
        if (password) await protect(id, password)
      }
      const feed = (await page('/calendar.ics')).text
      for (const [index, kind] of kinds.entries()) {
        const isPublic = kind.status === 'publish' && kind.password === ''
        const { status, text } = await page(`/event/kind-${index}/`)
        expect([kind, status === 200, text.includes(`Text ${index} ends`)]).toEqual([kind, isPublic, isPublic])
        expect([kind, feed.includes(`Kind ${index} ends`)]).toEqual([kind, isPublic && !kind.isHidden])
      }
    })

    test('a public event shows its venue and organizer only if they are public too', async () => {
      const { page, create } = await serve(`${options} --timezone Europe/Madrid`)
      const statuses = ['publish', 'draft', 'pending', 'private']
      for (const status of statuses) {
        const venue = await create('venues', { venue: `Hall ${status}`, address: `Street ${status}`, status })
        const organizer = await create('organizers', {
          organizer: `Group ${status}`,
          email: `x@${status}.test`,
          status,
        })
        const links = { venue: venue.id, organizer: [organizer.id] }
        await create('events', { ...concert, slug: `in-${status}`, ...links })
        expect((await page(`/calendar.ics?venue=${venue.id}`)).status).toBe(status === 'publish' ? 200 : 404)
      }
      const feed = (await page('/calendar.ics')).text
      for (const status of statuses)
        for (const text of [feed, (await page(`/event/in-${status}/`)).text])
          for (const shown of ['Hall', 'Street', 'Group', 'x@'].map(word => `${word} ${status}`.replace('@ ', '@')))
            expect([shown, text === feed, text.replace('&#64;', '@').includes(shown)]).toEqual([
              shown,
              text === feed,
              status === 'publish',
            ])
    })
  },
)

test('the page of an event says when, where and for how much in its language, and what became of it', async () => {
  const { page, create } = await serve('--memory --timezone Europe/Madrid --lang ca')
  const venue = await create('venues', { venue: 'Teatre', address: 'Plaça Major 1', city: 'Girona' })
  const event = await create('events', { ...concert, title: 'Concert', venue: venue.id, cost: '12 €' })
  const { text } = await page(new URL(event.url).pathname)
  expect(text.match(/<d[td]>.*?<\/d[td]>/g)?.map(one => one.replace(/<.*?>/g, ''))).toEqual([
    'Quan',
    'Dijous, 4 de març de 2027, 19:00–21:00',
    'On',
    'Teatre, Plaça Major 1, Girona',
    'Preu',
    '12 €',
  ])
  expect(text).toMatch(/"startDate":"2027-03-04T19:00:00\+01:00"/)
})

test('the page of an event leads to the calendar, its translations, its category, a map and a file', async () => {
  const { page, create, origin } = await serve('--memory --timezone Europe/Madrid --lang ca')
  const venue = await create('venues', { venue: 'Teatre', address: 'Plaça Major 1', city: 'Girona' })
  const category = await create('categories', { name: 'Música' })
  const values = { ...concert, slug: 'concert', venue: venue.id, categories: [category.id] }
  await create('events', { ...values, title: 'Concert' })
  await create('events', { ...concert, slug: 'concert', title: 'The concert', lang_code: 'en' })
  await create('events', { ...concert, slug: 'concert', start_date: '2027-03-05 10:00:00', lang_code: 'es' })
  const { text } = await page('/event/concert/')
  expect(text).toMatch(/<title>Concert · Girona<\/title>/)
  const missing = await page('/event/nothing/')
  for (const html of [text, missing.text]) expect(html).toMatch(/Calendari d’actes<\/a><p class="town">Girona<\/p>/)
  expect((await page('/')).text).toContain('data-town="Girona"')
  const links = Object.fromEntries(
    [...text.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, href = '', said = '']) => [said, href]),
  )
  expect(links).toMatchObject({
    'Calendari d’actes': `${origin}/?lang=ca`,
    en: `${origin}/en/event/concert/`,
    Teatre: `${origin}/venue/teatre/`,
    'Plaça Major 1, Girona': 'https://www.openstreetmap.org/search?query=Teatre%2C+Pla%C3%A7a+Major+1%2C+Girona',
    Música: `${origin}/?lang=ca&amp;view=list&amp;date=2027-03-04&amp;categories=${category.id}`,
    '← Calendari': `${origin}/?lang=ca`,
  })
  expect(links).not.toHaveProperty('es')
  const file = await page(`/event/concert/${links['Desa’l al teu calendari (.ics)']}`)
  expect(file.headers.get('content-type')).toBe('text/calendar; charset=UTF-8')
  expect(file.text).toContain('SUMMARY:Concert')
  const english = await page('/en/event/concert/')
  expect(english.text).toMatch(/<html lang="en">[\s\S]*hreflang="ca"[\s\S]*← Calendar</)
})

test.each([
  ['ca', 'de, es;q=0.8', 'es', 'Esta página no existe.'],
  ['ca', 'en-GB,en;q=0.8', 'en', 'There is no such page.'],
  ['es', '*', 'es', 'Esta página no existe.'],
])('a browser that finds nothing is told so in its language (%s, %s)', async (site, accepted, language, sentence) => {
  const { origin } = await serve(`--memory --lang ${site}`)
  const headers = { accept: 'text/html,application/xhtml+xml', 'accept-language': accepted, connection: 'close' }
  for (const path of ['/nothing', '/event/nothing/', '/ca-nothing/x', '/events/nothing']) {
    const answer = await fetch(origin + path, { headers })
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8'])
    expect(text).toContain(`<html lang="${language}">`)
    expect(text).toContain(`<h1>${sentence}</h1>`)
    expect(text).toContain(`href="${origin}/?lang=${language}"`)
  }
  const below = await fetch(`${origin}/ca/whatever`, { headers })
  expect(await below.text()).toContain('<html lang="ca">')
})

test('refusals of the API are the same for a browser as for a program', async () => {
  const { origin } = await serve('--memory')
  const api = '/calendar/events/v1'
  for (const path of [
    `${api}/nothing`,
    `${api}/events/7`,
    `/en${api}/events/7`,
    '/wp/v2/nothing',
    '/__calctl/nothing',
  ]) {
    const [browser, program] = await Promise.all(
      ['text/html', 'application/json'].map(async accept => {
        const answer = await fetch(origin + path, { headers: { accept, connection: 'close' } })
        return [answer.status, answer.headers.get('content-type'), await answer.text()]
      }),
    )
    expect(browser).toEqual(program)
    expect(browser?.[1]).toMatch(/json/)
  }
})

test('hostile texts, and an event of ten years, are text on their page and in the feed', async () => {
  const { page, create } = await serve('--memory --timezone Europe/Madrid')
  const titles = [
    '<script>alert(1)</script><img src=x onerror=alert(1)> a',
    '</script></title><b>b',
    'c \u202Edecalper',
    `d ${'x'.repeat(10_000)}`,
  ]
  for (const [index, title] of titles.entries()) {
    const { url } = await create('events', {
      ...concert,
      title,
      slug: `hostile-${index}`,
      end_date: '2037-03-04 21:00:00',
      description: '<a href="javascript:alert(1)">x</a><iframe src="https://elsewhere.test"></iframe>',
    })
    const { status, text } = await page(new URL(url).pathname)
    expect(status).toBe(200)
    expect(text).not.toMatch(/<script>|<img|<b>|<iframe|href="javascript/)
    expect(text.match(/<script/g)).toHaveLength(1)
  }
  const { text } = await page('/calendar.ics')
  expect(new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')).toHaveLength(titles.length)
})

test('a forged Host gets no page and no feed', async () => {
  const { origin } = await serve('--memory')
  for (const path of ['/', '/calendar.ics', '/event/x/']) {
    const status = await new Promise(resolve =>
      get(origin + path, { headers: { host: 'evil.test', accept: 'text/html' }, agent: false }, answer =>
        resolve(answer.resume().statusCode),
      ),
    )
    expect([path, status]).toEqual([path, 421])
  }
})

interface FeedEvent {
  readonly title: string
  /** An instant, or a day. */
  readonly start: string
  readonly end: string
}

const byTitle = (events: readonly FeedEvent[]) => events.toSorted((one, other) => (one.title < other.title ? -1 : 1))

const readByIcalJs = (text: string): FeedEvent[] =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map(component => {
    const { summary: title, startDate, endDate } = new ICAL.Event(component)
    const [start = '', end = ''] = [startDate, endDate].map(time =>
      time.isDate ? time.toString() : time.toJSDate().toISOString(),
    )
    return { title, start, end }
  })

/** What Debian's icalendar for Python reads. */
function readByPython(text: string): FeedEvent[] {
  const program = `
import sys, json, datetime
from icalendar import Calendar
rows = []
for event in Calendar.from_ical(sys.stdin.buffer.read()).walk('VEVENT'):
    times = {'start': event.decoded('dtstart'), 'end': event.decoded('dtend')}
    for name, time in times.items():
        if isinstance(time, datetime.datetime):
            time = time.astimezone(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.000Z')
        times[name] = str(time)
    rows.append({'title': str(event['summary']), **times})
print(json.dumps(rows))`
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', program], { input: text, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const hasPython = spawnSync('/usr/bin/python3', ['-c', 'import icalendar']).status === 0

const why = skipped(!hasPython && !process.env.CI, 'python3-icalendar is not installed')

test.skipIf(why !== '')(`two other readers take the feed, with its filters${why}`, async () => {
  const { page, create } = await serve('--memory --timezone Europe/Madrid')
  const category = await create('categories', { name: 'Jazz' })
  await create('events', concert)
  await create('events', { ...concert, title: 'Jam; amb «cometes», i \\ més', categories: [category.id] })
  await create('events', { ...concert, title: 'A Londres', timezone: 'Europe/London' })
  await create('events', { ...concert, title: 'Bell \u0007, línia\r\nEND:VEVENT i \u202Edretes', all_day: true })
  await create('events', { ...concert, title: `Deu anys ${'x'.repeat(10_000)}`, end_date: '2037-08-04 21:00:00' })
  const { text, headers } = await page('/calendar.ics')
  expect(headers.get('content-type')).toBe('text/calendar; charset=UTF-8')
  expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n')
  expect(text).not.toMatch(/[^\P{Cc}\t\r\n]/u)
  const events = byTitle(readByPython(text))
  expect(byTitle(readByIcalJs(text))).toEqual(events)
  const times = { start: '2027-03-04T18:00:00.000Z', end: '2027-03-04T20:00:00.000Z' }
  expect(events).toEqual([
    { title: 'A Londres', start: '2027-03-04T19:00:00.000Z', end: '2027-03-04T21:00:00.000Z' },
    { title: 'Bell , línia\nEND:VEVENT i \u202Edretes', start: '2027-03-04', end: '2027-03-05' },
    { ...times, title: 'Concert' },
    { ...times, title: `Deu anys ${'x'.repeat(10_000)}`, end: '2037-08-04T19:00:00.000Z' },
    { ...times, title: 'Jam; amb «cometes», i \\ més' },
  ])
  for (const filter of [`categories=${category.id}`, 'categories=jazz', 'search=Jam'])
    expect(readByPython((await page(`/calendar.ics?${filter}`)).text).map(({ title }) => title)).toEqual([
      'Jam; amb «cometes», i \\ més',
    ])
})

test.each([
  ['colour=red', 400, 'it has categories, tags, venue, organizer, search, lang_code'],
  ['lang_code=de', 400, 'Expected ca, en, es'],
  ['venue=999', 404, 'No record is named by venue=999.'],
  ['categories=nothing', 404, 'No record is named by categories=nothing.'],
  ['venue=x', 404, 'No record is named by venue=x.'],
])('a feed with the filter %s is refused', async (query, status, sentence) => {
  const { page } = await serve('--memory')
  const answer = await page(`/calendar.ics?${query}`)
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(sentence)])
})

test('a feed takes the categories of its language, and their names', async () => {
  const { page, create } = await serve('--memory')
  const category = await create('categories', { name: 'Theatre', lang_code: 'en' })
  await create('events', { ...concert, lang_code: 'en', categories: [category.id] })
  for (const filter of ['categories=theatre', `categories=${category.id}`]) {
    expect((await page(`/calendar.ics?lang_code=en&${filter}`)).text).toContain('SUMMARY:Concert')
    expect((await page(`/calendar.ics?${filter}`)).status).toBe(404)
  }
})

test('a long feed lets others have their turn between its pages', async () => {
  let [pages, turns] = [0, 0]
  const event = { id: 1, ...concert, timezone: 'UTC', utc_start_date: concert.start_date }
  const countTurns = () => {
    turns += 1
    if (pages < 20) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const body = JSON.stringify({ events: [{ ...event, utc_end_date: concert.end_date }], total_pages: 20 })
  const { body: text } = await feed(
    {
      service: async () => {
        pages += 1
        return { status: 200, headers: {}, body }
      },
      baseUrl: 'http://town.test',
      namespace: 'calendar/events/v1',
      site: { language: 'ca', timezone: 'UTC', name: 'town' },
      access: 'nobody',
      now: () => new Date(0),
    },
    new URLSearchParams(),
  )
  expect(String(text).match(/SUMMARY/g)).toHaveLength(20)
  expect(text).toContain('X-WR-CALNAME:town\r\n')
  expect(turns).toBeGreaterThan(15)
})

test('the list of events is at /events/, as on a site', async () => {
  const { page } = await serve('--memory --now 2026-12-09T11:20:00Z')
  expect((await page('/events/')).text).toBe((await page('/')).text)
})

test('the address of the calendar says without JavaScript what it needs, and where the feed is', async () => {
  const { page } = await serve('--memory --lang es')
  const { text } = await page('/')
  expect(text).toMatch(
    /<html lang="es">[\s\S]*<noscript>[\s\S]*necesita JavaScript[\s\S]*href="\/calendar.ics"[\s\S]*\/v1\/events/,
  )
})

test('what is no file of the page is left to the API', async () => {
  const { page } = await serve('--memory')
  expect((await page('/event/nothing/')).text).toContain('Aquesta pàgina no existeix.')
  expect((await page('/__page/main.js')).headers.get('content-type')).toMatch(/json/)
  expect((await page('/__page/../package.json')).status).toBe(404)
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    expect((await page(`/__page/${name}`)).status, name).toBe(404)
  expect(existsSync('dist/page/page.js')).toBe(true)
})
