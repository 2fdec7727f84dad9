import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const head = 'title,start_date,end_date,slug,hide_from_listings,cost,sticky\n'
const row = 'Private party,2027-03-04 18:30,2027-03-04 20:00,party,true,20-35,true\n'

for (const [site, options] of [
  ['a site with wp/v2', ''],
  ['a site without wp/v2', '--no-wp'],
] as const) {
  test(`applying a hidden event twice makes one event, at ${site}`, async () => {
    const { calctl, file, ask } = await wordpressSite({ options })
    const path = file('town.csv', head + row)
    expect((await calctl(`apply ${path} --yes`)).status).toBe(0)
    expect((await calctl(`apply ${path} --yes`)).status).toBe(0)
    expect((await ask('GET /events/by-slug/party')).id).toBeGreaterThan(0)
    expect((await ask('GET /events/by-slug/party-2')).code).toBe('rest_invalid_param')
  })

  test(`undo restores a hidden event from the trash, at ${site}`, async () => {
    const { calctl, ask } = await wordpressSite({ options })
    const { id } = await ask('POST /events', {
      title: 'Private party',
      start_date: '2027-03-04 18:30:00',
      end_date: '2027-03-04 20:00:00',
      hide_from_listings: true,
      sticky: true,
      website: 'https://example.org/',
      cost: '15',
    })
    const before = await ask(`GET /events/${id}`)
    expect((await calctl('events delete - --yes', `${id}\n`)).status).toBe(0)
    const { status, err } = await calctl('runs undo --yes')
    expect([status, err]).toEqual([0, expect.not.stringContaining('permanently')])
    const { modified, modified_utc, json_ld, ...after } = await ask(`GET /events/${id}`)
    expect(before).toMatchObject(after)
  })
}

test('undo restores a hidden event from the trash of a site that refuses wp/v2', async () => {
  const { calctl, json } = await productionSite({
    intercept: async ({ path }) =>
      path.startsWith('/wp/v2') ? { status: 403, headers: {}, body: '{"code":"rest_forbidden"}' } : undefined,
  })
  await calctl(`events create --title Party ${dates} --hide-from-listings -q`)
  await calctl('events delete 1 --yes -q')
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await json('events get 1 --json')).toMatchObject({ status: 'publish', hide_from_listings: true })
})

test('a hidden event is restored from the trash by its ID and by its slug', async () => {
  const { calctl, file, ask } = await wordpressSite()
  await calctl(`apply ${file('town.csv', head + row)} --yes`)
  const { id } = await ask('GET /events/by-slug/party')
  for (const ref of [id, 'party']) {
    expect((await calctl(`events delete ${id} --yes`)).status).toBe(0)
    const { status, err } = await calctl(`events restore ${ref} --status publish`)
    expect([status, err]).toEqual([0, ''])
    expect(await ask(`GET /events/${id}`)).toMatchObject({ hide_from_listings: true, sticky: true, status: 'publish' })
  }
})

test('without wp/v2 restore says why it cannot restore a hidden event', async () => {
  const { calctl, file, ask } = await wordpressSite({ options: '--no-wp' })
  await calctl(`apply ${file('town.csv', head + row)} --yes`)
  const { id } = await ask('GET /events/by-slug/party')
  await calctl(`events delete ${id} --yes`)
  const { status, err } = await calctl(`events restore ${id}`)
  expect([status, err]).toEqual([4, expect.stringContaining('does not show hidden ones')])
})

test('hidden events are found by their slugs beside others, though lists leave them out', async () => {
  const { calctl, json } = await productionSite()
  for (const [title, options] of [
    ['Party', '--hide-from-listings'],
    ['Dinner', '--hide-from-listings'],
    ['Concert', ''],
  ])
    await calctl(`events create --title ${title} ${dates} ${options} -q`)
  const refs = 'party\nconcert\ndinner\n'
  expect(await calctl('events update - --featured --yes -q', refs)).toMatchObject({ status: 0, err: '' })
  expect(
    await calctl('apply - --format csv --resource events --yes -q', 'slug,website\nparty,https://example.org/\n'),
  ).toMatchObject({
    status: 0,
    err: '',
  })
  expect(await json('events get 1 --json')).toMatchObject({ featured: true, website: 'https://example.org/' })
  expect(await json('events get 2 --json')).toMatchObject({ featured: true })
})
