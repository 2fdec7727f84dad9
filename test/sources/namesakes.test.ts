import { expect, test } from 'vitest'
import { feed } from './feed-server.ts'
import { folder } from './folder.ts'
import { web } from './web.ts'

/** A page with an event of this title in the Ateneu of a town. */
const page = (title: string, town: string) =>
  `<script type="application/ld+json">${JSON.stringify({
    '@type': 'Event',
    url: `https://${town}.example/jazz`,
    name: title,
    startDate: '2026-12-10T19:00:00+01:00',
    endDate: '2026-12-10T20:30:00+01:00',
    location: { '@type': 'Place', name: 'Ateneu', address: { addressLocality: town } },
  })}</script>`

const event = (title: string, town: string) =>
  [
    'BEGIN:VEVENT',
    `UID:${title} ${town}`,
    'DTSTART;TZID=Europe/Madrid:20261210T190000',
    'DTEND;TZID=Europe/Madrid:20261210T203000',
    `SUMMARY:${title}`,
    `LOCATION:Ateneu\\, ${town}`,
    'END:VEVENT',
  ].join('\n')

/** Two sources that have the same title at the same moment, in places of one name in two towns. */
async function towns(answers: Record<string, string>) {
  const { url } = await web({ '/robots.txt': '', ...answers })
  const places = Object.keys(answers).map((path, index) => `  - name: source-${index}\n    place: ${url}${path}\n`)
  const { calctl } = folder({ 'sources.yaml': `sources:\n${places.join('')}` })
  await calctl('trust')
  const show = async (what: string, fields: string) =>
    (await calctl(`${what} --fields ${fields} -o csv`)).out.split('\n').slice(1, -1).toSorted()
  return { calctl, show, apply: (more = '') => calctl(`sources apply --create-missing --yes ${more}`) }
}

const bothTowns = { '/vic.html': page('Nit de jazz', 'Vic'), '/olot.html': page('Nit de jazz', 'Olot') }

test('places of one name in two towns, and the events there, are not taken for each other', async () => {
  const { apply, show } = await towns(bothTowns)
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('venues list', 'venue,city')).toEqual(['Ateneu,Olot', 'Ateneu,Vic'])
  expect(await show('events list --all-dates', 'title')).toEqual(['Nit de jazz', 'Nit de jazz'])
  expect(await apply()).toEqual({ status: 0, out: '', err: 'nothing to do\n' })
})

test('nor if the calendar has one of them', async () => {
  const { calctl, apply, show } = await towns({ '/olot.html': page('Nit de jazz', 'Olot') })
  await calctl('venues create --venue Ateneu --city Vic')
  await calctl(
    'events create --title "Nit de jazz" --venue Ateneu --start-date "2026-12-10 19:00" --end-date "2026-12-10 20:30" --status publish',
  )
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('venues list', 'venue,city')).toEqual(['Ateneu,Olot', 'Ateneu,Vic'])
  expect(await show('events list --all-dates', 'title')).toEqual(['Nit de jazz', 'Nit de jazz'])
})

test('nor if their names end with the towns', async () => {
  const { apply, show } = await towns({
    '/vic.ics': feed(event('Nit de jazz', 'Vic')),
    '/olot.ics': feed(event('Nit de jazz', 'Olot')),
  })
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('venues list', 'venue')).toEqual(['Ateneu, Olot', 'Ateneu, Vic'].map(name => `"${name}"`))
  expect(await show('events list --all-dates', 'title')).toEqual(['Nit de jazz', 'Nit de jazz'])
})

test('a name that ends with the town of a place means it', async () => {
  const { calctl, apply, show } = await towns({ '/vic.ics': feed(event('Nit de jazz', 'Vic'), event('Dansa', 'Vic')) })
  await calctl('venues create --venue Ateneu --city Vic')
  await calctl(
    'events create --title "Nit de jazz" --venue Ateneu --start-date "2026-12-10 19:00" --end-date "2026-12-10 20:30" --status publish',
  )
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show('events list --all-dates', 'title,venue')).toEqual(['Dansa,Ateneu', 'Nit de jazz,Ateneu'])
})

test('a place whose name is close to another one is created if that is allowed, as the hint says', async () => {
  const { calctl, apply, show } = await towns({ '/olot.ics': feed(event('Nit de jazz', 'Olot')) })
  await calctl('venues create --venue Ateneu --city Vic')
  expect(await apply()).toMatchObject({ status: 6, err: expect.stringContaining('--allow-similar') })
  expect(await apply('--allow-similar')).toMatchObject({ status: 0 })
  expect(await show('events list --all-dates', 'title,venue')).toEqual(['Nit de jazz,"Ateneu, Olot"'])
})
