import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read } from '../support/record-files.ts'

const folder = join(import.meta.dirname, 'other-programs')

const nadal = { start_date: '2026-12-20 19:00:00', end_date: '2026-12-20 21:00:00' }
const ateneu = { venue: 'Ateneu', address: 'Plaça 1', city: 'Olot', zip: '17800' }

/** What each export means. They are made by hand, from the headings that the programs document. */
const meant: Readonly<Record<string, readonly object[]>> = {
  'google.csv': [
    { title: 'Concert de Nadal', ...nadal, venue: 'Teatre Principal' },
    { title: 'Fira', all_day: true, start_date: '2026-12-26 00:00:00', status: 'private' },
  ],
  'google-minimal.csv': [{ title: 'Concert de Nadal', start_date: '2026-12-20 19:00:00' }, { title: 'Vermut' }],
  'outlook.csv': [
    { title: 'Concert de Nadal', ...nadal, categories: ['Jazz'], venue: 'Teatre Principal' },
    { title: 'Fira', all_day: true, end_date: '2026-12-27 23:59:59' },
  ],
  'outlook-spanish.csv': [
    { title: 'Concierto de Navidad', ...nadal, categories: ['Jazz'], venue: 'Teatro Principal' },
    { title: 'Feria', all_day: true, end_date: '2026-12-27 23:59:59' },
  ],
  'eventbrite-report.csv': [
    { title: 'Vermut jazz', status: 'publish', venue: ateneu, organizer: ['Colla'] },
    { title: 'Taller', event_status: 'canceled', timezone: 'America/New_York' },
  ],
  'eventbrite-api.csv': [
    { title: 'Vermut jazz', start_date: '2027-06-05 12:00:00', status: 'publish', venue: ateneu, organizer: ['Colla'] },
    { title: 'Taller', event_status: 'canceled', timezone: 'Europe/Madrid' },
  ],
  'facebook.csv': [
    {
      title: 'Concert de Nadal',
      start_date: '2026-12-20T19:00:00+0100',
      website: 'https://entrades.example/1',
      timezone: 'Europe/Madrid',
    },
    { title: 'Vermut', event_status: 'canceled', venue: { venue: 'Ateneu', city: 'Olot' } },
  ],
  'meetup-report.csv': [
    { title: 'Passeig botànic', start_date: '2027-03-06 10:00:00', end_date: '2027-03-06 12:30:00', status: 'publish' },
  ],
  'meetup-api.csv': [
    {
      title: 'Passeig botànic',
      start_date: '2027-03-06T10:00+01:00',
      end_date: '2027-03-06T12:30+01:00',
      website: 'https://www.meetup.com/olot/events/301234567/',
      venue: { venue: 'Jardí', address: 'Carrer Nou 3', city: 'Olot' },
    },
  ],
  'the-events-calendar.csv': [{ title: 'Vermut jazz', cost: '8 €', venue: 'Ateneu', description: 'Amb la colla' }],
}

test.each(readdirSync(folder))('%s of another program is read without --map', async file => {
  const { records, notices } = await read(readFileSync(join(folder, file)), { name: file, timezone: 'Europe/Madrid' })
  expect(records.flatMap(({ mistakes }) => mistakes)).toEqual([])
  expect(records.map(({ values, valuesIfNew }) => ({ ...values, ...valuesIfNew }))).toMatchObject(meant[file] ?? [])
  expect(records).toHaveLength(meant[file]?.length ?? -1)
  // Of all columns, these alone are for people and have no field.
  const dropped = notices.flatMap(notice => /ignored "(.+)"/.exec(notice)?.[1] ?? [])
  const known = [
    'Meeting Organizer',
    'Organizador de la reunión',
    'Group Name',
    'ALLOW COMMENTS',
    'ALLOW TRACKBACKS AND PINGBACKS',
  ]
  expect(dropped.filter(heading => !known.includes(heading))).toEqual([])
})
