import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'

const sheet = `${head}${row('Jazz')}Opera,soon,2026-12-05 21:00\n`

/** Ways to name the sheet that is applied, or a file that somebody else wrote. */
const names: Readonly<Record<string, (path: (name: string) => string) => string>> = {
  'the input': path => path('town.csv'),
  'the input by another path': path => path('folder/../town.csv'),
  'a symbolic link to the input': path => path('symbolic.csv'),
  'a hard link to the input': path => path('hard.csv'),
  'a letter': path => path('letter.txt'),
  'a table of somebody else': path => path('table.csv'),
}

function town() {
  const site = calendarWithFiles()
  const { file, path } = site
  mkdirSync(path('folder'))
  file('town.csv', sheet)
  file('letter.txt', 'Dear Ada,\n')
  file('table.csv', 'name,error\nAda,none\n')
  symlinkSync(path('town.csv'), path('symbolic.csv'))
  linkSync(path('town.csv'), path('hard.csv'))
  const contents = () => ['town.csv', 'letter.txt', 'table.csv'].map(name => readFileSync(path(name), 'utf8'))
  return { ...site, contents }
}

for (const option of ['--errors', '--report'])
  test.each(Object.entries(names))(`${option} does not overwrite %s`, async (_, nameOf) => {
    const { calctl, path, contents } = town()
    const before = contents()
    for (const flags of ['--yes --skip-invalid', '--yes', '--dry-run --skip-invalid']) {
      const { status, err } = await calctl(`apply ${path('town.csv')} ${flags} ${option} ${nameOf(path)}`)
      expect([flags, status, err]).toEqual([
        flags,
        2,
        expect.stringMatching(/\.(csv|txt) (exists and is|is the file).*\nhint: name another file/),
      ])
      expect(contents()).toEqual(before)
    }
    expect((await calctl('events list -o count')).out).toBe('0\n')
  })

test('an error sheet that is applied is not overwritten by its own errors', async () => {
  const { calctl, path } = town()
  await calctl(`apply ${path('town.csv')} --yes --skip-invalid --errors ${path('errors.csv')}`)
  const fixed = readFileSync(path('errors.csv'), 'utf8').replace('Opera', 'Fado')
  writeFileSync(path('errors.csv'), fixed)
  const { status, err } = await calctl(`apply ${path('errors.csv')} --yes --errors ${path('errors.csv')}`)
  expect([status, err]).toEqual([2, expect.stringContaining('is the file that is read')])
  expect(readFileSync(path('errors.csv'), 'utf8')).toBe(fixed)
})

test('sheets of several kinds overwrite nothing of others either', async () => {
  const { calctl, file, path, text } = town()
  file('rows-venues.csv', 'venue,capacity\nHall,40\n')
  const rows = file(
    'rows.ndjson',
    '{"resource":"events","title":"Jazz"}\n{"resource":"venues","venue":"Hall","website":7}\n',
  )
  const { status, err } = await calctl(`apply ${rows} --yes --skip-invalid --errors ${path('rows.csv')}`)
  expect([status, err]).toEqual([2, expect.stringMatching(/rows-venues.csv exists and is not an error sheet/)])
  expect(text('rows-venues.csv')).toBe('venue,capacity\nHall,40\n')
})

test('--errors and --report overwrite what an earlier run wrote, but not each other', async () => {
  const { calctl, path, text } = town()
  const line = `apply ${path('town.csv')} --yes --skip-invalid --errors ${path('errors.csv')} --report ${path('report.ndjson')}`
  expect((await calctl(line)).status).toBe(6)
  expect((await calctl(line)).status).toBe(6)
  expect(text('errors.csv')).toContain('Opera')
  const both = `apply ${path('town.csv')} --yes --skip-invalid --errors ${path('new')} --report ${path('new')}`
  expect(await calctl(both)).toMatchObject({ status: 2 })
})
