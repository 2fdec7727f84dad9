/** An ID is not an identity: after a backup was restored, other records have the IDs that a run knew. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fates } from '../support/lost-answers.ts'
import { productionSite } from '../support/production-site.ts'
import { testTime } from '../support/world.ts'

const dates = '--start-date 2027-02-01T10:00 --duration 2h'

/** A site where every request takes a minute, so that records tell when they were saved. */
async function tickingSite(options: Parameters<typeof productionSite>[0] = {}) {
  let minutes = 0
  return productionSite({ ...options, now: () => new Date(testTime.getTime() + ++minutes * 60_000) })
}

type Site = Awaited<ReturnType<typeof tickingSite>>

const titleOf = async ({ calctl }: Site, resource: string, id: number) =>
  (await calctl(`${resource} get ${id} --json`)).out

/** A run on a record, the commands that make the record of its ID another one, and what is asked afterwards. */
const runs: readonly (readonly [resource: string, first: string, run: string, another: string])[] = [
  [
    'events',
    `events create --title Ball ${dates}`,
    'events update 1 --cost 7',
    'events create --title Fira --start-date 2028-05-01T10:00 --duration 1h --cost 7',
  ],
  [
    'events',
    `events create --title Ball ${dates}`,
    'events delete 1',
    'events create --title Fira --start-date 2028-05-01T10:00 --duration 1h',
  ],
  [
    'events',
    `events create --title Ball ${dates}`,
    'events cancel 1',
    'events create --title Fira --start-date 2028-05-01T10:00 --duration 1h',
  ],
  ['venues', 'venues create --venue Hall', 'venues update 1 --city Olot', 'venues create --venue Barn --city Olot'],
  [
    'organizers',
    'organizers create --organizer Club',
    'organizers update 1 --phone 972',
    'organizers create --organizer Band --phone 972',
  ],
  ['tags', 'tags create --name Jazz', 'tags update 1 --description Text', 'tags create --name Rock --description Text'],
]

test.each(runs)(
  '%s: after "%s" and "%s", a site made again gives the ID to "%s": an undo leaves it alone',
  async (resource, first, run, another) => {
    const site = await tickingSite()
    const restore = site.backUp()
    for (const command of [first, run]) expect((await site.calctl(`${command} --yes`)).status).toBe(0)
    await restore()
    expect((await site.calctl(another)).status).toBe(0)
    const before = await titleOf(site, resource, 1)
    const [, undone = ''] = (await site.calctl('runs list -o ids')).out.split('\n')
    const { status, err } = await site.calctl(`undo ${undone} --yes`)
    expect(await titleOf(site, resource, 1)).toBe(before)
    expect({ status, err }).toMatchObject({ status: 7, err: expect.stringContaining('left') })
  },
)

test('the same record from before the run is left alone: the site was restored', async () => {
  const site = await tickingSite()
  await site.json(`events create --title Ball ${dates} --json`)
  const restore = site.backUp()
  await site.json('events update 1 --cost 7 --json')
  await restore()
  const { status, err } = await site.calctl('undo --yes')
  expect({ status, err }).toMatchObject({
    status: 7,
    err: expect.stringContaining('left event 1 alone: the site was restored to an earlier state'),
  })
})

test('a record that somebody gave another title, slug or start is still the same one', async () => {
  const site = await tickingSite()
  await site.json(`events create --title Ball ${dates} --json`)
  await site.json('events update 1 --cost 7 --json')
  const run = (await site.calctl('runs list -o ids')).out.split('\n')[0]
  await site.json('events update 1 --title Gala --slug gala --json')
  expect(await site.calctl(`undo ${run} --yes`)).toMatchObject({ status: 0 })
  expect(JSON.parse(await titleOf(site, 'events', 1))).toMatchObject({ title: 'Gala', cost: '' })
})

