import { expect, test } from 'vitest'
import { similarName } from '../../src/base/text/similarity.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const sheet = (venue: string) => `title,start_date,end_date,venue\nConcert,2027-06-04 19:00,2027-06-04 20:00,${venue}\n`

test.each(['Plasa Major', 'Placa de Major', 'La Plaça Major', 'PlaçaMajor', 'Plaça Mayor'])(
  '--create-missing takes %s for the Plaça Major that exists, and says so',
  async venue => {
    const site = await productionSite()
    await site.calctl('venues create --venue "Plaça Major"')
    const file = site.file('season.csv', sheet(venue))
    const { status, err } = await site.calctl(`apply ${file} --create-missing --yes`)
    expect([status, err]).toEqual([0, expect.stringContaining(`"${venue}" is taken for "Plaça Major" (1)`)])
    expect(await site.json('venues list --json')).toHaveLength(1)
  },
)

test.each(['Plaça Majro', 'Pl. Major 3', 'Jardins de la Plaça Major'])(
  '--create-missing refuses %s where there is a Plaça Major',
  async venue => {
    const site = await productionSite()
    await site.calctl('venues create --venue "Plaça Major"')
    const file = site.file('season.csv', sheet(venue))
    const { status, err } = await site.calctl(`apply ${file} --create-missing --yes`)
    expect([status, err]).toEqual([
      2,
      expect.stringContaining(
        `! row 2: no venue is called "${venue}", but one is called "Plaça Major" (correct the name, or create it anyway with: --allow-similar)`,
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

test('a sheet of the importer, which creates what it names, and a feed are careful with the names of places, too', async () => {
  const { calctl, file, json } = await productionSite()
  await calctl('venues create --venue "Plaça Major"')
  const importer = file('tec.csv', 'Event Name,Event Start Date,Event Venue Name\nBall,2027-06-05,Plaça Majro\n')
  const { status, err } = await calctl(`apply ${importer} --yes`)
  expect([status, err]).toEqual([2, expect.stringContaining('but one is called "Plaça Major"')])
  const feed = file(
    'town.ics',
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b\r\nBEGIN:VEVENT\r\nUID:1@a\r\nDTSTAMP:20270101T000000Z\r\n' +
      'DTSTART:20270605T190000\r\nSUMMARY:Ball\r\nLOCATION:Plasa Major\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  )
  const applied = await calctl(`apply ${feed} --yes`)
  expect([applied.status, applied.err]).toEqual([
    0,
    expect.stringContaining('"Plasa Major" is taken for "Plaça Major"'),
  ])
  expect(await json('venues list --json')).toHaveLength(1)
})

test('two new names of one sheet that are close to each other are one venue mistyped', async () => {
  const { calctl, file } = await productionSite()
  const rows = `${sheet('Plaça Nova')}Ball,2027-06-05 19:00,2027-06-05 20:00,Plasa Nova\n`
  const { status, err } = await calctl(`apply ${file('season.csv', rows)} --create-missing --yes`)
  expect([status, err]).toEqual([0, expect.stringContaining('"Plasa Nova" is taken for "Plaça Nova"\n')])
})

test.each([
  ['y', ['Plaça Major']],
  ['n', ['Plaça Major', 'Plaça Majro']],
])('on a terminal calctl asks which one is meant, once: %s', async (answer, names) => {
  const { calctl, file } = calendarWithFiles({ terminal: 300, keys: [`${answer}\r`, 'y\r'] })
  await calctl('venues create --venue "Plaça Major" --yes')
  const rows = `${sheet('Plaça Majro')}Ball,2027-06-05 19:00,2027-06-05 20:00,Plaça Majro\n`
  const { err } = await calctl(`apply ${file('season.csv', rows)} --create-missing`)
  expect(err).toContain('No venue is called "Plaça Majro". Use "Plaça Major"?')
  const { out } = await calctl('venues list --json')
  expect(
    JSON.parse(out)
      .map(({ venue }: { venue: string }) => venue)
      .toSorted(),
  ).toEqual(names)
})

const folded = (out: string, name: string) => JSON.parse(out).map((record: Record<string, string>) => record[name])

test.each([
  ['y', 0, ['Ateneu']],
  ['n', 2, []],
])('on a terminal calctl asks once whether to create what nothing resembles: %s', async (answer, status, venues) => {
  const { calctl, file } = calendarWithFiles({ terminal: 300, keys: [`${answer}\r`, 'y\r', 'y\r'] })
  const rows = `${sheet('Ateneu')}Ball,2027-06-05 19:00,2027-06-05 20:00,Ateneu\n`
  const applied = await calctl(`apply ${file('season.csv', rows)}`)
  expect(applied.err.match(/No venue is called "Ateneu"\. Create it\?/g)).not.toBeNull()
  expect(applied.status).toBe(status)
  expect(folded((await calctl('venues list --json')).out, 'venue')).toEqual(venues)
})

test('a single event asks too, and a name that is given again in a map is created without a question', async () => {
  const { calctl, file } = calendarWithFiles({ terminal: 300, keys: ['y\r'] })
  const event = 'events create --title A --start-date 2027-06-04 --end-date 2027-06-04'
  const created = await calctl(`${event} --categories Tallers`)
  expect([created.status, created.err]).toEqual([
    0,
    expect.stringContaining('No category is called "Tallers". Create it?'),
  ])
  expect(folded((await calctl('categories list --no-hide-empty --json')).out, 'name')).toEqual(['Tallers'])
  const map = file('columns.json', '{"names":{"venues Ateneu":null}}')
  const { calctl: inPipe, file: other } = calendarWithFiles()
  const applied = await inPipe(`apply ${other('season.csv', sheet('Ateneu'))} --map @${map} --yes`)
  expect([applied.status, folded((await inPipe('venues list --json')).out, 'venue')]).toEqual([0, ['Ateneu']])
})

test('an answer about a name counts in a row that has another mistake, too', async () => {
  const { calctl, file } = calendarWithFiles({ terminal: 300, keys: ['y\r', 'y\r'] })
  await calctl('categories create --name "Tallers i xerrades" --yes')
  const rows = 'Títol,Data,Hora,Categoria\nA,2027-06-04,19 h,Tallers\nB,2027-06-05,25 h,Tallers\n'
  const { err } = await calctl(`apply ${file('season.csv', rows)}`)
  expect(err.match(/No category is called "Tallers"/g)).not.toBeNull()
  expect(err).not.toContain('! row 3: no category')
  expect(err).toContain('! row 3')
})

test('a plan says which new events are past', async () => {
  const { calctl, file } = calendarWithFiles()
  const rows = 'Títol,Data,Hora\nA,2027-06-04,19 h\nB,2025-03-14,19 h\n'
  expect((await calctl(`diff ${file('season.csv', rows)}`)).out).toContain('1 new event is past: Fri 14 Mar 2025\n')
  expect((await calctl(`diff ${file('other.csv', rows.replace('2025', '2027'))}`)).out).not.toContain('past')
})

test('a longer name of a category is asked about before a new one, but not written without a question', async () => {
  const { calctl } = calendarWithFiles({ terminal: 300, keys: ['y\r'] })
  await calctl('categories create --name "Tallers i xerrades" --yes')
  const { status, err } = await calctl(
    'events create --title A --start-date 2027-06-04 --end-date 2027-06-04 --categories taller',
  )
  expect([status, err]).toEqual([
    0,
    expect.stringContaining('No category is called "taller". Use "Tallers i xerrades"?'),
  ])
  expect(folded((await calctl('categories list --no-hide-empty --json')).out, 'name')).toEqual(['Tallers i xerrades'])
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

const fields = { venue: 'Ateneu', address: 'Major 1', phone: '123', website: 'https://a.example', description: 'Old' }

for (const options of ['', '--no-wp'])
  test(`a venue that a site overwrote instead of creating a second one has all it had before (${options || 'wp/v2'})`, async () => {
    const site = await wordpressSite({ options })
    const { id } = await site.ask('POST /venues', fields)
    const before = await site.ask(`GET /venues/${id}`)
    const line = 'venues create --venue Ateneu --phone 456 --description New --city Girona --if-exists create'
    const { status, err } = await site.calctl(line)
    expect([status, err]).toEqual([7, expect.stringContaining('its former values were restored')])
    const { modified: _, modified_utc: __, ...after } = await site.ask(`GET /venues/${id}`)
    expect(before).toMatchObject(after)
  })

test('the slug of a venue that a site overwrote is the earlier one again', async () => {
  const site = await wordpressSite()
  const { id } = await site.ask('POST /venues', { venue: 'Sala' })
  const { status } = await site.calctl('venues create --venue Sala --slug another --if-exists create')
  expect([status, (await site.ask(`GET /venues/${id}`)).slug]).toEqual([7, 'sala'])
})

const asBefore = 'venue,address,city,phone\nAteneu,Major 1,,123\n'

/** A site with a venue that a command overwrote in place of creating a second one, just before the site was gone. */
async function overwrittenAndGone() {
  let isDown = false
  const site = await productionSite({
    intercept: async (request, pass) => {
      if (!isDown && request.method === 'POST' && request.body?.toString().includes('Girona')) {
        await pass(request)
        isDown = true
      }
      return isDown ? { status: 503, headers: { 'content-type': 'text/html' }, body: '<html></html>' } : undefined
    },
  })
  await site.calctl('venues create --venue Ateneu --address "Major 1" --phone 123 -q')
  const line = 'venues create --venue Ateneu --phone 456 --city Girona --if-exists create --retries 0'
  expect((await site.calctl(line)).status).toBe(5)
  isDown = false
  const venues = async () => (await site.calctl('venues list --fields venue,address,city,phone -o csv -q')).out
  expect(await venues()).toContain('Ateneu,Major 1,Girona,456\n')
  return { ...site, venues }
}

test('a venue that was overwritten by a command that ended there gets back what it had when that is resumed', async () => {
  const { calctl, venues } = await overwrittenAndGone()
  const { status, err } = await calctl('runs resume')
  expect([status, err]).toEqual([7, expect.stringContaining('its former values were restored')])
  expect(await venues()).toBe(asBefore)
})

test('an undo never trashes a venue that was overwritten in place of a second one', async () => {
  const { calctl, venues } = await overwrittenAndGone()
  const { status, err } = await calctl('undo --yes')
  expect([status, err]).toEqual([7, expect.stringContaining('restore its former values with: calctl runs resume')])
  expect(await venues()).toContain('Ateneu,Major 1,Girona,456\n')
  expect((await calctl('runs resume')).status).toBe(7)
  expect(await venues()).toBe(asBefore)
})

const inline = (venue: object) => `--venue '${JSON.stringify(venue)}'`

async function siteWithVenue() {
  const site = await productionSite()
  const venue = await site.json('venues create --venue "Plaça del Vi" --city Girona --phone 972 --json')
  return { ...site, venue }
}

test('an inline venue of a known name does not overwrite it', async () => {
  const { calctl, json, writes, venue } = await siteWithVenue()
  const before = writes().length
  const { status, err } = await calctl(
    `events create --title Fira ${dates} ${inline({ venue: 'Plaça del Vi', city: 'Barcelona' })}`,
  )
  expect(status).toBe(4)
  expect(err).toContain(`venue "Plaça del Vi" (${venue.id}) already exists`)
  expect(err).toContain('its city is "Girona", not "Barcelona"')
  expect(err).toContain(`calctl venues update ${venue.id} --city "Barcelona"`)
  expect(writes()).toHaveLength(before)
  expect((await json(`venues get ${venue.id} --json`)).city).toBe('Girona')
})

test('an inline venue that says nothing else than the known one is the known one', async () => {
  const { json, venue } = await siteWithVenue()
  const event = await json(
    `events create --title Fira ${dates} ${inline({ venue: 'plaça del vi', city: 'Girona' })} --json`,
  )
  expect(event.venue.id).toBe(venue.id)
  expect((await json(`venues get ${venue.id} --json`)).phone).toBe('972')
})

test('an inline venue of a new name is created', async () => {
  const { json, venue } = await siteWithVenue()
  const event = await json(
    `events create --title Fira ${dates} ${inline({ venue: 'Plaça del Pi', city: 'Girona' })} --json`,
  )
  expect(event.venue).toMatchObject({ venue: 'Plaça del Pi', city: 'Girona' })
  expect(event.venue.id).not.toBe(venue.id)
})

test('an inline organizer of a known name does not overwrite it in an update', async () => {
  const { calctl, json } = await siteWithVenue()
  const { id } = await json('organizers create --organizer Ateneu --email a@example.org --json')
  const event = await json(`events create --title Fira ${dates} --json`)
  const { status, err } = await calctl([
    ...['events', 'update', String(event.id)],
    ...['--data', JSON.stringify({ organizer: [{ organizer: 'Ateneu', email: 'b@example.org' }] })],
  ])
  expect([status, err]).toEqual([4, expect.stringContaining('its email is "a@example.org", not "b@example.org"')])
  expect((await json(`organizers get ${id} --json`)).email).toBe('a@example.org')
})

test('a venue with an ID and other values is not a way to change the venue', async () => {
  const { calctl, json, venue } = await siteWithVenue()
  const line = (values: object) => `events create --title Fira ${dates} ${inline({ id: venue.id, ...values })} --json`
  expect((await calctl(line({ city: 'Barcelona' }))).status).toBe(4)
  expect((await json(line({ venue: 'Plaça del Vi', city: 'Girona' }))).venue.id).toBe(venue.id)
})

test('inline venues in a file do not overwrite known ones either, and the file can use them as they are', async () => {
  const { calctl, json, file, venue } = await siteWithVenue()
  const events = [
    { title: 'Fira', venue: { venue: 'Plaça del Vi', city: 'Barcelona' } },
    { title: 'Ball', venue: { venue: 'Plaça del Vi', city: 'Girona' } },
    { title: 'Aplec', venue: { venue: 'Ermita', city: 'Olot' } },
    { title: 'Missa', venue: { venue: 'Ermita', city: 'Ripoll' } },
  ].map(event => ({ ...event, start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' }))
  const { status, err } = await calctl(`apply ${file('events.json', JSON.stringify({ events }))} --yes --skip-invalid`)
  expect(status).toBe(6)
  expect(err).toContain('its city is "Girona", not "Barcelona"')
  expect(err).toContain('another "Ermita" in the file has another city')
  expect((await json(`venues get ${venue.id} --json`)).city).toBe('Girona')
  const rows = await json('events list --all-dates --json')
  expect(rows.map((row: { title: string; venue: { venue: string } }) => [row.title, row.venue.venue]).sort()).toEqual([
    ['Aplec', 'Ermita'],
    ['Ball', 'Plaça del Vi'],
  ])
})
