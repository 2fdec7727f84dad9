import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'
import { odsWorkbook, workbook } from '../support/workbooks.ts'

/** A season with five wrong rows: a day that does not exist, an error of a formula, a wrong link, no title, no such venue. */
const season = (at: (text: string) => Date | string) => [
  ['Programació 2027 · Ateneu de la Vila'],
  [],
  ['title', 'start_date', 'end_date', 'venue', 'website', 'notes'],
  ['Concert de Cap d’Any', at('2027-01-01T19:00'), at('2027-01-01T21:00'), 'Ateneu', '', 'sí'],
  ['Cinema', '31/02/2027 22:00', '31/02/2027 23:00', 'Ateneu', '', ''],
  ['Titelles', at('2027-02-13T18:00'), at('2027-02-13T19:00'), '#N/A', '', ''],
  [],
  ['Conferència', at('2027-03-04T19:00'), at('2027-03-04T20:00'), 'Ateneu', 'truqueu al 972', ''],
  ['', at('2027-03-05T19:00'), at('2027-03-05T20:00'), 'Ateneu', '', ''],
  ['Ball', at('2027-04-03T22:00'), at('2027-04-03T23:30'), 'Casal', '', ''],
  ['Fira', at('2027-05-13T10:00'), at('2027-05-13T20:00'), 'Ateneu', 'https://example.org', ''],
]

const asDate = (text: string) => new Date(`${text}:00Z`)

const fixes: Readonly<Record<number, readonly [column: number, value: string]>> = {
  6: [3, 'Ateneu'],
  8: [4, ''],
  9: [0, 'Assaig'],
  10: [3, 'Ateneu'],
}

async function siteWithVenue() {
  const { calctl, folder, file, ...rest } = await productionSite()
  await calctl('venues create --venue Ateneu')
  return { calctl, folder, file, path: (name: string) => join(folder, name), ...rest }
}

test.each([
  ['XLSX', 'xlsx', workbook],
  ['ODS', 'ods', odsWorkbook],
])(
  'the wrong rows of a season in %s come back as XLSX in their order, are fixed there, and then published',
  async (_, ending, write) => {
    const { calctl, file, path } = await siteWithVenue()
    const sheet = file(`season.${ending}`, await write({ Actes: season(asDate) }))
    const errors = path('errors.xlsx')
    const first = await calctl(`apply ${sheet} --yes --skip-invalid --errors ${errors}`)
    expect(first.status).toBe(6)
    expect(first.err.match(/^! row \d+/gm)).toEqual(['! row 5', '! row 6', '! row 8', '! row 9', '! row 10'])
    expect(first.err).toContain(`wrote 5 records that were not applied to ${errors}\n`)

    const { sheets } = await readXlsx(readFileSync(errors))
    const [headings = [], ...rows] = sheets[0]?.rows ?? []
    expect(sheets[0]?.name).toBe('Actes')
    expect(headings.filter(text => text)).toEqual([...(season(asDate)[2] ?? []), 'row', 'reason'])
    const column = (name: string) => headings.indexOf(name)
    expect(rows.map(row => row[column('row')])).toEqual([5, 6, 8, 9, 10])
    expect(rows.map(row => row[0] ?? '')).toEqual(['Cinema', 'Titelles', 'Conferència', '', 'Ball'])
    expect(rows[1]?.[1]).toEqual(asDate('2027-02-13T18:00'))
    expect(rows.map(row => row[column('reason')])).toEqual([
      expect.stringContaining(
        'start_date: expected a day that exists (February 2027 has 28 days), got "31/02/2027 22:00"',
      ),
      'venue: the cell has the error #N/A',
      expect.stringMatching(/^website: expected .*, got "truqueu al 972"/),
      expect.stringContaining('title'),
      expect.stringContaining('no venue is called "Casal"'),
    ])

    const fixed = rows.map(row => {
      const [index, value] = fixes[Number(row[column('row')])] ?? []
      const copy = [...row]
      if (index !== undefined) copy[index] = value ?? ''
      if (row[0] === 'Cinema') copy.splice(1, 2, asDate('2027-02-28T22:00'), asDate('2027-02-28T23:00'))
      return copy
    })
    const second = await calctl(`apply ${file(`fixed.${ending}`, await write({ Actes: [headings, ...fixed] }))} --yes`)
    expect([second.status, second.err]).toEqual([0, expect.stringContaining('5 to create')])
    expect(second.err).not.toMatch(/ignored "(row|reason)"/)
    expect((await calctl('events list --all --fields title,start_date -o csv')).out).toBe(
      'title,start_date\nConcert de Cap d’Any,2027-01-01 19:00:00\nTitelles,2027-02-13 18:00:00\nCinema,2027-02-28 22:00:00\n' +
        'Conferència,2027-03-04 19:00:00\nAssaig,2027-03-05 19:00:00\nBall,2027-04-03 22:00:00\nFira,2027-05-13 10:00:00\n',
    )
  },
)

