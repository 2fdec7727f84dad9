import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { toUtc as toUtcAnywhere } from '../../src/base/time/zone.ts'
import { languages } from '../../src/contract/languages.ts'
import { slugOf } from '../../src/contract/slug.ts'
import { demoRows, madridToUtc, weekNumber } from '../../src/service/demo/demo.ts'
import { copyName, copySizes } from '../../src/service/render/image-sizes.ts'
import { textOf } from '../../src/service/store/calendar-text.ts'
import { checkCalendar } from '../../src/service/store/check/check-calendar.ts'

const saturday = new Date('2026-11-21T02:00:00Z')
const { site, rows, files } = demoRows(saturday)
const inCatalan = rows.events.filter(event => event.lang_code === 'ca')

test('the demo does not change within a week', () => {
  expect(demoRows(new Date('2026-11-16T00:00:00Z'))).toMatchObject({ site, rows })
  expect(demoRows(new Date('2026-11-22T22:59:59Z'))).toMatchObject({ site, rows })
})

test('a week later, every event has moved by a week', () => {
  const later = demoRows(new Date('2026-11-28T02:00:00Z')).rows
  const find = (events: typeof rows.events) => events.find(event => event.slug === 'trio-marina-vidal')
  expect(find(rows.events)).toMatchObject({ start_date: '2026-11-27 21:00:00', utc_start_date: '2026-11-27 20:00:00' })
  expect(find(later.events)).toMatchObject({ start_date: '2026-12-04 21:00:00', utc_start_date: '2026-12-04 20:00:00' })
})

test('a weekly event keeps its programme from week to week', () => {
  const later = demoRows(new Date('2026-11-28T02:00:00Z')).rows
  const find = (events: typeof rows.events) =>
    events.find(event => event.slug === 'cineclub-2026-12-03' && event.lang_code === 'ca')
  expect(find(rows.events)?.title).toMatch(/^Cineclub: /)
  expect(find(later.events)?.title).toBe(find(rows.events)?.title)
})

test('the demo has about sixty events, some past, most in the next three months', () => {
  expect(inCatalan.length).toBeGreaterThanOrEqual(55)
  expect(inCatalan.length).toBeLessThanOrEqual(70)
  const past = inCatalan.filter(event => event.start_date < '2026-11-21')
  const coming = inCatalan.filter(event => event.start_date >= '2026-11-21' && event.start_date < '2027-02-21')
  expect(past.length).toBeGreaterThanOrEqual(5)
  expect(coming.length).toBeGreaterThanOrEqual(50)
})

test('the demo has drafts, private and trashed events, whole days and long exhibitions', () => {
  expect(new Set(inCatalan.map(event => event.status))).toEqual(new Set(['publish', 'draft', 'private', 'trash']))
  const festival = rows.events.find(event => event.slug === 'festa-petita')
  expect(festival).toMatchObject({
    all_day: true,
    start_date: '2027-01-29 00:00:00',
    end_date: '2027-01-31 23:59:59',
    utc_end_date: '2027-01-31 22:59:59',
  })
  const exhibition = rows.events.find(event => event.slug === 'el-riu-que-ve')
  expect(exhibition).toMatchObject({ start_date: '2026-11-24 10:00:00', end_date: '2027-01-24 19:00:00' })
})

test('every record has one language, and its translations share its slug', () => {
  const jazz = rows.categories.filter(category => category.slug === 'jazz')
  expect(jazz.map(category => category.lang_code)).toEqual(['ca', 'en', 'es'])
  const theatre = rows.events.filter(event => event.slug === 'la-hostalera')
  expect(theatre.map(({ lang_code, title, cost }) => [lang_code, title, cost])).toEqual([
    ['ca', 'L’hostalera, de Carlo Goldoni', '18 €'],
    ['en', 'The Mistress of the Inn, by Carlo Goldoni', '18 €'],
    ['es', 'La posadera, de Carlo Goldoni', '18 €'],
  ])
})

test('IDs are unique', () => {
  const posts = [...rows.events, ...rows.venues, ...rows.organizers, ...rows.images].map(row => row.id)
  const terms = [...rows.categories, ...rows.tags].map(row => row.id)
  expect(new Set(posts).size).toBe(posts.length)
  expect(new Set(terms).size).toBe(terms.length)
  expect(Math.max(...posts)).toBe(posts.length)
  expect(Math.max(...terms)).toBe(terms.length)
})

