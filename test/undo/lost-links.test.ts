/** A site takes a venue or an organizer that is moved to the trash from the first ten events that have it. */
import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'

type Links = Readonly<Record<string, readonly unknown[]>>

/** A site with this many events that have one venue and two organizers, a draft and a private one among them. */
async function siteWith(events: number) {
  const site = await productionSite()
  for (const command of [
    'venues create --venue Hall',
    'venues create --venue Barn',
    'organizers create --organizer Club',
    'organizers create --organizer Band',
  ])
    await site.json(`${command} --json`)
  for (let day = 1; day <= events; day++) {
    const dates = `--start-date 2027-02-${day + 10}T10:00 --duration 2h`
    const status = day === 2 ? '--status draft' : day === 3 ? '--status private' : ''
    await site.json(`events create --title E${day} ${dates} --venue 1 --organizer 3,4 ${status} --json`)
  }
  /** The links of each event as they are stored. */
  const links = async (): Promise<Links> => {
    const answer = await site.json('api GET /wp/v2/tribe_events -f context=edit -f per_page=100 -f status=any --json')
    const rows = answer as { id: number; meta: Record<string, unknown> }[]
    return Object.fromEntries(rows.map(({ id, meta }) => [id, [meta._EventVenueID, meta._EventOrganizerID]]))
  }
  return { ...site, links }
}

const differing = (one: Links, other: Links): string[] =>
  Object.keys(one).filter(id => JSON.stringify(one[id]) !== JSON.stringify(other[id]))

test.each([
  ['venues delete 1', 10],
  ['organizers delete 3', 10],
  ['organizers delete 3 4', 12],
])('%s: an undo gives all events back what they had, and a redo is as exact', async (command, lost) => {
  const { calctl, links } = await siteWith(13)
  const before = await links()
  expect((await calctl(`${command} --yes`)).status).toBe(0)
  const without = await links()
  expect(differing(before, without).length).toBe(lost)
  for (const expected of [before, without, before]) {
    const again = expected === without ? 'redo' : 'undo'
    expect(await calctl(`${again} --yes`)).toMatchObject({ status: 0 })
    expect(differing(expected, await links())).toEqual([])
  }
})

test('an event that has got another venue since keeps it', async () => {
  const { calctl, links } = await siteWith(4)
  await calctl('venues delete 1 --yes')
  expect((await calctl('events update 5 --venue 2')).status).toBe(0)
  expect((await calctl('runs list -o ids')).out.split('\n').filter(Boolean)).toHaveLength(10)
  const [, deletion] = (await calctl('runs list -o ids')).out.split('\n')
  expect(await calctl(`undo ${deletion} --yes`)).toMatchObject({ status: 0 })
  expect((await links())['5']).toEqual([[2], [3, 4]])
  expect((await links())['8']).toEqual([[1], [3, 4]])
})

test('before a venue is moved to the trash, its events and what the site does to them are named', async () => {
  const { calctl } = await siteWith(4)
  const { err } = await calctl('venues delete 1 --dry-run')
  expect(err).toMatch(/4 events use it\n.*the site takes it from up to ten of these events; undo gives it back/s)
})
