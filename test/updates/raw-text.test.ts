import { expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

const head = 'title,start_date,end_date,slug,description\n'
const blocks = '<!-- wp:paragraph -->\n<p>Two [gallery] and a\\b</p>\n<!-- /wp:paragraph -->'

test('a list of a feed that the site renders with line breaks is the same the second time', async () => {
  const site = await wordpressSite()
  const feed = site.file(
    'town.csv',
    `${head}Fair,2027-03-04 18:30,2027-03-04 20:00,fair,"<p>Bring:<ul><li>water</li>\n<li>hats</li></ul></p>"\n`,
  )
  expect((await site.calctl(`apply ${feed} --yes`)).status).toBe(0)
  const { out, err, status } = await site.calctl(`diff --exit-code ${feed} -o json`)
  expect([status, err, JSON.parse(out).same]).toEqual([0, '', 1])
})

test('stored texts are what a file is compared with: a change that renders the same is a change', async () => {
  const site = await wordpressSite()
  const { id } = await site.ask('POST /events', {
    title: 'Fair',
    start_date: '2027-03-04 18:30:00',
    end_date: '2027-03-04 20:00:00',
  })
  await site.ask(`POST /wp/v2/tribe_events/${id}`, { content: 'Two words' })
  const file = site.file(
    'town.ndjson',
    `${JSON.stringify({ resource: 'events', id, description: '<p>Two words</p>' })}\n`,
  )
  expect((await site.calctl(`diff --exit-code ${file}`)).status).toBe(1)
  expect((await site.calctl(`apply ${file} --yes`)).status).toBe(0)
  expect((await site.ask(`GET /wp/v2/tribe_events/${id}?context=edit`)).content.raw).toBe('<p>Two words</p>')
  expect((await site.calctl(`diff --exit-code ${file}`)).status).toBe(0)
})

test('undo writes back blocks, shortcodes and backslashes as they were', async () => {
  const site = await wordpressSite()
  const ids: number[] = []
  for (const title of ['One', 'Two']) {
    const { id } = await site.ask('POST /events', {
      title,
      start_date: '2027-03-04 18:30:00',
      end_date: '2027-03-04 20:00:00',
    })
    await site.ask(`POST /wp/v2/tribe_events/${id}`, { content: blocks, meta: { _EventCost: '5, 10, 15' } })
    ids.push(id)
  }
  const changed = await site.calctl(['events', 'update', '-', '--description', 'Other', '--yes'], ids.join('\n'))
  expect([changed.status, changed.err]).toEqual([0, expect.any(String)])
  const undone = await site.calctl('runs undo --yes')
  expect([undone.status, undone.err]).toEqual([0, expect.any(String)])
  for (const id of ids) {
    const stored = await site.ask(`GET /wp/v2/tribe_events/${id}?context=edit`)
    expect([stored.content.raw, stored.meta._EventCost]).toEqual([blocks, '5, 10, 15'])
  }
})

test('the texts of 120 events are updated with a request for each and a few lists', async () => {
  const site = await wordpressSite()
  const rows = Array.from({ length: 120 }, (_, n) => `E${n},2027-03-04 18:30,2027-03-04 20:00,e${n},Text ${n}\n`).join(
    '',
  )
  expect((await site.calctl(`apply ${site.file('a.csv', head + rows)} --yes -q`)).status).toBe(0)
  const other = site.file('b.csv', head + rows.replaceAll('Text', 'Other'))
  const { status, err, requests } = await site.counted(`apply ${other} --yes -q`)
  expect([status, err]).toEqual([0, ''])
  expect(requests.filter(line => line.startsWith('POST')).every(line => line.includes('wp/v2'))).toBe(true)
  expect(requests.length).toBeLessThanOrEqual(120 + 120 / 25 + 5)
})

test('a record of which somebody changed any text after a plan was saved is left alone', async () => {
  const site = await wordpressSite()
  const ids: number[] = []
  for (const title of ['One', 'Two', 'Three']) {
    const dates = { start_date: '2027-03-04 18:30:00', end_date: '2027-03-04 20:00:00' }
    ids.push((await site.ask('POST /events', { title, description: `Text ${title}`, ...dates })).id)
  }
  const rows = ids.map(id => JSON.stringify({ resource: 'events', id, description: 'New' }))
  const plan = site.file('plan.json', '')
  await site.calctl(`diff ${site.file('town.ndjson', rows.join('\n'))} --save ${plan} -q`)
  await site.ask(`POST /wp/v2/tribe_events/${ids[1]}`, { content: 'Edited' })
  await site.ask(`POST /wp/v2/tribe_events/${ids[2]}`, { excerpt: 'Edited' })
  const { status, err } = await site.calctl(`apply ${plan} --yes`)
  expect([status, err]).toEqual([
    7,
    expect.stringContaining(`event ${ids[1]} (line 2) changed in the meantime: description`),
  ])
  const stored = await Promise.all(ids.map(id => site.ask(`GET /wp/v2/tribe_events/${id}?context=edit`)))
  expect(stored.map(({ content, excerpt }) => [content.raw, excerpt.raw])).toEqual([
    ['New', ''],
    ['Edited', ''],
    ['Text Three', 'Edited'],
  ])
})

test('an export has texts and costs as they are stored, and applying it changes nothing', async () => {
  const site = await wordpressSite()
  const { id } = await site.ask('POST /events', {
    title: 'Fair',
    start_date: '2027-03-04 18:30:00',
    end_date: '2027-03-04 20:00:00',
  })
  await site.ask(`POST /wp/v2/tribe_events/${id}`, { title: 'A & "B"', content: blocks, meta: { _EventCost: '20-35' } })
  const { out } = await site.calctl('export events')
  const [record] = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(record).toMatchObject({ title: 'A & "B"', description: blocks, cost: '20-35' })
  const { status, err } = await site.calctl(`diff --exit-code ${site.file('town.ndjson', out)}`)
  expect([status, err]).toEqual([0, expect.any(String)])
})

test('undo of a single update writes back blocks and shortcodes', async () => {
  const site = await wordpressSite()
  const { id } = await site.ask('POST /events', {
    title: 'Fair',
    start_date: '2027-03-04 18:30:00',
    end_date: '2027-03-04 20:00:00',
  })
  await site.ask(`POST /wp/v2/tribe_events/${id}`, { content: blocks, meta: { _EventCost: '20-35' } })
  expect((await site.calctl(`events update ${id} --description Other --cost 5`)).status).toBe(0)
  expect((await site.calctl('undo --yes')).status).toBe(0)
  const stored = await site.ask(`GET /wp/v2/tribe_events/${id}?context=edit`)
  expect([stored.content.raw, stored.meta._EventCost]).toEqual([blocks, '20-35'])
})
