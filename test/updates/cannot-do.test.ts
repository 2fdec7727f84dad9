import { expect, test } from 'vitest'
import { createAllow, unwritable } from '../../src/client/adapters/allowed-values.ts'
import { idsOfSlugs } from '../../src/client/adapters/hidden-records.ts'
import { readAnywhere } from '../../src/client/adapters/reconcile.ts'
import type { Reads, Values } from '../../src/client/client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import type { Response } from '../../src/contract/exchange.ts'
import type { Answer } from '../../src/contract/resource.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { Failure } from '../support/program.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

/** A site without WordPress's own API, with an event that has everything, a category with a parent, and a draft. */
async function siteWithoutWordPress() {
  const site = await productionSite({
    wordpress: false,
    rows: { images: [{ id: 1, url: 'https://example.org/ball.jpg' }] },
  })
  const { id: parent } = await site.json('categories create --name Art --json')
  const { id: category } = await site.json(
    `categories create --name Dansa --parent ${parent} --description Ballar --json`,
  )
  const { id } = await site.json(
    `events create --title Ball ${dates} --description Llarg --excerpt Curt --venue '{"venue":"Sala"}' --image 1 --json`,
  )
  const { id: draft } = await site.json(`events create --title Esborrany ${dates} --status draft --json`)
  return { ...site, id: id as number, draft: draft as number, category: category as number }
}

test.each([
  ['events update ID --clear description', 'description: http://127.0.0.1'],
  ['events update ID --clear excerpt', 'cannot clear it'],
  ['events update ID --clear venue', 'choose another venue, or take it off in WordPress'],
  ['events update ID --data \'{"description":""}\'', 'write another text, or clear it in WordPress'],
  ['categories update CATEGORY --clear parent', 'parent'],
  ['categories update CATEGORY --clear description', 'description'],
  ['events update DRAFT --date "2026-11-01 10:00"', 'dates a draft or pending record by its last save'],
  ['events update ID --date "2026-11-01 10:00" --status draft', 'give the date when it is published'],
  [`events create --title Nou ${dates} --status draft --date "2026-11-01 10:00"`, 'dates a draft or pending record'],
])('%s is refused before anything is sent', async (line, reason) => {
  const { calctl, writes, id, draft, category } = await siteWithoutWordPress()
  const before = writes().length
  const { status, err } = await calctl(
    line.replace('ID', String(id)).replace('DRAFT', String(draft)).replace('CATEGORY', String(category)),
  )
  expect([status, err]).toEqual([4, expect.stringContaining(reason)])
  expect(writes()).toHaveLength(before)
})

test('a sheet and a bulk update name the records whose texts cannot be cleared, and do the others', async () => {
  const { calctl, json, writes, file, id, draft } = await siteWithoutWordPress()
  const sheet = file(
    'events.json',
    JSON.stringify({
      events: [
        { id, description: null },
        { id: draft, title: 'Nou' },
      ],
    }),
  )
  const before = writes().length
  const refused = await calctl(`diff --exit-code ${sheet}`)
  expect(refused.err + refused.out).toContain('description')
  expect((await calctl(`apply ${sheet} --yes`)).status).toBe(2)
  const bulk = await calctl('events update - --clear excerpt --yes', `${id}\n${draft}\n`)
  expect([bulk.status, bulk.err]).toEqual([2, expect.stringContaining('excerpt')])
  expect(writes()).toHaveLength(before)
  expect((await calctl(`apply ${sheet} --yes --skip-invalid`)).status).toBe(6)
  expect((await json(`events get ${draft} --json`)).title).toBe('Nou')
})

test('what a record does not have need not be cleared', async () => {
  const { calctl, draft } = await siteWithoutWordPress()
  const { status, err } = await calctl(`events update ${draft} --title Nou --clear description,venue -q`)
  expect([status, err]).toEqual([0, ''])
})

test('an image is taken off by leaving it out of an update', async () => {
  const { json, id } = await siteWithoutWordPress()
  expect((await json(`events update ${id} --clear image --json`)).image).toBe(false)
})

