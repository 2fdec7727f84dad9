/** A site publishes the venue and the organizers of a published event with every update of the event. */
import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'

type Row = Readonly<Record<string, unknown>>

/** A site with a published event 3, and a draft venue 1 and a pending organizer 2 that it has. */
async function siteWithDrafts() {
  const site = await productionSite()
  await site.json('venues create --venue Hall --status draft --json')
  await site.json('organizers create --organizer Club --status pending --json')
  const dates = '--start-date 2027-02-01T10:00 --duration 2h'
  await site.json(`events create --title Ball ${dates} --venue 1 --organizer 2 --json`)
  /** The status and slug of a record. */
  const read = async (path: string) => {
    const row = (await site.json(`api GET /wp/v2/${path} -f context=edit --json`)) as Row
    return [row.status, row.slug, row.date_gmt]
  }
  const places = async () => [await read('tribe_venue/1'), await read('tribe_organizer/2')]
  return { ...site, read, places }
}

test.each([
  'events update 3 --title Gala',
  'events update 3 --shift 1d',
  'events update 3 --featured',
  'events cancel 3',
  'events update --where title=Ball --website https://example.org --yes',
])('%s leaves a draft venue and a pending organizer as they were', async command => {
  const { calctl, places } = await siteWithDrafts()
  const before = await places()
  const { status, err } = await calctl(command)
  expect(status === 0 ? '' : err).toBe('')
  expect(err).toContain(
    'the site also publishes venue "Hall" (1) and organizer "Club" (2); they get their earlier status back',
  )
  expect(await places()).toEqual(before)
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await places()).toEqual(before)
  expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
  expect(await places()).toEqual(before)
})

test('who publishes an event publishes what it uses; an undo takes that back, and a redo does it again', async () => {
  const { calctl, places, read } = await siteWithDrafts()
  await calctl('events update 3 --status draft')
  const [before, event] = [await places(), await read('tribe_events/3')]
  const { err, status } = await calctl('events publish 3')
  expect(status === 0 ? '' : err).toBe('')
  expect(err).toContain('the site also publishes venue "Hall" (1) and organizer "Club" (2); undo takes that back')
  const published = await places()
  expect(published.map(([status]) => status)).toEqual(['publish', 'publish'])
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await places()).toEqual(before)
  expect((await read('tribe_events/3'))[0]).toBe(event[0])
  expect(await calctl('redo --yes')).toMatchObject({ status: 0 })
  expect((await places()).map(([status]) => status)).toEqual(['publish', 'publish'])
})

test('a plan that publishes a place itself is not taken back', async () => {
  const { calctl, places, file } = await siteWithDrafts()
  const sheet = file(
    'both.json',
    '[{"resource":"venues","id":1,"status":"publish"},{"resource":"events","id":3,"title":"Gala"}]',
  )
  expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({ status: 0 })
  expect((await places())[0]?.[0]).toBe('publish')
})
