import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

/** A sheet with one event, its venue and its organizer, exported from another site. */
async function sheetFromElsewhere() {
  const from = calendar()
  for (const line of [
    'venues create --venue "Plaça Major"',
    'organizers create --organizer "Ateneu Popular"',
    'events create --title Gala --start-date "2026-12-04 19:00" --end-date "2026-12-04 21:00" --venue 1 --organizer 2',
  ])
    await from(line)
  const { out } = await from('export events --format csv')
  return out.replaceAll(/file:sha256-[\w-]+/g, 'https://town.example/calendar/events/v1')
}

test('a record that an export refers to by slug is not created from the slug alone', async () => {
  const sheet = await sheetFromElsewhere()
  const to = calendar()
  const refused = await to('apply - --format csv --create-missing --yes', sheet)
  expect(refused).toMatchObject({
    status: 2,
    err: expect.stringMatching(
      /^! row 2: no venue has the slug "placa-major" in .* \(export the venues too: calctl export venues events\)$/m,
    ),
  })
  expect((await to('venues list -o count')).out).toBe('0\n')
})

test('a record that an export refers to by slug is found by the slug of its name', async () => {
  const sheet = await sheetFromElsewhere()
  const to = calendar()
  for (const line of [
    'venues create --venue "Plaça"',
    'venues update 1 --venue "Plaça Major"',
    'organizers create --organizer "Ateneu"',
    'organizers update 2 --organizer "Ateneu Popular"',
  ])
    await to(line)
  expect(await to('apply - --format csv --create-missing --yes', sheet)).toMatchObject({
    status: 0,
    err: expect.stringContaining('+ create 1  ~ update 0'),
  })
  expect((await to('events list --fields venue.id,organizer.id -o ndjson')).out).toBe(
    '{"venue":{"id":1},"organizer":[{"id":2}]}\n',
  )
})
