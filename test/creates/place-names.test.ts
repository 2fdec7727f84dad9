import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { writtenNames } from '../readings/place-names.ts'
import { calendarWithFiles, head } from '../support/calendar-with-files.ts'
import { productionSite } from '../support/production-site.ts'

/** Two names of each meaning: one certain place, several or a doubtful one, and none. */
const names = ['is', 'ask', 'new'].flatMap(kind => {
  const found = writtenNames('names.tsv').filter(({ meaning }) => meaning.startsWith(kind))
  return [found.at(0), found.at(-1)].filter(one => one !== undefined)
})

const row = (venue: string, hour = 19) => `Concert,2027-06-04 ${hour}:00,2027-06-04 ${hour + 1}:00,"${venue}"\n`
const withVenue = head.replace('\n', ',venue\n')

const feed = (venue: string) =>
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b\r\nBEGIN:VEVENT\r\nUID:1@a\r\nDTSTAMP:20270101T000000Z\r\n' +
  'DTSTART:20270604T190000\r\nDTEND:20270604T200000\r\nSUMMARY:Concert\r\n' +
  `LOCATION:${venue.replaceAll(',', '\\,')}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`

type Site = Awaited<ReturnType<typeof productionSite>>

/** The ways in which somebody names a venue. */
const entrances: Readonly<Record<string, (site: Site, venue: string) => ReturnType<Site['calctl']>>> = {
  option: ({ calctl }, venue) =>
    calctl([
      ...'events create --title Concert --start-date 2027-06-04T19:00 --end-date 2027-06-04T20:00'.split(' '),
      ...['--venue', venue, '--create-missing', '--yes'],
    ]),
  series: ({ calctl }, venue) =>
    calctl([
      ...'events create --title Concert --start-date 2027-06-04T19:00 --end-date 2027-06-04T20:00'.split(' '),
      ...['--repeat', 'FREQ=DAILY;COUNT=2', '--venue', venue, '--create-missing', '--yes'],
    ]),
  sheet: ({ calctl, file }, venue) =>
    calctl(['apply', file('a.csv', withVenue + row(venue)), '--create-missing', '--yes']),
  pipe: ({ calctl }, venue) =>
    calctl(['apply', '-', '--format', 'csv', '--create-missing', '--yes'], withVenue + row(venue)),
  feed: ({ calctl, file }, venue) => calctl(['apply', file('a.ics', feed(venue)), '--yes']),
}

const venueOf = async (site: Site) => (await site.json('events list --json --starts-after 2027-01-01'))[0]?.venue?.venue

describe.each(Object.keys(entrances))('a place that is named in other words: %s', entrance => {
  test.each(names)('$typed: $meaning', async ({ existing, typed, meaning }) => {
    const site = await productionSite()
    for (const venue of existing) await site.calctl(['venues', 'create', '--venue', venue])
    const { status, err } = (await entrances[entrance]?.(site, typed)) ?? { status: -1, err: '' }
    const [kind, meant = ''] = meaning.split(/: (.*)/)
    if (kind === 'is') {
      expect([status, err]).toEqual([0, expect.stringContaining(`"${typed}" is taken for "${meant}" (`)])
      expect(await venueOf(site)).toBe(meant)
    } else if (kind === 'ask') {
      // A feed is applied without its invalid events.
      expect(status).toBe(entrance === 'feed' ? 6 : 2)
      for (const name of meant.split(', ')) expect(err).toContain(`"${name}"`)
    } else {
      expect(status).toBe(0)
      expect(await venueOf(site)).toBe(typed)
    }
  })
})

describe('without --create-missing', () => {
  test.each(['option', 'update', 'sheet'])(
    'a certain place is taken, and the others are suggested: %s',
    async entrance => {
      const site = await productionSite()
      for (const venue of ['Plaça Major', 'Parc de la Riera', 'Passeig de la Riera'])
        await site.calctl(['venues', 'create', '--venue', venue])
      const dates = '--title Gala --start-date 2027-06-04T19:00 --end-date 2027-06-04T20:00 --yes'
      await site.calctl(`events create ${dates}`)
      const [{ id }] = await site.json('events list --json')
      const write = (venue: string) => {
        if (entrance === 'sheet') return site.calctl(['apply', site.file('a.csv', withVenue + row(venue)), '--yes'])
        const line = entrance === 'update' ? `events update ${id} --yes` : `events create ${dates}`
        return site.calctl([...line.split(' '), '--venue', venue])
      }
      const refused = await write('la Riera')
      expect(refused.status).not.toBe(0)
      expect(refused.err).toContain('did you mean "Parc de la Riera" or "Passeig de la Riera"?')
      const taken = await write('Pl. Major')
      expect([taken.status, taken.err]).toEqual([
        0,
        expect.stringContaining('"Pl. Major" is taken for "Plaça Major" (1)\n'),
      ])
    },
  )
})

