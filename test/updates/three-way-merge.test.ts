import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Values } from '../../src/client/client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Field } from '../../src/contract/field.ts'
import { comparedWith, differences, writableValues } from '../../src/contract/record.ts'
import { type Answer, recordKey } from '../../src/contract/resource.ts'
import { baseFrom, changedValues, hasAll, threeWayMerge } from '../../src/contract/three-way-merge.ts'

const events = resourceNamed('events')

/** What a site can show of a field, and how that is stored, if that differs. */
const shownTexts = [
  { shown: '<p>Rock &amp; roll</p>\n', stored: 'Rock & roll' },
  { shown: '<p>Rock  &#038; roll</p>', stored: 'Rock  & roll' },
  { shown: '<p>A long <b id="x-1">night</b></p>', stored: '<!-- wp:paragraph --><p>A long night</p>' },
  { shown: '', stored: '' },
]
const shownCosts = [
  { shown: 'Free', stored: '0', values: ['0'], symbol: '' },
  { shown: '$15', stored: '15', values: ['15'], symbol: '' },
  { shown: '20€', stored: '20 €', values: ['20'], symbol: '€' },
  { shown: '$12,50', stored: '12,50', values: ['12.50'], symbol: '' },
  { shown: '$1.234', stored: '1.234,56', values: ['.56', '1.234'], symbol: '' },
  { shown: '', stored: '', values: [], symbol: '' },
]
const wanted = {
  title: ['Jazz', 'jazz', 'Jazz & more', 'Cafè'.normalize('NFD')],
  start_date: ['2026-12-05 19:00:00', '2026-12-06 19:00', '2026-12-05T19:00:00+01:00'],
  end_date: ['2026-12-05 21:00:00', '2026-12-06 21:00:00'],
  date: ['2026-11-01 09:00:00', '2026-11-02 09:00:00'],
  author: ['1', 1, '2', null],
  description: ['Rock & roll', 'Rock  & roll', 'A long night', '<p>Rock &amp; roll</p>\n', ''],
  slug: ['jazz', 'Jazz', ''],
  status: ['publish', 'draft', 'private', 'trash'],
  timezone: ['Europe/Madrid', 'America/New_York'],
  all_day: [true, false, 'true'],
  image: ['1', 2, null, '', 'https://example.org/jazz.jpg'],
  cost: ['0', '15', '$15', '20 €', '20€', '12,50', '12.50', '1234.56', '1.234,56', ''],
  website: ['https://example.org/', ''],
  sticky: [true, false],
  categories: [[3], [5, 3], ['jazz'], [], '3,jazz'],
  venue: [7, [7], { id: 8 }, [], 'Sala'],
  organizer: [[1, 2], [2, 1], [], 1],
  post_password: ['secret', '', '***'],
} as const

const term = (id: number) => ({ id, name: id === 5 ? 'Jazz' : 'Rock', slug: id === 5 ? 'jazz' : 'rock' })
const venue = (id: number) => ({ id, venue: id === 7 ? 'Sala' : 'Teatre', slug: `v${id}` })

/** A record as a site answers it: with the stored forms, or without. */
const record: fc.Arbitrary<Answer> = fc
  .record({
    title: fc.constantFrom('Jazz', 'Jazz &amp; more', 'Cafè'),
    start_date: fc.constantFrom('2026-12-05 19:00:00', '2026-12-06 19:00:00'),
    end_date: fc.constantFrom('2026-12-05 21:00:00', '2026-12-06 21:00:00'),
    date: fc.constantFrom('2026-11-01 09:00:00', '2026-11-02 09:00:00'),
    date_utc: fc.constantFrom('2026-11-01 08:00:00', '0000-00-00 00:00:00'),
    author: fc.constantFrom('1', '2'),
    description: fc.constantFrom(...shownTexts),
    slug: fc.constantFrom('jazz', 'opera', ''),
    status: fc.constantFrom('publish', 'draft', 'private'),
    timezone: fc.constantFrom('Europe/Madrid', 'America/New_York'),
    all_day: fc.boolean(),
    image: fc.constantFrom(
      false,
      { id: 1, url: 'https://site.test/jazz.jpg' },
      { id: 2, url: 'https://site.test/x.jpg' },
    ),
    cost: fc.constantFrom(...shownCosts),
    website: fc.constantFrom('https://example.org/', 'https://site.test/event/jazz/'),
    show_map: fc.boolean(),
    show_map_link: fc.boolean(),
    hide_from_listings: fc.boolean(),
    sticky: fc.boolean(),
    featured: fc.boolean(),
    categories: fc.subarray([3, 5]).map(ids => ids.map(term)),
    tags: fc.subarray([3, 5]).map(ids => ids.map(term)),
    venue: fc.constantFrom([], venue(7), venue(8)),
    organizer: fc.constantFrom([], [{ id: 1 }], [{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 1 }]),
    isStored: fc.boolean(),
    password: fc.constantFrom(undefined, '', 'secret'),
  })
  .map(({ description, cost, isStored, password, title, ...shown }) => ({
    ...shown,
    id: 1,
    url: 'https://site.test/event/jazz/',
    title,
    excerpt: '',
    description: description.shown,
    cost: cost.shown,
    cost_details: { currency_symbol: cost.symbol, values: cost.values },
    utc_start_date: shown.start_date.replace('19:00', '18:00'),
    utc_end_date: shown.end_date.replace('21:00', '20:00'),
    ...(isStored && {
      raw: {
        title: title.replace('&amp;', '&'),
        description: description.stored,
        cost: cost.stored,
        website: shown.website.includes('site.test') ? '' : shown.website,
        ...(password !== undefined && { post_password: password }),
      },
    }),
  }))