test('an export with drafts is applied to another site without their dates, with a notice', async () => {
  const { calctl, file } = await siteWithoutWordPress()
  const [head, row] = [
    'title,start_date,end_date,status,publication_date',
    'Nou,2026-12-05 19:00,2026-12-05 21:00,draft',
  ]
  const { status, err } = await calctl(`apply ${file('events.csv', `${head}\n${row},2026-01-01 10:00\n`)} --yes`)
  expect([status, err]).toEqual([0, expect.stringContaining('left out 1 publication date')])
})

test('where WordPress has its own API, the same is done', async () => {
  const { json } = await productionSite()
  const { id: parent } = await json('categories create --name Art --json')
  const { id: category } = await json(`categories create --name Dansa --parent ${parent} --description Ballar --json`)
  const { id } = await json(
    `events create --title Ball ${dates} --description Llarg --excerpt Curt --venue '{"venue":"Sala"}' --json`,
  )
  const cleared = await json(`events update ${id} --clear description,excerpt,venue --json`)
  expect(cleared).toMatchObject({ description: '', excerpt: '', venue: [] })
  expect(await json(`categories update ${category} --clear parent,description --json`)).toMatchObject({
    ...{ parent: 0, description: '' },
  })
})

const events = resourceNamed('events')

/** A site with the events API alone, or also with WordPress's own; `listed` answers the queries of its lists. */
const site = (listed?: (query: Values) => readonly object[]) =>
  ({
    capabilities: { takesEveryValue: false },
    calendar: { label: 'example.org' },
    wordpress: async () =>
      listed && {
        isOpen: async () => true,
        list: async (_resource: unknown, query: Values) => ({ records: listed(query), total: 0, pages: 1 }),
      },
  }) as unknown as Reads

const jazz = { id: 1, title: 'Jazz', slug: 'jazz', status: 'publish' } as Answer

test('a password that a site cannot write is not in the message', async () => {
  const refused = createAllow(site())(events, { post_password: 'sesame' }, jazz)
  await expect(refused).rejects.toMatchObject({ kind: 'refused', message: expect.not.stringContaining('sesame') })
})

test('a value that a site cannot write is in the message', async () => {
  const refused = createAllow(site())(resourceNamed('venues'), { slug: 'sala' }, { id: 2, slug: 'sala-gran' } as Answer)
  await expect(refused).rejects.toMatchObject({ kind: 'refused', message: expect.stringMatching(/, not "sala"$/) })
})

test('what the events API would not keep is no reason where nothing has to be written', () => {
  expect(unwritable(site(), events, jazz, { title: 'Blues' })).toBeUndefined()
  expect(
    unwritable(site(), events, { ...jazz, raw: { cost: '12,50 €' } } as Answer, { title: 'Blues' }),
  ).toBeUndefined()
  const severalCosts = { ...jazz, raw: { cost: '5, 10 or 15' } } as Answer
  expect(unwritable(site(), events, severalCosts, { title: 'Blues' })).toMatchObject({
    message: expect.stringMatching(/^cost: example\.org would not show /),
    details: { hint: expect.stringContaining('write: ') },
  })
})

test('a record that cannot be read is not taken for one that is gone', async () => {
  const answering = (kind: 'missing' | 'refused') =>
    ({
      get: async () => {
        throw new Failure(kind, 'no')
      },
    }) as unknown as Reads
  expect(await readAnywhere(answering('missing'), events, { id: 1 }, {})).toBeUndefined()
  await expect(readAnywhere(answering('refused'), events, { id: 1 }, {})).rejects.toMatchObject({ kind: 'refused' })
})

test('the IDs of many slugs take a query of at most a hundred each', async () => {
  const slugs = Array.from({ length: 250 }, (_, index) => `event-${index}`)
  const asked: number[] = []
  const listed = ({ slug }: Values) => {
    const names = String(slug).split(',')
    asked.push(names.length)
    return names.map(name => ({ id: slugs.indexOf(name) + 1, slug: name }))
  }
  const ids = await idsOfSlugs(site(listed), events, slugs, {})
  expect([...ids]).toEqual(slugs.map((slug, index) => [slug, index + 1]))
  expect(asked).toEqual([100, 100, 50])
})

const json = { 'content-type': 'application/json' }
const refusal = (status: number, code: string): Response => ({
  status,
  headers: json,
  body: JSON.stringify({ code, message: 'No.', data: { status } }),
})
const noRoute = refusal(404, 'rest_no_route')

