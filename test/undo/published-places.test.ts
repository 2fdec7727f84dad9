/** A site publishes the venue and the organizers of a published event with every update of the event. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('a place that cannot get its status back is named, with what to do (status 7)', async () => {
  const refusing = { isOn: false }
  const site = await productionSite({
    intercept: async ({ method, path }) =>
      refusing.isOn && method !== 'GET' && /(tribe_venue|venues)\/1$/.test(path)
        ? {
            status: 403,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ code: 'rest_cannot_edit', message: 'Sorry.', data: { status: 403 } }),
          }
        : undefined,
  })
  await site.json('venues create --venue Hall --status draft --json')
  await site.json('events create --title Ball --start-date 2027-02-01T10:00 --duration 2h --venue 1 --json')
  refusing.isOn = true
  const { status, err } = await site.calctl('events update 2 --title Gala')
  expect({ status, err }).toMatchObject({
    status: 7,
    err: expect.stringMatching(
      /the site published venue 1 along with an event, .*\nhint: .*calctl venues update 1 --status draft/,
    ),
  })
  refusing.isOn = false
  // An undo gives back what the run could not.
  expect(await site.calctl('undo --yes')).toMatchObject({ status: 0 })
  expect((await site.json('venues get 1 --json')).status).toBe('draft')
})

test('a run that was killed gives places their status back when it is resumed', async () => {
  const { calctl, places, folder } = await siteWithDrafts()
  const before = await places()
  await calctl('events update 3 --title Gala')
  // As after a kill: the event was written and its place published, and the journal ends before the answer.
  await calctl('venues update 1 --status publish')
  const [, run = ''] = (await calctl('runs list -o ids')).out.split('\n')
  const runs = join(folder, 'state/calctl/runs')
  const file = readdirSync(runs).find(name => name.includes(run)) ?? ''
  const lines = readFileSync(join(runs, file), 'utf8').split('\n')
  const sent = lines.findIndex(line => line.startsWith('{"sent"'))
  writeFileSync(join(runs, file), `${lines.slice(0, sent + 1).join('\n')}\n`)
  expect(await calctl(`runs resume ${run} --yes`)).toMatchObject({ status: 0 })
  expect(await places()).toEqual(before)
})

test('a venue that the site takes out of the trash is named, and stays public (status 7)', async () => {
  const { calctl, json, read } = await siteWithDrafts()
  await json('venues update 1 --status publish --json')
  // The first ten events lose the venue when it is moved to the trash.
  for (let day = 1; day <= 11; day++)
    await json(`events create --title E${day} --start-date 2027-01-${day + 10}T10:00 --duration 1h --venue 1 --json`)
  await json('venues delete 1 --yes --json')
  const { status, err } = await calctl('events update 3 --title Gala')
  expect({ status, err }).toMatchObject({
    status: 7,
    err: expect.stringContaining(
      'event 3 differs from the request: the site took venue 1 out of the trash and published it',
    ),
  })
  expect((await read('tribe_venue/1'))[0]).toBe('publish')
})

test.each([
  ['that somebody has made pending', { status: 'pending' }, 'pending'],
  ['that is another one', { title: 'Barn', slug: 'barn' }, 'publish'],
])('a venue %s since the event was written is left as it is', async (_, change, status) => {
  const site = await productionSite({
    intercept: async (request, pass) => {
      if (request.method === 'GET' || !/(tribe_events|events)\/2$/.test(request.path)) return undefined
      const answer = await pass(request)
      await pass({ ...request, path: '/wp/v2/tribe_venue/1', body: Buffer.from(JSON.stringify(change)) })
      return answer
    },
  })
  await site.json('venues create --venue Hall --status draft --json')
  await site.json('events create --title Ball --start-date 2027-02-01T10:00 --duration 2h --venue 1 --json')
  expect(await site.calctl('events update 2 --title Gala')).toMatchObject({ status: 0 })
  expect((await site.json('venues get 1 --json')).status).toBe(status)
})
