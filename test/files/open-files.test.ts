import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'
import { skipped } from '../support/skipped.ts'

/** The files below a folder that this process has open. */
const openFiles = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      // It was closed meanwhile.
      return []
    }
  })

const why = skipped(!existsSync('/proc/self/fd'), 'no /proc')

test.skipIf(why !== '')(`commands that read journals leave none of them open${why}`, async () => {
  const { calctl, file, path } = calendarWithFiles()
  const sheet = file('town.csv', `title,start_date,end_date\n${row('Jazz')}`)
  for (let run = 0; run < 3; run++) expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({ status: 0 })
  expect(await calctl('events create --title Opera --start-date 2027-12-05 --end-date 2027-12-05')).toMatchObject({
    status: 0,
  })
  const runs = path('state/calctl/runs')
  const first = readdirSync(runs).find(name => name.endsWith('.ndjson'))
  truncateSync(`${runs}/${first}`, 20)
  for (const line of [
    'history',
    'runs list',
    'runs show',
    'undo --yes',
    'redo --yes',
    'runs prune --yes',
    'runs resume',
  ])
    expect([line, (await calctl(line)).status]).toEqual([line, expect.toBeOneOf([0, 2, 3])])
  expect(openFiles(dirname(sheet))).toEqual([])
})

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
