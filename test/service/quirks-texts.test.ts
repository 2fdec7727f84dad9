import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

const site = () => testService({ quirks: true, site: { timezone: 'UTC+0' } })

test.each([
  ['A & B', 'A &#038; B'],
  ['A &amp; B', 'A &amp; B'],
  ['1 < 2', '1 < 2'],
  ['"Q" \'s -- dash... (c)', '&#8220;Q&#8221; &#8216;s &#8212; dash&#8230; (c)'],
  ["Festa de la Mercè: l'Àngel", 'Festa de la Mercè: l&#8217;Àngel'],
  ["Rock 'n' roll", 'Rock &#8216;n&#8217; roll'],
  ['("Quoted")', '(&#8220;Quoted&#8221;)'],
  ['Doors 9 - 10', 'Doors 9 &#8211; 10'],
  ['1999--2001', '1999&#8211;2001'],
  ['A 4x4 band', 'A 4&#215;4 band'],
  ['<b>Bold</b> <i title="x">it</i>', '<b>Bold</b> <i title="x">it</i>'],
  ['X <script>alert("1")</script> Y', 'X <script>alert("1")</script> Y'],
  ['a/b\\c', 'a/bc'],
  ['$5 \\n', '$5 n'],
  ['  trimmed  title  ', 'trimmed  title'],
  ['Party 🎉 à', 'Party 🎉 à'],
])('the title %j is shown as %j', async (title, shown) => {
  const { ask } = site()
  expect((await ask('POST /events', { json: { ...concert, title } })).body.title).toBe(shown)
})

test.each([
  ['Hello world', '<p>Hello world</p>'],
  ['Line1\nLine2\n\nPara2', '<p>Line1<br />\nLine2</p>\n<p>Para2</p>'],
  ['<p>Body <strong>text</strong></p>', '<p>Body <strong>text</strong></p>'],
  ['<h2>T</h2><ul><li>a</li></ul><a href="#">l</a>', '<h2>T</h2>\n<ul>\n<li>a</li>\n</ul>\n<p><a href="#">l</a></p>'],
  ['A & B "q"', '<p>A &#038; B &#8220;q&#8221;</p>'],
  ['https://example.org/page', '<p>https://example.org/page</p>'],
  ['Fun :) and ;-) at 20:00 (tm)', '<p>Fun 🙂 and 😉 at 20:00 &#8482;</p>'],
])('the text %j is shown as %j', async (text, shown) => {
  const { ask } = site()
  const { body } = await ask('POST /events', { json: { ...concert, description: text, excerpt: text } })
  expect([body.description, body.excerpt]).toEqual([shown, shown])
})

test('blocks are rendered in descriptions and not in excerpts', async () => {
  const { ask } = site()
  const text = '<!-- wp:paragraph --><p>Block</p><!-- /wp:paragraph -->'
  const { body } = await ask('POST /events', { json: { ...concert, description: text, excerpt: text } })
  expect(body.description).toBe('<p>Block</p>')
  expect(body.excerpt).toBe('<p><!-- wp:paragraph --></p>\n<p>Block</p>\n<p><!-- /wp:paragraph --></p>')
})

test.each([
  ['15', '$15', '', '', ['15']],
  [12.5, '$12.5', '', '', ['12.5']],
  ['€20', '€20', '€', 'prefix', ['20']],
  ['20€', '20€', '€', 'postfix', ['20']],
  ['20 €', '20€', '€', 'postfix', ['20']],
  ['20 EUR', '20EUR', 'EUR', 'postfix', ['20']],
  ['£9.99', '£9.99', '£', 'prefix', ['9.99']],
  ['-5', '-5', '-', 'prefix', ['5']],
  ['10 - 20', '$10 – $20', '', '', ['10', '20']],
  [[10, 20], '$10 – $20', '', '', ['10', '20']],
  ['From 10 to 20 euros', '$10 – $20', '', '', ['10', '20']],
  ['12,50', '$12,50', '', '', ['12.50']],
  ['1,234.56', '$.56', '', '', ['.56', '1234']],
  ['Free', 'Free', '', '', ['free']],
  ['gratuït', 'gratuït', '', '', ['gratuit']],
  ['<b>5</b>', '$5', '', '', ['5']],
  [{ a: 1 }, '$1', '', '', ['1']],
  ['0', '', '', '', []],
  ['', '', '', '', []],
])('the cost %j is shown as %j', async (cost, shown, currency_symbol, currency_position, values) => {
  const { ask } = site()
  const { body } = await ask('POST /events', { json: { ...concert, cost } })
  expect([body.cost, body.cost_details]).toEqual([
    shown,
    { currency_symbol, currency_code: '', currency_position, values },
  ])
})

