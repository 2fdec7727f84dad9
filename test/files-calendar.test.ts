import { describe, expect, test } from 'vitest'
import { read } from './files.ts'

const calendar = (lines: string) => `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n${lines.trim()}\nEND:VCALENDAR\n`
const event = (lines: string) => `BEGIN:VEVENT\nUID:a@example.org\nSUMMARY:Fira\n${lines.trim()}\nEND:VEVENT\n`
const name = 'feed.ics'

/** Start and end of each record, or what is to be done with it. */
const dates = async (text: string, options = {}) =>
  (await read(text, { name, ...options })).records.map(
    ({ action, values }) => action ?? `${values.start_date} – ${values.end_date} ${values.timezone ?? ''}`,
  )

test('an event with all that we keep of it', async () => {
  const { records, notices } = await read(
    calendar(`BEGIN:VEVENT
UID:040000008200E00074C5B7101A82E008@example.org
SUMMARY:Concert\\, amb cor
DESCRIPTION:Bach
  i Händel\\nEntrada lliure
DTSTART;TZID=Europe/Madrid:20261205T190000
DTEND;TZID=Europe/Madrid:20261205T210000
LOCATION:Auditori
ORGANIZER;CN="Amics, Bach":mailto:info@example.org
CATEGORIES:Música,Bach
CATEGORIES:Cor
URL:https://example.org/concert
CLASS:PRIVATE
END:VEVENT`),
    { name },
  )
  expect(notices).toEqual([])
  expect(records).toEqual([
    {
      resource: 'events',
      makesLinks: true,
      values: {
        slug: '040000008200e00074c5b7101a82e008-example-org-e5cd6ed1c6',
        title: 'Concert, amb cor',
        description: 'Bach i Händel\nEntrada lliure',
        venue: 'Auditori',
        organizer: ['Amics, Bach'],
        categories: ['Música', 'Bach', 'Cor'],
        website: 'https://example.org/concert',
        status: 'private',
        all_day: false,
        start_date: '2026-12-05 19:00:00',
        end_date: '2026-12-05 21:00:00',
        timezone: 'Europe/Madrid',
      },
      cleared: [],
      place: 'event 1',
      mistakes: [],
    },
  ])
})

describe('dates', () => {
  test.each([
    ['DTSTART;VALUE=DATE:20261205', '2026-12-05 00:00:00 – 2026-12-05 23:59:59 '],
    ['DTSTART:20261205', '2026-12-05 00:00:00 – 2026-12-05 23:59:59 '],
    ['DTSTART;VALUE=DATE:20261205\nDTEND;VALUE=DATE:20261208', '2026-12-05 00:00:00 – 2026-12-07 23:59:59 '],
    ['DTSTART;VALUE=DATE:20261205\nDURATION:P2D', '2026-12-05 00:00:00 – 2026-12-06 23:59:59 '],
    ['DTSTART:20261205T190000\nDURATION:PT90M', '2026-12-05 19:00:00 – 2026-12-05 20:30:00 '],
    ['DTSTART:20261205T190000', '2026-12-05 19:00:00 – 2026-12-05 19:00:00 '],
    ['DTSTART:20261205T180000Z', '2026-12-05 18:00:00 – 2026-12-05 18:00:00 UTC'],
    [
      'DTSTART;TZID=Romance Standard Time:20261205T190000\nDTEND:20261205T200000Z',
      '2026-12-05 19:00:00 – 2026-12-05 21:00:00 Europe/Paris',
    ],
    [
      'DTSTART;TZID=/freeassociation.sourceforge.net/America/New_York:20261205T190000',
      '2026-12-05 19:00:00 – 2026-12-05 19:00:00 America/New_York',
    ],
  ])('%s', async (lines, expected) => {
    expect(await dates(calendar(event(lines)))).toEqual([expected])
  })

  test('in UTC are shown in the zone of the feed, or else of the calendar', async () => {
    const start = event('DTSTART:20260705T180000Z')
    expect(await dates(calendar(`X-WR-TIMEZONE:Europe/London\n${start}`))).toEqual([
      '2026-07-05 19:00:00 – 2026-07-05 19:00:00 Europe/London',
    ])
    expect(await dates(calendar(start), { timezone: 'Europe/Madrid' })).toEqual([
      '2026-07-05 20:00:00 – 2026-07-05 20:00:00 Europe/Madrid',
    ])
  })

  test('one of Windows’ zones is the calendar’s own where it can be', async () => {
    const start = event('DTSTART;TZID=Romance Standard Time:20261205T190000')
    expect(await dates(calendar(start), { timezone: 'Europe/Madrid' })).toEqual([
      '2026-12-05 19:00:00 – 2026-12-05 19:00:00 Europe/Madrid',
    ])
  })

  const customized = `BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
`

  test('in a zone that only the feed describes are moments all the same', async () => {
    const weekly = event('DTSTART;TZID=Customized Time Zone:20261018T190000\nRRULE:FREQ=WEEKLY;COUNT=2')
    expect(await dates(calendar(customized + weekly))).toEqual([
      '2026-10-18 17:00:00 – 2026-10-18 17:00:00 UTC',
      '2026-10-25 18:00:00 – 2026-10-25 18:00:00 UTC',
    ])
  })

  test('in a zone that nothing describes stand as they are, which is said', async () => {
    const { records, notices } = await read(calendar(event('DTSTART;TZID=Mars:20261205T190000')), { name })
    expect(records[0]?.values).toMatchObject({ start_date: '2026-12-05 19:00:00' })
    expect(notices).toEqual(['the time zone "Mars" is not known: its times are taken as they stand'])
  })

  test('that cannot be read are a mistake of their event', async () => {
    const { records } = await read(calendar(event('DTSTART:soon') + event('DTSTART:20261205').replace('a@', 'b@')), {
      name,
    })
    expect(records).toMatchObject([
      { place: 'event 1', mistakes: [{ column: 'DTSTART', expected: 'a date such as 20261205T190000' }] },
      { place: 'event 2', mistakes: [] },
    ])
  })
})