test.each(['events', 'venues', 'organizers', 'categories', 'tags'] as const)(
  'slugs of %s are unique and normalized',
  name => {
    const keys = rows[name].map(row => `${row.lang_code}/${row.slug}`)
    expect(new Set(keys).size).toBe(keys.length)
    for (const { slug } of rows[name]) expect(slugOf(slug.replace('__trashed', ''))).toBe(slug.replace('__trashed', ''))
  },
)

test.each(languages)('events in %s link to existing records in their language', language => {
  const idsOf = (table: readonly { id: number; lang_code: string }[]) =>
    new Set(table.filter(row => row.lang_code === language).map(row => row.id))
  const [venues, organizers, categories, tags] = [rows.venues, rows.organizers, rows.categories, rows.tags].map(idsOf)
  const images = new Set(rows.images.map(image => image.id))
  for (const event of rows.events.filter(event => event.lang_code === language)) {
    expect(event.venue === null || venues?.has(event.venue)).toBe(true)
    expect(event.image === null || images.has(event.image)).toBe(true)
    expect(event.organizer.filter(id => !organizers?.has(id))).toEqual([])
    expect(event.categories.filter(id => !categories?.has(id))).toEqual([])
    expect(event.tags.filter(id => !tags?.has(id))).toEqual([])
  }
  const parents = rows.categories
    .filter(category => category.lang_code === language)
    .flatMap(({ parent }) => parent ?? [])
  expect(parents.filter(id => !categories?.has(id))).toEqual([])
})

test('no publication date is in the future', () => {
  const dates = [...rows.events, ...rows.venues, ...rows.organizers].map(row => row.date_utc)
  expect(dates.filter(date => date >= '2026-11-16 00:00:00')).toEqual([])
})

test.each([
  '2026-03-29 01:59:59',
  '2026-03-29 03:00:00',
  '2026-07-01 12:00:00',
  '2026-10-25 01:59:59',
  '2026-10-25 02:30:00',
  '2026-10-25 03:00:00',
  '2026-12-31 23:59:59',
])('%s is converted to the same instant as by the time zone library', wall => {
  expect(madridToUtc(wall)).toBe(toUtcAnywhere(wall, 'Europe/Madrid'))
})

test('demo weeks begin on Monday at midnight in Madrid', () => {
  expect(weekNumber(new Date('2026-07-05T21:59:59Z')) + 1).toBe(weekNumber(new Date('2026-07-05T22:00:00Z')))
  expect(weekNumber(new Date('2026-11-22T22:59:59Z')) + 1).toBe(weekNumber(new Date('2026-11-22T23:00:00Z')))
})

test('the demo passes every check of a calendar file', async () => {
  let file = ''
  for await (const text of textOf({ site, start: { rows, sequence: { post: 0, term: 0 } } })) file += text
  const checked = checkCalendar('demo.json', JSON.parse(file), saturday)
  expect(checked.site).toEqual(site)
  expect(checked.start.rows).toEqual(rows)
})

test('the demo has every picture that it names, in each size that it names', async () => {
  expect(rows.images.length).toBeGreaterThan(5)
  for (const { url, width = null, height = null } of rows.images) {
    const full = { width: width ?? 0, height: height ?? 0 }
    expect(sizeOfPng(await files.read(url))).toEqual(full)
    for (const size of Object.values(copySizes(full)))
      expect(sizeOfPng(await files.read(copyName(url, size)))).toEqual(size)
    expect(await files.read(copyName(url, { width: 9999, height: 9999 }))).toBeUndefined()
  }
})

test('pictures have the sizes that WordPress makes of them', () => {
  expect(copySizes({ width: 800, height: 600 })).toEqual({
    medium: { width: 300, height: 225 },
    thumbnail: { width: 150, height: 150 },
    medium_large: { width: 768, height: 576 },
  })
  expect(copySizes({ width: 100, height: 80 })).toEqual({})
})

const sizeOfPng = (bytes: Uint8Array | undefined) => {
  const header = Buffer.from(bytes ?? [])
  return header.length > 24 && { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}

test('the data of the demo is what its script makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const root = join(import.meta.dirname, '../..')
  spawnSync(process.execPath, [join(root, 'scripts/demo.js'), join(folder, 'town.json')])
  const made = readFileSync(join(folder, 'town.json'), 'utf8')
  expect(readFileSync(join(root, 'src/service/demo/town.json'), 'utf8')).toBe(made)
})
