import { expect, test } from 'vitest'
import { eventData } from '../../src/contract/schema-org.ts'
import { calendar } from '../support/calendar.ts'

const ld = (...blocks: unknown[]) =>
  blocks
    .map(
      block =>
        `<script type="application/ld+json">${typeof block === 'string' ? block : JSON.stringify(block)}</script>`,
    )
    .join('\n')

const page = (...blocks: unknown[]) =>
  `<!DOCTYPE html>\n<html><head><title>Agenda</title>${ld(...blocks)}</head><body><p>Agenda</p></body></html>`

const talk = {
  '@context': 'https://schema.org',
  '@type': 'Event',
  name: 'Xerrada',
  startDate: '2026-12-05T19:00:00+01:00',
  endDate: '2026-12-05T20:30:00+01:00',
  url: 'https://library.example/talk',
}

/** The events that a page becomes, with these fields. */
async function applied(text: string, fields = 'title,start_date,end_date') {
  const calctl = calendar()
  const { err, status } = await calctl('apply - --yes --create-missing', text)
  const { out, err: problem } = await calctl(`events list --all-dates -o ndjson --fields ${fields}`)
  if (problem) throw new Error(problem)
  const events = out
    .split('\n')
    .filter(line => line !== '')
    .map(line => Object.values(JSON.parse(line)))
  return { events, err, status, calctl }
}

const evening = ['2026-12-05 19:00:00', '2026-12-05 20:30:00']

test('a page with an event is applied as a feed is, and changes nothing the second time', async () => {
  const { events, calctl } = await applied(page(talk))
  expect(events).toEqual([['Xerrada', ...evening]])
  expect(await calctl('diff --exit-code -', page(talk))).toEqual({ status: 0, out: '1 unchanged\n', err: '' })
  const later = page({ ...talk, name: 'Xerrada llarga', endDate: '2026-12-05T21:00:00+01:00' })
  expect((await calctl('diff -', later)).out).toMatch(/1 to update\n$/)
})

test.each([
  ['a list', [talk, { ...talk, name: 'Concert', url: undefined }]],
  [
    '@graph',
    { '@graph': [{ '@type': 'WebPage', name: 'Agenda' }, talk, { ...talk, name: 'Concert', url: undefined }] },
  ],
  [
    'ItemList',
    {
      '@type': 'ItemList',
      itemListElement: [
        { '@type': 'ListItem', item: talk },
        { '@type': 'ListItem', item: { ...talk, '@type': ['MusicEvent'], name: 'Concert', url: undefined } },
      ],
    },
  ],
  [
    'the events of a place',
    { '@type': 'Library', event: [talk, { ...talk, '@type': 'schema:TheaterEvent', name: 'Concert', url: undefined }] },
  ],
])('events are found in %s', async (_, block) => {
  const { events } = await applied(page(block))
  expect(events).toEqual([
    ['Xerrada', ...evening],
    ['Concert', ...evening],
  ])
})

test.each(['EventSeries', 'TheaterEvent'])(
  'the parts of a %s are events, with what it says of all of them',
  async type => {
    const series = {
      '@type': type,
      name: 'Cinema',
      startDate: '2026-12-01',
      endDate: '2026-12-31',
      url: 'https://library.example/cinema',
      location: 'Sala gran',
      subEvent: [
        { '@type': 'Event', startDate: '2026-12-05T19:00', endDate: '2026-12-05T20:30' },
        { '@type': 'Event', startDate: '2026-12-12T19:00', name: 'Cinema i debat' },
        { '@type': 'Event', startDate: '2026-12-12T22:00' },
      ],
    }
    const { events, calctl } = await applied(page(series), 'title,start_date,venue.venue,slug')
    expect(events).toEqual([
      [
        'Cinema',
        '2026-12-05 19:00:00',
        { venue: 'Sala gran' },
        expect.stringMatching(/^https-library-example-cinema-\w+-20261205$/),
      ],
      ['Cinema i debat', '2026-12-12 19:00:00', { venue: 'Sala gran' }, expect.stringMatching(/-20261212t190000$/)],
      ['Cinema', '2026-12-12 22:00:00', { venue: 'Sala gran' }, expect.stringMatching(/-20261212t220000$/)],
    ])
    // One is left: it is still the same event.
    const last = page({ ...series, subEvent: series.subEvent.slice(0, 1) })
    expect((await calctl('diff -', last)).out).toBe('1 unchanged\n')
  },
)

test('a place, an organizer, a price, a picture and texts are read', async () => {
  const block = {
    '@graph': [
      {
        ...talk,
        name: 'L&#8217;obra &amp; l&#8217;autor',
        description: '&lt;p&gt;Amb debat&lt;/p&gt;\\n',
        location: { '@id': '#hall' },
        organizer: [{ '@type': 'Organization', name: 'Ateneu', email: 'info@ateneu.example' }, 'Coral'],
        offers: [
          { '@type': 'Offer', price: '12', priceCurrency: 'EUR' },
          { '@type': 'Offer', price: 8.5, priceCurrency: 'EUR' },
        ],
        image: [{ '@type': 'ImageObject', url: 'https://library.example/a.jpg' }],
      },
      {
        '@type': 'Place',
        '@id': '#hall',
        name: 'Biblioteca',
        address: {
          '@type': 'PostalAddress',
          streetAddress: 'c/ Major, 1',
          addressLocality: 'Olot',
          postalCode: '17800',
        },
      },
    ],
  }
  const { events, calctl } = await applied(
    page(block),
    'title,description,website,cost,venue.venue,venue.city,organizer.organizer',
  )
  expect(events).toEqual([
    [
      'L’obra & l’autor',
      expect.stringContaining('<p>Amb debat</p>'),
      'https://library.example/talk',
      expect.stringMatching(/8.50? € - 12 €|8.5.*12/),
      { venue: 'Biblioteca', city: 'Olot' },
      [{ organizer: 'Ateneu' }, { organizer: 'Coral' }],
    ],
  ])
  expect((await calctl('venues get biblioteca -o json --jq .zip')).out).toContain('17800')
})

