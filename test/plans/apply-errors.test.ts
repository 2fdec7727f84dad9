import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const header = 'title,start_date,end_date'
const gala = 'Gala,2026-12-04 19:00,2026-12-04 21:00'

/** The output of `apply -` for a file, on an empty calendar; checks that nothing was sent. */
async function applyErrors(text: string, options = '--format csv', before: readonly string[] = []) {
  const calctl = calendar()
  for (const line of before) await calctl(line)
  const count = async () => (await calctl('events list --all-dates -o count')).out
  const countBefore = await count()
  const { status, err } = await calctl(`apply - --yes ${options}`, text)
  expect(await count()).toBe(countBefore)
  return {
    status,
    lines: err
      .split('\n')
      .filter(line => line.startsWith('!') || line.startsWith('error:') || line.startsWith('hint:')),
  }
}

const end = ['error: 1 record is invalid; nothing was sent', 'hint: fix it, or add --skip-invalid to apply the others']

test('a wrong value is reported with its row, its column and what was expected', async () => {
  expect(await applyErrors(`${header},website\n${gala},gala.example\n${gala.replace('Gala', 'Ball')},\n`)).toEqual({
    status: 2,
    lines: [
      '! row 2: website: expected an http or https URL, got "gala.example" (for example: https://example.org/)',
      ...end,
    ],
  })
})

test('--skip-invalid applies the valid records', async () => {
  const calctl = calendar()
  const text = `${header},website\n${gala},gala.example\n${gala.replace('Gala', 'Ball')},\n`
  const { status, err } = await calctl('apply - --yes --format csv --skip-invalid', text)
  expect([status, err]).toEqual([
    6,
    expect.stringMatching(
      /\n1 done\. Undo: calctl undo \w+\nerror: 1 record was left out as invalid\nhint: fix the skipped records and run the command again\n$/,
    ),
  ])
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nBall\n')
})

test('the hint for JSON that is not a record shows a record that can be applied', async () => {
  const calctl = calendar()
  const { err } = await calctl('apply - --yes --format json', 'null')
  const [, example = ''] =
    /^error: the input: item 1 is not a record: null\nhint: a record is an object such as (\{.*\})\n$/.exec(err) ?? []
  expect(await calctl('apply - --yes', example)).toMatchObject({ status: 0 })
})

test('the same record twice is invalid', async () => {
  expect(await applyErrors(`slug,${header}\ngala,${gala}\ngala,${gala.replace('21:00', '22:00')}\n`)).toEqual({
    status: 2,
    lines: ['! row 3: duplicate of row 2 (remove one of them)', ...end],
  })
})

test('the beginning of a name is the place with that name, or suggests all that begin with it', async () => {
  const suggested = async (...names: string[]) => {
    const calctl = calendar()
    for (const name of names) await calctl(['venues', 'create', '--venue', name])
    const { out, err } = await calctl('apply - --format csv --dry-run', `${header},venue\n${gala},La Farinera\n`)
    return `${out}${err}`
  }
  const taken = '"La Farinera" is taken for "La Farinera, centre cultural" (1)'
  expect(await suggested('La Farinera, centre cultural', 'La Farineraire de dalt')).toContain(taken)
  const wanted = 'did you mean "La Farinera vella" or "La Farinera, centre cultural"?'
  expect(await suggested('La Farinera, centre cultural', 'La Farinera vella')).toContain(wanted)
})

test('a name that does not exist suggests the nearest one', async () => {
  expect(
    await applyErrors(`${header},venue\n${gala},Teatre Principl\n`, '--format csv', [
      'venues create --venue "Teatre Principal"',
    ]),
  ).toEqual({
    status: 2,
    lines: [
      expect.stringMatching(
        /^! row 2: no venue is called "Teatre Principl" in .* \(did you mean "Teatre Principal"\? to create a new one, add: --create-missing --allow-similar\)$/,
      ),
      ...end,
    ],
  })
})

test('an ID that does not exist is reported before anything is sent', async () => {
  const { status, lines } = await applyErrors(
    `${header},venue,tags\n${gala},99999,\n${gala.replace('Gala', 'Ball')},1,77\n`,
    undefined,
    ['venues create --venue Sala'],
  )
  expect({ status, lines: lines.slice(0, 2) }).toEqual({
    status: 2,
    lines: [
      expect.stringMatching(/^! row 2: no venue 99999 in .* \(list venues with: calctl venues list\)$/),
      expect.stringMatching(/^! row 3: no tag 77 in /),
    ],
  })
})

