import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const dates = { start_date: '2027-03-04 18:30:00', end_date: '2027-03-04 20:00:00' }

async function siteWithHidden(options = '') {
  const site = await wordpressSite({ options })
  await site.ask('POST /events', { ...dates, title: 'Open' })
  await site.ask('POST /events', { ...dates, title: 'Rehearsal', hide_from_listings: true })
  await site.ask('POST /events', { ...dates, title: 'Board meeting', hide_from_listings: true, status: 'draft' })
  return site
}

const titlesIn = (text: string): string[] =>
  text
    .split('\n')
    .filter(line => line)
    .map(line => JSON.parse(line).title)

test('an export has the hidden events, which no list shows', async () => {
  const { counted } = await siteWithHidden()
  const { out, err, requests } = await counted('export events')
  expect(titlesIn(out).toSorted()).toEqual(['Board meeting', 'Open', 'Rehearsal'])
  expect(err).toBe('')
  // The list, its texts, the IDs of all events, both hidden ones with their texts, and the size of the trash.
  expect(requests).toHaveLength(7)
})

test('hidden events that an export has are hidden again at another site', async () => {
  const [from, to] = [await siteWithHidden(), await wordpressSite()]
  const { out } = await from.calctl('export events')
  const { status } = await to.calctl(`apply ${to.file('events.ndjson', out)} --yes`)
  expect(status).toBe(0)
  expect((await to.json('events list --all-dates')).map(({ title }: { title: string }) => title)).toEqual(['Open'])
  expect((await to.json('events get rehearsal')).hide_from_listings).toBe(true)
})

test('where hidden events cannot be found, or filters leave out others, an export says that they are missing', async () => {
  for (const [options, line, end] of [
    ['--no-wp', 'export events', 'does not list\n'],
    ['--no-wp', 'export events --starts-after 2026-01-01', 'does not list\n'],
    ['', 'export events --starts-after 2026-01-01', 'does not list; an export without filters has them\n'],
  ] as const) {
    const { calctl } = await siteWithHidden(options)
    const { out, err } = await calctl(line)
    expect(titlesIn(out)).toEqual(['Open'])
    expect(err).toMatch(new RegExp(`not exported: hidden events, which \\S+ ${end}`))
  }
})

// Before a delete, it is asked as well whether the site shows hidden events.
test.each([
  ['export events', 2],
  ['tags delete TAG --yes', 3],
])(
  '%s ends, although the site answers with the first page of wp/v2 whatever page is asked for',
  async (line, expected) => {
    const ids = Array.from({ length: 100 }, (_, index) => index + 1000)
    let requests = 0
    const { calctl, json } = await productionSite({
      intercept: async ({ method, path, query = '' }) => {
        if (method !== 'GET' || path !== '/wp/v2/tribe_events' || !query.includes('_fields=id')) return undefined
        requests += 1
        if (requests > 10) return undefined
        return { status: 200, headers: {}, body: JSON.stringify(ids.map(id => ({ id, tags: [] }))) }
      },
    })
    const { id } = await json('tags create --name Open --json')
    expect(await calctl(line.replace('TAG', id))).toMatchObject({ status: 0 })
    expect(requests).toBe(expected)
  },
)

test('hidden events that a site has and does not show are named', async () => {
  const hidden = '--hide-from-listings'
  const site = await productionSite({
    intercept: async ({ method, path }) =>
      method === 'GET' && /\/events\/[23]$/.test(path)
        ? {
            status: 403,
            headers: { 'content-type': 'application/json' },
            body: '{"code":"closed","message":"Closed."}',
          }
        : undefined,
  })
  for (const title of ['One', 'Two', 'Three', 'Four'])
    await site.calctl(
      `events create --title ${title} --start-date "2027-03-04 18:30" --end-date "2027-03-04 20:00" ${hidden}`,
    )
  const { out, err } = await site.calctl('export events')
  expect([titlesIn(out), err]).toEqual([
    ['One', 'Four'],
    expect.stringMatching(/^not exported: 2 events: 2 and 3, which \S+ has and does not show\n/),
  ])
})
