import { existsSync } from 'node:fs'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { serve } from './serve-page.ts'

const concert = { title: 'Concert', start_date: '2027-03-04 19:00:00', end_date: '2027-03-04 21:00:00' }

test('the url of every record leads to its page, with schema.org data', async () => {
  const { page, create } = await serve('--memory --timezone Europe/Madrid')
  const venue = await create('venues', { venue: 'Teatre <b>Principal</b>', city: 'Girona' })
  const organizer = await create('organizers', { organizer: 'Ajuntament' })
  const parent = await create('categories', { name: 'Música' })
  const category = await create('categories', { name: 'Jazz', parent: parent.id })
  const tag = await create('tags', { name: 'Nit' })
  const event = await create('events', {
    ...concert,
    venue: venue.id,
    description: '<script>alert(1)</script><p>Bis</p>',
  })
  for (const { url } of [venue, organizer, category, tag, event])
    expect((await page(new URL(url).pathname)).status, url).toBe(200)
  const { text, headers } = await page(new URL(event.url).pathname)
  const data = JSON.parse(/<script type="application\/ld\+json">(.*)<\/script>/.exec(text)?.[1] ?? '')
  expect(data).toMatchObject({ '@type': 'Event', name: 'Concert', startDate: '2027-03-04T18:00:00+00:00' })
  expect(text).not.toContain('<script>alert')
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
})

test('drafts and protected events have no page, and are in no feed', async () => {
  const { page, create } = await serve('--memory')
  const draft = await create('events', { ...concert, title: 'Esborrany', slug: 'esborrany', status: 'draft' })
  await create('events', concert)
  expect((await page(`/event/${draft.slug || 'esborrany'}/`)).status).toBe(404)
  expect((await page('/event/concert/')).status).toBe(200)
  const feed = await page('/calendar.ics')
  expect(feed.text).toContain('SUMMARY:Concert')
  expect(feed.text).not.toContain('Esborrany')
})

test('another reader takes the feed, with its filters', async () => {
  const { page, create } = await serve('--memory --timezone Europe/Madrid')
  const category = await create('categories', { name: 'Jazz' })
  await create('events', concert)
  await create('events', { ...concert, title: 'Jam', categories: [category.id] })
  const titlesIn = (text: string) =>
    new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map(one => one.getFirstPropertyValue('summary'))
  expect(titlesIn((await page('/calendar.ics')).text).toSorted()).toEqual(['Concert', 'Jam'])
  expect(titlesIn((await page(`/calendar.ics?categories=${category.id}`)).text)).toEqual(['Jam'])
})

test('what is no page is left to the API', async () => {
  const { page } = await serve('--memory')
  expect((await page('/event/nothing/')).text).toContain('Aquesta pàgina no existeix.')
  for (const path of ['/__page/../package.json', '/__page/main.js', '/nothing'])
    expect((await page(path)).headers.get('content-type')).toMatch(/json/)
  expect(existsSync('dist/page/page.js')).toBe(true)
})
