import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { siteWithJournals } from '../soak/damaged-journals.ts'

const lines = (...records: readonly object[]) => records.map(one => `${JSON.stringify(one)}\n`).join('')
const when = { start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00' }

const seed = lines(
  { resource: 'tags', name: 'Swing' },
  { resource: 'tags', name: 'Blues' },
  { resource: 'categories', name: 'Music' },
  { resource: 'categories', name: 'Jazz', slug: 'jazz-music', parent: 'Music' },
  { resource: 'venues', venue: 'Hall', city: 'Girona' },
  { resource: 'organizers', organizer: 'Ada' },
  ...['One', 'Two', 'Three', 'Four', 'Five'].map(title => ({
    resource: 'events',
    title,
    ...when,
    description: 'Then',
    website: 'https://example.org',
    tags: ['Swing', 'Blues'],
    categories: ['Music', 'Jazz'],
    venue: 'Hall',
    organizer: 'Ada',
  })),
)

/** Plans whose steps change what other steps of theirs touch. */
const plans = {
  'deletes a tag and changes its events': [
    { resource: 'tags', slug: 'swing', action: 'trash' },
    { resource: 'events', slug: 'one', description: 'Now' },
    { resource: 'events', slug: 'two', tags: ['Blues'] },
    { resource: 'events', slug: 'three', title: 'Third' },
    { resource: 'events', slug: 'four', action: 'trash' },
  ],
  'deletes a category with children and changes its events': [
    { resource: 'categories', slug: 'music', action: 'trash' },
    { resource: 'categories', slug: 'jazz-music', description: 'Now' },
    { resource: 'events', slug: 'one', description: 'Now' },
    { resource: 'events', slug: 'two', categories: ['jazz-music'] },
    { resource: 'events', slug: 'three', action: 'trash' },
  ],
  'deletes two tags of one event': [
    { resource: 'tags', slug: 'swing', action: 'trash' },
    { resource: 'tags', slug: 'blues', action: 'trash' },
    { resource: 'events', slug: 'one', tags: [], title: 'First' },
    { resource: 'events', slug: 'two', title: 'Second' },
  ],
  'trashes a venue and an organizer and changes their events': [
    { resource: 'venues', slug: 'hall', action: 'trash' },
    { resource: 'organizers', slug: 'ada', action: 'trash' },
    { resource: 'events', slug: 'one', description: 'Now' },
    { resource: 'events', slug: 'two', organizer: [], title: 'Second' },
    { resource: 'events', slug: 'three', action: 'trash' },
  ],
  'gives events another title, slug and start': [3, 4, 5, 6, 7].map(id => ({
    resource: 'events',
    id,
    title: `New ${id}`,
    slug: `new-${id}`,
    start_date: '2027-05-01 10:00',
    end_date: '2027-05-01 12:00',
  })),
  'renames what events link to': [
    { resource: 'tags', slug: 'swing', name: 'Swing and more' },
    { resource: 'venues', slug: 'hall', venue: 'Great Hall' },
    { resource: 'categories', slug: 'jazz-music', parent: 0, description: 'Now' },
    { resource: 'events', slug: 'one', description: 'Now', tags: ['swing', 'New'] },
    { resource: 'events', slug: 'two', start_date: '2026-12-06 19:00', end_date: '2026-12-06 21:00' },
  ],
}

async function seeded(quirks: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-own-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const site = siteWithJournals(folder, { quirks })
  expect(await site.calctl('apply - --format ndjson --create-missing --yes', seed)).toMatchObject({ status: 0 })
  site.setJournals({})
  return site
}

/** After how many writes the run is killed; more than there are does no harm. */
const killedAt = process.env.SOAK_ROUNDS ? Array.from({ length: 12 }, (_, index) => index) : [2]

const command = 'apply - --format ndjson --create-missing --max-trash 100 --yes --jobs 1'

for (const quirks of [false, true])
  for (const [what, records] of Object.entries(plans))
    test(`a killed run that ${what} is resumed to its end${quirks ? ' with --quirks' : ''}`, {
      timeout: 60_000,
    }, async () => {
      const rows = lines(...records)
      const whole = await seeded(quirks)
      expect(await whole.calctl(command, rows)).toMatchObject({ status: 0 })
      const planned = await whole.state()
      for (const at of ['before', 'after'] as const)
        for (const writes of killedAt) {
          const { calctl, killed, state } = await seeded(quirks)
          if ((await killed(command, rows, writes, at)).isOver) break
          const { status, err } = await calctl('runs resume')
          expect([at, writes, status, err]).toEqual([at, writes, 0, expect.any(String)])
          expect([at, writes, await state()]).toEqual([at, writes, planned])
        }
    })
