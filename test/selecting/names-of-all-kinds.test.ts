import { describe, expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

const dates = { start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00' }

/** A site on which every kind of record has a name with an ampersand, in the way in which WordPress stores it. */
async function site(options = '') {
  const site = await wordpressSite({ options })
  const made = async (path: string, body: object): Promise<number> => (await site.ask(`POST /${path}`, body)).id
  const ids = {
    venues: await made('venues', { venue: 'Teatre & Bar Principal', city: 'Vic & Gurb' }),
    organizers: await made('organizers', { organizer: 'Colla & Co.' }),
    categories: await made('categories', { name: 'Música & Dansa' }),
    tags: await made('tags', { name: 'Rock & roll' }),
  }
  const events = await made('events', {
    title: 'Concert & ball',
    ...dates,
    venue: ids.venues,
    organizer: [ids.organizers],
    categories: [ids.categories],
    tags: [ids.tags],
  })
  return { ...site, made, ids: { ...ids, events } }
}

const names = {
  events: 'Concert & ball',
  venues: 'Teatre & Bar Principal',
  organizers: 'Colla & Co.',
  categories: 'Música & Dansa',
  tags: 'Rock & roll',
} as const
const kinds = Object.entries(names) as [keyof typeof names, string][]

describe('an exact title is a reference', () => {
  test.each(kinds)('of %s', async (resource, name) => {
    const { calctl, ids } = await site()
    const get = await calctl([resource, 'get', name, '--json'])
    expect([get.status, get.err]).toEqual([0, ''])
    expect(JSON.parse(get.out)).toMatchObject({ id: ids[resource] })
    expect(await calctl([resource, 'update', name, '--description', 'New'])).toMatchObject({ status: 0 })
    expect(await calctl([resource, 'merge', name, name, '--dry-run'])).toMatchObject({
      status: 2,
      err: expect.stringMatching(/same|once|twice|itself/),
    })
    expect(await calctl([resource, 'delete', name, '--dry-run'])).toMatchObject({ status: 0 })
  })

  test('and a title of several records names them with their IDs', async () => {
    const { calctl, made } = await site()
    const parent = await made('categories', { name: 'Arts' })
    await made('categories', { name: 'Música & Dansa', parent })
    const { status, err } = await calctl(['categories', 'update', 'Música & Dansa', '--description', 'New'])
    expect([status, err]).toEqual([2, expect.stringMatching(/2 categories .*"Música & Dansa".*\n.*ID/)])
  })

  test('of records to merge', async () => {
    const { calctl, made } = await site()
    await made('venues', { venue: 'Teatre Principal de Vic' })
    const { status, out, err } = await calctl([
      ...['venues', 'merge', 'Teatre & Bar Principal', 'Teatre Principal de Vic', '--dry-run'],
    ])
    expect([status, out + err]).toEqual([0, expect.stringContaining('Teatre Principal de Vic')])
  })
})

describe('what is stored with an entity is found', () => {
  test.each(kinds)('in %s', async (resource, name) => {
    const { calctl, ids } = await site()
    const found = await calctl(['find', name, '-o', 'json'])
    expect(JSON.parse(found.out)).toContainEqual(expect.objectContaining({ resource, id: ids[resource], title: name }))
    const list = await calctl([resource, 'list', '--search', name, '-o', 'ids'])
    expect(list).toMatchObject({ status: 0, out: `${ids[resource]}\n` })
  })
})

test('find also finds hidden events, or says that the site does not show them', async () => {
  for (const [options, answer] of [
    ['', { out: expect.stringContaining('Secret ball'), err: '' }],
    ['--no-wp', { out: '', err: expect.stringContaining('hidden events') }],
  ] as const) {
    const { calctl, made } = await site(options)
    await made('events', { title: 'Secret ball', ...dates, hide_from_listings: true })
    expect(await calctl('find Secret')).toMatchObject({ status: 0, ...answer })
  }
})

test('digits that are no ID are the name of a tag', async () => {
  const { calctl, made, json, ids } = await site()
  const tag = await made('tags', { name: '2027' })
  expect(await calctl(`events update ${ids.events} --add-tags 2027`)).toMatchObject({ status: 0 })
  expect((await json(`events get ${ids.events}`)).tags).toMatchObject([{ id: tag }, { id: ids.tags }])
  expect(await calctl(`events update ${ids.events} --add-tags 2028`)).toMatchObject({
    status: 4,
    err: expect.stringContaining('2028'),
  })
})

/** Commands that print records, by what they are about. */
const printing = [
  'lint',
  'lint --severity info',
  'find bar',
  'find roll',
  'dedupe venues',
  'agenda --on 2026-12-05',
  'month 2026-12',
  'export events -o csv',
  'history',
  'runs list',
  'undo --dry-run',
  'events list --all-dates -o table',
  ...kinds.flatMap(([resource]) => [
    `${resource} list -o table`,
    `${resource} list -o card`,
    `${resource} get ID`,
    `${resource} get ID -o card`,
    `${resource} get ID -o markdown`,
    `${resource} delete ID --dry-run`,
    `${resource} update ID --description "A & B"`,
    `${resource} update ID --description "A & B" --dry-run`,
    `${resource} delete ID --yes`,
    `undo --yes`,
  ]),
]

test('nothing that people read has an entity', async () => {
  const { calctl, made, ids } = await site()
  await made('venues', { venue: 'Teatre & Bar', city: 'Vic & Gurb' })
  await made('venues', { venue: 'Teatre i Bar Principal', city: 'Vic & Gurb', website: 'https://example.org/?a=1&b=2' })
  for (const title of ['CONCERT & BALL', 'Concert  & ball', '“Quoted” & <em>so</em>'])
    await made('events', { title, ...dates, venue: ids.venues, categories: [ids.categories], excerpt: 'A & B' })
  await made('tags', { name: 'rock & roll!' })
  await made('organizers', { organizer: 'Colla & Co' })
  await made('categories', { name: 'Musica & Dansa', parent: ids.categories })
  const wrong: unknown[] = []
  for (const line of printing) {
    const resource = line.split(' ')[0] as keyof typeof ids
    const { out, err } = await calctl(line.replace('ID', String(ids[resource])))
    const lines = (out + err).split('\n').filter(text => /&(amp|lt|gt|quot|#\d+|#x[\da-f]+|[lr]?[sd]?quo);/i.test(text))
    if (lines.length > 0) wrong.push([line, lines.slice(0, 5)])
  }
  expect(wrong).toEqual([])
})
