import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { productionSite } from '../support/production-site.ts'
import { testTime } from '../support/world.ts'

/** A site with what waits in two languages; every request takes an hour, so that it tells when each was saved. */
async function siteWithDrafts() {
  let hours = 0
  const site = await productionSite({ now: () => new Date(testTime.getTime() + ++hours * 3_600_000) })
  const create = (words: string) => site.json(`events create ${words} --json`)
  await site.json('venues create --venue Hall --json')
  const dates = '--start-date 2026-12-05T19:00 --duration 2h'
  const whole = `${dates} --venue 1 --cost 0 --description Text --image https://pictures.test/a.jpg`
  await create(`--title Late --status pending --start-date 2020-01-05T19:00 --duration 2h`)
  await create(`--title Whole --status draft ${whole}`)
  await create(`--title Public --status publish ${dates}`)
  await create(`--title Private --status private ${dates}`)
  await create(`--title Third --status draft ${dates} --venue 1`)
  await site.json('events update 4 --featured --json')
  return site
}

test('what waits is listed, what was saved longest ago first, with what it lacks', async () => {
  const { json } = await siteWithDrafts()
  const rows = await json('queue --json')
  expect(rows).toMatchObject([
    {
      id: 2,
      since: expect.stringMatching(/ \d\d:\d\d:\d\d$/),
      title: 'Late',
      status: 'pending',
      lacks: ['image', 'venue', 'cost', 'description'],
      untranslated: [],
    },
    { title: 'Third', status: 'draft', lacks: ['image', 'cost', 'description'] },
    { title: 'Whole', lacks: [] },
  ])
})

test('a table names what each lacks in words, and the line that publishes what is complete', async () => {
  const { calctl } = await siteWithDrafts()
  const { out, err, status } = await calctl('queue -o table')
  expect(out.split('\n').find(line => line.includes('Third'))).toMatch(/image.*cost.*description/i)
  expect(err).toBe('waiting: 3 events; publish what is complete: calctl events publish 4\n')
  expect(status).toBe(0)
})

test('only what lacks nothing is published from there', async () => {
  const { calctl, json } = await siteWithDrafts()
  expect((await calctl('queue --complete -o ids')).out).toBe('4\n')
  expect(await calctl('events publish - --yes', '4\n')).toMatchObject({ status: 0 })
  expect(await json('queue --complete --json')).toEqual([])
  expect((await calctl('queue --complete')).err).toBe('nothing waits to be published\n')
})

test('days and other filters limit what is listed', async () => {
  const { json } = await siteWithDrafts()
  expect(await json('queue --month 2026-12 --where title~whole --json')).toMatchObject([{ title: 'Whole' }])
  expect(await json('queue --status pending --json')).toMatchObject([{ title: 'Late' }])
  expect(await json('queue --starts-before 2021-01-01 --starts-after 2019-01-01 --json')).toMatchObject([
    { title: 'Late' },
  ])
})

test('a draft without a translation lacks it, if the calendar has events in that language', async () => {
  const calctl = calendar()
  await calctl('events create --title Concert --start-date 2026-12-05T19:00 --duration 1h --status draft')
  const lacks = async () => JSON.parse((await calctl('queue --json')).out)[0].untranslated
  expect(await lacks()).toEqual([])
  await calctl('events create --lang en --title Ball --start-date 2027-01-05T19:00 --duration 1h')
  expect(await lacks()).toEqual(['en'])
  await calctl('events create --lang en --title Concert --slug concert --start-date 2026-12-05T19:00 --duration 1h')
  expect(await lacks()).toEqual([])
})
