import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { parseICalendar } from './other-parser.ts'

const feed = (...events: string[]) =>
  `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Town//Feed//EN
${events.join('\n')}
END:VCALENDAR
`.replaceAll('\n', '\r\n')

const talk = `BEGIN:VEVENT
UID:talk@town.example
DTSTART;TZID=Europe/Madrid:20261205T190000
DTEND;TZID=Europe/Madrid:20261205T203000
SUMMARY:Xerrada
LOCATION:Biblioteca
ORGANIZER;CN=Ateneu:mailto:info@ateneu.example
CATEGORIES:Cultura,Debats
URL:https://town.example/talk
END:VEVENT`

const choir = `BEGIN:VEVENT
UID:choir@town.example
DTSTART;TZID=Europe/Madrid:20261201T200000
DURATION:PT1H
RRULE:FREQ=WEEKLY;COUNT=3
SUMMARY:Coral
LOCATION:Biblioteca
END:VEVENT`

test('a feed applied twice changes nothing the second time', async () => {
  const calctl = calendar()
  const first = await calctl('apply - --yes --jobs 1', feed(talk, choir))
  expect(first).toMatchObject({ status: 0, err: expect.stringContaining('8 to create') })
  const second = await calctl('diff --exit-code -', feed(talk, choir))
  expect(second).toEqual({
    status: 0,
    out: '4 unchanged\n',
    err: '',
  })
})

test('a changed feed updates only what changed and trashes what it cancels', async () => {
  const calctl = calendar()
  await calctl('apply - --yes --jobs 1', feed(talk, choir))
  const off = choir.replace('SUMMARY', 'EXDATE;TZID=Europe/Madrid:20261208T200000\nSUMMARY')
  const { status, out } = await calctl('diff --exit-code -', feed(talk.replace('T203000', 'T210000'), off))
  expect({ status, out }).toEqual({
    status: 1,
    out: `~ "Xerrada", Sat 5 Dec 19:00, Biblioteca (3, event 1): ends 20:30 → 21:00
- "Coral", Tue 8 Dec 20:00, Biblioteca (5, event 2, 2026-12-08 20:00:00)
1 to update, 1 to move to the trash, 2 unchanged
`,
  })
})

test('a cancelled event that does not exist is not counted as unchanged', async () => {
  const calctl = calendar()
  const off = choir.replace('SUMMARY', 'EXDATE;TZID=Europe/Madrid:20261208T200000\nSUMMARY')
  const text = feed(talk.replace('SUMMARY', 'STATUS:CANCELLED\nSUMMARY'), off)
  expect((await calctl('diff --exit-code -', text)).out).toMatch(/3 to create\n$/)
  await calctl('apply - --yes --jobs 1', text)
  expect((await calctl('diff --exit-code -', text)).out).toBe('2 unchanged\n')
})

test('a series whose hour changes is moved, not duplicated', async () => {
  const calctl = calendar()
  await calctl('apply - --yes --jobs 1', feed(choir))
  const { out } = await calctl('diff --exit-code -', feed(choir.replace('T200000', 'T203000')))
  expect(out).toMatch(/3 to update\n$/)
})

test('an invalid event is named and stops only itself; --strict applies nothing', async () => {
  const calctl = calendar()
  const text = feed(talk, choir.replace('WEEKLY', 'SOMETIMES'))
  const strict = await calctl('apply - --yes --strict', text)
  expect(strict.status).toBe(2)
  expect(strict.err).toContain(
    '! event 2 "Coral": RRULE: expected FREQ to be one of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY, ' +
      'got "FREQ=SOMETIMES;COUNT=3"\n',
  )
  expect(strict.err).toContain('1 record is invalid; nothing was sent')
  expect((await calctl('events list --all-dates -o count')).out).toBe('0\n')
  const { status, err } = await calctl('apply - --yes', text)
  expect(status).toBe(6)
  expect(err).toContain('! event 2 "Coral": RRULE: expected FREQ')
  expect((await calctl('events list --all-dates --fields title -o csv')).out).toBe('title\nXerrada\n')
  expect(await calctl('diff --exit-code -', text)).toMatchObject({ status: 0 })
  expect(await calctl('apply - --yes', text)).toMatchObject({ status: 6 })
  expect(await calctl('apply - --yes --skip-invalid', text)).toMatchObject({ status: 6 })
  expect(await calctl('apply - --yes --allow-invalid', text)).toMatchObject({ status: 0 })
})