test('an update makes an event free with a cost of 0', async () => {
  const { ask } = site()
  await ask('POST /events', { json: concert })
  expect((await ask('POST /events/1', { json: { cost: 0 } })).body).toMatchObject({
    cost: 'Free',
    cost_details: { values: ['0'] },
  })
})

test('an event that never had a website answers its own URL, until it is updated', async () => {
  const { ask } = site()
  expect((await ask('POST /events', { json: concert })).body.website).toBe('http://calendar.test/event/concert/')
  expect((await ask('POST /events/1', { json: {} })).body.website).toBe('')
  const json = { website: 'https://example.org/?a=1&b=2' }
  expect((await ask('POST /events/1', { json })).body.website).toBe('https://example.org/?a=1&amp;b=2')
})

test('shortcodes are removed from descriptions', async () => {
  const { ask } = site()
  const text = '[gallery] [unknown]'
  const { body } = await ask('POST /events', { json: { ...concert, description: text, excerpt: text } })
  expect([body.description, body.excerpt]).toEqual(['<p> [unknown]</p>', '<p>[gallery] [unknown]</p>'])
})

test('a gallery is numbered differently in a list than alone', async () => {
  const { ask } = site()
  const image = 'https://example.org/poster.png'
  await ask('POST /events', { json: { ...concert, image, description: '[gallery size="large"]' } })
  const alone = (await ask('GET /events/2')).body
  const [listed] = (await ask('GET /events')).body.events
  expect(alone.description).toMatch(/^<div id='gallery-1' class='gallery galleryid-2 .*src="https:.*poster.png"/)
  expect(listed.description).toBe(alone.description.replace('gallery-1', 'gallery-2'))
})

test('names of terms are escaped and lose HTML, descriptions keep it', async () => {
  const { ask } = site()
  const json = { name: 'Food & <b>drink</b>', description: 'Wine & <em>cheese</em>' }
  expect((await ask('POST /categories', { json })).body).toMatchObject({
    name: 'Food &amp; drink',
    description: 'Wine &amp; <em>cheese</em>',
    slug: 'food-drink',
  })
})

test('a single record carries JSON-LD, and lists do not', async () => {
  const { ask } = site()
  const venue = { venue: 'Hall', city: 'Girona' }
  const json = {
    ...concert,
    excerpt: 'Short',
    cost: '15',
    venue,
    organizer: [{ organizer: 'Choir', email: 'a@b.cat' }],
  }
  expect((await ask('POST /events', { json })).body).not.toHaveProperty('json_ld')
  expect((await ask('GET /events')).body.events[0]).not.toHaveProperty('json_ld')
  expect((await ask('GET /events/3')).body.json_ld).toEqual({
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: 'Concert',
    description: '&lt;p&gt;Short&lt;/p&gt;\\n',
    url: 'http://calendar.test/event/concert/',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: '2026-12-05T19:00:00+00:00',
    endDate: '2026-12-05T21:00:00+00:00',
    location: {
      '@type': 'Place',
      name: 'Hall',
      description: '',
      url: '',
      address: { '@type': 'PostalAddress', addressLocality: 'Girona' },
      telephone: '',
      sameAs: '',
    },
    organizer: {
      '@type': 'Person',
      name: 'Choir',
      description: '',
      url: '',
      telephone: '',
      email: 'a&#64;b.cat',
      sameAs: '',
    },
    offers: {
      '@type': 'Offer',
      price: '15',
      priceCurrency: 'USD',
      url: 'http://calendar.test/event/concert/',
      category: 'primary',
      availability: 'inStock',
      validFrom: '2026-11-21T00:00:00+00:00',
    },
    performer: 'Organization',
  })
  expect(Object.keys((await ask('GET /venues/1')).body)).toContain('json_ld')
})

test.each([true, false])('a long text of unclosed tags is accepted (quirks: %s)', async quirks => {
  const { ask } = testService({ quirks })
  const text = '<p '.repeat(200_000)
  const title = text.slice(0, 60_000)
  expect((await ask('POST /events', { json: { ...concert, title, description: text, cost: text } })).status).toBe(201)
})