test('a saved plan and a resume do not write to another record with the same ID', async () => {
  const site = await tickingSite()
  const restore = site.backUp()
  await site.json(`events create --title Ball ${dates} --json`)
  const { out } = await site.calctl('events update 1 --cost 7 --dry-run --json')
  await restore()
  await site.json('events create --title Fira --start-date 2028-05-01T10:00 --duration 1h --json')
  const before = await titleOf(site, 'events', 1)
  const { status, err } = await site.calctl(`apply ${site.file('plan.json', out)} --yes`)
  expect({ status, err }).toMatchObject({
    status: 7,
    err: expect.stringContaining('it is another record with the same ID'),
  })
  expect(await titleOf(site, 'events', 1)).toBe(before)
})

test('a journal of an earlier version is judged by title, slug and start, and says so', async () => {
  const site = await tickingSite()
  await site.json(`events create --title Ball ${dates} --json`)
  await site.json('events update 1 --cost 7 --json')
  const folder = join(site.folder, 'state/calctl/runs')
  // Earlier versions wrote neither when a record was saved nor checksums.
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8')
    writeFileSync(join(folder, name), text.replace(/,"modified":"[^"]*"/g, '').replace(/,"crc":"[\da-f]{8}"\}$/gm, '}'))
  }
  const { err, status } = await site.calctl('undo --yes')
  expect({ status, err }).toMatchObject({
    status: 0,
    err: expect.stringContaining('is from an earlier version: its records are recognized by title'),
  })
})

test('a place that was published along with an event is left alone if its ID is that of another one by now', async () => {
  const site = await tickingSite()
  const restore = site.backUp()
  await site.json('venues create --venue Hall --status draft --json')
  await site.json(`events create --title Ball --status draft ${dates} --venue 1 --json`)
  await site.json('events publish 2 --json')
  await restore()
  await site.json('venues create --venue Barn --json')
  const before = await titleOf(site, 'venues', 1)
  const { status, err } = await site.calctl(`undo ${(await site.calctl('runs list -o ids')).out.split('\n')[1]} --yes`)
  expect(await titleOf(site, 'venues', 1)).toBe(before)
  expect({ status, err }).toMatchObject({ status: 7, err: expect.stringContaining('left venue 1 alone') })
})

test('a hidden event in a trash that nobody can read is still the one that the run put there', async () => {
  const site = await tickingSite({ wordpress: false })
  await site.json(`events create --title Ball ${dates} --hide-from-listings --json`)
  expect((await site.calctl('events delete 1 --yes')).status).toBe(0)
  expect(await site.calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await site.json('events get 1 --json')).toMatchObject({ title: 'Ball', status: 'publish' })
})

test.each(['publish', 'pending', 'draft'])(
  'a %s event whose title, slug, start and date of publication a run wrote is still the same when that run is resumed',
  async status => {
    const loss: { rest: number } = { rest: Number.POSITIVE_INFINITY }
    const site = await tickingSite({
      async intercept(request, pass) {
        if (request.method !== 'POST' || loss.rest-- > 0) return undefined
        if (loss.rest > -2) await pass(request)
        return fates.lost()
      },
    })
    await site.json(`events create --title Ball ${dates} --status ${status} --json`)
    await site.json(`events create --title Fira ${dates} --json`)
    loss.rest = 0
    const sheet = [
      'id,title,slug,start_date,end_date',
      '1,Dansa,dansa,2027-05-01 10:00,2027-05-01 12:00',
      '2,Mercat,mercat,2027-05-02 10:00,2027-05-02 12:00',
    ]
    const { status: ended } = await site.calctl('apply - --format csv --yes --jobs 1', sheet.join('\n'))
    expect(ended).not.toBe(0)
    loss.rest = Number.POSITIVE_INFINITY
    expect(await site.calctl('runs resume --yes')).toMatchObject({ status: 0 })
    expect(await site.json('events get 1 --json')).toMatchObject({ title: 'Dansa', status })
    expect(await site.json('events get 2 --json')).toMatchObject({ title: 'Mercat' })
  },
)
