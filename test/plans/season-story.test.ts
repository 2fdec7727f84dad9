import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'
import { workbook } from '../support/workbooks.ts'

const day = (text: string) => new Date(`${text}T00:00:00Z`)

const headings = ['Títol', 'Data', 'Hora', 'Hora fi', 'Lloc', 'Preu', 'Enllaç', 'Observacions']

/** A season as a town has it, with five wrong rows: 5, 6, 8, 9 and 10. */
const season = [
  ['Programació de tardor · Ajuntament de la Vila'],
  headings,
  ['Concert de Cap d’Any', day('2027-01-01'), '19.00 h', '21.00 h', 'La Farinera', '5 €', '', ''],
  ['Contes a la biblioteca', day('2027-01-13'), '17h30', '', 'Biblioteca', 'Gratuït', '', 'cal inscripció'],
  ['Cinema', '31 de febrer de 2027', '22 h', '', 'Biblioteca', '', '', ''],
  ['Titelles', day('2027-02-13'), 'a la tarda', '', 'Biblioteca', '3 €', '', ''],
  [],
  ['Conferència', day('2027-03-04'), '19.00 h', '', 'Biblioteca', '', 'truqueu al 972', ''],
  ['', day('2027-03-05'), '19.00 h', '', 'Biblioteca', '', '', ''],
  ['Ball', day('2027-04-03'), '22.00 h', '', 'Biblioteca nova', '', '', ''],
  ['Fira', day('2027-05-13'), '10 h', '20 h', 'Biblioteca', '', 'https://example.org', ''],
]

const corrections: Readonly<Record<number, Readonly<Record<string, Date | string>>>> = {
  5: { Data: day('2027-02-28') },
  6: { Hora: '17.30 h' },
  8: { Enllaç: '' },
  9: { Títol: 'Assaig obert' },
  10: { Lloc: 'Biblioteca' },
}

test('a season with Catalan headings is published, and its wrong rows are fixed in its own file', async () => {
  const { calctl, file, json } = await productionSite()
  await calctl('venues create --venue Biblioteca')
  const sheet = file('temporada.xlsx', await workbook({ Actes: season }))

  const refused = await calctl(`apply ${sheet} --create-missing --yes`)
  expect([refused.status, refused.err.split('\n').slice(-3)]).toEqual([
    2,
    ['error: 5 records are invalid; nothing was sent', 'hint: fix them, or add --skip-invalid to apply the others', ''],
  ])
  const first = await calctl(['apply', sheet, '--create-missing', '--yes', '--skip-invalid'])
  expect(first.status).toBe(6)
  expect(first.err).toMatch(/\n\d+ done\. Undo: calctl undo \w+\nerror: 5 records were left out as invalid\n/)
  expect(first.err).toMatch(/\nhint: fix the skipped records and run the command again\n$/)
  const reasons = first.err.match(/^! row \d+: .*$/gm)
  expect(reasons).toEqual([
    expect.stringMatching(/^! row 5: Data: expected a day that exists \(February 2027 has 28 days\)/),
    expect.stringMatching(/^! row 6: Hora: expected a time such as 19:30, .* got "a la tarda"/),
    expect.stringMatching(/^! row 8: Enllaç: expected an http or https URL, got "truqueu al 972"/),
    '! row 9: a new event needs a title (add Títol (title), or the id or slug of an existing event)',
    expect.stringContaining('! row 10: no venue is called "Biblioteca nova", but one is called "Biblioteca"'),
  ])
  const fixed = season.map((row, index) =>
    row.map((cell, column) => corrections[index + 1]?.[headings[column] ?? ''] ?? cell),
  )
  file('temporada.xlsx', await workbook({ Actes: fixed }))

  const second = await calctl(['apply', sheet, '--create-missing', '--yes'])
  expect([second.status, second.err]).toEqual([0, expect.stringContaining('5 to create')])
  const events = await json('events list --all --json')
  expect(events.map(({ title, start_date }: Record<string, string>) => `${start_date} ${title}`)).toEqual([
    '2027-01-01 19:00:00 Concert de Cap d’Any',
    '2027-01-13 17:30:00 Contes a la biblioteca',
    '2027-02-13 17:30:00 Titelles',
    '2027-02-28 22:00:00 Cinema',
    '2027-03-04 19:00:00 Conferència',
    '2027-03-05 19:00:00 Assaig obert',
    '2027-04-03 22:00:00 Ball',
    '2027-05-13 10:00:00 Fira',
  ])
  expect((await calctl(['apply', sheet, '--yes'])).err).toContain('8 unchanged')
})

test('what a site refuses is told by the headings of the sheet', async () => {
  const { calctl, file } = await productionSite({ wordpress: false })
  const sheet = file('a.csv', 'Títol;Data;Hora;Preu\nBall;5/12/2027;22 h;de 5 a 10 €\n')
  const { status, err } = await calctl(`apply ${sheet} --yes --date-order dmy`)
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(/^! row 2: Preu \(cost\): .* currency of "5€ - 10€" only through wp\/v2/m),
  ])
  const swapped = file('b.csv', 'Títol;Comença;Acaba\nBall;2027-12-05 22:00;2027-12-05 20:00\n')
  expect((await calctl(`apply ${swapped} --yes`)).err).toContain(
    'check the order of Comença (start_date) and Acaba (end_date)',
  )
})

test('invalid rows are on stderr, whether the plan is shown or applied, also with -q', async () => {
  const { calctl, file } = await productionSite()
  const sheet = file('a.csv', 'title,start_date,end_date\nFira,soon,soon\n')
  for (const command of [
    `diff --exit-code ${sheet}`,
    `apply ${sheet} --dry-run`,
    `apply ${sheet} --yes`,
    `apply ${sheet} --yes -q`,
  ]) {
    const { out, err } = await calctl(command)
    expect([command, out, err]).toEqual([
      command,
      expect.not.stringContaining('!  row'),
      expect.stringMatching(/^! row 2: start_date/),
    ])
    expect(out).not.toContain('! row')
  }
})

test('an undo of the last run names the run before it', async () => {
  const { calctl, file } = await productionSite()
  const rows = ['Ball', 'Fira', 'Cinema'].map(title => `${title},2027-06-05 19:00,2027-06-05 20:00\n`)
  await calctl(`apply ${file('season.csv', `title,start_date,end_date\n${rows.join('')}`)} --yes`)
  await calctl('venues create --venue Ateneu')
  const { err } = await calctl('undo --dry-run')
  expect(err).toMatch(
    /^undoing run \w+ \(venues create, .*, 1 step\); the run before it is \w+ \(apply, .*, 3 steps\)\n/,
  )
  const [, before = ''] = /before it is (\w+)/.exec(err) ?? []
  expect((await calctl(`undo ${before} --dry-run`)).err).toMatch(/^undoing run \w+ \(apply, .*, 3 steps\)\n/)
})

test('a place whose name begins that of an existing one is that one, and said', async () => {
  const { calctl, file, json } = await productionSite()
  await calctl('venues create --venue "La Farinera, centre cultural"')
  await calctl('tags create --name "Dansa contemporània"')
  const sheet = file(
    'a.csv',
    'title,start_date,end_date,venue,tags\nBall,2027-06-05 19:00,2027-06-05 20:00,La Farinera,Dansa\n',
  )
  const { status, err } = await calctl(`apply ${sheet} --create-missing --yes`)
  expect([status, err]).toEqual([
    0,
    expect.stringContaining('"La Farinera" is taken for "La Farinera, centre cultural" (1)\n'),
  ])
  expect(await json('venues list --json')).toHaveLength(1)
})
