import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

test('lint --lang all finds translations that differ in a fact, whatever their texts and the words for free', async () => {
  const calctl = calendar()
  for (const [lang, venue, other] of [
    ['ca', 'Plaça', 'Sala'],
    ['en', 'Square', 'Hall'],
    ['es', 'Plaza', 'Salón'],
  ]) {
    await calctl([
      'venues',
      'create',
      '--lang',
      lang ?? '',
      '--data',
      JSON.stringify({ venue, city: 'Girona', address: 'Plaça, 1', phone: '972 000 000' }),
    ])
    await calctl([
      'venues',
      'create',
      '--lang',
      lang ?? '',
      '--data',
      JSON.stringify({ venue: other, city: 'Girona', address: 'Nou, 1', phone: '972 111 111' }),
    ])
  }
  const event = (lang: string, data: object) =>
    calctl([
      'events',
      'create',
      '--lang',
      lang,
      '--data',
      JSON.stringify({ start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00', slug: 'concert', ...data }),
    ])
  await event('ca', { title: 'Concert de Nadal', description: 'Nadales', cost: 'Gratuït', venue: 1 })
  await event('en', { title: 'Carols', description: 'Carols', cost: 'Free', venue: 3 })
  await event('es', {
    title: 'Concierto',
    description: 'Villancicos',
    cost: '5 €',
    venue: 6,
    start_date: '2026-12-05 18:00',
  })
  expect((await calctl('lint')).out).toBe('')
  const { out, status } = await calctl('lint --lang all')
  expect(out).toBe(
    [
      '"Concierto", Sat 5 Dec 18:00, Salón (9, es)\n',
      '  warning: differs from event 7 (Catalan) in start date, cost and venue [translations-differ]\n',
      '    calctl languages status events --include 7\n',
    ].join(''),
  )
  expect(status).toBe(1)
})

test('lint --lang all compares venues whose slugs differ, recognized by what else they share', async () => {
  const calctl = calendar()
  const create = (lang: string, data: object) =>
    calctl(['venues', 'create', '--lang', lang, '--data', JSON.stringify({ city: 'Girona', ...data })])
  await create('ca', { venue: 'Biblioteca', address: 'Nou, 1', phone: '972 000 000', website: 'https://one.example' })
  await create('en', { venue: 'Library', address: 'Nou, 1', phone: '+34 972 000 000', website: 'https://two.example' })
  const { out } = await calctl('lint venues --lang all -o json -q')
  expect(JSON.parse(out)).toMatchObject([
    { id: 2, lang_code: 'en', message: 'differs from venue 1 (Catalan) in phone and website' },
  ])
})

test('a text in another language than its record says is found, and one with a few foreign words is not', async () => {
  const calctl = calendar()
  const event = (title: string, description: string) =>
    calctl([
      'events',
      'create',
      '--title',
      title,
      '--description',
      description,
      '--start-date',
      '2026-12-05 19:00',
      '--duration',
      '2h',
    ])
  await event('A', 'An evening of carols in the square with the choir of the town and hot chocolate for everybody')
  await event('B', 'Projecció de "The Night of the Hunter" en versió original amb subtítols i col·loqui amb el públic')
  const { out } = await calctl('lint --only wrong-language -o json -q')
  expect(JSON.parse(out)).toMatchObject([{ title: 'A', message: 'has a description in English, and is in Catalan' }])
})

test('lorem ipsum is in no language, so it is not in a wrong one', async () => {
  const calctl = calendar()
  const description =
    'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.'
  for (const lang of ['ca', 'en', 'es'])
    await calctl(['venues', 'create', '--lang', lang, '--data', JSON.stringify({ venue: `Sala ${lang}`, description })])
  expect((await calctl('lint venues --only wrong-language --lang all')).out).toBe('')
  await calctl([
    'venues',
    'update',
    '1',
    '--lang',
    'ca',
    '--description',
    description.replace('Lorem ipsum', 'The evening'),
  ])
  expect((await calctl('lint venues --only wrong-language --lang all')).out).toContain('[wrong-language]')
})

test('lint --lang all names an event without a translation that others of its series have', async () => {
  // Which records belong together is remembered of a site: those of other tests are others.
  const home = mkdtempSync(join(tmpdir(), 'series-'))
  const calctl = calendar({ env: { XDG_DATA_HOME: home } })
  const event = (lang: string, title: string, day: string, slug: string) =>
    calctl([
      'events',
      'create',
      '--lang',
      lang,
      '--data',
      JSON.stringify({ title, slug, start_date: `${day} 19:00`, end_date: `${day} 21:00`, description: title }),
    ])
  for (const week of ['01', '08', '15', '22']) {
    await event('ca', 'Hora del conte', `2026-12-${week}`, `hora-del-conte-2026-12-${week}`)
    if (week < '15') await event('es', 'La hora del cuento', `2026-12-${week}`, `hora-del-conte-2026-12-${week}`)
  }
  await event('ca', 'Hora del conte', '2026-03-01', 'hora-del-conte-2026-03-01')
  await event('ca', 'Assemblea', '2026-12-18', 'assemblea')
  const line = 'lint events --severity info --only translation-unlike-series -o json -q'
  const { out } = await calctl(`${line} --lang all`)
  const problem = { message: 'has no translation in Spanish; others of its series do', lang_code: 'ca' }
  expect(JSON.parse(out)).toMatchObject([
    {
      start_date: '2026-12-15 19:00:00',
      ...problem,
      suggestion: expect.stringMatching(/^calctl languages copy \d+ --from ca --to es$/),
    },
    { start_date: '2026-12-22 19:00:00', ...problem },
  ])
  expect((await calctl(line)).out).toBe('[]\n')
})
