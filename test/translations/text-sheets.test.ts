import { writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { readXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { odsWorkbook, workbook } from '../support/workbooks.ts'
import { bilingual } from './bilingual.ts'
import { townInThreeLanguages } from './town-in-three-languages.ts'

type Cells = Record<string, string>

const readCsv = (text: string): Cells[] => parse(text, { columns: true }) as Cells[]

/** A concert in Catalan (2) and Spanish (3), whose texts went out as a sheet. `fill` writes translations into it, by field and language. */
async function sheetOut(texts: object = {}) {
  const setup = await bilingual({}, texts)
  const { calctl, path, spanish } = setup
  await calctl('events create --title Past --start-date "2020-12-05 19:00" --end-date "2020-12-05 21:00" --lang en')
  await calctl('languages copy venues 1 --to en --yes')
  const sheet = path('texts.csv')
  const status = () => calctl('languages status --gaps -o csv')
  writeFileSync(sheet, (await status()).out)
  const rows = readCsv(setup.text('texts.csv'))
  const write = (changed: readonly Cells[]) =>
    writeFileSync(
      sheet,
      stringify(
        changed.map(row => Object.values(row)),
        { header: true, columns: Object.keys(rows[0] ?? {}) },
      ),
    )
  return {
    ...setup,
    status,
    rows,
    write,
    fill: (translations: Record<string, Cells>) =>
      write(rows.map(row => ({ ...row, ...translations[row.field ?? ''] }))),
    apply: (...options: string[]) => calctl(['apply', sheet, '--yes', ...options]),
    spanish,
    english: async () =>
      JSON.parse((await calctl('events get concert --lang en --json')).out) as Record<string, unknown>,
  }
}

test('the sheet has a row for each text that some language lacks, with the translations that there are', async () => {
  const { rows, status } = await sheetOut()
  expect(rows).toEqual([
    {
      text_id: expect.stringMatching(/^events\.title\.2\.ca\.\w{12}\.en\.new\.\.es\.3\.\w{12}\.\w{6}$/),
      context: 'Concert · 2026-12-05 19:00 – 21:00 · Teatre Principal',
      field: 'title',
      ca: 'Concert',
      en: '',
      es: 'Concert',
      origin: expect.any(String),
    },
    expect.objectContaining({
      field: 'description',
      ca: '<p>Música <b>en viu</b> & més.</p>',
      en: '',
      es: '<p>Música.</p>',
    }),
    expect.objectContaining({ field: 'excerpt', ca: 'Música', en: '', es: '' }),
  ])
  const { status: code, err } = await status()
  expect(code).toBe(0)
  expect(err).toContain(
    '3 texts of 1 event to translate; apply the sheet once it is filled in with: calctl apply FILE\n',
  )
})

test('a sheet comes back: what is missing is created as a draft, what is empty is filled, and a second time nothing is to be done', async () => {
  const { apply, fill, english, spanish, calctl } = await sheetOut()
  fill({
    title: { en: 'Concert in town' },
    description: { en: '<p>Live <b>music</b> & more.</p>' },
    excerpt: { en: 'Music', es: 'Música en vivo' },
  })
  const applied = await apply()
  expect(applied).toMatchObject({ status: 0 })
  expect(applied.err).toContain('1 to create, 1 to update')
  expect(await english()).toMatchObject({
    title: 'Concert in town',
    description: '<p>Live <b>music</b> & more.</p>',
    status: 'draft',
    slug: 'concert',
    start_date: '2026-12-05 19:00:00',
    venue: { venue: 'Teatre Principal' },
  })
  expect(await spanish()).toMatchObject({
    title: 'Concert',
    excerpt: 'Música en vivo',
    description: '<p>Música.</p>',
    cost: '12',
  })
  expect(await apply()).toMatchObject({ status: 0, err: expect.stringContaining('2 unchanged') })
  expect((await calctl('undo --yes')).status).toBe(0)
  expect((await calctl('events get concert --lang en')).status).toBe(4)
})

test('a sheet that nobody has filled in changes nothing', async () => {
  const { apply } = await sheetOut()
  expect(await apply()).toMatchObject({ status: 0, err: '1 unchanged\n' })
})

test('a translation that was copied or created meanwhile gets the texts, unless somebody translated it', async () => {
  const { apply, fill, english, calctl } = await sheetOut()
  fill({ title: { en: 'Concert in town' }, excerpt: { en: 'Music' } })
  expect((await calctl('languages copy 2 --to en --yes')).status).toBe(0)
  await calctl('events update concert --lang en --excerpt "Other words"')
  const applied = await apply()
  expect(applied.status).toBe(7)
  expect(applied.err).toContain('excerpt changed on the site since the texts were exported, and was left as it is')
  expect(await english()).toMatchObject({ title: 'Concert in town', excerpt: 'Other words' })
})

test('a notice says that the original changed since the sheet was made', async () => {
  const { apply, fill, calctl } = await sheetOut()
  fill({ title: { en: 'Concert in town' } })
  await calctl('events update 2 --title "Concert de Nadal"')
  expect((await apply()).err).toContain(
    'changed since the export, so its translation may be out of date: title of event 2\n',
  )
})

test('a copy needs the translations of what it links to, as with languages copy', async () => {
  const { apply, fill, calctl, english } = await sheetOut()
  await calctl('venues delete teatre-principal --lang en --yes')
  fill({ title: { en: 'Concert in town' } })
  const refused = await apply()
  expect(refused.status).toBe(2)
  expect(refused.err).toContain('! event 2 in English: venue "Teatre Principal" (1) has no translation in English')
  expect(await apply('--create-missing')).toMatchObject({ status: 0 })
  expect(await english()).toMatchObject({ title: 'Concert in town', venue: { venue: 'Teatre Principal' } })
})

test.each<[string, Cells, string]>([
  [
    'leaves a tag open',
    { es: '<p>Música <b>en vivo</p>' },
    'the description of event 3 leaves <b> open (correct it in the sheet)',
  ],
  [
    'has another link',
    { es: '<a href="https://b.test/">Ver</a>' },
    'the description of event 3 has the address https://b.test/',
  ],
  [
    'has a placeholder',
    { en: '%s seats' },
    'the description of event 2 in English has %s, which the original does not have',
  ],
  [
    'stands beside another original',
    { ca: 'Una altra cosa', es: 'Otra cosa' },
    'the original of the description of event 3 is not the one that was exported (make the sheet again, and keep the IDs and the originals)',
  ],
  [
    'has an ID that was changed',
    { text_id: 'events.title.2.ca', es: 'Otra' },
    'the ID in the column text_id is missing, or was changed',
  ],
  ['has no ID', { text_id: '', es: 'Otra' }, 'the ID in the column text_id is missing, or was changed'],
  ['names no calendar', { origin: '', es: 'Otra' }, 'the column origin no longer names the calendar'],
  [
    'is of another calendar',
    { origin: 'https://other.test/wp-json/calendar/events/v1', es: 'Otra' },
    'these texts were exported from https://other.test',
  ],
  [
    'has letters of another encoding',
    { es: 'MÃºsica en vivo' },
    'the description of event 3: has wrong letters: "MÃºsica en vivo"',
  ],
  ['is an error of the spreadsheet', { es: '#N/A' }, 'the description of event 3: the cell has the error #N/A'],
])('a row is refused that %s; the others are applied with --skip-invalid', async (_, cells, message) => {
  const { apply, fill, spanish } = await sheetOut()
  fill({ description: cells, excerpt: { es: 'Música en vivo' } })
  const refused = await apply()
  expect(refused).toMatchObject({ status: 2, err: expect.stringContaining(message) })
  expect((await spanish()).excerpt ?? '').toBe('')
  if (cells.origin?.startsWith('https')) return
  expect((await apply('--skip-invalid')).status).toBe(6)
  expect(await spanish()).toMatchObject({ excerpt: 'Música en vivo', description: '<p>Música.</p>' })
})

test('rows may be sorted, columns of other languages deleted, and a title put above', async () => {
  const { rows, file, calctl, spanish } = await sheetOut()
  const kept = rows
    .toReversed()
    .map(({ en: _, ...row }) => ({ ...row, es: row.field === 'excerpt' ? 'Música en vivo' : (row.es ?? '') }))
  const [first = {}] = kept
  const lines = [['Textos de desembre'], [], Object.keys(first), ...kept.map(row => Object.values(row))]
  const sorted = file('sorted.csv', stringify(lines.map(line => [...line, '', '', '', '', '', ''].slice(0, 6))))
  expect(await calctl(['apply', sorted, '--yes'])).toMatchObject({
    status: 0,
    err: expect.stringContaining('1 to update'),
  })
  expect(await spanish()).toMatchObject({ excerpt: 'Música en vivo', title: 'Concert' })
})

test('two translations of one text are refused', async () => {
  const { rows, write, apply } = await sheetOut()
  const [first] = rows
  write([{ ...first, en: 'Concert' }, ...rows.slice(1), { ...first, en: 'Recital' }])
  expect(await apply()).toMatchObject({
    status: 2,
    err: expect.stringContaining('! row 5: the title of event 2 in English occurs twice'),
  })
})

test('a translation that is emptied is left alone, with the command that clears it', async () => {
  const { apply, fill, spanish } = await sheetOut()
  fill({ description: { es: '' } })
  expect((await apply()).err).toContain('to clear it: calctl events update 3 --lang es --clear description\n')
  expect((await spanish()).description).toBe('<p>Música.</p>')
})

test('signs that spreadsheet programs take for formulas go out and come back', async () => {
  const { rows, fill, apply, spanish } = await sheetOut({ excerpt: '-20 % fins diumenge' })
  expect(rows.at(-1)?.ca).toBe("'-20 % fins diumenge")
  fill({ excerpt: { es: "'-20 % hasta el domingo" } })
  expect((await apply()).status).toBe(0)
  expect((await spanish()).excerpt).toBe('-20 % hasta el domingo')
})

test('in a workbook the IDs look locked, and the columns of the languages are wide and hold text', async () => {
  const { calctl } = await sheetOut()
  const { out } = await calctl('languages status --gaps -o xlsx')
  const { sheets } = await readXlsx(Buffer.from(out, 'latin1'), { readStyles: true })
  const [sheet] = sheets
  expect(sheet?.name).toBe('events')
  expect(sheet?.rows[0]).toEqual(['text_id', 'context', 'field', 'ca', 'en', 'es', 'origin'])
  expect(sheet?.columns?.map(({ width }) => width)).toEqual([10, 36, 14, 60, 60, 60, 10])
  const styles = [0, 3, 4].map(column => sheet?.cells?.get(`1,${column}`)?.style)
  expect(styles).toEqual([
    expect.objectContaining({ fill: expect.objectContaining({ pattern: 'solid' }) }),
    expect.objectContaining({ alignment: expect.objectContaining({ wrapText: true }), numFmt: '@' }),
    expect.objectContaining({ alignment: expect.objectContaining({ wrapText: true }), numFmt: '@' }),
  ])
})

test.each([
  ['xlsx', workbook],
  ['ods', odsWorkbook],
])('a workbook that another program saved as %s is read', async (ending, save) => {
  const { calctl, path, english } = await sheetOut()
  const { out } = await calctl('languages status --gaps -o xlsx')
  const { sheets } = await readXlsx(Buffer.from(out, 'latin1'))
  const rows = (sheets[0]?.rows ?? []).map(row => row.map(cell => cell ?? ''))
  for (const row of rows.slice(1)) row[4] = `${row[3]} (en)`
  writeFileSync(path(`back.${ending}`), await save({ Texts: rows }))
  expect(await calctl(['apply', path(`back.${ending}`), '--yes'])).toMatchObject({ status: 0 })
  expect(await english()).toMatchObject({ title: 'Concert (en)', excerpt: 'Música (en)' })
})

test('a copy that nobody has begun to translate is asked for whole, a name that is the same in a translation is not', async () => {
  const { calctl, rows } = await sheetOut({ description: '<p>Música en viu a la plaça Major.</p>' })
  expect(rows.find(({ field }) => field === 'title')?.es).toBe('Concert')
  await calctl('languages copy 2 --to en --yes')
  const { out } = await calctl('languages status --gaps -o csv')
  expect(readCsv(out).map(({ field, en, es }) => [field, en, es])).toEqual([
    ['title', '', 'Concert'],
    ['description', '', '<p>Música.</p>'],
    ['excerpt', '', ''],
  ])
  await calctl(
    'events update concert --lang en --status publish --description "<p>Live music in the square.</p>" --excerpt Music',
  )
  await calctl('events update 3 --lang es --excerpt Música')
  expect(readCsv((await calctl('languages status --gaps -o csv')).out)).toEqual([])
})

test('venues, organizers and categories have texts too', async () => {
  const { calctl, path } = await sheetOut()
  await calctl('categories create --name Música --description "Tota la música" --lang ca')
  const { out, err } = await calctl('languages status categories --gaps -o csv')
  const rows = readCsv(out)
  expect(rows.map(({ field, ca }) => [field, ca])).toEqual([
    ['name', 'Música'],
    ['description', 'Tota la música'],
  ])
  expect(err).toContain('2 texts of 1 category to translate')
  const filled = rows.map(row => Object.values({ ...row, en: `${row.ca} (en)` }))
  writeFileSync(path('c.csv'), stringify(filled, { header: true, columns: Object.keys(rows[0] ?? {}) }))
  expect((await calctl(['apply', path('c.csv'), '--yes'])).status).toBe(0)
  const list = await calctl('categories list --lang en --no-hide-empty --json')
  expect(JSON.parse(list.out), list.err).toMatchObject([{ name: 'Música (en)', description: 'Tota la música (en)' }])
})

test('sheets that different people filled in are applied together, and give one new record', async () => {
  const { rows, file, calctl, english } = await sheetOut()
  const headings = Object.keys(rows[0] ?? {})
  const sheetWith = (field: string, en: string) => {
    const filled = rows.filter(row => row.field === field).map(row => Object.values({ ...row, en, es: '' }))
    return file(`${field}.csv`, stringify([headings, ...filled.map(cells => cells.map(String))]))
  }
  const files = [sheetWith('title', 'Concert in town'), sheetWith('excerpt', 'Music')]
  expect(await calctl(['apply', ...files, '--yes'])).toMatchObject({ status: 0 })
  expect(await english()).toMatchObject({ title: 'Concert in town', excerpt: 'Music' })
})

test.each([
  ['languages status -o xlsx', 'hint: use: calctl languages status --gaps -o xlsx > calendar.xlsx\n'],
  ['languages status --gaps -o csv --fields title', 'error: -o csv and --fields cannot be used together'],
  ['languages status --gaps -o ics', 'cannot print ics'],
])('%s is refused', async (line, message) => {
  const { calctl } = await bilingual()
  expect(await calctl(line)).toMatchObject({ status: 2, out: '', err: expect.stringContaining(message) })
})

test('a workbook is not written to a terminal', async () => {
  const { calctl } = await bilingual({ terminal: 80 })
  expect(await calctl('languages status --gaps -o xlsx')).toMatchObject({
    status: 2,
    err: expect.stringContaining('hint: write it to a file: calctl languages status --gaps -o xlsx > texts.xlsx'),
  })
})

test('texts of a site of The Events Calendar go out in all languages, and come back as new events and changed ones', async () => {
  const { calctl, json, folder } = await townInThreeLanguages()
  const { out } = await calctl('languages status --gaps --all-dates -o csv')
  const rows = readCsv(out)
  const filled = rows.map(row =>
    Object.values({ ...row, en: row.context?.startsWith('L’orgue') ? `${row.ca} (en)` : row.en }),
  )
  const sheet = `${folder}/texts.csv`
  writeFileSync(sheet, stringify(filled, { header: true, columns: Object.keys(rows[0] ?? {}) }))
  const applied = await calctl(['apply', sheet, '--yes'])
  expect(applied).toMatchObject({ status: 0, err: expect.stringContaining('1 to create') })
  const event = await json('events get orgue-a-mitja-llum --lang en')
  expect(event).toMatchObject({ title: 'L’orgue a mitja llum (en)', status: 'draft' })
  expect(await calctl(['apply', sheet, '--yes'])).toMatchObject({ status: 0 })
})
