import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { odsWorkbook, workbook } from '../support/workbooks.ts'

const folder = join(import.meta.dirname, 'hard-files')

/** Applies a file, and lists what the calendar then has. */
async function applied(name: string, fields = 'start_date', options = '') {
  const calctl = calendar()
  const { status, err } = await calctl(`apply ${join(folder, name)} --yes --create-missing --jobs 1 ${options}`)
  const { out } = await calctl(`events list --all-dates --fields ${fields} -o csv`)
  return { calctl, status, err: err.replaceAll(`${folder}/`, ''), rows: out.trimEnd().split('\n').slice(1) }
}

describe('right hours:', () => {
  test('an UNTIL in UTC is compared in the zone that only the file describes', async () => {
    expect((await applied('03-until-utc-file-zone.ics')).rows).toEqual([
      '2027-01-04 19:00:00',
      '2027-01-05 19:00:00',
      '2027-01-06 19:00:00',
      '2027-01-07 19:00:00',
    ])
  })

  test.each([
    ['04-file-zone-transition.ics', 'Europe/Madrid'],
    ['04-file-zone-transition-ny.ics', 'America/New_York'],
  ])('%s: a zone that only the file describes has the clock changes of %s', async (name, zone) => {
    const { rows } = await applied(name, 'title,utc_start_date')
    const named = readFileSync(join(folder, name), 'utf8').replace(
      /TZID[:=]Mine(NY)?/g,
      tzid => tzid.slice(0, 5) + zone,
    )
    const calctl = calendar()
    await calctl('apply - --yes --jobs 1', named)
    const { out } = await calctl('events list --all-dates --fields title,utc_start_date -o csv')
    expect(rows).toEqual(out.trimEnd().split('\n').slice(1))
    expect(rows.length).toBeGreaterThan(10)
  })

  test('the VTIMEZONE of a file says what BST is', async () => {
    expect((await applied('05-tzid-bst.ics', 'utc_start_date')).rows).toEqual(['2027-07-04 18:00:00'])
  })

  test('an abbreviation alone is no zone', async () => {
    const { status, err, rows } = await applied('06-tzid-pst-then-o-ics.ics')
    expect(err).toContain(
      'TZID: expected the name of a time zone such as Europe/Madrid, not an abbreviation, got "PST"',
    )
    expect({ status, rows }).toEqual({ status: 2, rows: [] })
  })

  test('an abbreviation is the zone of the feed or of the calendar if clocks show it there', async () => {
    const pst = readFileSync(join(folder, '06-tzid-pst-then-o-ics.ics'), 'utf8')
    const calctl = calendar()
    const { err } = await calctl(
      'apply - --yes',
      pst.replace('BEGIN:VEVENT', 'X-WR-TIMEZONE:America/Los_Angeles\r\nBEGIN:VEVENT'),
    )
    expect(err).toContain('time zone "PST" is read as America/Los_Angeles, where clocks show PST\n')
    expect((await calctl('apply - --yes', pst.replaceAll('PST', 'CEST').replace('u1', 'u2'))).err).toContain(
      'time zone "CEST" is read as Europe/Madrid',
    )
    expect((await calctl('events list --all-dates --fields start_date,timezone -o csv')).out).toBe(
      'start_date,timezone\n2027-07-04 19:00:00,America/Los_Angeles\n2027-07-04 19:00:00,Europe/Madrid\n',
    )
    expect((await calctl('events list --all-dates -o ics')).out).toContain(
      'DTSTART;TZID=America/Los_Angeles:20270704T190000',
    )
  })

  test('a floating time that clocks skip is an hour later', async () => {
    expect((await applied('13-floating-gap.ics', 'start_date,end_date')).rows[2]).toBe(
      '2027-03-28 03:30:00,2027-03-28 04:30:00',
    )
  })

  test('a floating time that occurs twice is the first one', async () => {
    const { calctl, rows } = await applied('13-floating-fold.ics', 'start_date,utc_start_date,utc_end_date')
    expect(rows[2]).toBe('2027-10-31 02:30:00,2027-10-31 00:30:00,2027-10-31 01:30:00')
    expect(await calctl(`diff --exit-code ${join(folder, '13-floating-fold.ics')}`)).toMatchObject({ status: 0 })
  })

  test('a part of a rule may have blanks', async () => {
    expect((await applied('11-rrule-space.ics')).rows).toHaveLength(3)
  })

  test('BYDAY limits BYYEARDAY and BYMONTHDAY', async () => {
    expect((await applied('14-byyearday-byday.ics', 'start_date', '--until 2030-12-31')).rows).toEqual([
      '2027-01-04 11:00:00',
      '2028-01-03 11:00:00',
      '2029-01-01 11:00:00',
      '2030-01-07 11:00:00',
    ])
    expect((await applied('14-bymonthday-ordinal-byday.ics', 'start_date')).rows).toEqual([
      '2002-01-06 05:00:00',
      '2008-01-06 05:00:00',
      '2013-01-06 05:00:00',
      '2019-01-06 05:00:00',
    ])
  })

  test('hours are ignored where the start is a day, and an hour that clocks skip is not counted', async () => {
    expect((await applied('20-date-byhour.ics')).rows).toEqual(['2027-01-04 00:00:00', '2027-01-05 00:00:00'])
    expect((await applied('20-hourly-gap.ics')).rows.map(row => row.slice(11, 13))).toEqual([
      '00',
      '01',
      '03',
      '04',
      '05',
      '06',
    ])
  })

  test('a part that RFC 5545 does not have is refused', async () => {
    const { err, rows } = await applied('20-byeaster.ics')
    expect(err).toContain('RRULE: expected a rule without BYEASTER, which is not part of RFC 5545')
    expect(rows).toEqual([])
  })
})

