import { expect, test } from 'vitest'
import { type SetOptions, translationSets } from '../../src/care/translations/sets.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Language } from '../../src/contract/languages.ts'
import type { Answer } from '../../src/contract/resource.ts'

const events = resourceNamed('events')
const venues = resourceNamed('venues')
const organizers = resourceNamed('organizers')

type Records = Partial<Record<Language, readonly Answer[]>>

/** Sets in short: `ca 1 en 2 es 3 by slug`, `es 4 or ca 1`. */
function setsIn(records: Records, options: Partial<SetOptions> = {}): string[] {
  const byLanguage = new Map(Object.entries(records) as [Language, readonly Answer[]][])
  return translationSets(byLanguage, { resource: events, ...options }).map(({ records, by, rivals }) =>
    [
      [...records].map(([language, { id }]) => `${language} ${id}`).join(' '),
      ...(by ? [`by ${by}`] : []),
      ...(rivals.length > 0 ? [`or ${rivals.map(({ id }) => id).join(' ')}`] : []),
    ].join(' '),
  )
}

test.each<[string, Records, Partial<SetOptions>, string[]]>([
  ['none', {}, {}, []],
  [
    'the same slug',
    {
      ca: [
        { id: 1, slug: 'jazz' },
        { id: 2, slug: 'blues' },
      ],
      en: [{ id: 3, slug: 'blues' }],
      es: [{ id: 4, slug: 'jazz' }],
    },
    {},
    ['ca 1 es 4 by slug', 'ca 2 en 3 by slug'],
  ],
  [
    'IDs that each language counts by itself',
    { ca: [{ id: 1, slug: 'a' }], en: [{ id: 1, slug: 'a' }] },
    {},
    ['ca 1 en 1 by slug'],
  ],
  ['drafts without slugs', { ca: [{ id: 1, slug: '' }], en: [{ id: 2, slug: '' }] }, {}, ['ca 1', 'en 2']],
  [
    'slugs in the trash',
    { ca: [{ id: 1, slug: 'jazz__trashed' }], en: [{ id: 2, slug: 'jazz' }] },
    {},
    ['ca 1 en 2 by slug'],
  ],
  [
    'two of one language with one slug',
    {
      ca: [{ id: 1, slug: 'jazz' }],
      en: [
        { id: 2, slug: 'jazz' },
        { id: 3, slug: 'jazz' },
      ],
      es: [{ id: 4, slug: 'jazz' }],
    },
    {},
    ['ca 1 es 4 by slug or 2 3', 'en 2 or 1 4', 'en 3 or 1 4'],
  ],
  [
    'two of one language alone',
    {
      ca: [
        { id: 1, slug: 'jazz' },
        { id: 2, slug: 'jazz' },
      ],
      en: [],
    },
    {},
    ['ca 1', 'ca 2'],
  ],
  [
    'what calctl remembers goes before slugs',
    {
      ca: [{ id: 1, slug: 'jazz' }],
      en: [
        { id: 2, slug: 'jazz' },
        { id: 3, slug: 'jazz-2' },
      ],
    },
    {
      pairings: [
        { ca: 1, en: 3 },
        { ca: 8, en: 9 },
      ],
    },
    ['ca 1 en 3 by memory', 'en 2'],
  ],
  [
    'what the site says',
    {
      ca: [{ id: 1, slug: 'a', translations: { ca: 1, en: 2 } }],
      en: [{ id: 2, slug: 'b', translations: { ca: { id: 1 } } }],
    },
    {},
    ['ca 1 en 2 by site'],
  ],
])('recognizes %s', (_, records, options, expected) => {
  expect(setsIn(records, options)).toEqual(expected)
})

test('--match finds translations with other slugs by facts, and links by what they lead to', () => {
  const event = (id: number, start_date: string, venue: number) => ({
    id,
    slug: `s${id}`,
    start_date,
    venue: { id: venue },
  })
  const records = {
    ca: [event(1, '2026-12-05 19:00:00', 10), event(2, '2026-12-06 19:00:00', 10)],
    en: [event(3, '2026-12-05 19:00:00', 20), event(4, '2026-12-06 19:00:00', 21)],
  }
  const thingOf = (_: string, id: number) => (id === 10 || id === 20 ? 'theatre' : id)
  const match = ['start_date', 'venue']
  expect(setsIn(records)).toEqual(['ca 1', 'ca 2', 'en 3', 'en 4'])
  expect(setsIn(records, { match, thingOf })).toEqual(['ca 1 en 3 by match', 'ca 2', 'en 4'])
  const two = { ...records, en: [...records.en, event(5, '2026-12-05 19:00:00', 20)] }
  expect(setsIn(two, { match, thingOf })).toEqual(['ca 1 or 3 5', 'ca 2', 'en 3 or 1', 'en 4', 'en 5 or 1'])
  const without = { ca: [{ id: 1, slug: 'a', start_date: 'x' }], en: [{ id: 2, slug: 'b', start_date: 'x' }] }
  expect(setsIn(without, { match })).toEqual(['ca 1', 'en 2'])
})

