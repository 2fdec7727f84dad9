import { expect, test } from 'vitest'
import { executePlan } from '../../src/changes/run/execute.ts'
import { createdMeanwhile, findExisting } from '../../src/changes/run/existing-records.ts'
import { missingIn } from '../../src/client/adapters/new-record-result.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Request, Response } from '../../src/contract/exchange.ts'
import type { Answer } from '../../src/contract/resource.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { concert, creation, now, planOf, runCalendar } from '../support/run-helpers.ts'
import { siteBehindProxy } from '../support/site-behind-proxy.ts'

const sheet = (acts: number, extra = '', cells = (_: number) => '') =>
  `title,start_date,end_date,venue${extra}\n${Array.from(
    { length: acts },
    (_, index) =>
      `Act ${index},2030-12-${10 + (index % 20)} 19:00,2030-12-${10 + (index % 20)} 21:00,Sala Gran${cells(index)}\n`,
  ).join('')}`

const named = (calctl: Awaited<ReturnType<typeof siteBehindProxy>>['calctl'], resource: string) =>
  calctl(`${resource} list ${resource === 'events' ? '--all-dates ' : ''}-o count`).then(({ out }) => Number(out))

test.each([
  ['by title and dates', sheet(60)],
  ['by slug', sheet(60, ',slug', index => `,act-${index}`)],
])('two machines that apply one file at the same time create its events once, %s', async (_, text) => {
  let isSecondDone = false
  const { calctl, second, file, requests } = await siteBehindProxy({
    before: async ({ method, path: below }) => {
      // The second machine is done after the first has created a few.
      const created = requests.filter(line => line === 'POST /events').length
      if (isSecondDone || method !== 'GET' || !below.startsWith('/events') || created === 0) return
      isSecondDone = true
      await second(`apply ${path} --create-missing --yes -q`)
    },
  })
  const path = file('season.csv', text)
  const { status, err } = await calctl(`apply ${path} --create-missing --yes --jobs 1`)
  expect(status).toBe(0)
  expect(err).toContain('already there')
  expect(await named(calctl, 'events')).toBe(60)
  const created = requests.filter(line => line === 'POST /events').length
  expect(created).toBeLessThan(20)
  // The undo takes back what its run created, and no more.
  expect(await calctl('runs undo --yes')).toMatchObject({ status: 0 })
  expect(await named(calctl, 'events')).toBe(60 - created)
})

test('a term that another machine made meanwhile is used', async () => {
  let isSecondDone = false
  const { calctl, second, file } = await siteBehindProxy({
    before: async ({ method, path }) => {
      if (method === 'POST' && path === '/tags' && !isSecondDone) {
        isSecondDone = true
        await second(`apply ${tags} --yes -q`)
      }
    },
  })
  const rows = [
    '{"resource":"venues","venue":"Sala"}',
    '{"resource":"tags","name":"Jazz"}',
    '{"resource":"tags","name":"Soul"}',
  ]
  const tags = file('tags.ndjson', rows.slice(2).join('\n'))
  const all = file('all.ndjson', rows.join('\n'))
  const { status, err } = await calctl(`apply ${all} --yes --jobs 1`)
  expect([status, err]).toEqual([0, expect.stringContaining('3 done (1 already there)')])
  expect(await named(calctl, 'venues')).toBe(1)
})

test('what is created whatever exists is not checked', async () => {
  const { calctl, file } = await siteBehindProxy({})
  const path = file('season.csv', sheet(5))
  for (const _ of [1, 2])
    expect(await calctl(`events create --from ${path} --create-missing --yes`)).toMatchObject({ status: 0 })
  expect(await named(calctl, 'events')).toBe(10)
})

test('checking creates takes a request for ten of them', async () => {
  const { calctl, file, requests } = await siteBehindProxy({})
  await calctl(`apply ${file('season.csv', sheet(100))} --create-missing --yes`)
  expect(requests.filter(line => line === 'POST /events').length).toBe(100)
  expect(requests.filter(line => line.startsWith('GET')).length).toBeLessThanOrEqual(100 / 10 + 12)
})

const events = resourceNamed('events')

/** Whether a new event that shows this text is taken for one that does not have the text that was sent. */
const lacks = (sent: string, shown: string): boolean =>
  'description' in missingIn(events, { description: sent }, { id: 1, description: shown } as Answer)

