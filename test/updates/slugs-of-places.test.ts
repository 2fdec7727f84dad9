import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

test('the slug of a venue changes through WordPress, and undo gives the old one back', async () => {
  const site = await wordpressSite()
  const { id } = await site.ask('POST /venues', { venue: 'Sala' })
  const { status, err, requests } = await site.counted(`venues update ${id} --slug sala-gran`)
  expect([status, err, requests]).toEqual([
    0,
    '',
    [`GET /venues/${id}`, 'GET /wp/v2/tribe_venue', `POST /wp/v2/tribe_venue/${id}`],
  ])
  expect(await site.ask(`GET /venues/${id}`)).toMatchObject({ venue: 'Sala', slug: 'sala-gran' })
  expect((await site.calctl('undo --yes')).status).toBe(0)
  expect((await site.ask(`GET /venues/${id}`)).slug).toBe('sala')
})

test('a new organizer has the slug that was asked for', async () => {
  const site = await wordpressSite()
  const { id, slug } = await site.json('organizers create --organizer Cor --slug cor-del-poble')
  expect(slug).toBe('cor-del-poble')
  expect((await site.ask(`GET /organizers/${id}`)).slug).toBe('cor-del-poble')
  const { requests } = await site.counted('organizers create --organizer Banda --slug banda')
  expect(requests.filter(line => line.startsWith('POST'))).toEqual(['POST /organizers'])
})

test('venues and organizers keep their slugs through export and apply, and are the same afterwards', async () => {
  const [from, to] = [await wordpressSite(), await wordpressSite()]
  const { id } = await from.ask('POST /venues', { venue: 'Sala' })
  await from.ask(`POST /wp/v2/tribe_venue/${id}`, { slug: 'room' })
  const { id: other } = await from.ask('POST /organizers', { organizer: 'Cor' })
  await from.ask(`POST /wp/v2/tribe_organizer/${other}`, { slug: 'choir' })
  for (const format of ['ndjson', 'csv'])
    for (const resource of ['venues', 'organizers']) {
      const { out } = await from.calctl(`export ${resource} --format ${format}`)
      const file = to.file(`${resource}.${format}`, out)
      expect(await to.calctl(`apply ${file} --yes`)).toMatchObject({ status: 0 })
      expect(await to.calctl(`diff --exit-code ${file}`)).toMatchObject({ status: 0 })
      expect(await from.calctl(`diff --exit-code ${file}`)).toMatchObject({ status: 0 })
    }
  expect((await to.ask('GET /venues')).venues).toMatchObject([{ venue: 'Sala', slug: 'room' }])
  expect((await to.ask('GET /organizers')).organizers).toMatchObject([{ organizer: 'Cor', slug: 'choir' }])
})

test('a site without wp/v2 refuses the slug of a venue before anything is sent, and leaves out those of a file', async () => {
  const site = await wordpressSite({ options: '--no-wp' })
  const { id } = await site.ask('POST /venues', { venue: 'Sala' })
  for (const line of [`venues update ${id} --slug room`, 'venues create --venue Nova --slug room']) {
    const { status, err, requests } = await site.counted(line)
    expect([status, err]).toEqual([4, expect.stringContaining('slug: ')])
    expect(requests.filter(line => line.startsWith('POST'))).toEqual([])
  }
  const file = site.file('venues.csv', `id,venue,slug,city\n${id},Sala,room,Girona\n,Nova,new,Vic\n`)
  const { status, err } = await site.calctl(`apply ${file} --yes`)
  expect([status, err]).toEqual([0, expect.stringContaining('left out 2 slugs')])
  expect((await site.ask('GET /venues')).venues.map(({ slug }: { slug: string }) => slug).sort()).toEqual([
    'nova',
    'sala',
  ])
})

test('a calendar file refuses the slug of a venue, and takes an export without it', async () => {
  const calctl = calendar()
  await calctl('venues create --venue Sala')
  expect(await calctl('venues update 1 --slug room')).toMatchObject({
    status: 4,
    err: expect.stringContaining('slug: '),
  })
  expect((await calctl('venues update 1 --slug sala --city Girona')).status).toBe(0)
  const { status, err } = await calctl('apply --yes -', 'venue,slug\nSala,room\nNova,nova\n')
  expect([status, err]).toEqual([0, expect.stringContaining('left out 1 slug')])
})
