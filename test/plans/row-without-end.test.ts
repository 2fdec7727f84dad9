import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'

const sheet = (...rows: string[]) => `${['title,start_date', ...rows].join('\n')}\n`
const dates = '2027-02-01 19:00'

test('a row without an end is the event that begins then, whatever its end', async () => {
  const { calctl, json } = await productionSite()
  expect((await calctl(`events create --title Ball --start-date "${dates}" --duration 2h`)).status).toBe(0)
  const unchanged = await calctl('apply - --format csv --yes', sheet(`Ball,${dates}`))
  expect([unchanged.status, unchanged.err]).toEqual([0, expect.stringContaining('unchanged')])
  const priced = await calctl('apply - --format csv --yes', `title,start_date,featured\nBall,${dates},true\n`)
  expect(priced.status).toBe(0)
  const events = await json('events list --all-dates --json')
  expect(events).toEqual([expect.objectContaining({ end_date: '2027-02-01 21:00:00', featured: true })])
})

test('a row without an end that may be two events is refused, with their IDs', async () => {
  const { calctl, json } = await productionSite()
  for (const length of ['1h', '2h'])
    expect((await calctl(`events create --title Ball --start-date "${dates}" --duration ${length}`)).status).toBe(0)
  const { status, err } = await calctl('apply - --format csv --yes', sheet(`Ball,${dates}`))
  expect([status, err]).toEqual([2, expect.stringContaining('2 events have the same title and start')])
  expect(await json('events list --all-dates --json')).toHaveLength(2)
})

test('a row without an end is created once, and the second time unchanged', async () => {
  const { calctl } = await productionSite()
  const text = sheet(`Ball,${dates}`, `Fira,${dates}`)
  const first = await calctl('apply - --format csv --yes', text)
  expect([first.status, first.err]).toEqual([0, expect.stringContaining('ends when it starts')])
  const second = await calctl('apply - --format csv --yes', text)
  expect([second.status, second.err]).toEqual([0, expect.stringContaining('2 unchanged')])
})
