import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

const folder = join(import.meta.dirname, 'hard-files')

/** Applies a file, and lists the events that the calendar then has. */
async function applied(name: string, fields = 'start_date,end_date,all_day', { before = '', options = '' } = {}) {
  const calctl = calendar()
  if (before) await calctl(before)
  const { status, err } = await calctl(`apply ${join(folder, name)} --yes --create-missing --jobs 1 ${options}`)
  const { out } = await calctl(`events list --all-dates --status publish,private,draft --fields ${fields} -o csv`)
  return { status, err, rows: out.trimEnd().split('\n').slice(1) }
}

const oneEvent = 'events create --title Festa --start-date 2027-02-01 --duration 1d --all-day'

test('wrong letters are refused in a row with an ID, too', async () => {
  const { status, err, rows } = await applied('mj1.csv', 'title', { before: oneEvent })
  expect([status, err, rows]).toEqual([
    2,
    expect.stringContaining('has wrong letters: "Concert Â«granÂ» lÃ­nia" is "Concert «gran» línia"'),
    ['Festa'],
  ])
})

test('letters that Mac programs made wrong are refused', async () => {
  const { status, err, rows } = await applied('mac.csv')
  expect([status, err, rows]).toEqual([2, expect.stringContaining('is "Plaça de l’Església"'), []])
})

test('Date is the day of the event beside an ID', async () => {
  const before = 'events create --title Fira --start-date 2027-06-01 --end-date 2027-06-10 --all-day'
  const { status, rows } = await applied('d5.csv', 'title,start_date,status', { before })
  expect([status, rows]).toEqual([0, ['Assemblea,2027-06-05 00:00:00,publish']])
})

test.each(['url.csv', 'url2.csv', 'meetup.csv'])('%s: the column URL is not read, and this is said', async name => {
  const { status, err } = await applied(name)
  expect([status, err]).toEqual([
    0,
    expect.stringMatching(/ignored "Url"; if it is the website of events, add: --map "Url=/i),
  ])
})

test('the status, the postal code and the address of Eventbrite are read', async () => {
  const { status, err, rows } = await applied('eventbrite.csv', 'title,status,event_status,venue.zip,website')
  expect([status, err.match(/ignored "[^"]+"/g), rows]).toEqual([
    0,
    null,
    [
      'Vermut jazz,publish,,17800,https://www.eventbrite.example/e/900000000001',
      'Taller,publish,canceled,17800,https://www.eventbrite.example/e/900000000002',
    ],
  ])
})

test.each([
  ['01-gcalcli328.ics', '2027-12-27 00:00:00,2028-01-04 23:59:59,true'],
  ['c7.ics', '2027-07-04 00:00:00,2027-07-05 23:59:59,true'],
  ['ms.ics', '2027-07-04 00:00:00,2027-07-05 23:59:59,true'],
  ['03b-date-start-time-end.ics', '2027-04-12 00:00:00,2027-04-12 02:00:00,false'],
  ['56-iso-dash.ics', '2027-07-04 10:00:00,2027-07-04 11:00:00,false'],
  ['57-noSeconds.ics', '2027-07-04 10:00:00,2027-07-04 11:00:00,false'],
  ['58-offsetdt.ics', '2027-07-04 10:00:00,2027-07-04 11:00:00,false'],
])('%s is %s', async (name, row) => {
  const { status, rows, err } = await applied(name)
  expect([status, rows, err]).toEqual([0, [row], expect.not.stringContaining('time zone')])
})

test.each([
  ['05-pretalx2588.ics', '2027-07-23 10:20:00,GMT', '"GMT" is read as GMT'],
  ['c6.ics', '2027-07-04 10:00:00,Europe/Berlin', '"W. Europe Standard Time" is read as Europe/Berlin'],
])('%s: a time zone whose name and VTIMEZONE contradict each other is named', async (name, row, zone) => {
  const { err, rows } = await applied(name, 'start_date,timezone')
  expect([rows, err]).toEqual([
    [row],
    expect.stringContaining(`time zone ${zone}, whose hours differ from those of its VTIMEZONE`),
  ])
})

test('an event that Outlook marks as private is not published', async () => {
  const { rows } = await applied('outlook.csv', 'title,status', { options: '--date-order dmy' })
  expect(rows).toEqual(['Festa,publish', 'Reunió,private'])
})

test('an all-day event that ends at 0:00 lasts until the day before, in an export of Outlook', async () => {
  const { status, err, rows } = await applied('ol3.csv')
  expect([status, err, rows]).toEqual([
    0,
    expect.stringContaining('row 2: lasts until 2027-04-21, because 2027-04-22 00:00 ends at 0:00'),
    ['2027-04-21 00:00:00,2027-04-21 23:59:59,true'],
  ])
  const outlook = await applied('outlook.csv', 'title,start_date,end_date', { options: '--date-order dmy' })
  expect(outlook.rows).toContain('Festa,2027-04-21 00:00:00,2027-04-21 23:59:59')
})

test('an hour without am or pm beside one with it is in the half of the day in which both fit', async () => {
  const { status, err, rows } = await applied('e52.csv')
  expect([status, err, rows]).toEqual([
    0,
    expect.stringContaining('row 2: 7:30 to 9:30pm is 19:30 to 21:30'),
    ['2027-06-16 19:30:00,2027-06-16 21:30:00,false'],
  ])
})

test('a price that another cell decides is said with what it means', async () => {
  const { status, err, rows } = await applied('e51.csv', 'cost')
  expect([status, err, rows]).toEqual([
    0,
    expect.stringContaining('row 3, Precio: 1,200 is 1.20, because of row 2, Precio: 12,5'),
    ['12.5', '1.20'],
  ])
})

test('an end that is missing follows from the converted start', async () => {
  const { status, rows } = await applied('o1.csv')
  expect([status, rows]).toEqual([0, ['2027-12-20 00:00:00,2027-12-20 00:00:00,false']])
})
