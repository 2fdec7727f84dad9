import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

const night = '--title Nit --start-date "2027-03-26 02:15" --end-date "2027-03-26 02:45" --timezone Europe/Madrid'

test.each([
  [
    '--repeat FREQ=DAILY;COUNT=4',
    '2027-03-28 02:15 does not exist in Europe/Madrid because clocks change',
    'leave it out with: --except 2027-03-28',
  ],
  [
    '--repeat FREQ=WEEKLY;COUNT=3 --except 2027-04-03',
    '--except: the series has no date on 2027-04-03',
    'nearest dates: 2027-04-02, 2027-04-09',
  ],
  [
    '--repeat FREQ=WEEKLY --repeat-until 2027-03-25',
    '--repeat-until 2027-03-25 is before the start, 2027-03-26 02:15:00',
    'give the last day of the series, or end the rule with COUNT',
  ],
  [
    '--repeat FREQ=WEEKLY;COUNT=-1',
    '--repeat: expected COUNT to be 1 or more, got "FREQ=WEEKLY;COUNT=-1"',
    'for example: FREQ=WEEKLY;COUNT=10 or FREQ=MONTHLY;BYDAY=1SA;UNTIL=20271231',
  ],
])('%s is refused before anything is sent', async (options, error, hint) => {
  const calctl = calendar()
  expect(await calctl(`events create ${night} ${options} --yes`)).toEqual({
    status: 2,
    out: '',
    err: `error: ${error}\nhint: ${hint}\n`,
  })
  expect((await calctl('events list --all-dates -o count')).out).toBe('0\n')
})

test('--except for the day on which clocks change creates the series', async () => {
  const calctl = calendar()
  expect(await calctl(`events create ${night} --repeat FREQ=DAILY;COUNT=4 --except 2027-03-28 --yes`)).toMatchObject({
    status: 0,
  })
  expect((await calctl('events list --all-dates --fields start_date -o csv')).out).toBe(
    'start_date\n2027-03-26 02:15:00\n2027-03-27 02:15:00\n2027-03-29 02:15:00\n',
  )
})

test('an end in an hour that clocks skip is refused too', async () => {
  const evening = night.replace('02:15', '01:30')
  expect(await calendar()(`events create ${evening} --repeat FREQ=DAILY;COUNT=4 --yes`)).toEqual({
    status: 2,
    out: '',
    err:
      'error: 2027-03-28 02:45 does not exist in Europe/Madrid because clocks change\n' +
      'hint: leave it out with: --except 2027-03-28\n',
  })
})
