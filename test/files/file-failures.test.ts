import { mkdirSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'

/** Paths that no file can be written to, by what is said about them; the folder has one of each kind. */
const places = {
  'none/file.html': 'its folder does not exist',
  'file.csv/file.html': 'its folder is a file',
  folder: 'it is a (folder|directory)',
  'circle/file.html': 'its links lead in a circle',
  [`${'long'.repeat(80)}.html`]: 'its name is too long',
}

test.each(Object.entries(places))('what writes or reads %s says in words why it cannot', async (place, why) => {
  const { calctl, path, file } = calendarWithFiles()
  const sheet = file('file.csv', head + row('Concert'))
  mkdirSync(path('folder'))
  symlinkSync('circle', path('circle'))
  for (const line of [
    ['diff', sheet, '--save', path(place)],
    ['apply', sheet, '--yes', '--report', path(place)],
    ['apply', sheet, '--yes', '--errors', path(place)],
    ['month', '--html', path(place)],
  ]) {
    const { status, err } = await calctl(line)
    expect({ line, status: status === 2 || status === 3, err }).toMatchObject({ status: true })
    expect(err).toMatch(new RegExp(`${why}.*\nhint: .`, 's'))
    expect(err).not.toMatch(/\bE[A-Z]{4,}\b/)
  }
  const read = await calctl(['apply', path(place)])
  expect(read.status).toBe(2)
  expect(read.err).toMatch(
    /cannot read .*: (no such file|it is a directory|its links lead in a circle|its name is too long)\n/,
  )
})
