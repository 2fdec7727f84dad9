import { expect, test } from 'vitest'
import { event, feed } from './feed-server.ts'
import { folder } from './folder.ts'
import { web } from './web.ts'

const page = (start: string, end: string) =>
  `<html><head><script type="application/ld+json">${JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: 'Concert de Nadal',
    url: 'https://library.example/concert',
    startDate: start,
    endDate: end,
    location: { '@type': 'Place', name: 'Auditori' },
  })}</script></head></html>`

test.each(['Europe/Madrid', 'UTC', 'America/New_York'])(
  'an event that a feed names with its zone and a page with an offset is one event, on a site in %s',
  async zone => {
    const { url } = await web({
      '/theatre.ics': feed(event({ uid: 'a', title: 'Concert de Nadal', place: 'Auditori' })),
      '/agenda': page('2026-12-05T19:00:00+01:00', '2026-12-05T20:30:00+01:00'),
    })
    const sources = `sources:
  - name: theatre
    place: ${url}/theatre.ics
  - name: library
    place: ${url}/agenda
`
    const { calctl } = folder({ 'sources.yaml': sources }, {}, zone)
    await calctl('trust')
    const done = await calctl(`sources apply --create-missing --yes`)
    expect(done).toMatchObject({ status: 0 })
    const { out } = await calctl('events list --all-dates --fields title,utc_start_date -o csv')
    expect(out.split('\n').slice(1, -1)).toEqual(['Concert de Nadal,2026-12-05 18:00:00'])
    expect(await calctl(`sources apply --create-missing --yes -q`)).toMatchObject({ status: 0, out: '' })
  },
)
