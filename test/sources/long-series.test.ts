import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { event, feed, newUser } from './feed-server.ts'

/** A folder with a source that has a weekly series, two dates of which are past. */
async function town(rule: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'series-'))
  let now = new Date('2026-11-21T02:00:00Z')
  const calctl = calendar({ cwd, env: newUser(), now: () => now })
  const start = { uid: 's', title: 'Taller', start: '20261107T190000', end: '20261107T203000' }
  writeFileSync(join(cwd, 'town.ics'), feed(event({ ...start, more: `RRULE:FREQ=WEEKLY;${rule}` })))
  writeFileSync(join(cwd, 'sources.yaml'), 'sources:\n  - name: town\n    place: town.ics\n')
  await calctl('trust')
  return async (day: string) => {
    now = new Date(`${day}T02:00:00Z`)
    const { status, err } = await calctl('sources apply --yes')
    const { out } = await calctl('events list --all --all-dates --fields start_date -o csv')
    const days = out
      .split('\n')
      .slice(1, -1)
      .map(line => line.slice(0, 10))
    return { status, err, days, first: days.toSorted()[0], last: days.toSorted().at(-1) }
  }
}

test.each([
  ['COUNT=60', '2026-11-07', 'continues after 2027-11-21: later dates are skipped (5)'],
  ['UNTIL=20271225T180000Z', '2026-11-07', 'continues after 2027-11-21: later dates are skipped'],
  ['INTERVAL=1', '2026-11-21', 'repeats without end: read from 2026-11-21 up to 2027-11-21'],
])(
  'a series that goes on for more than a year is read a year ahead, and on the next days further: %s',
  async (rule, first, notice) => {
    const applyOn = await town(rule)
    const now = await applyOn('2026-11-21')
    expect(now).toMatchObject({ status: 0, err: expect.stringContaining(notice), first, last: '2027-11-20' })
    expect((await applyOn('2026-11-27')).days).toEqual(now.days)
    const later = await applyOn('2026-11-28')
    expect(later).toMatchObject({ status: 0, first, last: '2027-11-27' })
    expect(later.days).toHaveLength(now.days.length + 1)
  },
)