test('--prune trashes nothing as long as an event of the feed is invalid', async () => {
  const calctl = calendar()
  await calctl('apply - --yes --jobs 1', feed(talk, choir))
  const { err } = await calctl('apply - --yes --prune', feed(choir.replace('WEEKLY', 'SOMETIMES')))
  expect(err).toContain('--prune removes nothing while there are invalid records\n')
  expect((await calctl('events list --all-dates -o count')).out).toBe('4\n')
})

test('an hour that occurs twice is applied once', async () => {
  const calctl = calendar()
  const night = feed(talk.replace('20261205T190000', '20271031T023000').replace('20261205T203000', '20271031T040000'))
  expect(await calctl('apply - --yes', night)).toMatchObject({ status: 0 })
  expect(await calctl('diff --exit-code -', night)).toMatchObject({ status: 0 })
})

test('--until ends an endless series', async () => {
  const calctl = calendar()
  const endless = choir.replace(';COUNT=3', '')
  const { err } = await calctl('apply - --yes --until 2026-12-31', feed(endless))
  expect(err).toContain('"Coral" repeats without end: read up to 2026-12-31\n')
  expect((await calctl('events list -o count')).out).toBe('5\n')
})

test('past dates of an endless series are not created, and --prune keeps those that exist', async () => {
  const calctl = calendar()
  const begun = choir.replace('20261201', '20261101').replace('WEEKLY', 'DAILY')
  await calctl('apply - --yes', feed(begun))
  const endless = feed(begun.replace(';COUNT=3', ''))
  const { status, out, err } = await calctl('diff --exit-code - --prune --until 2026-11-22', endless)
  expect({ status, err }).toEqual({
    status: 1,
    err: '"Coral" repeats without end: read from 2026-11-21 up to 2026-11-22\n',
  })
  expect(out).toMatch(/2 to create\n$/)
  const weekly = feed(begun.replace('DAILY;COUNT=3', 'WEEKLY'))
  await calctl('apply - --yes --until 2026-11-22', endless)
  expect((await calctl('diff --exit-code - --prune --until 2026-11-22', weekly)).out).toContain(
    '1 to move to the trash',
  )
})

for (const until of ['13/31/2027', 'tomorow', '2027'])
  test(`--until ${until} is refused as an invalid day`, async () => {
    const { status, err } = await calendar()(`apply - --yes --until ${until}`, feed(choir))
    expect({ status, err }).toEqual({
      status: 2,
      err: expect.stringMatching(`^error: --until: expected a date( that begins with the year)?, got "${until}"`),
    })
  })