test.each([
  ['UID;VALUE=DATE:soon', undefined],
  ['SUMMARY;VALUE=DATE:soon', 'SUMMARY'],
  ['CATEGORIES;VALUE=DATE-TIME:soon', 'CATEGORIES'],
  ['ORGANIZER;VALUE=DATE:soon', 'ORGANIZER'],
  ['STATUS;VALUE=DURATION:soon', 'STATUS'],
  ['SEQUENCE;VALUE=DATE:soon', undefined],
])('%s, which is not what it says it is, stops no other event', async (line, column) => {
  const odd = `BEGIN:VEVENT\n${line}\nDTSTART:20261205T190000\nEND:VEVENT\n`
  const { records } = await read(calendar(odd + odd + event('DTSTART:20261206T190000')), { name })
  expect(records.map(({ mistakes }) => mistakes.map(mistake => mistake.column))).toEqual([column ? [column] : [], []])
})

describe('series', () => {
  test('are single events, each with a slug of its own, at the same wall time', async () => {
    const { records } = await read(
      calendar(event('DTSTART;TZID=Europe/Madrid:20261018T190000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=2')),
      { name },
    )
    expect(records).toMatchObject([
      {
        place: 'event 1, 2026-10-18 19:00:00',
        values: { slug: 'a-example-org-e16bfe08be-20261018t190000', end_date: '2026-10-18 20:00:00' },
      },
      {
        place: 'event 1, 2026-10-25 19:00:00',
        values: { slug: 'a-example-org-e16bfe08be-20261025t190000', end_date: '2026-10-25 20:00:00' },
      },
    ])
  })

  test('without an end are followed for a year, or as far as asked, which is said', async () => {
    const text = calendar(event('DTSTART;VALUE=DATE:20261201\nRRULE:FREQ=MONTHLY'))
    const { records, notices } = await read(text, { name })
    expect(records).toHaveLength(12)
    expect(notices).toEqual(['"Fira" repeats without end: taken up to 2027-11-21'])
    expect((await read(text, { name, until: '2027-02-01' })).records).toHaveLength(3)
  })

  test('have dates added, taken out, moved and called off', async () => {
    const text = calendar(
      event(`DTSTART;TZID=Europe/Madrid:20261205T190000
DTEND;TZID=Europe/Madrid:20261205T200000
RRULE:FREQ=WEEKLY;UNTIL=20261226T180000Z
RDATE;TZID=Europe/Madrid:20261208T120000
EXDATE:20261212T180000Z`) +
        event(`RECURRENCE-ID;TZID=Europe/Madrid:20261219T190000
DTSTART;TZID=Europe/Madrid:20261220T170000
DTEND;TZID=Europe/Madrid:20261220T190000`) +
        event('RECURRENCE-ID:20261226T180000Z\nSTATUS:CANCELLED\nDTSTART:20261226T180000Z'),
    )
    expect(await dates(text)).toEqual([
      '2026-12-05 19:00:00 – 2026-12-05 20:00:00 Europe/Madrid',
      '2026-12-08 12:00:00 – 2026-12-08 13:00:00 Europe/Madrid',
      'trash',
      '2026-12-20 17:00:00 – 2026-12-20 19:00:00 Europe/Madrid',
      'trash',
    ])
    const { records } = await read(text, { name })
    expect(records.map(({ values }) => String(values.slug).slice(-15))).toEqual([
      '20261205t190000',
      '20261208t120000',
      '20261212t190000',
      '20261219t190000',
      '20261226t190000',
    ])
  })

  test('changed from one time on are changed that time, which is said', async () => {
    const { records, notices } = await read(
      calendar(
        event('DTSTART:20261205T190000\nRRULE:FREQ=DAILY;COUNT=3') +
          event('RECURRENCE-ID;RANGE=THISANDFUTURE:20261206T190000\nDTSTART:20261206T200000'),
      ),
      { name },
    )
    expect(records.map(({ values }) => String(values.start_date).slice(11, 13))).toEqual(['19', '20', '19'])
    expect(notices).toEqual(['"Fira" is changed from one time on: taken as a change of that time only'])
  })

  test('a time that is called off need not say when it would have begun', async () => {
    const master = event('DTSTART:20261205T190000\nRRULE:FREQ=DAILY;COUNT=2')
    const off = 'BEGIN:VEVENT\nUID:a@example.org\nRECURRENCE-ID:20261206T190000\nSTATUS:CANCELLED\nEND:VEVENT'
    expect(await dates(calendar(master + off))).toEqual(['2026-12-05 19:00:00 – 2026-12-05 19:00:00 ', 'trash'])
  })

  test('that never come to an end are a mistake, and stop no other event', async () => {
    const { records } = await read(
      calendar(
        event('DTSTART:20261205T190000\nRRULE:FREQ=SECONDLY') + event('DTSTART:20261205T190000').replace('a@', 'b@'),
      ),
      { name },
    )
    expect(records).toMatchObject([
      { mistakes: [{ column: 'RRULE', given: '"FREQ=SECONDLY" has more than 10000 dates' }] },
      { values: { title: 'Fira' }, mistakes: [] },
    ])
  })
})

