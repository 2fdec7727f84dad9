import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { setStatus, statusText } from '../../src/care/translations/set-status.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import { type Language, languages } from '../../src/contract/languages.ts'
import type { Answer } from '../../src/contract/resource.ts'
import { actsOf, weekNumber } from '../../src/service/demo/demo.ts'
import { testTime } from '../support/world.ts'
import { bilingual } from './bilingual.ts'
import { townInThreeLanguages } from './town-in-three-languages.ts'

interface StatusRow {
  readonly title: string
  readonly records: Readonly<Record<string, object | null>>
}

/** The titles of rows and the languages that they lack. */
const gapsIn = (out: string) =>
  (JSON.parse(out) as StatusRow[]).flatMap(({ title, records }) => {
    const missing = Object.keys(records).filter(language => records[language] === null)
    return missing.length > 0 ? [{ title, missing }] : []
  })

const byTitle = (one: { title: string }, other: { title: string }) => one.title.localeCompare(other.title)

/** The translations that the demo lacks, because the acts have no texts for them. The trash is in no list. */
const knownGaps = actsOf(weekNumber(testTime))
  .flatMap(({ status, texts }) => {
    const missing = languages.filter(language => texts[language] === undefined)
    const [title = ''] = languages.flatMap(language => texts[language]?.[0] ?? [])
    return missing.length > 0 && status !== 'trash' ? [{ title, missing }] : []
  })
  .toSorted(byTitle)

test.each(['--quirks --open', ''])(
  'languages status names exactly the gaps that the demo has: serve %s',
  async options => {
    const { calctl } = await townInThreeLanguages(options)
    const { status, out, err } = await calctl('languages status --all-dates --gaps --json')
    expect(status, err).toBe(1)
    expect(gapsIn(out).toSorted(byTitle)).toEqual(knownGaps)
    expect(JSON.parse(out)).toHaveLength(knownGaps.length)
    expect(err).toBe(
      '63 events in Catalan, English and Spanish; Catalan: 2 not published; English: 4 missing; Spanish: 2 missing\n',
    )
    const venues = await calctl('languages status venues --gaps -o ndjson')
    expect(venues).toEqual({
      status: 0,
      out: '',
      err: '8 venues in Catalan, English and Spanish: nothing is missing\n',
    })
    expect(await calctl('languages status categories -o count')).toMatchObject({ status: 0 })
  },
)

test('languages status has what is on already, without any option', async () => {
  const { calctl } = await townInThreeLanguages('--quirks --open')
  const { out } = await calctl('languages status --json')
  const titles = JSON.parse(out).map(({ title }: { title: string }) => title)
  expect(titles).toContain('Aquarel·les de barri')
})

test('languages status says what is a draft, older, the same text and another fact', async () => {
  const { calctl } = await townInThreeLanguages()
  const slug = 'mercat-2026-11-21'
  const cells = async () => {
    const { out } = await calctl(`languages status --search "Mercat de pagès" --on 2026-11-21 -o csv`)
    return out.split('\n')[1]
  }
  expect(await cells()).toBe('Mercat de pagès,2026-11-21 08:00:00,97,156,217')
  const { out } = await calctl(`events get ${slug} --fields description --json`)
  const { description } = JSON.parse(out)
  await calctl(['events', 'update', slug, '--lang', 'en', '--status', 'draft', '--cost', '7'])
  await calctl(['events', 'update', slug, '--lang', 'es', '--description', description, '--shift', '+1d'])
  await calctl(['events', 'update', slug, '--cost', '5', '--venue', 'Cinema Modern'])
  expect(await cells()).toBe(
    'Mercat de pagès,2026-11-21 08:00:00,97,"156 (draft, other cost, other venue)",' +
      '"217 (same description, other start_date, other end_date, other cost, other venue)"',
  )
})

const events = resourceNamed('events')

test.each<[string, object, object, string]>([
  ['nothing', {}, {}, '2'],
  [
    'an older translation',
    { modified_utc: '2026-11-02 10:00:00' },
    { modified_utc: '2026-11-01 10:00:00' },
    '2 (older)',
  ],
  [
    'a translation that the same run wrote a moment before',
    { modified_utc: '2026-11-02 10:00:30' },
    { modified_utc: '2026-11-02 10:00:00' },
    '2',
  ],
  ['a newer translation', { modified_utc: '2026-11-01 10:00:00' }, { modified_utc: '2026-11-02 10:00:00' }, '2'],
  ['names, which are often the same', { title: 'Festa Petita' }, { title: 'Festa Petita' }, '2'],
  ['short texts', { excerpt: 'De 10 a 18 h' }, { excerpt: 'De 10 a 18 h' }, '2'],
  ['words for what is free', { cost: 'Gratuït' }, { cost: 'Free' }, '2'],
  ['one amount, written in two ways', { cost: '12,50 €' }, { cost: '€12.50' }, '2'],
  ['another amount', { cost: '12 €' }, { cost: '€15' }, '2 (other cost)'],
  ['links to one thing', { venue: { id: 4 } }, { venue: { id: 5 } }, '2'],
  ['links to another thing', { venue: { id: 4 } }, { venue: { id: 6 } }, '2 (other venue)'],
  ['an empty field in two forms', { image: false, website: null }, { image: null, website: '' }, '2'],
  ['a draft', {}, { status: 'draft' }, '2 (draft)'],
])('a set with %s', (_, one, other, expected) => {
  const records = new Map<Language, Answer>([
    ['ca', { id: 1, ...one }],
    ['en', { id: 2, ...other }],
  ])
  const thingOf = (_: string, id: number) => (id < 6 ? 'theatre' : 'cinema')
  const status = setStatus(events, { records, by: 'slug', rivals: [] }, ['ca', 'en', 'es'], thingOf)
  expect(Array.from(status.values(), one => statusText(one, events))).toEqual(['1', expected, 'missing'])
})

test.each([200, 100, 80, 60, 40, 20])('on a terminal of %i columns no status is cut', async terminal => {
  const { calctl } = await bilingual({ terminal })
  const times = ['--start-date', '2026-12-06 19:00', '--end-date', '2026-12-06 21:00']
  await calctl(['events', 'create', '--title', 'Visita guiada a la biblioteca i al seu fons antic', ...times])
  const { status, out } = await calctl('languages status --all-dates --no-pager')
  expect(status).toBe(1)
  const lines = stripVTControlCharacters(out).split('\n')
  expect(lines.filter(line => line.length > terminal)).toEqual([])
  const words = lines.join(' ').replaceAll(/\s+/g, ' ')
  expect(words).toContain('3 (other cost, other venue)')
  expect(words).toContain('missing')
  expect(words).toContain('Sat 5 Dec 19:00')
})
