import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipped } from '../support/skipped.ts'
import { unpack } from '../support/unpack.ts'
import { commands } from './commands.ts'
import { windowsMachine, wine } from './wine.ts'

/**
 * The zip for Windows, run by Wine. Not tested, because Wine does not do it for Node: pipes (`calctl … | more`, and so `--pager` and a
 * program that runs calctl and reads what it prints) and connections to other machines (`calctl login`, feeds with an address).
 */

const isLeftOut = !process.env.CALCTL_TEST_WINDOWS
const lacksWine = !isLeftOut && !existsSync(wine)
const why = skipped(isLeftOut, 'only in npm run windows') || skipped(lacksWine, 'Wine is not installed')

const header = 'title,start_date,end_date,venue\r\n'
const files: Readonly<Record<string, string | Buffer>> = {
  'crlf.csv': `${header}Sardanes,2027-02-07 12:00,2027-02-07 14:00,"Plaça\r\nMajor"\r\n`.replace(
    '"Plaça\r\nMajor"',
    'Plaça Major',
  ),
  'bom.csv': `\ufeff${header}Fira de l'oli,2027-02-14 10:00,2027-02-14 18:00,Plaça Major\r\n`,
  'semicolons.csv': `\ufeff${header}Caramelles,2027-03-28 12:00,2027-03-28 14:00,Plaça Major\r\n`.replaceAll(',', ';'),
  'utf16.csv': Buffer.from(
    `\ufeff${header}Correfoc,2027-03-20 22:00,2027-03-20 23:00,Plaça Major\r\n`.replaceAll(',', '\t'),
    'utf16le',
  ),
  'ansi.csv': Buffer.from(`${header}Focs de l'Àngel,2027-06-23 23:00,2027-06-23 23:30,Plaça Major\r\n`, 'latin1'),
  'stdin.csv': `${header}Pastorets,2027-12-26 18:00,2027-12-26 20:00,Plaça Major\r\n`,
  'wrong.csv': `${header}Pastorets,2027-12-26 25:00,2027-12-26 26:00,Plaça Major\r\n`,
  'rows.json':
    '\ufeff[\r\n{"resource":"events","title":"Teatre","start_date":"2027-04-01 20:00","end_date":"2027-04-01 22:00"}\r\n]\r\n',
  'rows.yaml': 'resource: events\r\ntitle: Circ\r\nstart_date: 2027-04-02 20:00\r\nend_date: 2027-04-02 22:00\r\n',
  'feed.ics':
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1@example.org\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20270410T180000Z\r\nDTEND:20270410T200000Z\r\nSUMMARY:Concert\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
}