/** A site whose `wp/v2` answers with what `state.answer` is, once that is set. */
async function siteThatRefuses(answer: Response | undefined, isMeant = (_: string) => true) {
  const state = { answer }
  const site = await productionSite({
    intercept: async ({ method, path }) => (path.startsWith('/wp/v2') && isMeant(method) ? state.answer : undefined),
  })
  const create = async (options = '') =>
    (await site.json(`events create --title Concert ${dates} ${options} --json`)).id
  return { ...site, state, create }
}

test.each([
  ['switches wp/v2 off', noRoute, '404 rest_no_route'],
  ['closes wp/v2 to everybody', refusal(403, 'rest_disabled'), '403 rest_disabled'],
  ['does not let this user edit', refusal(403, 'rest_cannot_edit'), '403 rest_cannot_edit'],
  ['does not know this user', refusal(401, 'rest_not_logged_in'), '401 rest_not_logged_in'],
])('an update says once that a site %s', async (_, answer, reason) => {
  const { calctl, create } = await siteThatRefuses(answer, method => method === 'POST')
  const ids = [await create(), await create(), await create()]
  const { status, err } = await calctl(`events update ${ids.join(' ')} --title Recital`)
  expect(status).toBe(0)
  const lines = err.split('\n').filter(line => line.includes('wp/v2'))
  expect(lines).toEqual([
    expect.stringMatching(`^wp/v2 of http\\S+ answered ${reason}: updating through the events API$`),
  ])
})

test('a refused list is said as well, once an update needs it', async () => {
  const { calctl, create } = await siteThatRefuses(refusal(403, 'rest_forbidden_context'))
  const id = await create('--cost "20 - 35"')
  const { status, err } = await calctl(`events update ${id} --title Recital`)
  expect([status, err]).toEqual([0, expect.stringContaining('answered 403 rest_forbidden_context')])
})

test.each([
  ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hello</p>' }],
  ['nothing', { status: 204, headers: {}, body: '' }],
  ['cut JSON', { status: 200, headers: json, body: '[{"id":1,' }],
  ['a refused parameter', refusal(400, 'rest_invalid_param')],
] as const)('%s in place of stored texts stops an update, and does not send it another way', async (_, answer) => {
  const { calctl, create, writes, state } = await siteThatRefuses(undefined, method => method === 'GET')
  const id = await create('--cost "20 - 35"')
  state.answer = answer
  const before = writes().length
  const { status, err } = await calctl(`events update ${id} --title Recital`)
  expect([status === 0, err]).toEqual([false, expect.stringContaining('error: ')])
  expect(writes()).toHaveLength(before)
  expect((await calctl(`events update ${id} --title Recital --via events -q`)).status).toBe(0)
})

test('--via wp never falls back', async () => {
  const { calctl, create, writes } = await siteThatRefuses(refusal(403, 'rest_forbidden_context'))
  const id = await create('--cost "20 - 35"')
  const before = writes().length
  const { status, err } = await calctl(`events update ${id} --title Recital --via wp`)
  expect([status, err]).toEqual([3, expect.stringContaining('error: access denied')])
  expect(writes()).toHaveLength(before)
})

test('that a site has no wp/v2 is asked again where the events API will not do', async () => {
  const site = await siteThatRefuses(noRoute)
  const { calctl, json, create, state } = site
  const id = await create('--description Long --cost "20 - 35"')
  expect((await calctl(`events update ${id} --title Recital -q`)).status).toBe(0)
  const refused = await calctl(`events update ${id} --clear description`)
  expect([refused.status, refused.err]).toEqual([4, expect.stringContaining('cannot clear it')])
  state.answer = undefined
  expect((await calctl(`events update ${id} --clear description`)).status).toBe(0)
  expect((await json(`events get ${id} --json`)).description).toBe('')
})

test('a refusal of the events API makes the next command ask for wp/v2 again', async () => {
  let refusesEvents = false
  const state = { answer: noRoute as Response | undefined }
  const site = await productionSite({
    intercept: async ({ method, path }) => {
      if (path.startsWith('/wp/v2')) return state.answer
      return refusesEvents && method === 'POST' ? refusal(403, 'rest_forbidden') : undefined
    },
  })
  const { id } = await site.json(`events create --title Concert ${dates} --cost 15 --json`)
  expect((await site.calctl(`events update ${id} --title Recital -q`)).status).toBe(0)
  state.answer = undefined
  refusesEvents = true
  expect((await site.calctl(`events update ${id} --title Opera -q`)).status).toBe(4)
  expect((await site.calctl(`events update ${id} --title Opera -q`)).status).toBe(0)
})

