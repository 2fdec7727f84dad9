import { expect, test } from 'vitest'
import { similarName } from '../../src/base/text/similarity.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { productionSite } from '../support/production-site.ts'

const sheet = (venue: string) => `title,start_date,end_date,venue\nConcert,2027-06-04 19:00,2027-06-04 20:00,${venue}\n`

test.each(['Plasa Major', 'Placa de Major', 'Plaça Majro', 'La Plaça Major', 'PlaçaMajor', 'Plaça Mayor'])(
  '--create-missing refuses %s where there is a Plaça Major',
  async venue => {
    const site = await productionSite()
    await site.calctl('venues create --venue "Plaça Major"')
    const file = site.file('season.csv', sheet(venue))
    const { status, err } = await site.calctl(`apply ${file} --create-missing --yes`)
    expect([status, err]).toEqual([
      2,
      expect.stringContaining(
        `! row 2: no venue is called "${venue}", but one is called "Plaça Major" (correct the name, or create another venue with: --allow-similar)`,
      ),
    ])
    expect(site.writes()).toHaveLength(1)
    expect(await site.calctl(`apply ${file} --create-missing --allow-similar --yes`)).toMatchObject({ status: 0 })
    expect((await site.json('venues list --json')).map(({ venue }: { venue: string }) => venue)).toContain(venue)
  },
)

test.each([
  ['Sala 1', 'Sala 2'],
  ['Sala A', 'Sala B'],
  ['Sala II', 'Sala III'],
  ['Dansa', 'Danses'],
  ['Concert', 'Concerts'],
  ['Ateneu', 'Ateneo'],
  ['Rock', 'Folk'],
  ['Jazz', 'Jass'],
  ['Teatre Nou', 'Teatre Vell'],
  ['Edició 2026', 'Edició 2027'],
  ['Coral Riu', 'Coral Mar'],
  ['Teatre', 'Teatre Municipal'],
])('%s and %s are different names', (one, other) => {
  expect(similarName(one, [other])).toBeUndefined()
  expect(similarName(other, [one])).toBeUndefined()
})

test('a sheet of the importer, which creates what it names, is careful too, and a feed is not', async () => {
  const { calctl, file, json } = await productionSite()
  await calctl('venues create --venue "Plaça Major"')
  const importer = file('tec.csv', 'Event Name,Event Start Date,Event Venue Name\nBall,2027-06-05,Plasa Major\n')
  const { status, err } = await calctl(`apply ${importer} --yes`)
  expect([status, err]).toEqual([2, expect.stringContaining('but one is called "Plaça Major"')])
  const feed = file(
    'town.ics',
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b\r\nBEGIN:VEVENT\r\nUID:1@a\r\nDTSTAMP:20270101T000000Z\r\n' +
      'DTSTART:20270605T190000\r\nSUMMARY:Ball\r\nLOCATION:Plasa Major\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  )
  expect(await calctl(`apply ${feed} --yes`)).toMatchObject({ status: 0 })
  expect(await json('venues list --json')).toHaveLength(2)
})

test('two new names of one sheet that are close to each other are one venue mistyped', async () => {
  const { calctl, file } = await productionSite()
  const rows = `${sheet('Plaça Nova')}Ball,2027-06-05 19:00,2027-06-05 20:00,Plasa Nova\n`
  const { status, err } = await calctl(`apply ${file('season.csv', rows)} --create-missing --yes`)
  expect([status, err]).toEqual([
    2,
    expect.stringContaining('! row 3: no venue is called "Plasa Nova", but one is called "Plaça Nova"'),
  ])
})

test.each([
  ['y', ['Plaça Major']],
  ['n', ['Plasa Major', 'Plaça Major']],
])('on a terminal calctl asks which one is meant, once: %s', async (answer, names) => {
  const { calctl, file } = calendarWithFiles({ terminal: 300, keys: [`${answer}\r`, 'y\r'] })
  await calctl('venues create --venue "Plaça Major" --yes')
  const rows = `${sheet('Plasa Major')}Ball,2027-06-05 19:00,2027-06-05 20:00,Plasa Major\n`
  const { err } = await calctl(`apply ${file('season.csv', rows)} --create-missing`)
  expect(err).toContain('No venue is called "Plasa Major". Use "Plaça Major"?')
  const { out } = await calctl('venues list --json')
  expect(
    JSON.parse(out)
      .map(({ venue }: { venue: string }) => venue)
      .toSorted(),
  ).toEqual(names)
})

test('single events and series are as careful', async () => {
  const { calctl, json } = await productionSite()
  await calctl('tags create --name "Concerts de tardor"')
  const create = 'events create --title A --start-date 2027-06-04 --end-date 2027-06-04 --create-missing --yes'
  const tags = '--tags "Conserts de tardor"'
  for (const options of [tags, `${tags} --repeat FREQ=DAILY;COUNT=2`]) {
    const { status, err } = await calctl(`${create} ${options}`)
    expect([status, err]).toEqual([
      2,
      expect.stringContaining('no tag is called "Conserts de tardor", but one is called "Concerts de tardor"'),
    ])
  }
  expect(await calctl(`${create} ${tags} --allow-similar`)).toMatchObject({ status: 0 })
  expect(await json('tags list --no-hide-empty --json')).toHaveLength(2)
})