test('whole days, no end, and ends that are days alone', async () => {
  const { events } = await applied(
    page([
      { '@type': 'Festival', name: 'Fira', startDate: '2026-12-05', endDate: '2026-12-06' },
      { '@type': 'Event', name: 'Obert', startDate: '2026-12-07T10:00' },
      { '@type': 'Event', name: 'Nit', startDate: '2026-12-08T20:00', endDate: '2026-12-08' },
      { '@type': 'Event', name: 'Colònies', startDate: '2026-12-09T09:00', endDate: '2026-12-11' },
      { '@type': 'Event', name: 'Lluny', startDate: '2026-12-12T18:00:00Z', endDate: '2026-12-12T19:00:00Z' },
    ]),
    'title,start_date,end_date,all_day',
  )
  expect(events).toEqual([
    ['Fira', '2026-12-05 00:00:00', '2026-12-06 23:59:59', true],
    ['Obert', '2026-12-07 10:00:00', '2026-12-07 10:00:00', false],
    ['Nit', '2026-12-08 20:00:00', '2026-12-08 20:00:00', false],
    ['Colònies', '2026-12-09 09:00:00', '2026-12-11 23:59:59', false],
    ['Lluny', '2026-12-12 19:00:00', '2026-12-12 20:00:00', false],
  ])
})

test('a block that is broken is named, and the others are read', async () => {
  const { events, err } = await applied(page('{"@type": "Event", "name": "Mig', talk, '[1,', '{"a": {"__proto__": 1}}'))
  expect(events).toHaveLength(1)
  expect(err).toMatch(/the input: skipped block 1 of JSON-LD: .*\n/)
  expect(err).toMatch(/skipped block 3 of JSON-LD: /)
  expect(err).toMatch(/skipped block 4 of JSON-LD: it has a key named __proto__\n/)
})

test('what sites write around and into JSON-LD does not matter', async () => {
  const json = JSON.stringify(talk, null, 2).replace('Xerrada', 'Xerrada\nobert</b>')
  for (const block of [`\n<!--\n${json}\n-->\n`, `//<![CDATA[\n${json}\n//]]>`, `<![CDATA[${json}]]>`])
    expect((await applied(page(block), 'start_date')).events).toEqual([['2026-12-05 19:00:00']])
  const other = `<!-- agenda --><html><SCRIPT TYPE='Application/LD+JSON; charset=utf-8'>${JSON.stringify(talk)}</SCRIPT></html>`
  expect((await applied(other)).events).toHaveLength(1)
  const comment = `<html><!-- ${ld({ ...talk, name: 'No' })} --><textarea>${ld({ ...talk, name: 'No' })}</textarea>${ld(talk)}</html>`
  expect((await applied(comment, 'title')).events).toEqual([['Xerrada']])
})

test('an event that was cancelled is removed, a postponed one is marked, an invalid one stops no other', async () => {
  const { calctl } = await applied(page(talk))
  const cancelled = page({ ...talk, eventStatus: 'https://schema.org/EventCancelled' })
  expect((await calctl('diff -', cancelled)).out).toMatch(/1 to move to the trash\n$/)
  const postponed = page({ ...talk, eventStatus: 'EventPostponed' })
  expect((await calctl('diff -', postponed)).out).toMatch(/postponed/)
  const invalid = page({ ...talk, name: 'Aviat', url: undefined, startDate: 'aviat' }, { ...talk, endDate: undefined })
  const { out, err } = await calctl('diff -', invalid)
  expect(out + err).toMatch(/event 1.*aviat/s)
  expect(out).toMatch(/1 to update/)
})

test('500 events with one address each are 500 events', async () => {
  const many = Array.from({ length: 500 }, (_, index) => ({
    ...talk,
    name: `Acte ${index}`,
    url: `${talk.url}/${index}`,
  }))
  const calctl = calendar()
  expect((await calctl('diff -', page(...many))).out).toMatch(/500 to create\n$/)
})

test('the pages of calctl itself are read', async () => {
  const facts = {
    name: 'Cursa',
    description: '',
    image: undefined,
    url: 'https://town.example/cursa',
    status: 'scheduled',
  }
  const own = eventData({
    ...facts,
    start: '2026-12-05T19:00:00+01:00',
    end: '2026-12-05T20:30:00+01:00',
    place: undefined,
    organizer: undefined,
    offer: undefined,
  })
  expect((await applied(page(own))).events).toEqual([['Cursa', ...evening]])
})

test('a page without events is refused as before, and so is another resource', async () => {
  const calctl = calendar()
  expect(await calctl('apply - --yes', page({ '@type': 'Person', name: 'Ada' }))).toMatchObject({
    status: 2,
    err: expect.stringContaining('the input is HTML, not a file of records'),
  })
  expect(await calctl('apply - --yes --resource venues', page(talk))).toMatchObject({
    status: 2,
    err: expect.stringContaining('the input has events, not venues\nhint: leave out --resource'),
  })
})
