import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'

/** A site with an evening event on a Wednesday, and what is left of it after a change. */
async function siteWithConcert(end = '2027-05-12 21:15') {
  const site = await productionSite()
  const { id } = await site.json(
    `events create --title Concert --start-date "2027-05-12 18:30" --end-date "${end}" --timezone Europe/Madrid --json`,
  )
  const when = async () => {
    const { start_date: start, end_date: last, all_day: isAllDay } = await site.json(`events get ${id} --json`)
    return [start, last, isAllDay]
  }
  const applied = async (headings: string, cells: string) => {
    const { status, err } = await site.calctl(
      'apply - --format csv --resource events --yes',
      `id,${headings}\n${id},${cells}\n`,
    )
    return { status, err, when: await when() }
  }
  return { ...site, id: id as number, when, applied }
}

const evening = (start: string, end = start) => [`${start} 18:30:00`, `${end} 21:15:00`, false]

test.each([
  ['Data,Data fi', '16/9/2028,17/9/2028', evening('2028-09-16', '2028-09-17')],
  ['Inici,Fi', '2028-09-16,2028-09-17', evening('2028-09-16', '2028-09-17')],
  ['start_date,end_date', '2028-09-16,2028-09-17', evening('2028-09-16', '2028-09-17')],
  ['Data', '2027-05-11', evening('2027-05-11', '2027-05-12')],
  ['start_date', '2027-05-11', evening('2027-05-11', '2027-05-12')],
  ['Fi', '2027-05-13', evening('2027-05-12', '2027-05-13')],
  ['Data fi', '2027-05-13', evening('2027-05-12', '2027-05-13')],
  ['end_date', '2027-05-13', evening('2027-05-12', '2027-05-13')],
  ['Data,Hora fi', '2027-05-11,22 h', ['2027-05-11 18:30:00', '2027-05-11 22:00:00', false]],
  ['Data,Durada', '2027-05-11,2 h', ['2027-05-11 18:30:00', '2027-05-11 20:30:00', false]],
  ['Data,Hora', '2027-05-11,20 h', ['2027-05-11 20:00:00', '2027-05-12 21:15:00', false]],
])('days under %s (%s) keep the hours of the event beside its ID', async (headings, cells, expected) => {
  const { applied } = await siteWithConcert()
  const { status, err, when } = await applied(headings, cells)
  expect([status, err, when]).toEqual([0, expect.not.stringContaining('all day'), expected])
})

test('a day in a file of objects keeps the hours, too', async () => {
  const { calctl, id, when } = await siteWithConcert()
  const { status } = await calctl(
    'apply - --format json --yes --resource events',
    JSON.stringify([{ id, end_date: '2027-05-13' }]),
  )
  expect([status, await when()]).toEqual([0, evening('2027-05-12', '2027-05-13')])
})

test('tot el dia in the column of the hour makes an event last all day', async () => {
  const { applied } = await siteWithConcert()
  const { when } = await applied('Data,Hora,Data fi', '2027-05-11,tot el dia,2027-05-11')
  expect(when).toEqual(['2027-05-11 00:00:00', '2027-05-11 23:59:59', true])
})

test.each([
  ['22h', '22h', '2027-05-12 22:00:00'],
  ['mitjanit', 'mitjanit', '2027-05-13 00:00:00'],
  ['90 min', '90 min', '2027-05-12 20:00:00'],
  ['diumenge', 'diumenge', '2027-05-16 21:15:00'],
  ['fins a les 2', 'fins a les 2', '2027-05-13 02:00:00'],
])('an end such as %s is read beside an ID as in an option', async (text, cell, expected) => {
  for (const heading of ['Fi', 'end_date', 'Hora fi']) {
    const { applied } = await siteWithConcert()
    const { status, when } = await applied(heading, cell)
    expect([heading, status, when[1]]).toEqual([heading, 0, expected])
  }
  const { calctl, id, when } = await siteWithConcert()
  expect((await calctl(`events update ${id} --end-date "${text}"`)).status).toBe(0)
  expect((await when())[1]).toBe(expected)
})

test.each(['Hora', 'Inici', 'start_date'])('an hour alone under %s is on the day of the event', async heading => {
  const { applied } = await siteWithConcert()
  const { status, when } = await applied(heading, '20.15 h')
  expect([status, when]).toEqual([0, ['2027-05-12 20:15:00', '2027-05-12 21:15:00', false]])
})

test('an hour alone in an option is on the day of the event', async () => {
  const { calctl, id, when } = await siteWithConcert()
  expect((await calctl(`events update ${id} --start-date 20:15`)).status).toBe(0)
  expect(await when()).toEqual(['2027-05-12 20:15:00', '2027-05-12 21:15:00', false])
})

