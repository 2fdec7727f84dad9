import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { words } from '../support/world.ts'

/** Events around the test time, Saturday 21 November 2026 at 03:00: an exhibition that began before, and single days. */
async function season(shape: Parameters<typeof calendar>[0] = {}) {
  const calctl = calendar(shape)
  const create = (title: string, start: string, end: string, more = '') =>
    calctl(`events create --title ${title} --start-date "${start}" --end-date "${end}" ${more}`)
  await create('Exposició', '2026-11-01 10:00', '2026-11-30 20:00')
  await create('Mercat', '2026-11-21 08:00', '2026-11-21 14:00')
  await create('Ball', '2026-11-21 22:00', '2026-11-22 00:00')
  await create('Cursa', '2026-11-22 09:00', '2026-11-22 12:00')
  await create('Concert', '2026-12-05 19:00', '2026-12-05 21:00')
  await create('Tokyo', '2026-12-06 01:00', '2026-12-06 02:00', '--timezone Asia/Tokyo')
  return async (options: string) => {
    const { status, out, err } = await calctl(`events list --json --fields title ${options}`)
    return status === 0 ? (JSON.parse(out) as { title: string }[]).map(({ title }) => title).join(' ') : err
  }
}

test.each([
  ['--today', 'Exposició Mercat Ball'],
  ['--on 2026-11-22', 'Exposició Cursa'],
  ['--on tomorrow', 'Exposició Cursa'],
  ['--weekend', 'Exposició Mercat Ball Cursa'],
  ['--week', 'Exposició Mercat Ball Cursa'],
  ['--month', 'Exposició Mercat Ball Cursa'],
  ['--month december', 'Concert Tokyo'],
  ['--month 2026-12', 'Concert Tokyo'],
  ['--month 12/2026', 'Concert Tokyo'],
  ['--month next', 'Concert Tokyo'],
  ['--month +1m', 'Concert Tokyo'],
  ['--month "next saturday"', 'Exposició Mercat Ball Cursa'],
  ['--week next', 'Exposició'],
  ['--week "la setmana que ve"', 'Exposició'],
  ['--week "this week"', 'Exposició Mercat Ball Cursa'],
  ['--from 2026-12-01', 'Concert Tokyo'],
  ['--from "1 desembre" --to "5 diciembre"', 'Concert'],
  ['--to yesterday', 'Exposició'],
  ['--on 2026-12-06', 'Tokyo'],
  ['--on weekend', 'Exposició Mercat Ball Cursa'],
  ['--on "aquest cap de setmana"', 'Exposició Mercat Ball Cursa'],
  ['--on "la setmana que ve"', 'Exposició'],
  ['--on december', 'Concert Tokyo'],
  ['--on "del 5 al 8 de desembre"', 'Concert Tokyo'],
])('%s lists the events that are on these days, however long they have been on', async (options, titles) => {
  for (const shape of [{}, { quirks: true }, { quirks: true, timezone: 'UTC' }]) {
    const list = await season(shape)
    expect(await list(options)).toBe(titles)
  }
})

test.each([
  ['--on saturday', '--on: "saturday" can be read as 2026-11-21 or as 2026-11-28'],
  ['--on "tomorrow 19:00"', '--on: expected a day, got "tomorrow 19:00"'],
  ['--on 2026-02-30', '--on: expected a day that exists (February 2026 has 28 days), got "2026-02-30"'],
  ['--from tomorrow --to today', '--to 2026-11-21 is before --from 2026-11-22'],
  ['--on today --week', '--on and --week cannot be used together'],
])('%s is refused', async (options, message) => {
  const { status, err } = await calendar()(['events', 'list', ...words(options)])
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(`error: ${message}\n`) })
})

test('the name of today is refused with both days to choose from', async () => {
  const { err } = await calendar()(['events', 'list', '--on', 'saturday'])
  expect(err).toContain('hint: write: 2026-11-21 or 2026-11-28\n')
})

test.each([
  ['--from weekend', '--weekend'],
  ['--from "la setmana que ve"', '--week'],
  ['--from "next month"', '--month'],
  ['--to december', '--month'],
])('%s is no day, and the option for it is named', async (options, flag) => {
  const { status, err } = await calendar()(['events', 'list', ...words(options)])
  expect({ status, err }).toEqual({
    status: 2,
    err: expect.stringContaining(`hint: for more than a day, use ${flag}\n`),
  })
})

test('the week of --week begins on the day on which that of a month does', async () => {
  const ofAmerican = await season({ language: 'en', env: { LC_TIME: 'en_US.UTF-8' } })
  // Saturday 21 November ends a week that began on Sunday 15.
  expect(await ofAmerican('--week')).toBe('Exposició Mercat Ball')
  expect(await ofAmerican('--week 22/11')).toBe('Exposició Cursa')
  const ofBritish = await season({ language: 'en', env: { LC_TIME: 'en_GB.UTF-8' } })
  expect(await ofBritish('--week 22/11')).toBe('Exposició Mercat Ball Cursa')
})