describe('nothing is lost silently:', () => {
  test.each([
    ['07-bom-mid.ics', 2],
    ['07-cr-only.ics', 2],
    ['07-lead-space.ics', 1],
  ])('%s is read whole', async (name, count) => {
    expect((await applied(name)).rows).toHaveLength(count)
  })

  test('a calendar within a calendar is read', async () => {
    expect((await applied('07-nested-vcalendar.ics')).err).toContain('! event 1 "Bastille Day Party": RRULE: ')
  })

  test('a wrong END refuses the file and names both, also with --prune', async () => {
    const expected = 'line 11 is END:VTOOD, where END:VTODO is expected for line 8'
    for (const options of ['', '--prune', '--skip-invalid']) {
      const { status, err, rows } = await applied('07-wrong-end.ics', 'title', options)
      expect(err).toContain(expected)
      expect({ status, rows }).toEqual({ status: 2, rows: [] })
    }
  })

  test('what stands outside of a calendar is refused with its line', async () => {
    const text = readFileSync(join(folder, '07-bom-mid.ics'), 'utf8').replace('\uFEFF', 'X-LOST:1\r\n')
    expect(await calendar()('apply - --yes', text)).toMatchObject({
      status: 2,
      err: expect.stringContaining('line 12 is outside of a calendar: "X-LOST:1"'),
    })
  })

  test('different events that share a UID are reported', async () => {
    const { err, rows } = await applied('18-same-uid-newer.ics', 'title')
    expect(err).toContain('event 3 "Three" replaces event 1 "One" and event 2 "Two": they have the same UID, x\n')
    expect(rows).toEqual(['Three'])
  })

  test('what has no field is reported once per kind, and IMAGE and X-ALT-DESC have one', async () => {
    const event = (uid: string) =>
      `BEGIN:VEVENT\nUID:${uid}\nDTSTART:20270704T190000Z\nSUMMARY:A\nIMAGE;VALUE=URI:https://a.example/a.png\n` +
      'X-ALT-DESC;FMTTYPE=text/html:<html><body><p>Hi <b>you</b></p></body></html>\nDESCRIPTION:Hi you\n' +
      'EXRULE:FREQ=DAILY;COUNT=1\nCONTACT:Anna\nURL:mailto:a@b.example\nBEGIN:VALARM\nACTION:AUDIO\nEND:VALARM\nnonsense\nEND:VEVENT\n'
    const calctl = calendar()
    const { err } = await calctl(
      'apply - --yes',
      `BEGIN:VCALENDAR\n${event('a')}${event('b')}BEGIN:VTODO\nUID:t\nEND:VTODO\nEND:VCALENDAR\n`,
    )
    expect(err).toContain(
      'skipped properties that have no field: EXRULE (2 events), CONTACT (2 events), URL (2 events), VALARM (2 events)\n',
    )
    expect(err).toContain('skipped components that are not events: 1 VTODO\n')
    expect(err).toContain('skipped 2 lines that cannot be read: lines 15 and 30\n')
    expect((await calctl('events list --all-dates --fields description -o csv')).out).toContain('<p>Hi <b>you</b></p>')
  })
})

