import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

test.each([
  ['Venue Name', 'Ateneu', 'venues', 'venue'],
  ['Organizer Name', 'Coral', 'organizers', 'organizer'],
])(
  'a heading of another kind of sheet is named, with a line that reads it: %s',
  async (heading, name, resource, field) => {
    const { calctl, file } = calendarWithFiles()
    const sheet = file('a.csv', `Title,Date,Time,${heading}\nBall,2026-12-05,19:00,${name}\n`)
    const { status, err } = await calctl(`apply ${sheet} --resource events --dry-run`)
    expect([status, err]).toEqual([
      2,
      expect.stringMatching(
        `: "${heading}" is a heading of a sheet of ${resource}, not of events\nhint: read it with: --resource ${resource} or --map "${heading}=${field}"\n$`,
      ),
    ])
    const mapped = await calctl([
      ...['apply', sheet, '--resource', 'events', '--create-missing', '--dry-run'],
      ...['--map', `${heading}=${field}`],
    ])
    expect(mapped).toMatchObject({ status: 0, out: expect.stringContaining(`+ ${field} "${name}"`) })
  },
)