test.each([
  ['Jazz', '<p>Jazz</p>\n', false],
  ['Jazz\n\nBlues', '<p>Jazz</p>\n<p>Blues</p>\n', false],
  ['Jazz<br>Blues', '<p>Jazz Blues</p>', false],
  ['<P>Jazz</P>', 'Jazz', false],
  ['<STRONG>Jazz</STRONG>', '<p><strong>Jazz</strong></p>', false],
  ['<strong>Jazz</strong>', '<p><STRONG>Jazz</STRONG></p>', false],
  ['<em>Jazz</em>', '<p>Jazz</p>', true],
  ['Jazz', '<p>Blues</p>', true],
  ['C:\\new', '<p>C:new</p>', true],
  ['[gallery]', '<div class="gallery"></div>', false],
])('a new event with the text %j that shows %j lacks it: %s', (sent, shown, isMissing) => {
  expect(lacks(sent, shown)).toBe(isMissing)
})

test.each([undefined, null, '', []])('a new record lacks nothing where %j was asked for', asked => {
  const shown = { id: 1, website: 'https://example.org/', image: { id: 3 }, tags: [{ id: 4 }] } as unknown as Answer
  expect(missingIn(events, { website: asked, image: asked, tags: asked }, shown)).toEqual({})
})

test('a record that another machine creates with a cost of 0 has no other cost, though it is stored a moment later', () => {
  const step = creation('events', 'events new', { ...concert, cost: '0' })
  const { title, start_date, end_date } = concert
  const shown = { id: 7, title, start_date, end_date, cost: '' } as Answer
  expect(createdMeanwhile(step, { ...concert, cost: '0' }, [shown])).toEqual({
    state: 'done',
    id: 7,
    doneByOthers: true,
  })
  expect(createdMeanwhile(step, { ...concert, cost: '5' }, [shown])).toMatchObject({ failure: { kind: 'conflict' } })
})

test('a create that is meant beside records of the same name does not match those', async () => {
  const { client, make } = runCalendar()
  const first = await make('venues', { venue: 'Sala Gran' })
  const create = creation('venues', 'venues sala', { venue: 'Sala Gran' })
  const found = async (step: object) => [...(await findExisting(client, [{ ...create, ...step }], () => undefined))]
  expect(await found({})).toEqual([['venues sala', [expect.objectContaining({ id: first.id })]]])
  expect(await found({ existing: [first] })).toEqual([])
})

test('an event of the same name on another day is not taken for the one that was created', async () => {
  const { client, make, get } = runCalendar()
  await make('events', { ...concert, start_date: '2026-12-06 19:00:00', end_date: '2026-12-06 21:00:00' })
  const { results } = await executePlan(planOf(creation('events', 'events new', concert)), { client, now })
  expect([...results].map(([, { state, id }]) => [state, id])).toEqual([['done', 2]])
  expect(await get('events', 2)).toMatchObject({ start_date: concert.start_date })
})

/** A site that shows and stores what is created in its own way. */
const siteThat = (alter: (body: string) => string) =>
  productionSite({
    async intercept(request, pass): Promise<Response | undefined> {
      const answer = await pass(request)
      return { ...answer, body: alter(Buffer.from(answer.body).toString()) }
    },
  })

test('a draft whose title a site shows in one of its languages is created, with its record', async () => {
  const { calctl, json } = await siteThat(body => body.replaceAll('[:en]Jazz[:ca]Concert[:]', 'Concert'))
  const line = ['events', 'create', '--title', '[:en]Jazz[:ca]Concert[:]', '--status', 'draft', '--json']
  const { status, out, err } = await calctl([
    ...line,
    ...'--start-date 2026-12-05T19:00 --end-date 2026-12-05T21:00'.split(' '),
  ])
  expect([status, err]).toEqual([7, expect.stringContaining('differs from the request')])
  expect([status, JSON.parse(out)]).toEqual([7, expect.objectContaining({ id: 1, title: 'Concert', status: 'draft' })])
  expect(await json('events list --all-dates -o json --fields id')).toEqual([{ id: 1 }])
})

test('an event whose start a plugin changes is created, with its record', async () => {
  const { calctl, json } = await siteThat(body => body.replaceAll('2026-12-05 19:00:00', '2026-12-05 19:30:00'))
  const { status, out, err } = await calctl(`events create --title Jazz ${dates} --json`)
  expect([status, err]).toEqual([7, expect.stringContaining('differs from the request')])
  expect([status, JSON.parse(out)]).toEqual([7, expect.objectContaining({ id: 1, start_date: '2026-12-05 19:30:00' })])
  expect(await json('events list --all-dates -o json --fields id')).toEqual([{ id: 1 }])
})

