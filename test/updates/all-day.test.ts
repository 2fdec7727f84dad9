import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'

/** A site with an event from 1 to 3 May, and another with times. */
async function siteWithFair() {
  const site = await productionSite()
  const fair = await site.json(
    'events create --title Fira --all-day --start-date 2026-05-01 --end-date 2026-05-03 --timezone Europe/Madrid --json',
  )
  const concert = await site.json(
    'events create --title Concert --start-date "2026-05-01 19:00" --end-date "2026-05-01 21:00" --json',
  )
  const days = async (id = fair.id) => {
    const { start_date, end_date } = await site.json(`events get ${id} --json`)
    return [start_date, end_date]
  }
  return { ...site, fair: fair.id as number, concert: concert.id as number, days }
}

const firstToThird = ['2026-05-01 00:00:00', '2026-05-03 23:59:59']

test.each([
  ['--shift +30m', 'it moves by whole days only'],
  ['--shift +25h', 'it moves by whole days only'],
  ['--start-date "2026-05-01 19:00"', '--start-date cannot have the time 19:00'],
  ['--end-date "2026-05-04 02:00"', '--end-date cannot have the time 02:00'],
])('an all-day event refuses %s, and keeps its days', async (options, reason) => {
  const { calctl, fair, days, writes } = await siteWithFair()
  const before = writes().length
  const { status, err } = await calctl(`events update ${fair} ${options}`)
  expect([status, err]).toEqual([2, expect.stringContaining(`event ${fair} lasts all day: ${reason}`)])
  expect(writes()).toHaveLength(before)
  expect(await days()).toEqual(firstToThird)
})

test.each([
  ['--shift +7d', ['2026-05-08 00:00:00', '2026-05-10 23:59:59']],
  ['--shift +24h', ['2026-05-02 00:00:00', '2026-05-04 23:59:59']],
  ['--end-date 2026-05-02', ['2026-05-01 00:00:00', '2026-05-02 23:59:59']],
  ['--start-date 2026-05-02 --end-date 2026-05-02', ['2026-05-02 00:00:00', '2026-05-02 23:59:59']],
  ['--timezone America/New_York', firstToThird],
])('an all-day event takes %s in whole days', async (options, expected) => {
  const { calctl, fair, days } = await siteWithFair()
  const { status, err } = await calctl(`events update ${fair} ${options}`)
  expect([status, err.includes('error')]).toEqual([0, false])
  expect(await days()).toEqual(expected)
})

test('an all-day event becomes one with times when told so', async () => {
  const { calctl, fair, days } = await siteWithFair()
  const dates = '--start-date "2026-05-01 19:00" --end-date "2026-05-01 21:00"'
  expect((await calctl(`events update ${fair} --no-all-day ${dates}`)).status).toBe(0)
  expect(await days()).toEqual(['2026-05-01 19:00:00', '2026-05-01 21:00:00'])
})

test('times given to a new all-day event are left out with a notice, and add no day', async () => {
  const { calctl, json, days } = await siteWithFair()
  const { status, err, out } = await calctl(
    'events create --title Aplec --all-day --start-date "2026-05-01 19:00" --end-date "2026-05-02 03:00" -o ids',
  )
  expect([status, err]).toEqual([0, expect.stringContaining('an all-day event has no times: left out 19:00')])
  expect(await days(Number(out))).toEqual(['2026-05-01 00:00:00', '2026-05-02 23:59:59'])
  expect((await json(`events get ${out.trim()} --json`)).all_day).toBe(true)
})

test('in bulk the all-day events are named, and the others are moved', async () => {
  const { calctl, fair, concert, days, file } = await siteWithFair()
  const several = await calctl(`events update ${fair} ${concert} --shift +1h`)
  expect([several.status, several.err]).toEqual([2, expect.stringContaining(`event ${fair} lasts all day`)])
  const bulk = await calctl('events update - --shift +1h --yes --skip-invalid', `${fair}\n${concert}\n`)
  expect([bulk.status, bulk.err]).toEqual([6, expect.stringContaining(`event ${fair} lasts all day`)])
  expect([await days(fair), await days(concert)]).toEqual([
    firstToThird,
    ['2026-05-01 20:00:00', '2026-05-01 22:00:00'],
  ])
  const sheet = file(
    'events.csv',
    `id,start_date,end_date\n${fair},2026-05-01 10:00,2026-05-03 12:00\n${concert},2026-05-02 19:00,2026-05-02 20:00\n`,
  )
  const applied = await calctl(`apply ${sheet} --yes --skip-invalid`)
  expect([applied.status, applied.err]).toEqual([6, expect.stringContaining('start_date cannot have the time 10:00')])
  expect([await days(fair), await days(concert)]).toEqual([
    firstToThird,
    ['2026-05-02 19:00:00', '2026-05-02 20:00:00'],
  ])
})
