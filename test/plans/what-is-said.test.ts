import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

const titles = Array.from({ length: 300 }, (_, index) => `Concert ${index}`)
const rows = titles.map(title => `${title},2026-12-05 19:00,2026-12-05 21:00,Swing`)
const sheet = ['title,start_date,end_date,tags', ...rows, 'Opera,2026-12-05 19:00,2026-12-05 21:00,Rock', ''].join('\n')

test.each(['diff', 'apply --yes', 'apply --dry-run'])(
  '%s says once for all rows that a tag does not exist',
  async command => {
    const { calctl, file } = await productionSite()
    const { status, out, err } = await calctl(`${command} ${file('events.csv', sheet)}`)
    const lines = (out + err).split('\n').filter(line => line.startsWith('!'))
    expect(status).toBe(2)
    expect(lines).toEqual([
      expect.stringMatching(/^! row 2, row 3, row 4 and 297 more: .*"Swing"/),
      expect.stringMatching(/^! row 302: .*"Rock"/),
    ])
  },
)

test('JSON has every invalid row', async () => {
  const { calctl, file } = await productionSite()
  const { out } = await calctl(`diff --exit-code ${file('events.csv', sheet)} -o json`)
  expect(JSON.parse(out).invalid).toHaveLength(301)
})

test('the hint for a slug that no event has speaks of drafts and hidden events', async () => {
  const { calctl } = await productionSite()
  expect((await calctl('events get nowhere')).err).toContain('drafts and hidden events may be found by their ID only')
  expect((await calctl('venues get nowhere')).err).not.toContain('hidden')
})

test('--prune among a category that the same command creates trashes nothing', async () => {
  const { calctl, file, json } = await productionSite()
  await calctl('events create --title Other --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"')
  const path = file(
    'events.csv',
    'title,start_date,end_date,categories\nBall,2026-12-05 19:00,2026-12-05 21:00,Big Band\n',
  )
  const words = `apply ${path} --create-missing --prune --yes`
  expect(await calctl(`${words} --categories "Big Band"`)).toMatchObject({ status: 0 })
  expect(await calctl(`${words} --categories big-band`)).toMatchObject({
    status: 0,
    err: expect.stringContaining('1 unchanged'),
  })
  expect(
    (await json('events list --all-dates --json')).map(({ title }: { title: string }) => title).toSorted(),
  ).toEqual(['Ball', 'Other'])
  expect((await calctl(`${words} --categories nowhere`)).status).toBe(4)
})

test.each(['update 1 2 --cost 5', 'delete 1 2 --yes'])(
  'events %s names the record that a failing site did not show',
  async command => {
    let isBroken = false
    const { calctl } = await productionSite({
      intercept: async ({ path }) =>
        isBroken && path.endsWith('/events/2') ? { status: 500, headers: {}, body: 'Fatal error' } : undefined,
    })
    for (const title of ['One', 'Two']) await calctl(`events create --title ${title} ${dates} -q`)
    isBroken = true
    const { status, err } = await calctl(`events ${command} --retries 0`)
    expect([status, err]).toEqual([5, expect.stringMatching(/^error: event 2: http\S+ answered 500/m)])
  },
)