test('a name that several venues have is ambiguous', async () => {
  const two = ['venues create --venue Sala', 'venues create --venue Sala --if-exists create']
  expect(await applyErrors(`${header},venue\n${gala},Sala\n`, '--format csv', two)).toMatchObject({
    status: 2,
    lines: [expect.stringContaining('! row 2: 2 venues are called "Sala": 2 (Sala, sala-2), 1 (Sala, sala)'), ...end],
  })
})

test('a new event without an end is invalid', async () => {
  expect(await applyErrors('[{"title":"Gala","start_date":"2026-12-04 19:00"}]', '--format json')).toEqual({
    status: 2,
    lines: ['! item 1: a new event needs an end date (add end_date, or the id or slug of an existing event)', ...end],
  })
})

test('an update of an ID that does not exist is invalid', async () => {
  expect(await applyErrors('id,title\n7,Gala\n')).toMatchObject({
    status: 2,
    lines: [expect.stringMatching(/^! row 2: no event 7 in /), ...end],
  })
})

test('an ID of another language is reported with that language', async () => {
  const english = ['events create --lang en --title Gala --start-date "2026-12-04 19:00" --end-date "2026-12-04 21:00"']
  const { status, lines } = await applyErrors('id,title\n1,Gala\n', '--format csv', english)
  expect({ status, lines }).toMatchObject({ status: 2, lines: [expect.stringContaining(' en'), ...end] })
})

test('an ID of another language than that of the row says to change lang_code', async () => {
  const { status, lines } = await applyErrors('id,lang_code,title\n1,es,Gala\n', '--format csv', [
    'events create --title Gala --start-date "2026-12-04 19:00" --end-date "2026-12-04 21:00"',
  ])
  expect({ status, lines }).toMatchObject({
    status: 2,
    lines: [expect.stringMatching(/^! row 2: .* ca.* \(change lang_code, or leave it empty\)$/), ...end],
  })
})

test('an end before the start is reported with the names of the columns', async () => {
  expect(await applyErrors('title,start_date,end_date\nGala,2026-12-04 19:00,2026-12-04 18:00\n')).toEqual({
    status: 2,
    lines: [
      '! row 2: the event would end (2026-12-04 18:00) before it starts (2026-12-04 19:00) (check the order of start_date and end_date)',
      ...end,
    ],
  })
})

test.each([
  ['id,venue,tags', 'events'],
  ['id,organizer,venue,categories', 'events'],
  ['id,venue,city', 'venues'],
  ['id,organizer,email', 'organizers'],
])('a sheet with the columns %s is one of %s', async (columns, resource) => {
  const { lines } = await applyErrors(
    `${columns}\n77${',x'.repeat(columns.split(',').length - 1)}\n`,
    '--format csv --skip-invalid-cells',
  )
  expect(lines[0]).toContain(`no ${resource.slice(0, -1)} 77 in `)
})

test.each([
  ['a damaged workbook cannot be read', 'PK\u0003\u0004xx', '', 'the input is cut off or damaged'],
  ['a missing file is reported', '', 'nothing.csv', 'cannot read nothing.csv: no such file'],
  ['a malformed address is reported', '', 'https://', 'invalid URL: https://'],
  ['a file of unknown format is reported', 'hello there\n', '', 'the input: unknown file format'],
  [
    '--match with an unknown field is reported',
    `${header}\n${gala}\n`,
    '--format csv --match titel',
    'have no field "titel"',
  ],
  [
    '--match with a link is reported',
    `${header}\n${gala}\n`,
    '--format csv --match venue',
    '--match: venue is a link and cannot identify a record',
  ],
])('%s', async (_, text, options, message) => {
  const { status, lines } = await applyErrors(text, options)
  expect({ status, first: lines[0] }).toEqual({ status: 2, first: expect.stringContaining(message) })
})