const when = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']
const create = (...options: string[]) => ['events', 'create', '--title', 'Ball', ...when, ...options]

/** A site that publishes nothing of a contributor and loads no images. */
const reluctant = async (request: Request, pass: (request: Request) => Promise<Response>) => {
  if (request.method !== 'POST' || request.path !== '/tribe/events/v1/events') return undefined
  const { image, ...values } = JSON.parse(String(request.body))
  return pass({ ...request, body: JSON.stringify({ ...values, status: 'pending' }) })
}

test.each([
  ['--description', 'a\\b', 'description should be "a\\\\b" but is "<p>ab</p>'],
  ['--status', 'future', 'status should be "future" but is "publish"'],
  ['--cost', '0', 'cost should be "0" but is ""'],
])('a new event whose %s %s was not taken over ends with 7', async (option, value, message) => {
  const { calctl, json } = await productionSite({ wordpress: option !== '--cost' })
  const { status, out, err } = await calctl(create(option, value, '-o', 'ids'))
  expect([status, err]).toEqual([7, expect.stringContaining(message)])
  expect((await json(`events get ${out.trim()} --json`)).title).toBe('Ball')
})

test('a contributor is told that the event waits for review, and that its image was not loaded', async () => {
  const { calctl } = await productionSite({ intercept: reluctant })
  const { status, err } = await calctl(create('--status', 'publish', '--image', 'https://example.org/a.png', '--json'))
  expect(status).toBe(7)
  expect(JSON.parse(err).error.drift).toEqual({
    status: { before: null, asked: 'publish', after: 'pending' },
    image: { before: null, asked: 'https://example.org/a.png', after: false },
  })
})

test.each([
  ['--description', '<ul><li>Un</li><li>Dos & tres</li></ul>\n\nI "prou"...'],
  ['--description', '<!-- wp:paragraph --><p>Un</p><!-- /wp:paragraph --> [gallery] :)'],
  ['--excerpt', "L'entrada -- gratuïta"],
  ['--cost', '20 EUR'],
  ['--timezone', 'Europe/Madrid'],
  ['--website', 'https://example.org/?a=1&b=2'],
  ['--date', '2026-12-01 10:00'],
  ['--status', 'draft'],
  ['--slug', 'Un Ball'],
  ['--categories', 'Dansa'],
  ['--venue', '{"venue":"Sala","city":"Girona"}'],
  ['--organizer', '[{"organizer":"Ateneu"}]'],
  ['--image', 'https://example.org/poster.png'],
])('a new event with %s %s is as it was asked for', async (option, value) => {
  const { calctl, json } = await productionSite()
  await json('categories create --name Dansa --json')
  expect(await calctl(create(option, value, '-o', 'ids'))).toMatchObject({
    ...{ status: 0, err: expect.not.stringContaining('should be') },
  })
})

test('a sheet of new events names those that were changed on the way', async () => {
  const { calctl, file } = await productionSite()
  const rows = 'Ball,2026-12-05 19:00,2026-12-05 21:00,bé\nFira,2026-12-06 19:00,2026-12-06 21:00,a\\b\n'
  const sheet = file('events.csv', `title,start_date,end_date,description\n${rows}`)
  const { status, err } = await calctl(`apply ${sheet} --yes`)
  expect([status, err]).toEqual([7, expect.stringContaining('description should be "a\\\\b"')])
  expect(err).not.toContain('"bé"')
})

test('a cost that somebody changes before the second request of a create is repeated stays', async () => {
  let isBusy = true
  const site = await productionSite({
    intercept: async ({ method, path, ...request }, pass) => {
      if (!isBusy || method !== 'POST' || !path.startsWith('/wp/v2/')) return undefined
      isBusy = false
      const body = Buffer.from('{"meta":{"_EventCost":"30"}}')
      await pass({ method, path, headers: request.headers, body })
      return { status: 503, headers: { 'retry-after': '0' }, body: '' }
    },
  })
  const { id } = JSON.parse((await site.calctl(create('--cost', '20', '--post-password', 'secret', '--json'))).out)
  expect(await site.json(`events get ${id} --json`)).toMatchObject({ cost: '$30', status: 'publish' })
})