describe('words are words:', () => {
  test('numbers are names, never IDs', async () => {
    const { rows } = await applied('08-location-number.ics', 'venue.venue,organizer.organizer,categories.name')
    expect(rows).toEqual(['1,1,1'])
  })

  test('a LOCATION that begins with a URL is a text', async () => {
    expect((await applied('12-location-url-text.ics', 'venue.venue,website')).rows).toEqual([
      'https://zoom.us/j/123 (code 42),',
      'https://meet.google.com/abc; Sala 3,',
    ])
  })

  test('an event without SUMMARY has no title', async () => {
    const { err, rows } = await applied('17-no-summary.ics', 'title')
    expect(rows).toEqual(['(no title)'])
    expect(err).toContain('1 event without SUMMARY: titled "(no title)"\n')
  })

  test('texts of vCalendar 1.0 are decoded', async () => {
    expect((await applied('19-qp-oneline.ics', 'title')).rows).toEqual(['möchen'])
  })

  test.each(['10-deep-array.json', '10-deep-venue.json'])('%s is refused in a sentence', async name => {
    const { status, err } = await applied(name)
    expect(status).toBe(2)
    expect(err).toMatch(/^error: .*nested more than 512 levels deep\nhint: /)
  })

  test('a value that contains itself is refused in a sentence', async () => {
    const { status, err } = await applied('10-self.yaml')
    expect(status).toBe(2)
    expect(err).toMatch(/^error: .*line 3, column 8.*\*a has no anchor before it; .*\nhint: /)
  })

  test('a backslash in the name of an organizer is reported once, then unchanged', async () => {
    const { calctl, file } = await productionSite()
    const feed = file(
      'town.ics',
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1@a\nDTSTART:20270605T190000\nSUMMARY:Ball\nORGANIZER;CN=Joe Bob\\:mailto:joe@example.org\nEND:VEVENT\nEND:VCALENDAR\n',
    )
    const first = await calctl(`apply ${feed} --yes`)
    expect([first.status, first.err]).toEqual([
      0,
      expect.stringContaining('drops backslashes: left them out of 1 text\n'),
    ])
    expect((await calctl(`apply ${feed} --yes`)).err).toMatch(/^1 unchanged/)
  })

  test('a backslash that production drops is reported once, then unchanged', async () => {
    const { calctl } = await productionSite()
    const file = join(folder, '15-backslash.ics')
    expect(await calctl(`apply ${file} --yes`)).toMatchObject({
      status: 0,
      err: expect.stringContaining('drops backslashes: left them out of 1 text\n'),
    })
    const { status, err } = await calctl(`diff --exit-code ${file}`)
    expect(status).toBe(0)
    expect(err).not.toContain('backslash')
  })
})

