import { expect, test } from 'vitest'
import type { Source } from '../../src/sources/source.ts'
import { reader } from './reader.ts'
import { feedOf } from './web.ts'

const event = (uid: string, title: string, day: string, more = '') =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART;VALUE=DATE:${day}`,
    `SUMMARY:${title}`,
    ...(more ? [more] : []),
    'END:VEVENT',
  ].join('\r\n')

const feed = feedOf(
  event('a', 'Concert de JAZZ', '20261205', 'LOCATION:Farinera'),
  event('b', 'Taller de jazzística', '20261206', 'CATEGORIES:Cursos'),
  event('c', 'Sopar', '20261231', 'DESCRIPTION:Amb música de jazz en viu'),
  event('d', 'Reunió interna', '20261207', 'LOCATION:Biblioteca'),
  event('e', 'Fira', '20261208', 'STATUS:CANCELLED'),
)

async function readWith(settings: Partial<Source>) {
  const { read, write } = reader([{ name: 'town', place: 'town.ics', ...settings }])
  write('town.ics', feed)
  const reading = await read()
  if (reading.state !== 'read') throw reading.state === 'failed' ? reading.failure : new Error(reading.state)
  return reading
}

const uids = (records: readonly { values: Readonly<Record<string, unknown>> }[]) =>
  records.map(({ values }) => String(values.slug)[0]).join('')

test.each([
  [{}, 'abcde', ''],
  [{ include: { words: ['jazz'] } }, 'ace', 'bd'],
  [{ include: { words: ['Jazz', 'interna'] } }, 'acde', 'b'],
  [{ exclude: { words: ['reunio INTERNA'] } }, 'abce', 'd'],
  [{ include: { from: '2026-12-06', until: '2026-12-07' } }, 'bde', 'ac'],
  [{ include: { words: ['jazz'], until: '2026-12-30' } }, 'ae', 'bcd'],
  [{ exclude: { words: ['jazz'], from: '2026-12-31' } }, 'abde', 'c'],
  [{ include: { words: ['jazz'] }, exclude: { words: ['farinera'] } }, 'ce', 'abd'],
  [{ include: { words: ['cursos'] } }, 'be', 'acd'],
  [{ include: { words: ['(sopar'] } }, 'e', 'abcd'],
])('%j takes %s and leaves out %s; what was called off stays said', async (settings, taken, left) => {
  const { records, leftOut } = await readWith(settings)
  expect([uids(records), uids(leftOut)]).toEqual([taken, left])
})

test('a source gives its events categories, tags, an organizer, and a status to new ones', async () => {
  const { records } = await readWith({
    categories: ['Cursos', 'Poble'],
    tags: ['agenda'],
    organizer: 'Ateneu',
    status: 'pending',
  })
  const [jazz, course] = records
  expect(jazz?.values).toMatchObject({
    categories: ['Cursos', 'Poble'],
    tags: ['agenda'],
    organizer: ['Ateneu'],
  })
  expect(course?.values.categories).toEqual(['Cursos', 'Poble'])
  expect(jazz?.values.status).toBeUndefined()
  expect(jazz?.valuesIfNew).toEqual({ status: 'pending' })
})

test('a place is the venue that the map says, however it is written', async () => {
  const { records } = await readWith({ places: { FARINERA: 'La Farinera, centre cultural', biblioteca: 12 } })
  expect(records.map(({ values }) => values.venue)).toEqual([
    'La Farinera, centre cultural',
    undefined,
    undefined,
    12,
    undefined,
  ])
})

test('only the wanted fields are taken; a new event has what it needs', async () => {
  const { records } = await readWith({ fields: ['description', 'categories'], categories: ['Poble'] })
  const dinner = records.find(({ values }) => values.description !== undefined)
  expect(Object.keys(dinner?.values ?? {}).toSorted()).toEqual(['categories', 'description', 'slug'])
  expect(dinner?.valuesIfNew).toMatchObject({ title: 'Sopar', start_date: '2026-12-31 00:00:00', all_day: true })
})
