import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

/** A site with a draft whose venue and second organizer are in the trash: the events API does not show them, and `wp/v2` does. It takes them from public events. */
async function siteWithTrashedLinks() {
  const site = await productionSite()
  for (const command of [
    'venues create --venue Hall',
    'organizers create --organizer Club',
    'organizers create --organizer Band',
    `events create --title Gala --venue 1 --organizer 2,3 --cost 5 --status draft ${dates}`,
    'venues delete 1',
    'organizers delete 3',
  ])
    await site.json(`${command} --json --yes`)
  const links = async () => {
    const { meta } = await site.json('api GET /wp/v2/tribe_events/4?context=edit')
    return [meta._EventVenueID, meta._EventOrganizerID]
  }
  return { ...site, links }
}

test.each([
  ['--title Ball', 'title "Gala" → "Ball"'],
  ['--sticky', 'sticky no → yes'],
  ['--title Ball --sticky', 'title "Gala" → "Ball", sticky no → yes'],
  ['--start-date "2026-12-05 19:30"', 'starts Sat 5 Dec 19:00 → Sat 5 Dec 19:30'],
  ['--status pending', 'status draft → pending'],
])(
  'an update of %s leaves links to records in the trash alone, and does not call them changed',
  async (change, said) => {
    const { calctl, json, links } = await siteWithTrashedLinks()
    const before = await links()
    const { status, err } = await calctl(`events update 4 ${change}`)
    expect([status, err]).toEqual([0, expect.stringContaining(`(4): ${said}. Undo:`)])
    expect(await links()).toEqual(before)
    await json('venues restore 1 --json --yes')
    await json('organizers restore 3 --json --yes')
    expect(await json('events get 4 --json')).toMatchObject({ venue: { id: 1 }, organizer: [{ id: 2 }, { id: 3 }] })
  },
)