const theatre = { venue: 'Teatre Principal', address: 'Rambla, 14', city: 'Girona', phone: '+34 972 555 101' }

test.each<[string, Records, string[]]>([
  [
    'address, written in another way',
    { ca: [{ id: 1, venue: 'Plaça', address: 'C/ Nou, 58' }], es: [{ id: 2, venue: 'Cuadra', address: 'c/ nou 58' }] },
    ['ca 1 es 2 by likeness'],
  ],
  [
    'address, with another word for the street',
    { ca: [{ id: 1, address: 'Carrer Nou, 58' }], es: [{ id: 2, address: 'Calle Nou 58, bajos' }] },
    ['ca 1 es 2 by likeness'],
  ],
  [
    'address, but not of another town',
    {
      ca: [{ id: 1, address: 'C/ Nou, 58', city: 'Girona', zip: '17001' }],
      es: [{ id: 2, address: 'C/ Nou, 58', city: 'Olot', zip: '17800' }],
    },
    ['ca 1', 'es 2'],
  ],
  [
    'phone',
    { ca: [{ id: 1, phone: '+34 972 555 101' }], en: [{ id: 2, phone: '0034972555101' }] },
    ['ca 1 en 2 by likeness'],
  ],
  [
    'website',
    { ca: [{ id: 1, website: 'https://www.riu.cat/' }], en: [{ id: 2, website: 'http://riu.cat' }] },
    ['ca 1 en 2 by likeness'],
  ],
  [
    'coordinates',
    { ca: [{ id: 1, geo_lat: 42.04211, geo_lng: 2.7613 }], en: [{ id: 2, geo_lat: 42.0421, geo_lng: 2.76132 }] },
    ['ca 1 en 2 by likeness'],
  ],
  ['name', { ca: [{ id: 1, ...theatre }], en: [{ id: 2, venue: 'Teatre principal' }] }, ['ca 1 en 2 by likeness']],
  [
    'nothing but the city',
    { ca: [{ id: 1, city: 'Girona', zip: '17001' }], en: [{ id: 2, city: 'Girona', zip: '17001' }] },
    ['ca 1', 'en 2'],
  ],
  [
    'the better of two',
    {
      ca: [{ id: 1, ...theatre }],
      en: [
        { id: 2, ...theatre, venue: 'The bar', phone: '1' },
        { id: 3, ...theatre, venue: 'Main theatre' },
      ],
    },
    ['ca 1 en 3 by likeness', 'en 2'],
  ],
  [
    'neither of two that are equally good',
    {
      ca: [{ id: 1, ...theatre }],
      en: [
        { id: 2, ...theatre },
        { id: 3, ...theatre },
      ],
      es: [{ id: 4, ...theatre }],
    },
    ['ca 1 es 4 by likeness or 2 3', 'en 2 or 1 4', 'en 3 or 1 4'],
  ],
])('recognizes venues by %s', (_, records, expected) => {
  expect(setsIn(records, { resource: venues })).toEqual(expected)
})

test('recognizes organizers by the events that they share', () => {
  const records: Records = {
    ca: [
      { id: 1, organizer: 'Biblioteca' },
      { id: 2, organizer: 'Ateneu' },
    ],
    en: [
      { id: 3, organizer: 'Library' },
      { id: 4, organizer: 'People’s Society' },
    ],
  }
  const shared = new Map([
    [1, ['a', 'b', 'c']],
    [2, ['c', 'd', 'e', 'f']],
    [3, ['a', 'b', 'c']],
    [4, ['d', 'e', 'f']],
  ])
  const events: SetOptions['events'] = ({ record }) => new Set(shared.get(record.id))
  expect(setsIn(records, { resource: organizers, events })).toEqual(['ca 1 en 3 by likeness', 'ca 2 en 4 by likeness'])
})