test('a feed is fetched from its URL', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/town.ics?lang=ca' ? 200 : 404
    response.end(feed(talk))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const calctl = calendar()
  expect(await calctl(`apply ${origin}/town.ics?lang=ca --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('events list --fields title,venue.venue -o csv')).out).toBe(
    'title,venue.venue\nXerrada,Biblioteca\n',
  )
  expect(await calctl(`apply ${origin}/other.ics --yes`)).toEqual({
    status: 4,
    out: '',
    err: `error: ${origin}/other.ics answered 404\nhint: open the URL in a browser to see the response\n`,
  })
  server.close()
})

test('-o ics writes a feed that another program reads', async () => {
  const calctl = calendar()
  await calctl('apply - --yes --jobs 1', feed(talk))
  const { out } = await calctl('events list -o ics')
  const [event] = Object.values(parseICalendar(out)).filter(component => component?.type === 'VEVENT')
  expect(event).toMatchObject({
    summary: 'Xerrada',
    location: 'Biblioteca',
    categories: ['Cultura', 'Debats'],
    start: new Date('2026-12-05T18:00:00Z'),
    end: new Date('2026-12-05T19:30:00Z'),
  })
  expect((await calctl('venues list -o ics')).err).toBe(
    'error: calctl venues list cannot print ics\nhint: write a feed of events with: calctl events list --all -o ics\n',
  )
})

test('-o ics applied to its own calendar changes nothing, and to another one creates the same events', async () => {
  const [calctl, other] = [calendar(), calendar()]
  await calctl('venues create --venue "Teatre Principal" --address "Rambla, 1" --zip 17001 --city Girona')
  await calctl('organizers create --organizer Ateneu --email info@ateneu.example')
  await calctl('organizers create --organizer Orfeó')
  await calctl(`events create --title "Nit d’òpera" --description "<p>Verdi</p>\n<p>i <em>Puccini</em></p>"
    --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00" --venue "Teatre Principal" --organizer Ateneu,Orfeó`)
  await calctl(
    'events create --title Eclipsi --start-date "2026-12-06 19:00" --end-date "2026-12-06 21:00" --timezone UTC',
  )
  await calctl('events create --title Fira --start-date 2026-12-07 --end-date 2026-12-08 --all-day')
  const { out: feed } = await calctl('events list -o ics')
  expect(await calctl('diff --exit-code -', feed)).toEqual({
    status: 0,
    out: '3 unchanged\n',
    err: '',
  })
  expect(await other('apply - --yes --jobs 1', feed)).toMatchObject({ status: 0 })
  const columns = 'events list --fields slug,title,start_date,timezone,venue.venue -o csv'
  expect((await other(columns)).out).toBe((await calctl(columns)).out)
  expect(await other('diff --exit-code -', feed)).toMatchObject({ status: 0 })
})

test('a LOCATION of several lines is one venue, also the second time', async () => {
  const calctl = calendar()
  const text = feed(talk.replace('Biblioteca', 'Biblioteca\\nCarrer Gran 1\\, Girona'))
  await calctl('apply - --yes --jobs 1', text)
  expect((await calctl('venues list --fields venue,address -o csv')).out).toBe(
    'venue,address\nBiblioteca,"Carrer Gran 1, Girona"\n',
  )
  expect(await calctl('diff --exit-code -', text)).toMatchObject({ status: 0 })
})

test('an organizer is created with its e-mail address and the event with its image, once', async () => {
  const calctl = calendar()
  const text = feed(talk.replace('SUMMARY', 'ATTACH;FMTTYPE=image/jpeg:https://town.example/talk.jpg\nSUMMARY'))
  await calctl('apply - --yes --jobs 1', text)
  expect((await calctl('events list --fields organizer.organizer,organizer.email,image.url -o csv')).out).toBe(
    'organizer.organizer,organizer.email,image.url\nAteneu,info@ateneu.example,https://town.example/talk.jpg\n',
  )
  expect(await calctl('diff --exit-code -', text)).toMatchObject({ status: 0 })
})

test('an image that the site has copied counts as unchanged', async () => {
  const calctl = calendar()
  const feedWith = (address: string) => feed(talk.replace('SUMMARY', `ATTACH;FMTTYPE=image/jpeg:${address}\nSUMMARY`))
  await calctl('apply - --yes --jobs 1', feedWith('https://site.example/uploads/2026/12/talk-1-scaled.jpg'))
  expect(await calctl('diff --exit-code -', feedWith('https://town.example/talk.jpg'))).toMatchObject({ status: 0 })
  expect(await calctl('diff --exit-code -', feedWith('https://town.example/talk-2.jpg'))).toMatchObject({ status: 1 })
  expect(await calctl('diff --exit-code -', feedWith('https://site.example/talk.jpg'))).toMatchObject({ status: 1 })
})

test('a file that is not a feed is refused before anything is sent', async () => {
  const calctl = calendar()
  expect(await calctl('apply - --format ics --yes', '<!doctype html><p>Not found</p>')).toMatchObject({
    status: 2,
    err: expect.stringContaining('is not iCalendar: it begins with "<!doctype html>'),
  })
})