const values: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.record(
  Object.fromEntries(Object.entries(wanted).map(([name, several]) => [name, fc.constantFrom<unknown>(...several)])),
  { requiredKeys: [] },
)

/** A record and a later answer about it, which differs in a few fields. */
const twice = fc
  .tuple(record, record, fc.subarray(Object.keys(events.fields), { maxLength: 4 }))
  .map(([one, other, names]) => {
    const changed = Object.fromEntries(names.map(name => [name, other[name] ?? one[name]]))
    return [
      one,
      { ...one, ...changed, ...(other.raw && one.raw && { raw: { ...one.raw, ...pick(other.raw, names) } }) },
    ] as const
  })

const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

const runs = { numRuns: process.env.SOAK_ROUNDS === undefined ? 300 : 10_000 }

const names = (...several: readonly (readonly string[])[]) => several.flat().toSorted()

test('each wanted field is written, there already, or unknown', () => {
  fc.assert(
    fc.property(record, values, fc.boolean(), (theirs, mine, isExact) => {
      const { write, already, unknown, changed, conflicts } = threeWayMerge(events, { mine, theirs, isExact })
      expect(names(Object.keys(write), already, unknown)).toEqual(names(Object.keys(mine)))
      expect([changed, conflicts]).toEqual([[], []])
    }),
    runs,
  )
})

test('a record has the values that would make it again', () => {
  fc.assert(
    fc.property(record, theirs => {
      const mine = writableValues(events, theirs)
      expect(changedValues(events, theirs, mine)).toEqual({})
      expect(hasAll(events, mine, theirs)).toBe(true)
    }),
    runs,
  )
})

test('what a file has exactly, a site has too', () => {
  fc.assert(
    fc.property(record, values, (theirs, mine) => {
      const exactly = threeWayMerge(events, { mine, theirs, isExact: true }).already
      // What is stored can be shown as another cost, and of a password the mark stands for itself.
      const others = exactly.filter(name => name !== 'cost' && name !== 'post_password')
      expect(threeWayMerge(events, { mine, theirs }).already).toEqual(expect.arrayContaining(others))
    }),
    runs,
  )
})

test('what changed is the same from both sides, and is nothing between a record and itself', () => {
  fc.assert(
    fc.property(twice, ([one, other]) => {
      const changed = Object.keys(differences(events, one, other))
      expect(Object.keys(differences(events, other, one))).toEqual(changed)
      expect(threeWayMerge(events, { base: baseFrom(one), mine: {}, theirs: other }).changed).toEqual(changed)
      expect(differences(events, one, one)).toEqual({})
    }),
    runs,
  )
})

test('only what somebody changed conflicts, and what is there already conflicts with nothing', () => {
  fc.assert(
    fc.property(twice, values, ([before, theirs], mine) => {
      const { changed, conflicts, already, write } = threeWayMerge(events, { base: baseFrom(before), mine, theirs })
      expect(changed).toEqual(expect.arrayContaining([...conflicts]))
      expect(conflicts.filter(name => already.includes(name))).toEqual([])
      expect(conflicts).toEqual(expect.arrayContaining(changed.filter(name => name in write)))
      if (hasAll(events, mine, theirs)) expect(conflicts).toEqual([])
    }),
    runs,
  )
})

test('what an answer leaves out, and services fill in, is neither the same nor changed nor there', () => {
  const filledIn = fc.constantFrom('status', 'all_day', 'sticky', 'start_date', 'timezone', 'author')
  fc.assert(
    fc.property(twice, values, filledIn, ([before, { raw: _, ...after }], mine, name) => {
      const theirs: Answer = { ...after, [name]: undefined }
      const wanted = { ...mine, [name]: wantedOf(name) }
      const { changed, conflicts, already, unknown, write } = threeWayMerge(events, {
        base: baseFrom(before),
        mine: wanted,
        theirs,
      })
      expect([...changed, ...conflicts, ...already, ...Object.keys(write)]).not.toContain(name)
      expect(unknown).toContain(name)
      expect(changedValues(events, theirs, { [name]: wantedOf(name) })).toHaveProperty(name)
    }),
    runs,
  )
})

