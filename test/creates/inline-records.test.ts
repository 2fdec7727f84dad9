import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

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
  expect(err).toContain(`venue "Plaça del Vi" (${venue.id}) exists already`)
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