describe.skipIf(isLeftOut || lacksWine)(`on Windows${why}`, () => {
  const folder = mkdtempSync('/tmp/calctl-windows-')
  const machine = windowsMachine(folder, 'Núria Roca')
  const { batch, disk, home } = machine
  const root = resolve(import.meta.dirname, '../..')
  afterAll(() => {
    machine.halt()
    rmSync(folder, { recursive: true, force: true })
  })

  beforeAll(async () => {
    machine.boot()
    execFileSync(process.execPath, [join(root, 'scripts/bundle.js'), '--out', folder, 'win32-x64'])
    const [zip = ''] = readdirSync(folder).filter(name => name.endsWith('.zip'))
    await unpack(join(folder, zip), folder)
    cpSync(join(folder, zip.replace('.zip', '')), join(disk, 'Program Files/calctl'), { recursive: true })
    mkdirSync(join(home, "Agenda d'hivern"))
    for (const [name, content] of Object.entries(files)) writeFileSync(join(home, "Agenda d'hivern", name), content)
  }, 600_000)

  for (const [subject, rows] of Object.entries(commands))
    test(`${subject}: ${rows.length} commands`, { timeout: 900_000 }, () => {
      const wrong = rows.flatMap(([line, status, ...printed]) => {
        const got = batch([line])
        const text = `${got.out}${got.err}`
        const lacks = printed.filter(part => (typeof part === 'string' ? !text.includes(part) : !part.test(got.out)))
        const shown = { ...got, out: got.out.slice(0, 300), err: got.err.slice(0, 600) }
        return got.status === status && lacks.length === 0 ? [] : [{ line, lacks: lacks.map(String), ...shown }]
      })
      expect(wrong).toEqual([])
    })

  const node = '"C:\\Program Files\\calctl\\runtime\\node.exe"'

  test('a path of 300 characters', { timeout: 300_000 }, () => {
    const deep = ['Agenda', 'b'.repeat(100), 'c'.repeat(100), 'd'.repeat(80)]
    mkdirSync(join(home, ...deep), { recursive: true })
    writeFileSync(join(home, ...deep, 'sardanes.csv'), files['crlf.csv'] ?? '')
    const place = `C:\\Users\\Núria Roca\\${deep.join('\\')}`
    expect(place.length).toBeGreaterThan(300)
    const at = `--base-url "file:${place}\\town.json" --create-missing`
    expect(batch([`calctl diff "${place}\\sardanes.csv" ${at} --save "${place}\\plan.json"`])).toMatchObject({
      status: 0,
      out: expect.stringContaining('+ "Sardanes"'),
    })
    expect(batch([`calctl apply "${place}\\plan.json" --base-url "file:${place}\\town.json" --yes`])).toMatchObject({
      status: 0,
      err: expect.stringContaining('Undo: calctl undo'),
    })
    expect(readdirSync(join(home, ...deep))).toContain('town.json')
  })

  test('what is typed in comes from a file, with or without a byte order mark', { timeout: 300_000 }, () => {
    const input = '{"name":"Música"}\r\n'
    const made = batch(['calctl categories create --data -'], input)
    expect(made).toMatchObject({ status: 0, out: expect.stringContaining('Música') })
    writeFileSync(join(home, 'dades.json'), `\ufeff${input.replace('Música', 'Dansa')}`)
    const other = batch(['calctl categories create --data @dades.json'])
    expect(other).toMatchObject({ status: 0, out: expect.stringContaining('Dansa') })
  })

  test('a calendar file that another command writes to is in use, until that one ends in any way', {
    timeout: 300_000,
  }, async () => {
    batch(['calctl tags create --name Primera --base-url file:C:\\shared.json'])
    const serving = machine.running(
      [
        'C:\\Program Files\\calctl\\runtime\\node.exe',
        'C:\\Program Files\\calctl\\bin\\calctl.js',
        'serve',
        '--file',
        'C:\\shared.json',
        '--port',
        '0',
      ],
      {},
    )
    try {
      await serving.printed(/http:\/\//)
      const writing = 'calctl tags create --name Segona --base-url file:C:\\shared.json'
      expect(batch([writing])).toMatchObject({ status: 5, err: expect.stringContaining('in use') })
      expect(batch(['calctl tags list --base-url file:C:\\shared.json'])).toMatchObject({ status: 5 })
      await serving.stop()
      expect(batch([writing])).toMatchObject({ status: 0 })
    } finally {
      await serving.stop()
    }
  })

  test('a file that another program has opened for itself is named, and nothing is lost', {
    timeout: 300_000,
  }, async () => {
    writeFileSync(join(home, 'obert.csv'), files['crlf.csv'] ?? '')
    const calendar = join(disk, 'open.json')
    batch(['calctl tags create --name Primera --base-url file:C:\\open.json'])
    const before = readFileSync(calendar, 'utf8')
    const hold = `for (const file of ['C:\\\\Users\\\\N\\u00faria Roca\\\\obert.csv', 'C:\\\\open.json']) fs.openSync(file, fs.constants.O_RDWR | 0x10000000)
      console.log('held'); setInterval(() => {}, 1000)`
    writeFileSync(join(disk, 'hold.js'), `const fs = require('fs')\n${hold}`)
    const holding = machine.running(['C:\\Program Files\\calctl\\runtime\\node.exe', 'C:\\hold.js'], {})
    try {
      await holding.printed(/held/)
      for (const line of ['diff obert.csv', 'apply obert.csv --yes'])
        expect(batch([`calctl ${line}`])).toMatchObject({ status: 2, err: expect.stringContaining('obert.csv') })
      const write = batch(['calctl tags create --name Segona --base-url file:C:\\open.json'])
      expect(write).toMatchObject({ status: 3, err: expect.stringContaining('open.json') })
      expect(write.err).not.toContain('    at ')
    } finally {
      await holding.stop()
    }
    expect(readFileSync(calendar, 'utf8')).toBe(before)
  })

  // Not with a percent sign: Wine looks for variables also in what has taken the place of %~dp0, which Windows does not.
  test('the launcher starts in any folder', { timeout: 300_000 }, () => {
    for (const name of ['Programes de la Núria', '(1) & més', "l'agenda; d'hivern ^ !x!"]) {
      const folder = join(home, name)
      renameSync(join(disk, 'Program Files/calctl'), folder)
      const got = batch([`"%USERPROFILE%\\${name}\\calctl.cmd" tags list --demo -o count -q`])
      renameSync(folder, join(disk, 'Program Files/calctl'))
      expect([name, got]).toEqual([name, { status: 0, out: expect.stringMatching(/^\d+\n$/), err: '' }])
    }
  })

  test('the launcher passes arguments and the exit status on', { timeout: 300_000 }, () => {
    for (const text of ['a b', 'a;b,c=d', '(x)', "l'any", '!x!'])
      expect([text, batch([`calctl events get --demo --by-slug -- "x${text}"`])]).toEqual([
        text,
        expect.objectContaining({ status: 4, err: expect.stringContaining(`x${text}`) }),
      ])
    expect(batch([`${node} -p "process.version"`]).out).toMatch(/^v22\./)
  })
})