for (const [name, answer] of [
  ['switched off', noRoute],
  ['closed to this user', refusal(403, 'rest_cannot_edit')],
] as const)
  test(`wp/v2 ${name} half-way through a run loses nothing, and the rest is done once it is back`, async () => {
    let patchesLeft = Number.POSITIVE_INFINITY
    const site = await productionSite({
      intercept: async ({ method, path }) => {
        if (!path.startsWith('/wp/v2')) return undefined
        if (method === 'POST') patchesLeft -= 1
        return patchesLeft >= 0 ? undefined : answer
      },
    })
    const { calctl, json, file } = site
    const costs = ['5, 10, 15', '1.234,56', '20', '']
    const ids: number[] = []
    for (let n = 0; n < 8; n++) {
      const { id } = await json(`events create --title E${n} ${dates} --description Text${n} --json`)
      ids.push(id)
      expect((await site.storeCost(id, costs[n % 4] ?? '')).status).toBe(0)
    }
    const rows = ids.map((id, n) => ({
      resource: 'events',
      id,
      title: `New ${n}`,
      ...(n > 5 && { description: null }),
    }))
    const text = rows.map(row => JSON.stringify(row)).join('\n')
    patchesLeft = 3
    const applied = await calctl(['apply', file('town.ndjson', text), '--yes', '--jobs', '1'])
    expect([applied.status, applied.err]).toEqual([6, expect.stringContaining('updating through the events API')])
    expect(applied.err).toContain('retry the failed steps with: calctl runs resume')
    patchesLeft = Number.POSITIVE_INFINITY
    const resumed = await calctl('runs resume --yes -q')
    expect([resumed.status, resumed.err]).toEqual([0, ''])
    const { out } = await calctl('export events')
    const records = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(records.map(({ title, cost, description }) => [title, cost ?? '', description ?? ''])).toEqual(
      ids.map((_, n) => [`New ${n}`, costs[n % 4], n > 5 ? '' : `Text${n}`]),
    )
  })

test.each(['GET', 'POST'])('a wp/v2 that always fails at %s ends with how to leave it out', async failing => {
  const { calctl, create, state } = await siteThatRefuses(undefined, method => method === failing)
  const id = await create('--cost "20 - 35"')
  state.answer = { status: 500, headers: json, body: '{"code":"internal","message":"Failed."}' }
  const { status, err } = await calctl(`events update ${id} --title Recital --retries 0`)
  expect([status, err]).toEqual([5, expect.stringContaining('leave wp/v2 out with: --via events')])
  expect(await calctl(`events update ${id} --title Recital --via events -q`)).toMatchObject({ status: 0 })
})

test('a wp/v2 that answers everything with an empty list ends with how to leave it out', async () => {
  const { calctl, create, state } = await siteThatRefuses(undefined)
  const id = await create()
  state.answer = { status: 200, headers: json, body: '[]' }
  const { status, err } = await calctl(`events update ${id} --title Recital`)
  expect([status, err]).toEqual([5, expect.stringContaining('leave wp/v2 out with: --via events')])
  expect(await calctl('runs resume --via events')).toMatchObject({ status: 0 })
  const half = await calctl(`events update ${id} --title Concert --sticky`)
  expect([half.status, half.err]).toEqual([7, expect.stringContaining('leave wp/v2 out with: --via events')])
})

test('a write without a user name and password says that none were given, and how to give them', async () => {
  const site = await wordpressSite({ env: { CALCTL_USER: '', CALCTL_PASSWORD: '' } })
  const { status, err } = await site.calctl('tags create --name Jazz')
  expect([status, err]).toEqual([
    3,
    expect.stringMatching(
      /^error: access denied by \S+: .*; no user name and password were given\nhint: store them with: calctl login http\S+; or set CALCTL_USER and CALCTL_PASSWORD\n$/,
    ),
  ])
})
