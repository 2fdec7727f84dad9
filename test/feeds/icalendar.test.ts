import { describe, expect, test } from 'vitest'
import { read } from '../support/record-files.ts'

const calendar = (lines: string) => `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n${lines.trim()}\nEND:VCALENDAR\n`
const event = (lines: string) => `BEGIN:VEVENT\nUID:a@example.org\nSUMMARY:Fira\n${lines.trim()}\nEND:VEVENT\n`
const name = 'feed.ics'

/** Start and end of each record, or its action. */
const dates = async (text: string, options = {}) =>
  (await read(text, { name, ...options })).records.map(
    ({ action, values }) => action ?? `${values.start_date} – ${values.end_date} ${values.timezone ?? ''}`,
  )

test('an event is read with all its properties', async () => {
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
      numbersAreNames: true,
      stopsOnlyItself: true,
      series: {
        slug: '040000008200e00074c5b7101a82e008-example-org-e5cd6ed1c6',
        name: 'Concert, amb cor',
        until: '2027-11-21 02:00:00',
      },
      values: {
        slug: '040000008200e00074c5b7101a82e008-example-org-e5cd6ed1c6',
        title: 'Concert, amb cor',
        description: 'Bach i Händel\nEntrada lliure',
        venue: 'Auditori',
        organizer: [{ organizer: 'Amics, Bach', email: 'info@example.org' }],
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

describe('dates of a feed', () => {
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

  test('in UTC become local times of the feed, or else of the calendar', async () => {
    const start = event('DTSTART:20260705T180000Z')
    expect(await dates(calendar(`X-WR-TIMEZONE:Europe/London\n${start}`))).toEqual([
      '2026-07-05 19:00:00 – 2026-07-05 19:00:00 Europe/London',
    ])
    expect(await dates(calendar(start), { timezone: 'Europe/Madrid' })).toEqual([
      '2026-07-05 20:00:00 – 2026-07-05 20:00:00 Europe/Madrid',
    ])
  })

  test.each([
    ['"(UTC+01:00) Brussels, Copenhagen, Madrid, Paris"', 'Europe/Brussels'],
    ['"(UTC+01:00) Bruselas, Copenhague, Madrid, París"', 'Europe/Madrid'],
    ['"(GMT+01.00) Brussels / Copenhagen / Madrid / Paris"', 'Europe/Brussels'],
    ['"(UTC-07:00) Chihuahua, La Paz, Mazatlan"', 'America/Mazatlan'],
    ['"(UTC-05:00) Eastern Time (US & Canada)"', 'America/New_York'],
    ['"(UTC) Coordinated Universal Time"', 'UTC'],
    ['"(UTC+05:30) Somewhere"', 'UTC+5.5'],
    ['GMT+0200', 'UTC+2'],
    ['"UTC +02:00"', 'UTC+2'],
    ['GMT-3', 'UTC-3'],
    ['GMT Standard Time', 'Europe/London'],
    ['GMT', 'GMT'],
  ])('with a time zone by its display name: %s', async (id, zone) => {
    const { records, notices } = await read(calendar(event(`DTSTART;TZID=${id}:20260705T190000`)), { name })
    expect(records).toMatchObject([{ values: { start_date: '2026-07-05 19:00:00', timezone: zone } }])
    expect(notices).toEqual([])
  })

  test('with a display name of several zones are in the zone of the calendar', async () => {
    const start = event('DTSTART;TZID="(UTC+01:00) Brussels, Copenhagen, Madrid, Paris":20260705T190000')
    expect(await dates(calendar(start), { timezone: 'Europe/Madrid' })).toEqual([
      '2026-07-05 19:00:00 – 2026-07-05 19:00:00 Europe/Madrid',
    ])
  })

  test('with a Windows zone are in the zone of the calendar if it is one of them', async () => {
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

  test('with a zone that only the feed defines become UTC', async () => {
    const weekly = event('DTSTART;TZID=Customized Time Zone:20261018T190000\nRRULE:FREQ=WEEKLY;COUNT=2')
    expect(await dates(calendar(customized + weekly))).toEqual([
      '2026-10-18 17:00:00 – 2026-10-18 17:00:00 UTC',
      '2026-10-25 18:00:00 – 2026-10-25 18:00:00 UTC',
    ])
  })

  test.each([
    customized.replace('FREQ=YEARLY', 'FREQ=FOO'),
    customized.replace('FREQ=YEARLY', 'FREQ=SECONDLY'),
    customized.replace('16010101T030000', 'soon'),
    customized.replace('TZOFFSETTO:+0100\n', ''),
    customized.replace('TZOFFSETFROM:+0200', 'garbage'),
    'BEGIN:VTIMEZONE\nTZID:Customized Time Zone\nEND:VTIMEZONE\n',
  ])('with an invalid VTIMEZONE are errors unless its name is known: %#', async zone => {
    const town = event('DTSTART;TZID=Customized Time Zone:20261205T190000')
    const other = event('DTSTART:20261206T190000').replace('a@', 'b@')
    const { records } = await read(calendar(zone + town + other), { name })
    const expected = 'the name of a time zone, or one that has a valid VTIMEZONE'
    expect(records.map(({ mistakes }) => mistakes)).toEqual([
      [expect.objectContaining({ column: 'TZID', expected, value: 'Customized Time Zone' })],
      [],
    ])
    const known = (zone + town).replaceAll('Customized Time Zone', 'Europe/Madrid')
    expect(await dates(calendar(known))).toEqual(['2026-12-05 19:00:00 – 2026-12-05 19:00:00 Europe/Madrid'])
  })

  test('with a VTIMEZONE whose X-LIC-LOCATION is invalid become UTC', async () => {
    const zone = customized.replace('BEGIN:STANDARD', 'X-LIC-LOCATION;VALUE=DATE:zz\nBEGIN:STANDARD')
    const town = event('DTSTART;TZID=Customized Time Zone:20261205T190000')
    expect(await dates(calendar(zone + town))).toEqual(['2026-12-05 18:00:00 – 2026-12-05 18:00:00 UTC'])
  })

  test('with an unknown zone stay as they are, with a notice', async () => {
    const { records, notices } = await read(calendar(event('DTSTART;TZID=Mars:20261205T190000')), { name })
    expect(records[0]?.values).toMatchObject({ start_date: '2026-12-05 19:00:00' })
    expect(notices).toEqual(['unknown time zone "Mars": its times are read as local times'])
  })

  test('that are invalid are an error of their event', async () => {
    const { records } = await read(calendar(event('DTSTART:soon') + event('DTSTART:20261205').replace('a@', 'b@')), {
      name,
    })
    expect(records).toMatchObject([
      { place: 'event 1 "Fira"', mistakes: [{ column: 'DTSTART', expected: 'a date such as 20261205T190000' }] },
      { place: 'event 2', mistakes: [] },
    ])
  })
})

test.each([
  'UID;VALUE=DATE:soon',
  'SUMMARY;VALUE=DATE:soon',
  'CATEGORIES;VALUE=DATE-TIME:soon',
  'ORGANIZER;VALUE=DATE:soon',
  'STATUS;VALUE=DURATION:soon',
  'SEQUENCE;VALUE=DATE:soon',
])('a property with the wrong value type is read as text: %s', async line => {
  const odd = `BEGIN:VEVENT\n${line}\nDTSTART:20261205T190000\nEND:VEVENT\n`
  const { records } = await read(calendar(odd + event('DTSTART:20261206T190000')), { name })
  expect(records.map(({ mistakes }) => mistakes)).toEqual([[], []])
})

const aDate = 'a date such as 20261205T190000'

describe('an invalid event is named and stops no other event:', () => {
  test.each([
    ['DTSTART:20270230T190000', 'DTSTART', aDate, '20270230T190000'],
    ['DTSTART:20270210T257000', 'DTSTART', aDate, '20270210T257000'],
    ['DTSTART:2027-13-45', 'DTSTART', aDate, '2027-13-45'],
    ['DTSTART;VALUE=DATE:20270230', 'DTSTART', aDate, '20270230'],
    ['DTEND:20270101T100000', 'DTSTART', aDate, ''],
    [
      'DTSTART:20270102T100000\nDTEND:20270101T110000',
      'DTEND',
      'an end after 2027-01-02 10:00 (the event would end before it starts)',
      '2027-01-01 11:00',
    ],
    [
      'DTSTART:20270102T100000\nDURATION:-PT1H',
      'DURATION',
      'a duration without a minus (the event would end before it starts)',
      '-PT1H',
    ],
    ['DTSTART:20270102T100000\nDURATION:P99999999999W', 'DURATION', 'an end before the year 10000', 'P99999999999W'],
    ['DTSTART:99991231T100000\nDURATION:P2D', 'DURATION', 'an end before the year 10000', 'P2D'],
    ['DTSTART:99991231T230000Z\nDURATION:PT2H', 'DURATION', 'an end before the year 10000', 'PT2H'],
    ['DTSTART;VALUE=DATE:99991231\nDURATION:P2D', 'DURATION', 'an end before the year 10000', 'P2D'],
    ['DTSTART:20270102T100000\nDURATION:PTH1', 'DURATION', 'a duration such as PT1H30M', 'PTH1'],
    ['DTSTART:20270102T100000\nDURATION:long', 'DURATION', 'a duration such as PT1H30M', 'long'],
    [
      'DTSTART:20270102T100000\nRRULE:FREQ=SOMETIMES;COUNT=3',
      'RRULE',
      'FREQ to be one of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY',
      'FREQ=SOMETIMES;COUNT=3',
    ],
    [
      'DTSTART:20270102T100000\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'RRULE',
      'a rule that matches a date',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    ],
    ['DTSTART:20270102T100000\nRRULE:FREQ=SECONDLY', 'RRULE', 'a rule of at most 10000 dates', 'FREQ=SECONDLY'],
    ['DTSTART:20270102T100000\nRRULE', '', 'a line such as SUMMARY:Concert', 'RRULE'],
    [
      'DTSTART:20270102T100000\nBEGIN:VEVENT\nUID:c\nDTSTART:20270102T100000',
      '',
      'END:VEVENT for the event that begins on line 4',
      'BEGIN:VEVENT',
    ],
  ])('%s', async (lines, column, expected, value) => {
    const good = event('DTSTART:20261206T190000').replace('a@', 'b@')
    const { records } = await read(calendar(event(lines) + good), { name })
    expect(records.length).toBeGreaterThan(1)
    expect(records[0]).toMatchObject({ place: 'event 1 "Fira"', mistakes: [{ column, expected, value }] })
    expect(records.at(-1)).toMatchObject({ mistakes: [], values: { title: 'Fira' } })
  })

  test('a start that is missing', async () => {
    const { records } = await read(calendar(event('DTEND:20270101T100000')), { name })
    expect(records[0]?.mistakes[0]?.message).toBe('DTSTART is missing')
  })

  test('a series that a change moves beyond the year 9999', async () => {
    const moved = event('RECURRENCE-ID;RANGE=THISANDFUTURE:20261205T190000\nDTSTART:99991231T190000')
    const { records } = await read(calendar(event('DTSTART:20261205T190000\nRRULE:FREQ=DAILY;COUNT=2') + moved), {
      name,
    })
    expect(records.at(-1)?.mistakes).toMatchObject([{ column: 'DTSTART', value: '2026-12-06 19:00:00' }])
  })

  test('components that are not events are ignored', async () => {
    const alarm = 'BEGIN:VALARM\nTRIGGER:soon\nRRULE:never\nEND:VALARM'
    const task = 'BEGIN:VTODO\nRRULE:FREQ=SOMETIMES\nEND:VTODO\n'
    const { records } = await read(calendar(task + event(`DTSTART:20261206T190000\n${alarm}`)), { name })
    expect(records).toMatchObject([{ place: 'event 1', mistakes: [] }])
  })
})

describe('when clocks change in Europe/Madrid,', () => {
  test.each([
    [
      'hours are what they are',
      'DTSTART;TZID=Europe/Madrid:20270328T010000\nDURATION:PT3H',
      '2027-03-28 01:00:00 – 2027-03-28 05:00:00',
    ],
    [
      '24 of them too',
      'DTSTART;TZID=Europe/Madrid:20270327T200000\nDURATION:PT24H',
      '2027-03-27 20:00:00 – 2027-03-28 21:00:00',
    ],
    [
      'a day keeps the hour',
      'DTSTART;TZID=Europe/Madrid:20270327T200000\nDURATION:P1D',
      '2027-03-27 20:00:00 – 2027-03-28 20:00:00',
    ],
    [
      'a skipped hour is the next',
      'DTSTART;TZID=Europe/Madrid:20270328T023000\nDURATION:PT1H',
      '2027-03-28 03:30:00 – 2027-03-28 04:30:00',
    ],
    [
      'of a repeated hour the first is meant',
      'DTSTART;TZID=Europe/Madrid:20271031T023000\nDURATION:PT2H',
      '2027-10-31T02:30:00+02:00 – 2027-10-31 03:30:00',
    ],
    [
      'unless it is said in UTC',
      'DTSTART:20271031T013000Z\nDURATION:PT1H',
      '2027-10-31T02:30:00+01:00 – 2027-10-31 03:30:00',
    ],
  ])('%s', async (_, lines, expected) => {
    expect(await dates(calendar(event(lines)), { timezone: 'Europe/Madrid' })).toEqual([`${expected} Europe/Madrid`])
  })

  test('a series keeps its hour', async () => {
    const daily = event(
      'DTSTART;TZID=Europe/Madrid:20270327T023000\nDTEND;TZID=Europe/Madrid:20270327T033000\nRRULE:FREQ=DAILY;COUNT=3',
    )
    expect(await dates(calendar(daily))).toEqual([
      '2027-03-27 02:30:00 – 2027-03-27 03:30:00 Europe/Madrid',
      '2027-03-28 03:30:00 – 2027-03-28 04:30:00 Europe/Madrid',
      '2027-03-29 02:30:00 – 2027-03-29 03:30:00 Europe/Madrid',
    ])
  })
})

describe('series of a feed', () => {
  test('become single events at the same wall time, each with its own slug', async () => {
    const { records } = await read(
      calendar(event('DTSTART;TZID=Europe/Madrid:20261018T190000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=2')),
      { name },
    )
    expect(records).toMatchObject([
      {
        place: 'event 1, 2026-10-18 19:00:00',
        values: { slug: 'a-example-org-e16bfe08be-20261018', end_date: '2026-10-18 20:00:00' },
      },
      {
        place: 'event 1, 2026-10-25 19:00:00',
        values: { slug: 'a-example-org-e16bfe08be-20261025', end_date: '2026-10-25 20:00:00' },
      },
    ])
  })

  test('without an end are read for a year or up to --until, with a notice', async () => {
    const text = calendar(event('DTSTART;VALUE=DATE:20261201\nRRULE:FREQ=MONTHLY'))
    const { records, notices } = await read(text, { name })
    expect(records).toHaveLength(12)
    expect(notices).toEqual(['"Fira" repeats without end: read up to 2027-11-21'])
    expect((await read(text, { name, until: '2027-02-01' })).records).toHaveLength(3)
  })

  test('without an end are read from today on, however long ago they began', async () => {
    const text = calendar(event('DTSTART:19900101T190000\nDURATION:P2D\nRRULE:FREQ=DAILY\nRDATE:20200101T100000'))
    const { records, notices } = await read(text, { name, until: '2026-11-30' })
    expect(records.map(({ place }) => place.slice(9, 19))[0]).toBe('2026-11-19')
    expect(records).toHaveLength(12)
    expect(notices).toEqual(['"Fira" repeats without end: read from 2026-11-19 up to 2026-11-30'])
  })

  test('have dates with durations of their own (PERIOD)', async () => {
    const text = calendar(
      event(`DTSTART:20261205T190000
DURATION:PT2H
RDATE;VALUE=PERIOD:20261206T190000/PT1H,20261207T190000/20261207T193000
RDATE:20261208T190000`),
    )
    expect(await dates(text)).toEqual([
      '2026-12-05 19:00:00 – 2026-12-05 21:00:00 ',
      '2026-12-06 19:00:00 – 2026-12-06 20:00:00 ',
      '2026-12-07 19:00:00 – 2026-12-07 19:30:00 ',
      '2026-12-08 19:00:00 – 2026-12-08 21:00:00 ',
    ])
  })

  test('have dates added, excluded, moved and cancelled', async () => {
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
    expect(records.map(({ values }) => String(values.slug).slice(-9))).toEqual([
      '-20261205',
      '-20261208',
      '-20261212',
      '-20261219',
      '-20261226',
    ])
  })

  const daily = 'DTSTART;TZID=Europe/Madrid:20261205T190000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3'
  const slugs = async (text: string, options = {}) =>
    (await read(text, { name, ...options })).records.map(({ values }) => String(values.slug).slice(24))

  test('identify their occurrences by day, so that the hour can change', async () => {
    expect(await slugs(calendar(event(daily)))).toEqual(['-20261205', '-20261206', '-20261207'])
    expect(await slugs(calendar(event(daily.replace('T19', 'T20'))))).toEqual(['-20261205', '-20261206', '-20261207'])
  })

  test('in a zone that is named by its two offsets have its summer time, which is said', async () => {
    const text = calendar(event('DTSTART;TZID="GMT-05.00/-04.00":20270705T100000'))
    const { records, notices } = await read(text, { name })
    expect(records[0]?.values).toMatchObject({ start_date: '2027-07-05 10:00:00', timezone: 'America/New_York' })
    expect(notices).toContain('time zone "GMT-05.00/-04.00" is read as America/New_York, which has these offsets')
  })

  test('keep a description that is only an image', async () => {
    const html = '<html><body><img src="http://x.test/b.jpg"></body></html>'
    const text = calendar(event(`DTSTART:20270705T100000\nX-ALT-DESC;FMTTYPE=text/html:${html}`))
    expect((await read(text, { name })).records[0]?.values.description).toBe('<img src="http://x.test/b.jpg">')
  })

  test('several changes of one day at hours that the series does not have are events of their own', async () => {
    const moved = (hour: string) => event(`RECURRENCE-ID:20261206T${hour}0000\nDTSTART:20261206T${hour}3000`)
    const text = calendar(event('DTSTART:20261205T100000\nRRULE:FREQ=DAILY;COUNT=3') + moved('08') + moved('15'))
    expect((await dates(text)).map(date => date.slice(0, 16)).toSorted()).toEqual([
      '2026-12-05 10:00',
      '2026-12-06 08:30',
      '2026-12-06 10:00',
      '2026-12-06 15:30',
      '2026-12-07 10:00',
    ])
    expect((await slugs(text)).toSorted()).toEqual([
      '-20261205',
      '-20261206',
      '-20261206t080000',
      '-20261206t150000',
      '-20261207',
    ])
  })

  test('identify occurrences by day and hour on days with several, regardless of --until', async () => {
    const twice = calendar(event('DTSTART:20261205T100000\nRRULE:FREQ=DAILY;COUNT=2\nRDATE:20261206T180000'))
    const expected = ['-20261205', '-20261206t100000', '-20261206t180000']
    expect(await slugs(twice)).toEqual(expected)
    expect(await slugs(twice, { until: '2026-12-06 12:00:00' })).toEqual(expected.slice(0, 2))
  })

  test.each([
    'RECURRENCE-ID;VALUE=DATE:20261206',
    'RECURRENCE-ID;TZID=Europe/Madrid:20261206T170000',
    'RECURRENCE-ID:20261206T180000Z',
  ])('are changed on the day of the RECURRENCE-ID: %s', async line => {
    const text = calendar(event(daily) + event(`${line}\nDTSTART;TZID=Europe/Madrid:20261206T213000\nDURATION:PT2H`))
    expect(await dates(text)).toEqual([
      '2026-12-05 19:00:00 – 2026-12-05 20:00:00 Europe/Madrid',
      '2026-12-06 21:30:00 – 2026-12-06 23:30:00 Europe/Madrid',
      '2026-12-07 19:00:00 – 2026-12-07 20:00:00 Europe/Madrid',
    ])
  })

  test('follow a THISANDFUTURE change from then on: hour, duration and texts', async () => {
    const { records } = await read(
      calendar(
        event(`${daily.replace('COUNT=3', 'COUNT=5')}\nEXDATE;TZID=Europe/Madrid:20261209T190000`) +
          event(`RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Madrid:20261206T190000
DTSTART;TZID=Europe/Madrid:20261207T200000
DURATION:PT2H
LOCATION:Ateneu`) +
          event('RECURRENCE-ID;TZID=Europe/Madrid:20261207T190000\nSTATUS:CANCELLED'),
      ),
      { name },
    )
    expect(records.map(({ action, values }) => action ?? [values.start_date, values.end_date, values.venue])).toEqual([
      ['2026-12-05 19:00:00', '2026-12-05 20:00:00', undefined],
      ['2026-12-07 20:00:00', '2026-12-07 22:00:00', 'Ateneu'],
      'trash',
      ['2026-12-09 20:00:00', '2026-12-09 22:00:00', 'Ateneu'],
      'trash',
    ])
    expect(records.map(({ values }) => String(values.slug).slice(-9))).toEqual([
      '-20261205',
      '-20261206',
      '-20261207',
      '-20261208',
      '-20261209',
    ])
  })

  test.each([
    ['RRULE:FREQ=DAILY;COUNT=5', ' (3)'],
    ['RRULE:FREQ=DAILY;UNTIL=20261209', ''],
    ['RDATE:20261206T190000,20270101T190000', ' (1)'],
  ])('that continue after --until are cut with a notice: %s', async (line, left) => {
    const text = calendar(event(`DTSTART:20261205T190000\n${line}`))
    const { records, notices } = await read(text, { name, until: '2026-12-06' })
    expect(records).toHaveLength(2)
    expect(notices).toEqual([`"Fira" continues after 2026-12-06: later dates are skipped${left}`])
  })

  test('that begin after the end of reading have one occurrence', async () => {
    const { records, notices } = await read(calendar(event('DTSTART:20280106T190000\nRRULE:FREQ=DAILY;COUNT=3')), {
      name,
    })
    expect(records).toMatchObject([{ values: { start_date: '2028-01-06 19:00:00' } }])
    expect(notices).toEqual(['"Fira" continues after 2027-11-21: later dates are skipped'])
  })

  test('nothing that starts after --until is read', async () => {
    const moved = event('RECURRENCE-ID:20261205T190000\nDTSTART:20270101T190000')
    const text = calendar(event('DTSTART:20261205T190000\nRRULE:FREQ=DAILY;COUNT=2') + moved)
    expect(await dates(text, { until: '2026-12-31' })).toEqual(['2026-12-06 19:00:00 – 2026-12-06 19:00:00 '])
    expect(await dates(calendar(event('DTSTART:20300106T190000')), { until: '2026-12-31' })).toEqual([])
    expect(await dates(calendar(event('DTSTART:20300106T190000')))).toHaveLength(1)
  })

  test('a cancelled occurrence needs no DTSTART', async () => {
    const master = event('DTSTART:20261205T190000\nRRULE:FREQ=DAILY;COUNT=2')
    const off = 'BEGIN:VEVENT\nUID:a@example.org\nRECURRENCE-ID:20261206T190000\nSTATUS:CANCELLED\nEND:VEVENT'
    expect(await dates(calendar(master + off))).toEqual(['2026-12-05 19:00:00 – 2026-12-05 19:00:00 ', 'trash'])
  })
})

test.each(['CANCELLED', 'Cancelled'])('a cancelled event goes to the trash: %s', async status => {
  const { records } = await read(calendar(event(`DTSTART:20261205T190000\nSTATUS:${status}`)), { name })
  expect(records).toMatchObject([{ action: 'trash', values: { slug: 'a-example-org-e16bfe08be' } }])
})

test.each(['PRIVATE', 'private', 'Confidential'])('a confidential event becomes private: %s', async word => {
  const { records } = await read(calendar(event(`DTSTART:20261205T190000\nCLASS:${word}`)), { name })
  expect(records).toMatchObject([{ values: { status: 'private' } }])
})

test('METHOD:CANCEL puts all events in the trash', async () => {
  const { records } = await read(calendar(`METHOD:CANCEL\n${event('DTSTART:20261205T190000')}`), { name })
  expect(records).toMatchObject([{ action: 'trash', values: { slug: 'a-example-org-e16bfe08be' } }])
})

test('times without TZID are in the zone of the feed', async () => {
  const feed = (line: string) => calendar(`X-WR-TIMEZONE:Europe/Madrid\n${event(line)}`)
  expect(await dates(feed('DTSTART:20270706T100000'), { timezone: 'UTC' })).toEqual([
    '2027-07-06 10:00:00 – 2027-07-06 10:00:00 Europe/Madrid',
  ])
  expect(await dates(feed('DTSTART;VALUE=DATE:20270706'), { timezone: 'UTC' })).toEqual([
    '2027-07-06 00:00:00 – 2027-07-06 23:59:59 Europe/Madrid',
  ])
})

test.each([
  ['SEQUENCE:2', 'SEQUENCE:1'],
  ['LAST-MODIFIED:20261102T100000Z', 'LAST-MODIFIED:20261101T100000Z'],
  ['DTSTAMP:20261102T100000Z', 'DTSTAMP:20261101T100000Z'],
])('of two revisions of an event the newer counts: %s', async (newer, older) => {
  const [first, second] = [`DTSTART:20261206T190000\n${newer}`, `DTSTART:20261205T190000\n${older}`].map(event)
  for (const text of [`${first}${second}`, `${second}${first}`])
    expect(await dates(calendar(text))).toEqual(['2026-12-06 19:00:00 – 2026-12-06 19:00:00 '])
})

test('of two different events with one UID the second is an error that names both; a repeated event is not', async () => {
  const fair = event('DTSTART:20261206T190000')
  const market = fair.replace('Fira', 'Mercat')
  const { records } = await read(calendar(fair + market + fair), { name })
  expect(records).toMatchObject([
    { place: 'event 1', mistakes: [] },
    {
      place: 'event 2 "Mercat"',
      mistakes: [
        {
          column: 'UID',
          expected: 'another UID, as event 1 "Fira" has the same one and is not older',
          value: 'a@example.org',
        },
      ],
    },
  ])
  expect(records).toHaveLength(2)
})

test('an event without UID is identified by title and start', async () => {
  const { records } = await read(calendar('BEGIN:VEVENT\nSUMMARY:Mercat\nDTSTART:20261207T190000\nEND:VEVENT'), {
    name,
  })
  expect(records[0]?.values.slug).toMatch(/^mercat-20261207t190000-[0-9a-f]{10}$/)
})

test('slugs are short and plain, and differ if the UIDs differ', async () => {
  const uids = [`${'x'.repeat(400)}@example.org`, 'Ünï cödé/👩‍🎤', 'a.b', 'a-b']
  const text = calendar(uids.map(uid => event('DTSTART:20261205T190000').replace('a@example.org', uid)).join(''))
  const { records } = await read(text, { name })
  const slugs = records.map(({ values }) => String(values.slug))
  expect(new Set(slugs).size).toBe(4)
  for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9-]{10,155}$/)
})

test('a LOCATION of several lines is a name and an address', async () => {
  const place = 'LOCATION:Cafè El Racó\\nCarrer Gran 1\\, 17001\\nGirona'
  const { records } = await read(calendar(event(`DTSTART:20261205T190000\n${place}`)), { name })
  expect(records).toMatchObject([
    { values: { venue: { venue: 'Cafè El Racó', address: 'Carrer Gran 1, 17001, Girona' } }, mistakes: [] },
  ])
})

test.each([
  ['"Coral%20Vella"', 'Coral Vella'],
  ['Orfe%C3%B3', 'Orfeó'],
  ['Descompte 20%25', 'Descompte 20%25'],
  ['100%', '100%'],
  ['Orfe%F3', 'Orfe%F3'],
])('the name of an organizer is decoded if all of it is percent-encoded: %s', async (written, expected) => {
  const { records } = await read(calendar(event(`DTSTART:20261205T190000\nORGANIZER;CN=${written}:invalid:nomail`)), {
    name,
  })
  expect(records).toMatchObject([{ values: { organizer: [expected] } }])
})

test.each([
  ['CN=Ateneu:MAILTO:info@ateneu.example', { organizer: 'Ateneu', email: 'info@ateneu.example' }],
  ['CN=Ateneu:mailto:info', 'Ateneu'],
  ['CN=Sala Apolo:MAILTO:noreply@facebookmail.com', 'Sala Apolo'],
  ['CN=Casal:mailto:3k5j6h@group.calendar.google.com', 'Casal'],
  ['X-A=1:mailto:ateneu@girona.example', { organizer: 'ateneu', email: 'ateneu@girona.example' }],
])('an organizer has a name, and an e-mail address that people read: %s', async (line, expected) => {
  const { records } = await read(calendar(event(`DTSTART:20261205T190000\nORGANIZER;${line}`)), { name })
  expect(records).toMatchObject([{ values: { organizer: [expected] }, mistakes: [] }])
})

test.each([
  ['FMTTYPE=image/jpeg:https://vila.example/coral?size=1', 'https://vila.example/coral?size=1'],
  ['VALUE=URI:https://vila.example/coral.JPG', 'https://vila.example/coral.JPG'],
])('an attached picture becomes the image: %s', async (line, image) => {
  const { records, notices } = await read(calendar(event(`DTSTART:20261205T190000\nATTACH;${line}`)), { name })
  expect(records).toMatchObject([{ values: { image }, mistakes: [] }])
  expect(notices).toEqual([])
})

test('the picture that becomes the image is not reported as skipped, whatever stands before it', async () => {
  const lines = 'URL:https://a.example/a.jpg\nATTACH:https://a.example/b.png\nIMAGE;VALUE=URI:https://a.example/c.png'
  const { records, notices } = await read(calendar(event(`DTSTART:20261205T190000\n${lines}`)), { name })
  expect(records[0]?.values).toMatchObject({ website: 'https://a.example/a.jpg', image: 'https://a.example/c.png' })
  expect(notices).toEqual(['feed.ics: skipped properties that have no field: ATTACH (1 event)'])
})

test('properties without a field are reported once a feed', async () => {
  const files = [
    'FMTTYPE=application/pdf:https://a.example/a.pdf',
    'ENCODING=BASE64;VALUE=BINARY;FMTTYPE=image/png:iVBO',
  ]
  const text = files.map(file => event(`DTSTART:20261205T190000\nGEO:41.4;2.1\nATTACH;${file}`))
  const other = event('DTSTART:20261205T190000\nGEO:41.4;2.1\nX-A:1\nATTENDEE:mailto:a@b.example')
  const events = [...text, other].map((each, index) => each.replace('a@', `${index}@`))
  const { notices } = await read(calendar(events.join('')), { name })
  expect(notices).toEqual([
    'feed.ics: skipped properties that have no field: GEO (3 events), ATTACH (2 events), X-A (1 event), ATTENDEE (1 event)',
  ])
})

test('a LOCATION that is a URL becomes the website, not a venue', async () => {
  const { records } = await read(calendar(event('DTSTART:20261205T190000\nLOCATION:https://meet.example.org/1')), {
    name,
  })
  expect(records[0]?.values).toMatchObject({ website: 'https://meet.example.org/1' })
  expect(records[0]?.values).not.toHaveProperty('venue')
})

test.each([
  ['<!DOCTYPE html><html>', 'feed.ics is not iCalendar: it begins with "<!DOCTYPE html><html>"'],
  ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n', 'feed.ics is truncated: missing END:VCALENDAR'],
])('refuses %j', async (text, message) => {
  await expect(read(text, { name })).rejects.toThrow(message)
})

test('a feed holds only events', async () => {
  await expect(read(calendar(''), { name, resource: 'tags' })).rejects.toThrow(
    'feed.ics is iCalendar, which holds events, not tags',
  )
})
