import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

test('a category with an ampersand is found by its name, although search does not decode', async () => {
  const { json, seen } = await productionSite()
  const { id } = await json('categories create --name "Música & Dansa" --json')
  const before = seen.length
  const event = await json(`events create --title Ball ${dates} --categories "Música & Dansa" --json`)
  expect(event.categories.map((category: { id: number }) => category.id)).toEqual([id])
  expect(seen.slice(before)).toEqual(['GET /categories', 'POST /events'])
})

test.each(['L’aire "lliure" & gratis', 'R&B', "D'estiu <3 gratis", 'Rock & roll; jazz > blues'])(
  'a tag called %s is found by its name',
  async name => {
    const { json } = await productionSite()
    const { id } = await json(['tags', 'create', '--name', name, '--json'])
    const words = ['events', 'create', '--title', 'Ball', '--start-date', '2026-12-05 19:00']
    const event = await json([
      ...words,
      '--end-date',
      '2026-12-05 21:00',
      '--tags',
      `"${name.replaceAll('"', '""')}"`,
      '--json',
    ])
    expect(event.tags.map((tag: { id: number }) => tag.id)).toEqual([id])
  },
)

test('a venue with an ampersand and quotes is found by its name', async () => {
  const { json } = await productionSite()
  const name = `Bar "Ca l'Enric" & Grill`
  const { id } = await json(['venues', 'create', '--venue', name, '--json'])
  const line = ['events', 'create', '--title', 'Ball', '--start-date', '2026-12-05 19:00']
  const event = await json([...line, '--end-date', '2026-12-05 21:00', '--venue', name, '--json'])
  expect(event.venue.id).toBe(id)
})

test('a name that stands on the second page of a search is found', async () => {
  const venues = Array.from({ length: 60 }, (_, number) => ({ venue: `Sala ${number}`, address: 'Sala Gran' }))
  const { json, calctl, file } = await productionSite()
  const { id } = await json('venues create --venue "Sala" --json')
  expect((await calctl(`venues create --from ${file('venues.json', JSON.stringify({ venues }))} --yes`)).status).toBe(0)
  const event = await json(`events create --title Ball ${dates} --venue Sala --json`)
  expect(event.venue.id).toBe(id)
})

test('names with an ampersand are found in bulk and in files', async () => {
  const { json, calctl, file } = await productionSite()
  const { id } = await json('categories create --name "Música & Dansa" --json')
  const { id: event } = await json(`events create --title Ball ${dates} --json`)
  expect((await calctl('events update - --add-categories "Música & Dansa" --yes', `${event}\n`)).status).toBe(0)
  const sheet = 'title,start_date,end_date,categories\nFira,2026-12-06 19:00,2026-12-06 20:00,Música & Dansa\n'
  expect((await calctl(`apply ${file('events.csv', sheet)} --yes`)).status).toBe(0)
  const rows = await json('events list --all-dates --json')
  expect(rows.map((row: { categories: { id: number }[] }) => row.categories.map(one => one.id))).toEqual([[id], [id]])
})