test('a sheet says once what a name is taken for, and a plan keeps it as a note', async () => {
  const { calctl, file } = await productionSite()
  await calctl('venues create --venue "Plaça Major"')
  const sheet = file('a.csv', `${withVenue}${row('Pl. Major', 10)}${row('Pl. Major', 12)}${row('Plaza Mayor', 14)}`)
  const { out } = await calctl(`apply ${sheet} --dry-run -o json`)
  expect(JSON.parse(out).notes).toEqual([
    '"Pl. Major" is taken for "Plaça Major" (1)',
    '"Plaza Mayor" is taken for "Plaça Major" (1)',
  ])
  const { err } = await calctl(`apply ${sheet} --yes`)
  expect(err.split('"Pl. Major" is taken')).toHaveLength(2)
})

test('a place in another town is not taken for one here', async () => {
  const { calctl, file, json } = await productionSite()
  await calctl('venues create --venue "Plaça Major" --city Centelles')
  const described = (city: string) =>
    file('a.csv', `title,start_date,end_date,venue,city\nBall,2027-06-05 19:00,2027-06-05 20:00,Pl. Major,${city}\n`)
  expect((await calctl(`apply ${described('Centelles')} --create-missing --yes`)).err).toContain('is taken for')
  expect(await calctl(`apply ${described('Sabadell')} --create-missing --yes`)).toMatchObject({ status: 0 })
  expect(await json('venues list --json')).toHaveLength(2)
})

test('a name is not taken for one of two places with the same name', async () => {
  const { calctl, file } = calendarWithFiles()
  for (const city of ['Vic', 'Manlleu'])
    await calctl(`venues create --venue "Plaça Major" --city ${city} --if-exists create --yes`)
  const { status, err } = await calctl(`apply ${file('a.csv', withVenue + row('Pl. Major'))} --create-missing --yes`)
  expect([status, err]).toEqual([2, expect.stringContaining('2 venues are called "Plaça Major"')])
})

describe('at a terminal', () => {
  const terminal = async (keys: string[], places: readonly string[]) => {
    const site = calendarWithFiles({ terminal: 300, keys })
    for (const place of places) await site.calctl(['venues', 'create', '--venue', place, '--yes'])
    return site
  }
  const places = ['Parc de la Riera', 'Passeig de la Riera', 'Plaça Major']
  const venues = async ({ calctl }: Awaited<ReturnType<typeof terminal>>) =>
    JSON.parse((await calctl('events list --json --starts-after 2027-01-01')).out).map(
      ({ venue }: { venue: { venue: string } }) => venue.venue,
    )

  test.each([
    ['', ['Parc de la Riera', 'Parc de la Riera']],
    ['\u001b[B', ['Passeig de la Riera', 'Passeig de la Riera']],
    ['\u001b[B\u001b[B', ['la Riera', 'la Riera']],
  ])('a doubtful name is asked about once, for all rows: %j', async (down, chosen) => {
    const site = await terminal([`${down}\r`, 'y\r'], places)
    const sheet = site.file('a.csv', withVenue + row('la Riera', 10) + row('la Riera', 12))
    const { err } = await site.calctl(`apply ${sheet} --create-missing`)
    expect(err).toContain('No venue is called "la Riera". Which one is meant?')
    expect(await venues(site)).toEqual(chosen)
  })

  test.each([
    ['', ['Parc de la Riera'], { 'venues la Riera': 'Parc de la Riera' }],
    ['\u001b[B\u001b[B', ['la Riera'], { 'venues la Riera': null }],
  ])('--save-map keeps which place is meant, and the next file asks nothing: %j', async (down, chosen, names) => {
    const site = await terminal([`${down}\r`, 'y\r', 'y\r'], places)
    const sheet = site.file('a.csv', withVenue + row('la Riera', 10))
    const saved = site.path('columns.json')
    await site.calctl(`diff ${sheet} --create-missing --save-map ${saved}`)
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual({ names })
    const { err } = await site.calctl(`apply ${sheet} --create-missing --map @${saved} --yes`)
    expect(err).not.toContain('No venue is called')
    expect(await venues(site)).toEqual(chosen)
  })

  test('a doubtful name is asked about before a missing one is refused', async () => {
    const site = await terminal(['\r', 'y\r'], places)
    const sheet = site.file('a.csv', withVenue + row('la Riera'))
    const { status } = await site.calctl(`apply ${sheet}`)
    expect(status).toBe(0)
    expect(await venues(site)).toEqual(['Parc de la Riera'])
  })
})