test.each(['CANCELLED', 'Cancelled'])('what is called off goes to the trash: %s', async status => {
  const { records } = await read(calendar(event(`DTSTART:20261205T190000\nSTATUS:${status}`)), { name })
  expect(records).toMatchObject([{ action: 'trash', values: { slug: 'a-example-org-e16bfe08be' } }])
})

test.each(['PRIVATE', 'private', 'Confidential'])('what is shared with nobody stays private: %s', async word => {
  const { records } = await read(calendar(event(`DTSTART:20261205T190000\nCLASS:${word}`)), { name })
  expect(records).toMatchObject([{ values: { status: 'private' } }])
})

test('the newest of two with one UID counts; without a UID, title and start are one', async () => {
  const { records } = await read(
    calendar(
      event('DTSTART:20261206T190000\nSEQUENCE:2') +
        event('DTSTART:20261205T190000\nSEQUENCE:1') +
        'BEGIN:VEVENT\nSUMMARY:Mercat\nDTSTART:20261207T190000\nEND:VEVENT',
    ),
    { name },
  )
  expect(records.map(({ values }) => values.start_date)).toEqual(['2026-12-06 19:00:00', '2026-12-07 19:00:00'])
})

test('slugs are short, plain and differ where UIDs do', async () => {
  const uids = [`${'x'.repeat(400)}@example.org`, 'Ünï cödé/👩‍🎤', 'a.b', 'a-b']
  const text = calendar(uids.map(uid => event('DTSTART:20261205T190000').replace('a@example.org', uid)).join(''))
  const { records } = await read(text, { name })
  const slugs = records.map(({ values }) => String(values.slug))
  expect(new Set(slugs).size).toBe(4)
  for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9-]{10,155}$/)
})

test('a place that is an address on the web is no venue', async () => {
  const { records } = await read(calendar(event('DTSTART:20261205T190000\nLOCATION:https://meet.example.org/1')), {
    name,
  })
  expect(records[0]?.values).toMatchObject({ website: 'https://meet.example.org/1' })
  expect(records[0]?.values).not.toHaveProperty('venue')
})

test.each([
  ['<!DOCTYPE html><html>', 'feed.ics is not iCalendar: it begins with "<!DOCTYPE html><html>"'],
  ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n', /^feed\.ics is not valid iCalendar: /],
])('refuses %j', async (text, message) => {
  await expect(read(text, { name })).rejects.toThrow(message)
})

test('a feed has events only', async () => {
  await expect(read(calendar(''), { name, resource: 'tags' })).rejects.toThrow(
    'feed.ics is iCalendar, which has events only, not tags',
  )
})
