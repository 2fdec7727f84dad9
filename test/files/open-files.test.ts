import { existsSync, readdirSync, readlinkSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { calendarWithFiles, row } from '../support/calendar-with-files.ts'

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

test.skipIf(!existsSync('/proc/self/fd'))('commands that read journals leave none of them open', async () => {
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