test('hours beside an ID change both ends', async () => {
  const { applied } = await siteWithConcert()
  expect((await applied('Hora', '19-21 h')).when).toEqual(['2027-05-12 19:00:00', '2027-05-12 21:00:00', false])
  expect((await applied('Hora,Hora fi', '20 h,22 h')).when).toEqual([
    '2027-05-12 20:00:00',
    '2027-05-12 22:00:00',
    false,
  ])
})

test.each(['fins que tanqui', 'la matinada'])('an end such as "%s" is refused beside an ID', async cell => {
  const { applied } = await siteWithConcert()
  const { status, err, when } = await applied('Fi', cell)
  expect([status > 0, err, when]).toEqual([true, expect.stringContaining(cell), evening('2027-05-12')])
})

test.each(['Títol,Inici', 'Title,Date', 'title,start_date', 'Títol,Data'])(
  'an event of a sheet without an end ends when it starts: %s',
  async headings => {
    const { calctl, json } = await productionSite()
    const { status, err } = await calctl('apply - --format csv --yes', `${headings}\nJazz,2027-06-04 19:00\n`)
    expect([status, err]).toEqual([0, expect.stringContaining('ends when it starts, because it has no end')])
    const [jazz] = await json('events list --json')
    expect([jazz.start_date, jazz.end_date]).toEqual(['2027-06-04 19:00:00', '2027-06-04 19:00:00'])
  },
)

test.each(['id,Títol,Inici', 'Títol,slug,Data', 'title,slug,start_date'])(
  'an event that exists keeps its end if the sheet has none: %s',
  async headings => {
    const { calctl, json, when, id } = await siteWithConcert()
    const [{ slug }] = await json('events list --json')
    const row = headings.startsWith('id') ? `${id},Concert` : `Concert,${slug}`
    const { status } = await calctl('apply - --format csv --yes', `${headings}\n${row},2027-05-12 18:30\n`)
    expect([status, (await json('events list --json')).length, await when()]).toEqual([0, 1, evening('2027-05-12')])
  },
)

test.each([
  ['20h', 'add the hour, for example: 2027-05-09 19:00'],
  ['90min', 'add the hour, for example: 2027-05-09 19:00'],
  ['la matinada', 'expected a date and time, got "la matinada"'],
])('an end such as %s after a day alone asks for the hour of the start', async (end, expected) => {
  const { calctl } = await productionSite()
  const { status, err } = await calctl(`events create --title Jazz --start-date 2027-05-09 --end-date "${end}"`)
  expect([status, err]).toEqual([2, expect.stringContaining(expected)])
})

test('an hour that is too long after the start is suggested on the next day', async () => {
  const { calctl } = await productionSite()
  const create = 'events create --title Jazz --start-date "2028-05-09 21:00" --end-date'
  expect((await calctl(`${create} 18:00`)).err).toContain('for example: 2028-05-10 18:00')
  expect((await calctl(`${create} "2028-05-10 18:00"`)).status).toBe(0)
})

test('the examples for an end that depends on today can be written in a sheet', async () => {
  const { calctl } = await productionSite()
  const applied = (end: string) =>
    calctl('apply - --format csv --yes', `Títol,Inici,Fi\n"Jazz ${end}",2026-12-05 18:00,"${end}"\n`)
  const { status, err } = await applied('demà')
  const [, examples = ''] = /for example: ([^)]*)/.exec(err) ?? []
  expect([status, examples]).toEqual([2, '2026-12-05 19:00, 5 December 2026, 19:00 or 90 min'])
  for (const example of examples.split(/, | or /)) expect((await applied(example)).status).toBe(0)
})

test('the end of two hours in one cell is quoted without its seconds', async () => {
  const { calctl } = await productionSite()
  const { err } = await calctl('apply - --format csv --yes', 'Títol,Data,Hora\nJazz,2027-06-04,23 h fins 5 h\n')
  expect(err).toContain('"05:00" after 23:00 is on the next day')
})

test.each([
  ['Data,Hora', '2027-05-13,20 h', '2027-05-13 20:00:00'],
  ['start_date', '2027-05-12 17:00', '2027-05-12 17:00:00'],
])('an event without an end stays without one at another %s', async (headings, cells, start) => {
  const { applied } = await siteWithConcert('2027-05-12 18:30')
  expect((await applied(headings, cells)).when).toEqual([start, start, false])
})

test('a sheet without ends is corrected by the titles, and duplicates nothing', async () => {
  const { calctl, json } = await siteWithConcert('2027-05-12 18:30')
  const sheet = (day: string) =>
    calctl('apply - --format csv --resource events --match title --yes', `Acte;Data;Hora\nConcert;${day};20 h\n`)
  expect((await sheet('13/5/2027')).status).toBe(0)
  const events = await json('events list --month 2027-05 --json')
  expect(events.map((one: { start_date: string; end_date: string }) => [one.start_date, one.end_date])).toEqual([
    ['2027-05-13 20:00:00', '2027-05-13 20:00:00'],
  ])
})