test.each([
  ['semicolons, Windows-1252 and CRLF', ';', '\r\n', 'latin1', ''],
  ['tabs and UTF-16', '\t', '\n', 'utf16le', '\uFEFF'],
  ['a declared separator and a byte order mark', '|', '\r\n', 'utf8', '\uFEFFsep=|\r\n'],
] as const)(
  'a CSV with %s gets its wrong rows back in the same form',
  async (_, separator, newline, encoding, start) => {
    const { calctl, file, path } = await siteWithVenue()
    const lines = [
      ['title', 'start_date', 'end_date', 'venue', 'cost'],
      ['Fòrum', '13/05/2027 19:00', '13/05/2027 20:00', 'Ateneu', '12'],
      ['Cançó', '05/06/2027 19:00', '05/06/2027 18:00x', 'Ateneu', '15'],
      ['Ball', '04/03/2027 22:00', '04/03/2027 23:00', 'Ateneu', ''],
    ]
    const text = (rows: readonly (readonly string[])[]) => rows.map(row => row.join(separator) + newline).join('')
    const sheet = file('season.csv', Buffer.from(start + text(lines), encoding))
    const errors = path('errors.csv')
    expect((await calctl(`apply ${sheet} --yes --skip-invalid --errors ${errors}`)).status).toBe(6)
    const written = readFileSync(errors).toString(encoding)
    const [heading = [], , wrong = []] = lines
    const reason =
      'end_date: expected a date and time, got ""05/06/2027 18:00x"" (for example: 2026-12-05 19:00, 5 December 2026, 19:00 or 90 min)'
    expect(written).toBe(
      start +
        text([
          [...heading, 'date_order', 'row', 'reason'],
          [...wrong, 'dmy', '3', `"${reason}"`],
        ]),
    )
    const fixed = file(
      'fixed.csv',
      Buffer.from(written.replace('18:00x;', '21:00;').replace(/18:00x(?=[\t|])/, '21:00'), encoding),
    )
    expect(await calctl(`apply ${fixed} --yes`)).toMatchObject({ status: 0 })
    expect((await calctl('events list --all --fields title,end_date -o csv')).out).toContain(
      'Cançó,2027-06-05 21:00:00',
    )
  },
)

test('rows that a site refuses come back as they came, not in words of calctl', async () => {
  const { calctl, file, path } = await siteWithVenue()
  const sheet = file('tags.csv', 'Name;Description\nJazz;"a; b"\nRock;c\n')
  await calctl(`apply ${sheet} --resource tags --yes`)
  const changed = file('changed.csv', 'id;Name;Description\n99;Jazz;"a; b"\n')
  expect((await calctl(`apply ${changed} --resource tags --yes --skip-invalid --errors ${path('e')}`)).status).toBe(6)
  expect(readFileSync(path('e'), 'utf8')).toMatch(/^id;Name;Description;row;reason\n99;Jazz;"a; b";2;/)
})

test('the headings are in the language of the command, and every language is recognized', async () => {
  const { calctl, file, path } = await siteWithVenue()
  const sheet = file('a.csv', 'title,start_date,end_date\nFira,soon,soon\n')
  for (const [language, heading] of [
    ['ca', 'fila,motiu'],
    ['es', 'fila,motivo'],
    ['en', 'row,reason'],
  ]) {
    const errors = path(`${language}.csv`)
    await calctl(`apply ${sheet} --lang ${language} --dry-run --errors ${errors}`)
    expect(readFileSync(errors, 'utf8')).toMatch(new RegExp(`^title,start_date,end_date,${heading}\n`))
    const again = await calctl(`diff --exit-code ${errors}`)
    expect(again.err).not.toContain('ignored')
    // Its own errors may replace it, and no other file.
    expect((await calctl(`apply ${sheet} --lang ${language} --dry-run --errors ${errors}`)).status).toBe(2)
  }
  const other = file('other.xlsx', await workbook({ a: [['title'], ['mine']] }))
  expect(await calctl(`apply ${sheet} --dry-run --errors ${other}`)).toMatchObject({
    status: 2,
    err: expect.stringContaining('other.xlsx exists and is not an error sheet'),
  })
})

test('an error sheet in another form is written where its name asks for it', async () => {
  const { calctl, file, path } = await siteWithVenue()
  const sheet = file('a.csv', 'title;start_date;end_date\nFira;soon;2027-05-05 19:00\n')
  await calctl(`apply ${sheet} --dry-run --errors ${path('e.xlsx')}`)
  const { sheets } = await readXlsx(readFileSync(path('e.xlsx')))
  expect(sheets[0]?.rows.slice(1)).toEqual([
    ['Fira', 'soon', '2027-05-05 19:00', 2, expect.stringContaining('start_date')],
  ])
  expect(existsSync(path('e-events.csv'))).toBe(false)
})

test('an error sheet in ODS is refused before anything is written', async () => {
  const { calctl, file, path } = await siteWithVenue()
  const sheet = file('a.csv', 'title;start_date;end_date\nFira;soon;2027-05-05 19:00\n')
  expect(await calctl(`apply ${sheet} --yes --errors ${path('e.ods')}`)).toMatchObject({
    status: 2,
    err: expect.stringContaining('--errors writes CSV, TSV or XLSX, not ODS'),
  })
})