const wantedOf = (name: string): unknown => (wanted as Readonly<Record<string, readonly unknown[]>>)[name]?.[0]

const jazz: Answer = {
  id: 1,
  title: 'Jazz',
  status: 'publish',
  start_date: '2026-12-05 19:00:00',
  end_date: '2026-12-05 21:00:00',
  timezone: 'Europe/Madrid',
  all_day: false,
  description: '<p>A <b id="x-1">night</b></p>',
  date_utc: '2026-11-01 08:00:00',
  date: '2026-11-01 09:00:00',
  slug: 'jazz',
  tags: [{ id: 3 }, { id: 5 }],
}

test.each([
  ['the same field', { title: 'Soul' }, { title: 'Blues' }, ['title']],
  ['another field', { title: 'Soul' }, { description: 'Blues' }, []],
  ['the same change', { title: 'Soul' }, { title: 'Soul' }, []],
  ['the other end of an event', { start_date: '2026-12-06 19:00' }, { end_date: '2026-12-05 22:00:00' }, ['end_date']],
  ['the zone of an event that moves', { end_date: '2026-12-06 23:00' }, { timezone: 'UTC' }, ['timezone']],
  [
    'the start of an event that lasts all day',
    { all_day: true },
    { start_date: '2026-12-06 00:00:00' },
    ['start_date'],
  ],
  [
    'what changed along with the same change',
    { all_day: true },
    { all_day: true, end_date: '2026-12-05 23:59:59' },
    [],
  ],
  ['the slug, which a new status may change', { status: 'private' }, { slug: 'soul' }, ['slug']],
  ['the status, with which the slug may change', { slug: 'soul' }, { status: 'private' }, ['status']],
  [
    'a text in another place of the page',
    { description: 'Soul' },
    { description: '<p>A <b id="x-2">night</b></p>' },
    [],
  ],
])('of two changes, %s', (_, mine, change, conflicts) => {
  const theirs = { ...jazz, ...change }
  expect(threeWayMerge(events, { base: baseFrom(jazz), mine, theirs }).conflicts).toEqual(conflicts)
})

test('another order of organizers is a change, as the first one is shown as the main one', () => {
  const record = { id: 1, organizer: [{ id: 1 }, { id: 2 }], venue: { id: 7 }, categories: [{ id: 3 }, { id: 5 }] }
  const changed = (mine: object) => Object.keys(changedValues(events, record as Answer, mine as Values))
  expect(changed({ organizer: [2, 1] })).toEqual(['organizer'])
  expect(changed({ organizer: [1, 2], venue: 7, categories: [5, 3] })).toEqual([])
  expect(changed({ organizer: 1, venue: [7] })).toEqual(['organizer'])
})

test('links to records that come and go with the same run do not count', () => {
  const without = { ...jazz, tags: [{ id: 3 }] }
  expect(Object.keys(differences(events, jazz, without))).toEqual(['tags'])
  expect(differences(events, jazz, without, new Set([recordKey('tags', 5)]))).toEqual({})
  expect(Object.keys(differences(events, jazz, without, new Set([recordKey('tags', 3)])))).toEqual(['tags'])
})

test('a password that is not shown is no reason to write, and goes along', () => {
  expect(changedValues(events, jazz, { title: 'Jazz', post_password: 'secret' })).toEqual({})
  expect(changedValues(events, jazz, { title: 'Soul', post_password: 'secret' })).toEqual({
    title: 'Soul',
    post_password: 'secret',
  })
})

test('a value that is not shown is a reason to write, also beside a password', () => {
  const mine = { sticky: true, post_password: 'secret' }
  expect(changedValues(events, jazz, mine)).toEqual(mine)
})

test('the date of a record that was never published is that of its last save, whatever was sent', () => {
  const draft = { ...jazz, date_utc: '0000-00-00 00:00:00' }
  expect(differences(events, draft, { ...draft, date: '2026-11-02 09:00:00' })).toEqual({})
  expect(hasAll(events, { date: '2026-12-01 10:00' }, draft)).toBe(true)
})

test('a value is compared in every form in which it may have been written down', () => {
  const record = {
    ...jazz,
    title: 'Rock &#038; roll',
    cost: 'Free',
    cost_details: { currency_symbol: '', values: ['0'] },
  }
  const is = (name: string, written: unknown) =>
    comparedWith({ name, field: events.fields[name] as Field, record }, written)
  expect([is('title', 'Rock &#038; roll'), is('title', 'Rock & roll'), is('title', 'Rock')]).toEqual([
    'same',
    'same',
    'changed',
  ])
  expect([is('cost', 'Free'), is('cost', '0'), is('cost', '5')]).toEqual(['same', 'same', 'changed'])
  expect([is('sticky', true), is('description', undefined), is('excerpt', ''), is('excerpt', null)]).toEqual([
    'unknown',
    'unknown',
    'same',
    'same',
  ])
})