describe('a feed over HTTP is decoded as a file is:', () => {
  const served = async (body: Uint8Array, type: string, path = 'town.ics') => {
    const server = createServer((_, response) => response.setHeader('content-type', type).end(body))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const calctl = calendar()
    const outcome = await calctl(`apply http://127.0.0.1:${(server.address() as AddressInfo).port}/${path} --yes`)
    return {
      ...outcome,
      titles: (await calctl('events list --all-dates --fields title -o csv')).out.split('\n').slice(1, -1),
    }
  }
  const fold = readFileSync(join(folder, '01-http-fold-multibyte.ics'))
  const latin1 = readFileSync(join(folder, '01-http-latin1.ics'))
  const text = latin1.toString('latin1').replace('Café', 'Čaj')

  test.each([
    ['a fold within a character', fold, 'text/calendar; charset=utf-8', 'Café € 🎭 fi'],
    ['Windows-1252 without a charset', latin1, 'text/calendar', 'Café'],
    ['Windows-1252 that claims to be UTF-8', latin1, 'text/calendar; charset=UTF-8', 'Café'],
    ['UTF-8 that claims to be Latin-1', fold, 'text/calendar; charset=ISO-8859-1', 'Café € 🎭 fi'],
    ['UTF-16 without a byte order mark', Buffer.from(text, 'utf16le'), 'text/calendar', 'Čaj'],
    [
      'a charset of the header',
      Buffer.from(text.replace('Č', '\u00c8'), 'latin1'),
      'text/calendar; charset=iso-8859-2',
      'Čaj',
    ],
  ])('%s', async (_, body, type, title) => {
    expect(await served(body, type)).toMatchObject({ status: 0, titles: [title] })
  })

  test.each([
    ['XLSX', workbook, 'season.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['ODS', odsWorkbook, 'season.ods', 'application/vnd.oasis.opendocument.spreadsheet'],
    ['XLSX without a name or a type', workbook, 'export?id=7', 'application/octet-stream'],
  ])('a workbook: %s', async (_, write, path, type) => {
    const rows = [
      ['title', 'start_date', 'end_date'],
      ['Ball', '2027-06-05 19:00', '2027-06-05 21:00'],
    ]
    expect(await served(await write({ Events: rows }), type, path)).toMatchObject({ status: 0, titles: ['Ball'] })
  })

  test('an answer that is cut off is refused', async () => {
    expect(await served(fold.subarray(0, 120), 'text/calendar')).toMatchObject({
      status: 2,
      err: expect.stringContaining('is truncated: missing END:VCALENDAR'),
      titles: [],
    })
  })
})

test('-o ics leaves out what is not for everybody, with a notice, unless --status asks for it', async () => {
  const calctl = calendar()
  const event = (title: string, more: string) =>
    calctl(`events create --title ${title} --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00" ${more}`)
  await event('Open', '')
  await event('Draft', '--status draft')
  await event('Private', '--status private')
  await event('Hidden', '--hide-from-listings')
  await event('Protected', '--password secret')
  const all = await calctl('events list --all-dates -o ics')
  expect(all.out.match(/SUMMARY:.*/g)).toEqual(['SUMMARY:Open'])
  const drafts = await calctl('events list --all-dates --status draft -o ics')
  expect(drafts.out.match(/SUMMARY:.*/g)).toEqual(['SUMMARY:Draft'])
})

describe('feeds from and to files', () => {
  const feed =
    'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1@a\r\nDTSTART:20270605T190000\r\nSUMMARY:Ball\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'

  test('a file: URL is read like its path', async () => {
    const { calctl, file } = await productionSite()
    const url = `file://${file('town feed.ics', feed)}`.replace(' ', '%20')
    expect(await calctl(`apply ${url} --yes`)).toMatchObject({ status: 0 })
    expect((await calctl(`apply ${url} --yes`)).err).toContain('1 unchanged')
  })

  test('-o ics leaves out what is not public, and says so; --status has it', async () => {
    const { calctl } = await productionSite()
    for (const flags of ['--title Ball', '--title Assaig --status draft'])
      await calctl(`events create ${flags} ${dates}`)
    const { out, err } = await calctl('events list --all -o ics')
    expect(out.match(/^SUMMARY:.*(?=\r)/gm)).toEqual(['SUMMARY:Ball'])
    expect(err).toMatch(
      /^left out 1 event that is a draft, private, hidden or protected; to write it too, add --status publish,draft,pending,private$/m,
    )
    expect((await calctl('events get 2 -o ics')).out).toContain('SUMMARY:Assaig')
  })
})
