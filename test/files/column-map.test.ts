import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const sheet = 'Títol;Data;Hora;On serà;Aforament\nConcert;25/12/2027;19 h;Plaça Major;200\n'

test('--map says which columns headings mean, --save-map keeps it, and --map @FILE uses it again', async () => {
  const { calctl, file, path } = calendarWithFiles()
  const season = file('season.csv', sheet)
  const saved = path('columns.json')
  const map = ['--map', 'On serà=venue', '--map', 'aforament=ignore', '--save-map', saved]
  const first = await calctl(['apply', season, ...map, '--create-missing', '--yes'])
  expect([first.status, first.err]).toEqual([0, expect.not.stringContaining('ignored')])
  expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual({ 'On serà': 'venue', aforament: 'ignore' })
  expect(JSON.parse((await calctl('events get 2 --json')).out)).toMatchObject({ venue: { venue: 'Plaça Major' } })
  const again = await calctl(`diff --exit-code ${season} --map @${saved}`)
  expect([again.status, again.out]).toEqual([0, expect.stringContaining('1 unchanged')])
})

test('the columns of --map are those of calctl, or any heading that it knows', async () => {
  const { calctl, file } = calendarWithFiles()
  const season = file('quan.csv', 'Què,Quin dia,A quina hora,Fins a quina hora\nBall,2027-12-25,22 h,23 h\n')
  const map = ['Què=title', 'Quin dia=Data inici', 'A quina hora=start_time', 'Fins a quina hora=end time']
  const options = map.flatMap(pair => ['--map', pair])
  expect(await calctl(['apply', season, '--yes', ...options])).toMatchObject({ status: 0 })
  const { out } = await calctl('events get 1 --json')
  expect(JSON.parse(out)).toMatchObject({ start_date: '2027-12-25 22:00:00', end_date: '2027-12-25 23:00:00' })
})

test.each([
  [['--map', 'Lloc'], '--map: expected HEADING=COLUMN, or a file as @columns.json, got "Lloc"', 'Lloc=venue'],
  [['--map', 'On serà=venu'], '--map: events have no column "venu"', 'did you mean venue?'],
  [['--map', 'On seran=venue'], '--map: no file has a column "On seran"', 'did you mean "On serà"?'],
  [['--map', 'On serà=venue', '--map', 'Aforament=venue'], 'has two columns for venue', 'ignore'],
  [['--map', '@none.json'], '--map: cannot read none.json: no such file', ''],
])('a mistake in --map is said before anything is sent: %j', async (options, sentence, hint) => {
  const { calctl, file } = calendarWithFiles()
  const { status, err } = await calctl(['apply', file('season.csv', sheet), '--yes', ...options])
  expect([status, err]).toEqual([2, expect.stringContaining(sentence)])
  expect(err).toContain(hint)
})

test.each(['[]', '{"Lloc":3}', 'Lloc=venue', '{"Lloc":"venue","Lloc":"title"}'])(
  'a file of columns that is none is refused: %s',
  async text => {
    const { calctl, file } = calendarWithFiles()
    const columns = file('columns.json', text)
    const { status, err } = await calctl(`apply ${file('season.csv', sheet)} --map @${columns} --yes`)
    expect([status, err]).toEqual([2, expect.stringContaining(`--map: ${columns} is not a file of columns`)])
  },
)

test('--save-map overwrites only a file of columns', async () => {
  const { calctl, file, path } = calendarWithFiles()
  const notes = file('notes.txt', 'keep me')
  const options = ['--map', 'On serà=venue', '--create-missing', '--save-map']
  const { status, err } = await calctl(['diff', '--exit-code', file('season.csv', sheet), ...options, notes])
  expect([status, err]).toEqual([2, expect.stringContaining(`${notes} exists and is not a file of columns`)])
  expect(readFileSync(notes, 'utf8')).toBe('keep me')
  writeFileSync(path('old.json'), '{"A":"title"}')
  await calctl(['diff', '--exit-code', path('season.csv'), ...options, path('old.json')])
  expect(JSON.parse(readFileSync(path('old.json'), 'utf8'))).toEqual({ 'On serà': 'venue' })
})

test('a heading that is close to a known one is refused with the suggestion', async () => {
  const { calctl, file } = calendarWithFiles()
  const season = file('season.csv', 'Titol;Data inci;Hora;Preus;Lloch;Telèfon\nConcert;25/12/2027;19 h;5 €;Plaça;9\n')
  const { status, err } = await calctl(`apply ${season} --create-missing --yes`)
  expect([status, err]).toEqual([
    2,
    `error: ${season}: unknown headings "Data inci" (did you mean "data inici"?), "Lloch" (did you mean "lloc"?) and "Telèfon" (did you mean "Venue phone"?)\n` +
      'hint: correct them, or add: --map "Data inci=data inici"; to leave a column out: --map "Data inci=ignore"\n',
  ])
  const { status: mapped, err: notices } = await calctl(
    ['apply', season, '--create-missing', '--yes'].concat([
      '--map',
      'Data inci=data inici',
      '--map',
      'Lloch=ignore',
      '--map',
      'Telèfon=ignore',
    ]),
  )
  expect([mapped, notices]).toEqual([0, expect.stringContaining('1 to create')])
})

test('a second column that resembles one that is there is only noticed', async () => {
  const { calctl, file } = calendarWithFiles()
  const season = file('season.csv', 'Títol;Data;Hora;Data 2;Titols\nConcert;25/12/2027;19 h;x;y\n')
  const { status, err } = await calctl(`apply ${season} --yes`)
  expect([status, err]).toEqual([0, expect.stringContaining('ignored "Data 2"')])
  expect(err).toContain('ignored "Titols"')
})

test.each([
  ['y', { Lloch: 'lloc', names: { 'venues Plaça': null } }],
  ['n', { Lloch: 'ignore' }],
])('on a terminal calctl asks about it: %s', async (answer, columns) => {
  const { calctl, file, path } = calendarWithFiles({ terminal: 300, keys: [`${answer}\r`] })
  const season = file('season.csv', 'Titol;Data;Lloch\nConcert;25/12/2027;Plaça\n')
  const saved = path('columns.json')
  const { status, err, out } = await calctl(`diff ${season} --create-missing --save-map ${saved}`)
  expect([status, err]).toEqual([0, expect.stringContaining('Is "Lloch" the column "lloc"?')])
  expect(stripVTControlCharacters(out).includes('+ venue "Plaça"')).toBe(answer === 'y')
  expect(existsSync(saved) && JSON.parse(readFileSync(saved, 'utf8'))).toEqual(columns)
})
