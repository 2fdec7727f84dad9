import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

/** A site with an event behind a password, and another one. */
async function siteWithProtected(options = '') {
  const site = await wordpressSite({ options })
  const { id: organizer } = await site.ask('POST /organizers', { organizer: 'Ateneu' })
  const values = {
    start_date: '2027-03-04 18:30:00',
    end_date: '2027-03-04 20:00:00',
    organizer: [organizer],
    cost: '15',
    website: 'https://example.org/',
    show_map: true,
    featured: true,
  }
  const { id } = await site.ask('POST /events', { ...values, title: 'Behind' })
  const { id: other } = await site.ask('POST /events', { ...values, title: 'Open' })
  await site.ask(`POST /wp/v2/tribe_events/${id}`, { password: 'sesame', meta: { _EventCost: '15' } })
  const whole = () => site.ask(`GET /events/${id}?context=edit`)
  return { ...site, id, other, whole, ids: `${id}\n${other}\n` }
}

for (const options of ['', '--via events'])
  test(`a bulk update, its undo and a restore keep all of a protected event ${options}`, async () => {
    const { calctl, ids, whole, ask, id } = await siteWithProtected()
    const before = await whole()
    const kept = ({ organizer, cost, website, show_map, featured, title }: Record<string, unknown>) => ({
      organizer,
      cost,
      website,
      show_map,
      featured,
      title,
    })
    const steps = [
      [`events update - --excerpt Short --yes ${options}`, ids],
      [`runs undo --yes ${options}`, ''],
      [`events delete - --yes`, ids],
      [`runs undo --yes ${options}`, ''],
      [`events update ${id} --sticky ${options}`, ''],
    ] as const
    for (const [line, stdin] of steps) {
      const { status, err } = await calctl(line, stdin)
      // Without wp/v2 nothing can empty the excerpt again.
      if (!(options && line.startsWith('runs undo'))) expect([line, status, err]).toEqual([line, 0, expect.any(String)])
      if (line.startsWith('events delete')) continue
      expect(kept(await whole()), line).toEqual(kept(before))
    }
    expect((await ask(`GET /wp/v2/tribe_events/${id}?context=edit`)).password).toBe('sesame')
  })

test('the password of an event is in no journal', async () => {
  const { calctl, ids, folder } = await siteWithProtected()
  await calctl('events update - --excerpt Short --yes', ids)
  const { readdirSync, readFileSync } = await import('node:fs')
  for (const name of readdirSync(`${folder}/state/calctl/runs`))
    expect(readFileSync(`${folder}/state/calctl/runs/${name}`, 'utf8')).not.toContain('sesame')
})

test('where a site shows a protected event to nobody, it is refused by name and the others are updated', async () => {
  const site = await productionSite({
    intercept: async ({ path, query = '' }) =>
      query.includes('context=edit') && !path.startsWith('/wp/v2/tribe_events/') ? forbidden : undefined,
  })
  const events = []
  for (const title of ['Behind', 'Open'])
    events.push(await site.json(`events create --title ${title} ${dates} --cost 15 --json`))
  const [protectedId, openId] = events.map(({ id }) => id)
  await fetch(`${site.baseUrl}/wp/v2/tribe_events/${protectedId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: 'sesame', meta: { _EventCost: '15' } }),
  })
  const key = `--header 'X-Key: env:HOME'`
  const { status, err } = await site.calctl(`events update - --sticky --yes ${key}`, `${protectedId}\n${openId}\n`)
  expect([status, err]).toEqual([6, expect.stringContaining(`event ${protectedId} is password-protected`)])
  expect((await site.json(`events get ${openId} --json`)).sticky).toBe(true)
  const single = await site.calctl(`events update ${protectedId} --sticky ${key}`)
  expect([single.status, single.err]).toEqual([4, expect.stringContaining('needs its password')])
  const unlocked = await site.json(`events get ${protectedId} --password sesame --json`)
  expect(unlocked).toMatchObject({ sticky: false, cost: '$15' })
})

const forbidden = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    code: 'rest_forbidden_context',
    message: 'Sorry, you are not allowed.',
    data: { status: 403 },
  }),
}

test.each([
  'events list --all -o ics',
  'events list --limit 50 --sort title -o ics',
  'events list --all-dates -o ics',
  'export --human -o csv',
  'export --human -o csv --where "title ~ e"',
  'month 2027-03 --html -',
  'agenda --from 2027-03-01 --to 2027-03-31 --html -',
])('what is published has no event with a password, although editors see it whole: %s', async line => {
  const { calctl } = await siteWithProtected()
  const { status, out, err } = await calctl(line)
  expect([status, err]).toEqual([
    0,
    'left out 1 event that is a draft, private, hidden or protected; to write it too, add --status publish,draft,pending,private\n',
  ])
  expect(out).toContain('Open')
  expect(out).not.toContain('Behind')
  const asked = await calctl(`${line} --status publish`)
  expect([asked.status, asked.out]).toEqual([0, expect.stringContaining('Behind')])
})

test.each(['month 2027-03 -o html', 'agenda --from 2027-03-01 --to 2027-03-31 -o markdown'])(
  'a newsletter has no event with a password, even if a status is asked for: %s',
  async line => {
    const { calctl } = await siteWithProtected()
    for (const status of ['', ' --status publish']) {
      const { out, err } = await calctl(line + status)
      expect(out).toContain('Open')
      expect(out).not.toContain('Behind')
      expect(err).toContain('add --with private')
    }
    expect((await calctl(`${line} --with private`)).out).toContain('Behind')
  },
)
