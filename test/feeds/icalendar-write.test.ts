import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resource.ts'
import { writeICalendar } from '../../src/files/icalendar/write-icalendar.ts'
import { each, read } from '../support/record-files.ts'
import { parseICalendar } from './other-parser.ts'

const concert: Answer = {
  id: 12,
  lang_code: 'ca',
  title: 'Concert &#8220;Bach&#8221;; cor, orquestra',
  description: `<p>Música ${'molt '.repeat(40)}llarga</p>\n<p>Fi<br />de nit 👩‍🎤</p>`,
  status: 'publish',
  url: 'https://example.org/event/concert',
  website: '',
  modified_utc: '2026-11-01 10:00:00',
  all_day: false,
  start_date: '2026-12-05 19:00:00',
  end_date: '2026-12-05 21:00:00',
  utc_start_date: '2026-12-05 18:00:00',
  utc_end_date: '2026-12-05 20:00:00',
  timezone: 'Europe/Madrid',
  venue: {
    id: 7,
    venue: 'Auditori',
    address: 'Rambla, 1',
    zip: '17001',
    city: 'Girona',
    geo_lat: 41.98,
    geo_lng: 2.82,
  },
  organizer: [
    { id: 8, organizer: 'Amics: "Bach", SL', email: 'info@example.org' },
    { id: 9, organizer: 'Ateneu' },
  ],
  categories: [{ name: 'Música' }, { name: 'Cor' }],
}

const fair: Answer = {
  ...concert,
  id: 13,
  title: 'Fira',
  all_day: true,
  start_date: '2026-12-05 00:00:00',
  end_date: '2026-12-06 23:59:59',
  status: 'trash',
  venue: [],
  organizer: [],
  categories: [],
}

async function calendar(events: readonly Answer[], site = 'https://example.org/wp-json'): Promise<string> {
  let text = ''
  const writing = { site, now: new Date('2026-11-21T02:00:00Z'), name: 'Agenda, Girona' }
  for await (const piece of writeICalendar(each(events), writing)) text += piece
  return text
}

describe('another parser reads from an exported feed', () => {
  test('an event with its place, organizers and texts', async () => {
    const parsed = parseICalendar(await calendar([concert]))
    const event = parsed['event-12@example.org-wp-json']
    expect(event).toMatchObject({
      type: 'VEVENT',
      uid: 'event-12@example.org-wp-json',
      summary: 'Concert “Bach”; cor, orquestra',
      description: `Música ${'molt '.repeat(40)}llarga\n\nFi\nde nit 👩‍🎤`,
      location: 'Auditori, Rambla, 1, 17001 Girona',
      geo: { lat: 41.98, lon: 2.82 },
      url: 'https://example.org/event/concert',
      status: 'CONFIRMED',
      categories: ['Música', 'Cor'],
      organizer: { params: { CN: expect.stringContaining('Bach') }, val: 'mailto:info@example.org' },
    })
    if (event?.type !== 'VEVENT') throw new Error('no event')
    expect(event.start.toISOString()).toBe('2026-12-05T18:00:00.000Z')
    expect(event.start.tz).toBe('Europe/Madrid')
    expect(event.end?.toISOString()).toBe('2026-12-05T20:00:00.000Z')
    expect(event.dtstamp.toISOString()).toBe('2026-11-01T10:00:00.000Z')
  })

  test('all-day events with the day after as their end', async () => {
    const event = parseICalendar(await calendar([fair]))['event-13@example.org-wp-json']
    if (event?.type !== 'VEVENT') throw new Error('no event')
    expect(event.datetype).toBe('date')
    expect([event.start, event.end].map(date => date && new Date(date).toDateString())).toEqual([
      'Sat Dec 05 2026',
      'Mon Dec 07 2026',
    ])
    expect(event.status).toBe('CANCELLED')
  })
})

test('lines have at most 75 octets and end with CRLF', async () => {
  const lines = (await calendar([concert])).split('\r\n')
  expect(lines.filter(line => Buffer.byteLength(line) > 75 || line.includes('\n'))).toEqual([])
  expect(lines.slice(0, 6)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//calctl//calctl//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Agenda\\, Girona',
  ])
  expect(lines.slice(-2)).toEqual(['END:VCALENDAR', ''])
})

test('a zone is defined once, with its real offsets', async () => {
  const text = await calendar([concert, { ...concert, id: 14 }])
  expect(text.match(/BEGIN:VTIMEZONE/g)).toHaveLength(1)
  const component = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vtimezone')
  const zone = new ICAL.Timezone({ component, tzid: 'Europe/Madrid' })
  const offset = (wall: string) => zone.utcOffset(ICAL.Time.fromDateTimeString(wall)) / 3600
  expect(offset('2026-03-29T01:59:59')).toBe(1)
  expect(offset('2026-03-29T03:00:00')).toBe(2)
  expect(offset('2026-10-25T01:59:59')).toBe(2)
  expect(offset('2026-10-25T03:00:00')).toBe(1)
  expect(offset('1976-07-01T12:00:00')).toBe(2)
})

test.each([
  ['UTC+5:30', '2026-12-05 19:00:00'],
  ['UTC', '2026-12-05 18:00:00'],
  ['Europe/Madrid', '2126-12-05 19:00:00'],
])('events outside of named zones and covered years are in UTC: %s, %s', async (timezone, start_date) => {
  const text = await calendar([{ ...concert, timezone, start_date }])
  expect(text).toContain('\r\nDTSTART:20261205T180000Z\r\n')
  expect(text).not.toContain('VTIMEZONE')
})

test('the path of a calendar file is not in its feed', async () => {
  expect(await calendar([fair], 'file:///home/ada/calendar.json')).toMatch(/\r\nUID:event-13@[0-9a-f]{12}\r\n/)
})

test('an exported feed comes back as the same events', async () => {
  const { records, notices } = await read(await calendar([concert, fair]), { name: 'a.ics' })
  expect(notices).toEqual([])
  expect(records).toMatchObject([
    {
      values: {
        title: 'Concert “Bach”; cor, orquestra',
        start_date: '2026-12-05 19:00:00',
        end_date: '2026-12-05 21:00:00',
        timezone: 'Europe/Madrid',
        all_day: false,
        categories: ['Música', 'Cor'],
        organizer: [{ organizer: 'Amics: "Bach", SL', email: 'info@example.org' }, 'Ateneu'],
        venue: 'Auditori',
        description: concert.description,
      },
    },
    { action: 'trash' },
  ])
  expect(records[0]?.values).not.toHaveProperty('website')
})

test('a change by another program wins over calctl’s own properties', async () => {
  const text = (await calendar([concert])).replaceAll('\r\n ', '')
  const changed = text
    .replace('LOCATION:Auditori', 'LOCATION:Ateneu')
    .replace('DESCRIPTION:Música', 'DESCRIPTION:Dansa')
    .replace('URL:https://example.org/event/concert', 'URL:https://example.org/dansa')
  const { records } = await read(changed, { name: 'a.ics' })
  expect(records[0]?.values).toMatchObject({
    venue: 'Ateneu, Rambla, 1, 17001 Girona',
    description: expect.stringMatching(/^Dansa molt [^<]*$/),
    website: 'https://example.org/dansa',
  })
})
