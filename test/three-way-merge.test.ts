import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differences as oldDifferences, wasApplied } from '../src/client/compare.ts'
import { conflictingFields } from '../src/client/foreign-changes.ts'
import { resourceNamed } from '../src/contract/contract.ts'
import { differences } from '../src/contract/record.ts'
import type { Answer } from '../src/contract/resource.ts'
import { asItWas, isApplied, merge } from '../src/contract/three-way-merge.ts'
import { changedValues } from '../src/plan/diff.ts'

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

const runs = { numRuns: 3000 }

describe('the merge and the functions before it agree on', () => {
  test('what an update sends', () => {
    fc.assert(
      fc.property(record, values, (before, mine) => {
        const { write, unknown } = merge(events, { mine, theirs: before, isExact: true })
        const sent = Object.keys(write).length > 0 ? { ...write, ...pick(mine, unknown) } : {}
        expect(sent).toEqual(changedValues(events, before, mine))
      }),
      runs,
    )
  })

  test('what differs in two answers', () => {
    fc.assert(
      fc.property(twice, ([before, after]) => {
        expect(differences(events, before, after)).toEqual(oldDifferences(events, before, after))
      }),
      runs,
    )
  })

  test('what was applied', () => {
    fc.assert(
      fc.property(record, values, (theirs, mine) => {
        const { already, unknown } = merge(events, { mine, theirs })
        for (const [name, value] of Object.entries(mine)) {
          const field = events.fields[name]
          if (!field || unknown.includes(name)) continue
          expect([name, already.includes(name)]).toEqual([name, wasApplied(name, field, value, theirs)])
          expect(isApplied(name, field, value, theirs)).toBe(wasApplied(name, field, value, theirs))
        }
      }),
      runs,
    )
  })

  test('what conflicts', () => {
    fc.assert(
      fc.property(twice, values, ([before, theirs], mine) => {
        const { conflicts, already, unknown } = merge(events, { base: asItWas(before), mine, theirs })
        const left = Object.fromEntries(Object.entries(mine).filter(([name]) => !already.includes(name)))
        const old = conflictingFields(events, left, oldDifferences(events, before, theirs), theirs, false)
        // What is as wanted conflicts with nothing.
        expect(conflicts).toEqual(old.filter(name => !already.includes(name)))
        expect(unknown.filter(name => conflicts.includes(name))).toEqual([])
      }),
      runs,
    )
  })
})
