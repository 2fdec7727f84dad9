import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, reader } from '../sources/reader.ts'
import { calendar } from '../support/calendar.ts'

const sample = (name: string) => readFileSync(join(import.meta.dirname, 'open-data', `${name}.json`), 'utf8')

async function listed(text: string, fields: string) {
  const calctl = calendar()
  const { err } = await calctl('apply - --yes', text)
  const { out } = await calctl(`events list --all-dates -o ndjson --fields ${fields}`)
  const events = out
    .split('\n')
    .filter(line => line !== '')
    .map(line => Object.values(JSON.parse(line)))
  return { events, err, calctl }
}

test('the open data of a portal of Socrata is recognized and applied', async () => {
  const fields = 'title,start_date,end_date,all_day,excerpt,venue.venue,venue.city,categories.name,website'
  const { events, calctl } = await listed(sample('socrata'), fields)
  expect(events).toEqual([
    [
      'Pintures del Maresme',
      '2026-12-01 00:00:00',
      '2027-01-10 23:59:59',
      true,
      '',
      { venue: 'Museu', city: 'olot' },
      [{ name: 'exposicions' }],
      'https://museu.example/pintures',
    ],
    [
      'Concert de cambra',
      '2026-12-05 00:00:00',
      '2026-12-05 23:59:59',
      true,
      expect.stringContaining('A les 19 h'),
      { venue: 'Teatre Principal', city: 'Olot' },
      [{ name: 'classica' }, { name: 'musica' }],
      'https://teatre.example/quartet',
    ],
  ])
  expect((await calctl('diff -', sample('socrata'))).out).toBe('2 unchanged\n')
})

test.each(['as it is sent', 'written over several lines'])(
  'the events of OpenAgenda are recognized, %s',
  async form => {
    const text =
      form === 'as it is sent' ? sample('openagenda') : JSON.stringify(JSON.parse(sample('openagenda')), null, 2)
    const { events, err, calctl } = await listed(text, 'title,start_date,end_date,venue.venue,slug')
    expect(events).toEqual([
      [
        'Concert de Noël',
        '2026-12-05 19:00:00',
        '2026-12-05 20:30:00',
        { venue: 'Església de Sant Pere' },
        expect.stringMatching(/^11111111-\w+-20261205$/),
      ],
      [
        'Concert de Noël',
        '2026-12-06 12:00:00',
        '2026-12-06 13:30:00',
        { venue: 'Església de Sant Pere' },
        expect.stringMatching(/-20261206$/),
      ],
    ])
    expect(err).toContain('the input has 2 of 3 events: ask for more of them in the address')
    const fair = text.replace(/("status":\s?)6/, (_, key) => `${key}1`)
    await calctl('apply - --yes', fair)
    expect((await calctl('diff -', text)).out).toMatch(/1 to move to the trash, 2 unchanged\n$/)
  },
)

test('a source says in which language, and by which map, its data is read', async () => {
  const { read, write } = reader([
    { name: 'city', place: 'city.json', language: 'ca' },
    {
      name: 'mine',
      place: 'mine.json',
      map: {
        list: 'data.items',
        uid: 'n',
        title: 'what|name',
        start_date: 'when.from',
        end_date: 'when.to',
        venue: 'where',
      },
    },
  ])
  write('city.json', sample('openagenda'))
  expect(eventsOf(await read(undefined, 'city'))).toEqual([
    ['Concert de Nadal', '2026-12-05 19:00:00'],
    ['Concert de Nadal', '2026-12-06 12:00:00'],
    [undefined, undefined],
  ])
  const item = {
    n: 7,
    what: '',
    name: 'Fira',
    when: { from: '2026-12-05 10:00', to: '2026-12-05 14:00' },
    where: 'Plaça',
  }
  write('mine.json', JSON.stringify({ data: { items: [item, { n: 8, name: 'Sense data' }, 'x'] } }))
  const reading = await read(undefined, 'mine')
  expect(eventsOf(reading)).toEqual([
    ['Fira', '2026-12-05 10:00:00'],
    ['Sense data', undefined],
  ])
})
