import { expect, test } from 'vitest'
import { folder } from './folder.ts'
import { web } from './web.ts'

const page = `<html><head><script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Event',
  name: 'Hora del conte',
  url: 'https://library.example/hora-del-conte',
  startDate: '2026-12-05T18:00:00+01:00',
  endDate: '2026-12-05T19:00:00+01:00',
  location: { '@type': 'Place', name: 'Biblioteca', address: 'Carrer Major, 1' },
})}</script></head></html>`

/** A folder with a page as its source, which has been applied once. */
async function library() {
  const { url } = await web({ '/agenda': page })
  const { calctl } = folder({ 'sources.yaml': `sources:\n  - name: library\n    place: ${url}/agenda\n` })
  await calctl('trust')
  const apply = (more = '') => calctl(`sources apply --create-missing --yes ${more}`)
  expect(await apply()).toMatchObject({ status: 0 })
  const show = async (kind = 'events list --all-dates', fields = 'title') =>
    (await calctl(`${kind} --fields ${fields} -o csv`)).out.split('\n').slice(1, -1)
  return { calctl, apply, show }
}

test('an event of a page that was rejected is brought back without a conflict', async () => {
  const { calctl, apply, show } = await library()
  const [before] = await show(undefined, 'id,title,slug')
  await calctl('events delete 2 --yes')
  expect(await apply('-q')).toEqual({ status: 0, out: '', err: '' })
  expect(await calctl('sources review 2 --bring-back')).toMatchObject({ status: 0 })
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show(undefined, 'id,title,slug')).toEqual([before])
  expect((await calctl('sources review -o ids')).out).toBe('')
})

test('an event whose venue an undo removed is brought back with a venue of that name', async () => {
  const { calctl, apply, show } = await library()
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
  expect(await show('venues list', 'venue')).toEqual([])
  expect(await calctl('sources review 2 --bring-back')).toMatchObject({ status: 0 })
  expect(await apply()).toMatchObject({ status: 0 })
  expect(await show(undefined, 'id,title,venue.venue')).toEqual(['2,Hora del conte,Biblioteca'])
  expect(await show('venues list', 'venue')).toEqual(['Biblioteca'])
  expect((await calctl('sources review -o ids')).out).toBe('')
})
