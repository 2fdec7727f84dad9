import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

const json = { 'content-type': 'application/json' }

/** Answers of a site in trouble, and the status that calctl ends with. */
const troubles = {
  down: {
    status: 503,
    headers: { ...json, 'retry-after': '1' },
    body: '{"code":"down","message":"Back soon","data":{"status":503}}',
    ends: 5,
  },
  crashed: { status: 500, headers: { 'content-type': 'text/html' }, body: '<p>Error</p>', ends: 5 },
  'logged out': {
    status: 401,
    headers: json,
    body: '{"code":"rest_not_logged_in","message":"No","data":{"status":401}}',
    ends: 3,
  },
  forbidden: {
    status: 403,
    headers: json,
    body: '{"code":"rest_forbidden","message":"No","data":{"status":403}}',
    ends: 3,
  },
  'behind a firewall': { status: 403, headers: { 'content-type': 'text/html' }, body: '<p>Go away</p>', ends: 3 },
}

const line = (value: object) => `${JSON.stringify(value)}\n`
const when = { start_date: '2026-12-06 19:00', end_date: '2026-12-06 21:00' }
const rows = [
  {
    resource: 'events',
    title: 'Blues',
    ...when,
    venue: 'Hall',
    organizer: 'Ada',
    categories: ['Music'],
    tags: ['Swing'],
  },
  {
    resource: 'events',
    title: 'Fado',
    ...when,
    venue: { venue: 'Hall', city: 'Girona' },
    organizer: 'Bo',
    tags: [3, 'New'],
  },
  { resource: 'events', slug: 'jazz', description: 'Now' },
  { resource: 'events', slug: 'hidden', hide_from_listings: true, title: 'Hidden', ...when },
  { resource: 'venues', venue: 'Barn', city: 'Vic' },
]
const commands: readonly (readonly [string, string])[] = [
  ['apply - --format ndjson --create-missing --skip-invalid --dry-run', rows.map(line).join('')],
  ['diff - --format ndjson --create-missing', rows.map(line).join('')],
  ['events create --from - --skip-invalid --create-missing --dry-run', rows.slice(0, 2).map(line).join('')],
  ['events update - --venue Hall --add-tags Swing --skip-invalid --dry-run', 'jazz\n2\n'],
  ['events restore - --skip-invalid --dry-run', '3\n'],
]

async function seededSite() {
  const met: string[] = []
  const trouble: { after: number; answer?: (typeof troubles)[keyof typeof troubles] } = { after: 0 }
  const site = await productionSite({
    intercept: async ({ method, path, query = '' }) => {
      if (!trouble.answer || method !== 'GET' || trouble.after-- > 0) return undefined
      // The name of a linked record, for the lines of a plan.
      met.push(/\/(venues|organizers|tags)\/\d+$/.test(path) ? 'name' : query)
      return trouble.answer
    },
  })
  await site.json('venues create --venue Hall --city Girona --json')
  await site.json('organizers create --organizer Ada --json')
  await site.json('categories create --name Music --json')
  await site.json('tags create --name Swing --json')
  for (const title of ['Jazz', 'Opera', 'Gone']) await site.json(`events create --title ${title} ${dates} --json`)
  return { ...site, trouble, met }
}

for (const [name, answer] of Object.entries(troubles))
  test(`nothing is taken for invalid while a site is ${name}, whichever request meets that`, async () => {
    const { calctl, trouble, met, writes } = await seededSite()
    for (const [command, input] of commands) {
      const before = writes().length
      for (let after = 0; ; after++) {
        met.length = 0
        Object.assign(trouble, { after, answer })
        const { status, err } = await calctl(`${command} --retries 0`, input)
        trouble.answer = undefined
        if (met.length === 0 || writes().length > before) break
        // Without the trash and the two weeks around its new events, a plan of files lacks a note, and without the events at its places, any plan.
        const isForTrash = (query: string) => query.includes('status=trash') && !command.startsWith('events restore')
        const isOfDays = (query: string) => query.includes('starts_after=2026-11-19&starts_before=2026-12-22&')
        const isForNote = (query: string) =>
          query === 'name' || isForTrash(query) || isOfDays(query) || /(venue|organizer)=\d/.test(query)
        if (met.every(isForNote)) continue
        expect([command, after, status, err]).toEqual([
          command,
          after,
          answer.ends,
          expect.not.stringContaining('invalid'),
        ])
      }
    }
  })