test.each([
  ['', 'stdin: no records\nnothing to do\n'],
  [`${header}\n`, 'stdin: no records\nnothing to do\n'],
])('a file without records, %j, changes nothing', async (text, err) => {
  expect(await calendar()('apply - --format csv --yes', text)).toEqual({ status: 0, out: '', err })
})

test('--prune removes nothing for a file without records', async () => {
  const calctl = calendar()
  await calctl('tags create --name Jazz')
  expect((await calctl('apply - --format csv --resource tags --prune --yes', '')).err).toBe(
    'stdin: no records\n--prune removes nothing: no records were read\nnothing to do\n',
  )
})

test('a folder, an address that requires a password, and an address without https cannot be read', async () => {
  const server = createServer((_, response) => {
    response.statusCode = 401
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const calctl = calendar()
  expect(await calctl(`apply ${tmpdir()}`)).toEqual({
    status: 2,
    out: '',
    err: `error: cannot read ${tmpdir()}: it is a directory\nhint: pass a file, an http(s) URL, or - for stdin\n`,
  })
  expect(await calctl(`apply http://${host}/town.ics`)).toMatchObject({
    status: 3,
    err: expect.stringContaining(`error: http://${host}/town.ics answered 401\n`),
  })
  expect(await calctl(`apply https://${host}/town.ics --retries 0`)).toEqual({
    status: 5,
    out: '',
    err: expect.stringMatching(
      /^error: no secure connection to 127.0.0.1:\d+: it does not speak https on this port\nhint: use http:/,
    ),
  })
  server.close()
})

test('errors in several columns of one record are all reported', async () => {
  const messages = [
    'website: expected an http or https URL, got "x" (for example: https://example.org/)',
    'featured: expected true or false, got "maybe" (for example: true)',
  ]
  for (const [format, text, place] of [
    ['csv', `${header},website,featured\n${gala},x,maybe\n`, 'row 2'],
    ['ndjson', '{"title":"Gala","website":"x","featured":"maybe"}\n', 'line 1'],
    ['yaml', 'title: Gala\nwebsite: x\nfeatured: maybe\n', 'document 1'],
  ])
    expect((await applyErrors(text ?? '', `--format ${format} --resource events`)).lines.slice(0, 2)).toEqual(
      messages.map(message => `! ${place}: ${message}`),
    )
})

test('a file in Latin-1 is read with a notice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-latin-'))
  const sheet = join(folder, 'latin.csv')
  writeFileSync(sheet, Buffer.from(`${header}\nMúsica,2026-12-04 19:00,2026-12-04 21:00\n`, 'latin1'))
  const calctl = calendar()
  expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({
    status: 0,
    err: expect.stringContaining('latin.csv: not UTF-8, read as Windows-1252 (Latin-1)\n'),
  })
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nMúsica\n')
  rmSync(folder, { recursive: true })
})

test('a time that does not exist when clocks change is invalid', async () => {
  expect(await applyErrors(`${header},timezone\nNit,2027-03-28 02:30,2027-03-28 04:00,Europe/Madrid\n`)).toMatchObject({
    status: 2,
    lines: [expect.stringContaining('! row 2: start_date: 2027-03-28 02:30 does not exist in Europe/Madrid'), ...end],
  })
})

test('a file that does not say its resource is told apart from others that are applied with it', async () => {
  const { calctl, file } = calendarWithFiles()
  const sheet = file('colours.csv', 'name,colour\nJazz,red\n')
  const objects = file('colours.json', '[{"name": "Jazz", "colour": "red"}]')
  const others = file('venues.csv', 'resource,venue\nvenues,Sala\n')
  const all = '--resource events|venues|organizers|categories|tags'
  const hint = async (...files: string[]) =>
    /hint: (.*)/.exec((await calctl(['diff', '--exit-code', ...files])).err)?.[1]
  const meaning = 'map the headings: --map "colour=title"'
  expect(await hint(sheet)).toBe(`set it with: ${all}, and ${meaning}`)
  expect(await hint(others, sheet)).toBe(`add a column "resource", or apply it alone with: ${all}, and ${meaning}`)
  expect(await hint(objects)).toBe(`set it with: ${all}, or add "resource" to each record`)
  expect(await hint(others, objects)).toBe(`add "resource" to each record, or apply the file alone with: ${all}`)
})
