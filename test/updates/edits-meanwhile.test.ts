import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const event = {
  title: 'Jazz',
  start_date: '2026-12-05 19:00:00',
  end_date: '2026-12-05 21:00:00',
  website: 'https://a.cat',
}

/** A site with an event, and an editor in which somebody edits it while somebody else changes it at the site. */
async function editedTwice(options: string, edit: [string, string], other: object) {
  const site = await wordpressSite({
    options,
    editor: async text => {
      await site.ask('POST /events/1', { ...event, ...other })
      return text.replace(...edit)
    },
  })
  await site.ask('POST /events', event)
  const outcome = await site.calctl('events edit 1')
  const { title, start_date, website, status } = await site.ask('GET /events/1')
  return { ...outcome, now: { title, start_date, website, status } }
}

const dialects = [
  ['with wp/v2', ''],
  ['without wp/v2', '--no-wp'],
] as const

test.each(dialects)('what somebody else changed while the editor was open is kept, %s', async (_, options) => {
  const edited = await editedTwice(options, ['05 19:00:00', '05 20:00:00'], { website: 'https://b.cat' })
  expect(edited).toMatchObject({ status: 0, now: { website: 'https://b.cat', start_date: '2026-12-05 20:00:00' } })
})

test.each(dialects)(
  'of two edits of the same field the later one is refused, and kept in its file, %s',
  async (_, options) => {
    const { status, err, now } = await editedTwice(options, ['Jazz', 'Blues'], { title: 'Swing' })
    expect([status, now.title]).toEqual([7, 'Swing'])
    expect(err).toMatch(/^error: event 1 changed in the meantime: title\n/)
    const [, file = ''] = /your changes are in (\S+)\n$/.exec(err) ?? []
    expect(readFileSync(file, 'utf8')).toContain('title: Blues')
  },
)

test.each(dialects)('an event that was trashed while the editor was open stays there, %s', async (_, options) => {
  const edited = await editedTwice(options, ['Jazz', 'Blues'], { status: 'trash' })
  expect(edited).toMatchObject({ status: 7, now: { status: undefined } })
  expect(edited.err).toContain('event 1 was trashed, restored or deleted in the meantime')
})

test.each([
  ['while a patch of it is refused', '--title Recital'],
  ['between the two parts of an update', '--title Recital --sticky'],
])('the status that an editor gives an event %s is kept', async (_, options) => {
  const site = await productionSite({
    intercept: async ({ method, path, ...request }, pass) => {
      if (!path.startsWith('/wp/v2/') || method !== 'POST') return undefined
      const body = Buffer.from('{"status":"publish"}')
      await pass({ method: 'POST', path: `/wp/v2/tribe_events/${id}`, headers: request.headers, body })
      return { status: 404, headers: { 'content-type': 'application/json' }, body: '{"code":"rest_no_route"}' }
    },
  })
  const { id } = await site.json(`events create --title Concert ${dates} --status pending --json`)
  const { status, err } = await site.calctl(`events update ${id} ${options}`)
  expect([status, err]).toEqual([0, expect.not.stringContaining('error')])
  expect(await site.json(`events get ${id} --json`)).toMatchObject({ title: 'Recital', status: 'publish' })
})
