import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'

const header = 'title,start_date,end_date,venue,tags\n'
const row = 'Ball,2027-06-05 19:00,2027-06-05 20:00,Ateneu,Swing\n'

test.each([
  ['--create-missing', []],
  ['--create-missing=all', []],
  ['--create-missing venues,tags', []],
  ['--create-missing tags', ['no venue is called "Ateneu"']],
  ['--create-missing venues', ['no tag is called "Swing"']],
  ['', ['no venue is called "Ateneu"']],
])('a sheet with %s creates these kinds only', async (option, refused) => {
  const { calctl, file } = await productionSite()
  const sheet = file('a.csv', header + row)
  for (const line of [`apply ${sheet} ${option} --yes`, `apply ${option} ${sheet} --yes`]) {
    const { status, err } = await calctl(line)
    expect(status).toBe(refused.length === 0 ? 0 : 2)
    for (const sentence of refused) expect(err).toContain(sentence)
  }
})

test.each(['create', 'update 1'])('an option with --create-missing tags creates no venue: events %s', async verb => {
  const { calctl, json } = await productionSite()
  await calctl('events create --title Gala --start-date 2027-06-04T19:00 --end-date 2027-06-04T20:00 --yes')
  const [{ id }] = await json('events list --json')
  const what =
    verb === 'create' ? 'create --title A --start-date 2027-06-04T19:00 --end-date 2027-06-04T20:00' : `update ${id}`
  const line = `events ${what} --tags Swing --venue Ateneu --yes --create-missing`
  expect(await calctl(`${line} tags`)).toMatchObject({ err: expect.stringContaining('no venue is called "Ateneu"') })
  expect(await calctl(`${line} tags,venues`)).toMatchObject({ status: 0 })
})

test('a kind that does not exist is refused with those that do', async () => {
  const { calctl } = await productionSite()
  const { status, err } = await calctl('events create --title A --create-missing=place')
  expect([status, err]).toEqual([2, expect.stringContaining('venues, organizers, categories, tags or all')])
})
