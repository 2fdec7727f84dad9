import { expect, onTestFinished, test, vi } from 'vitest'
import { testTime } from '../support/world.ts'
import { entered, previewOf } from './preview-of.ts'

const race = {
  resource: 'events',
  title: 'Cursa',
  start_date: '2027-03-06 09:00',
  end_date: '2027-03-06 11:00',
  venue: 'Sala nova',
}

type Answer = Readonly<Record<string, unknown>> & { readonly token: string; readonly checksum: string }

/** A plan that moves "Ball" and creates "Cursa" with its venue, on a page that asks about it. */
async function approving(options: Parameters<typeof previewOf>[0] = {}) {
  const preview = await previewOf({ line: 'preview plan.json --approve', rows: [race], ...options })
  const { cookie, home } = await entered(preview.opened)
  const post = async (path: string, body: unknown = {}, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${home}/__page/${path}`, {
      method: 'POST',
      headers: { connection: 'close', cookie, origin: preview.origin, 'sec-fetch-site': 'same-origin', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Answer }
  }
  const open = async () => (await post('opened')).body
  const titles = async () =>
    ((await preview.ask('GET /events?starts_after=2027-01-01')).body.events as { title: string; start_date: string }[])
      .filter(({ title }) => title !== 'Secret')
      .map(({ title, start_date }) => `${start_date.slice(5, 10)} ${title}`)
      .toSorted()
  return { ...preview, home, cookie, post, open, titles, before: await titles() }
}

const writesIn = ({ reached }: { reached: readonly { method: string }[] }) =>
  reached.filter(({ method }) => method !== 'GET').map(({ method }) => method)

test('a press carries the plan out, says how to undo it, and the undo is exact', async () => {
  const page = await approving()
  const asked = await page.open()
  expect(asked.question).toMatch(/^publish 1 new event on .*, create 1 venue and change the dates of 1 event$/)
  const { status, body } = await page.post('approve', { ...asked, leftOut: [] })
  expect([status, body.isWhole, body.said]).toEqual([
    200,
    true,
    expect.stringMatching(/^3 done\. Undo: calctl undo \w+/),
  ])
  const ended = await page.running
  expect(ended, ended.err).toMatchObject({ status: 0 })
  expect(await page.titles()).toEqual(['03-04 Teatre', '03-06 Cursa', '03-09 Ball'])
  const undo = await page.calctl(`undo ${/calctl undo (\w+)/.exec(String(body.said))?.[1]} --yes`)
  expect(undo, undo.err).toMatchObject({ status: 0 })
  expect(await page.titles()).toEqual(page.before)
})

test('what is left out is left out with what depends on it, and the sentence and the checksum are those of the rest', async () => {
  const page = await approving()
  const { token, checksum } = await page.open()
  const all = await Promise.all([0, 1, 2].map(async one => (await page.post('question', { leftOut: [one] })).body))
  const withVenue = all.find(({ leftOut }) => (leftOut as number[]).length === 2)
  expect(withVenue?.question).toBe('change the dates of 1 event')
  expect((await page.post('approve', { token, checksum, leftOut: withVenue?.leftOut })).status).toBe(409)
  expect(writesIn(page)).toEqual([])
  expect((await page.post('approve', { ...withVenue, token })).status).toBe(200)
  expect((await page.running).status).toBe(0)
  expect(await page.titles()).toEqual(['03-04 Teatre', '03-09 Ball'])
})

test('"Not this" records the refusal: 8, and nothing is written', async () => {
  const page = await approving()
  const { token } = await page.open()
  expect((await page.post('refuse', { token })).status).toBe(200)
  expect(await page.running).toMatchObject({ status: 8, err: expect.stringContaining('nothing was changed') })
  expect(writesIn(page)).toEqual([])
})

test('a plan that was refused says so on the page, and asks again', async () => {
  const opened: string[] = []
  const page = await approving({ openPage: async file => void opened.push(file) })
  const { token } = await page.open()
  await page.post('refuse', { token })
  expect((await page.running).err).not.toContain('was refused')
  const again = page.calctl('preview plan.json --approve')
  await vi.waitFor(() => expect(opened).toHaveLength(2))
  const { cookie, home } = await entered(opened[1] ?? '')
  const headers = { connection: 'close', cookie, origin: new URL(home).origin, 'sec-fetch-site': 'same-origin' }
  const { notes } = JSON.parse(await (await fetch(`${home}/__page/plan`, { headers })).text())
  expect(notes).toEqual([expect.stringMatching(/^this plan was refused on \w+ \d+ \w+/)])
  const post = async (path: string, body: object) =>
    (await fetch(`${home}/__page/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  await post('approve', { ...JSON.parse(await post('opened', {})), leftOut: [] })
  expect(await again).toMatchObject({ status: 0, err: expect.stringContaining('this plan was refused on') })
})

test('a press is used once, also of twenty at the same time', async () => {
  const page = await approving()
  const asked = await page.open()
  // The page is closed after the one that counts, which may cut off the answers to others.
  const press = () => page.post('approve', asked).catch(() => ({ status: 409 }))
  const answers = await Promise.all(Array.from({ length: 20 }, press))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
  expect((await page.running).status).toBe(0)
  expect(await page.titles()).toEqual(['03-04 Teatre', '03-06 Cursa', '03-09 Ball'])
})

test('a plan that was approved cannot be approved again, and one that was refused can', async () => {
  const page = await approving()
  const { token } = await page.open()
  await page.post('refuse', { token })
  await page.running
  expect(await page.calctl('apply plan.json --yes')).toMatchObject({ status: 0 })
  expect(await page.calctl('preview plan.json --approve')).toMatchObject({
    status: 7,
    err: expect.stringContaining('already applied this plan'),
  })
})

test('of two windows, only the last one can press', async () => {
  const page = await approving()
  const first = await page.open()
  const second = await page.open()
  const { status, body } = await page.post('approve', first)
  expect([status, body.message]).toEqual([409, expect.stringContaining('another window shows this plan')])
  expect((await page.post('refuse', first)).status).toBe(409)
  expect(writesIn(page)).toEqual([])
  expect((await page.post('approve', second)).status).toBe(200)
})

test('a press more than ten minutes after the page was opened is none, and ends the command', async () => {
  let time = testTime.getTime()
  let elapsed = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => elapsed)
  onTestFinished(() => clock.mockRestore())
  const page = await approving({ now: () => new Date(time) })
  await page.open()
  // That somebody sets the clock back gives no more time.
  time -= 3_600_000
  const asked = await page.open()
  elapsed = 600_001
  const { status, body } = await page.post('approve', asked)
  expect([status, body.message]).toEqual([409, expect.stringContaining('more than ten minutes')])
  expect(await page.running).toMatchObject({ status: 8, err: expect.stringContaining('nobody approved the plan') })
  expect(writesIn(page)).toEqual([])
})

test('if a record changed after the page was opened, nothing at all is written: 7', async () => {
  const page = await approving()
  const asked = await page.open()
  await page.ask(`POST /events/${page.ids[0]}`, { json: { title: 'Gran ball' } })
  const { body } = await page.post('approve', asked)
  expect([body.isWhole, body.said]).toEqual([false, expect.stringContaining('nothing was sent')])
  expect(await page.running).toMatchObject({ status: 7 })
  expect(writesIn(page)).toEqual([])
})

test.each([
  ['without an origin', { origin: '' }],
  ['of another origin', { origin: 'http://evil.example' }],
  ['of another port', { origin: 'http://127.0.0.1:1' }],
  ['of a document without an origin', { origin: 'null' }],
  ['that a page of another site causes', { 'sec-fetch-site': 'cross-site' }],
  ['that another page of this machine causes', { 'sec-fetch-site': 'same-site' }],
  ['without the cookie', { cookie: '' }],
])('a press %s is refused', async (_, headers) => {
  const page = await approving()
  const asked = await page.open()
  expect((await page.post('approve', asked, headers)).status).toBe(403)
  expect((await page.post('refuse', asked, headers)).status).toBe(403)
  expect(writesIn(page)).toEqual([])
})

test.each([
  ['a token that is made up', { token: 'x' }, 409],
  ['a checksum that is made up', { checksum: 'x' }, 409],
  ['something else left out than was asked', { leftOut: [0] }, 409],
  ['a number that is none', { leftOut: ['0'] }, 400],
  ['a list that is none', { leftOut: { length: 1 } }, 400],
  ['a token that is an object', { token: { toString: 'x' } }, 400],
])('a press with %s is refused', async (_, given, status) => {
  const page = await approving()
  const asked = await page.open()
  expect((await page.post('approve', { ...asked, ...given })).status).toBe(status)
  expect(writesIn(page)).toEqual([])
})

test('bodies that are no JSON are refused, and no GET changes anything', async () => {
  const page = await approving()
  const asked = await page.open()
  for (const body of ['', '[]', 'null', '{"token":', `"${'x'.repeat(2_000_000)}"`])
    expect((await page.post('approve', body)).status).toBe(400)
  for (const path of ['opened', 'approve', 'refuse', 'question'])
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const headers = { connection: 'close', cookie: page.cookie, origin: page.origin }
      const { status } = await fetch(`${page.home}/__page/${path}?token=${asked.token}`, { method, headers })
      expect([404, 405]).toContain(status)
    }
  expect(writesIn(page)).toEqual([])
  expect((await page.post('approve', asked)).status).toBe(200)
})

test('without --approve, there is nothing to press', async () => {
  const page = await approving({ line: 'preview plan.json' })
  for (const path of ['opened', 'approve', 'refuse']) expect((await page.post(path)).status).toBe(405)
  expect(writesIn(page)).toEqual([])
})

test('a plan that removes more than the limit is left to apply, with the command for it', async () => {
  const { calctl, ask } = await previewOf()
  const ids: number[] = []
  for (let count = 0; count < 21; count += 1) {
    const { body } = await ask('POST /events', { json: { ...race, venue: undefined, title: `Acte ${count}` } })
    ids.push(body.id)
  }
  const rows = ids.map(id => ({ resource: 'events', id, action: 'trash' }))
  await calctl('diff - --save many.json', JSON.stringify(rows))
  expect(await calctl('preview many.json --approve')).toMatchObject({
    status: 8,
    err: expect.stringContaining('hint: carry the plan out with: calctl apply many.json --max-trash 21\n'),
  })
})

test('a page that is loaded again during a run asks nothing more', async () => {
  let loadAgain: () => Promise<unknown> = async () => undefined
  let again: unknown
  const page = await approving({
    site: service => async request => {
      if (request.method === 'POST') again ??= await loadAgain()
      return service(request)
    },
  })
  const asked = await page.open()
  loadAgain = () => page.post('opened', {})
  expect(await page.post('approve', asked)).toMatchObject({ status: 200 })
  expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('settled already') } })
  expect((await page.running).status).toBe(0)
})

test('Ctrl-C ends the wait with 8, and after a press lets the run say what it did', async () => {
  const waiting = await approving()
  expect(await waiting.stop()).toMatch(/nothing was changed\n$/)
  expect((await waiting.running).status).toBe(8)
  let stop: () => unknown = () => {}
  const writing = await approving({
    site: service => async request => {
      if (request.method === 'POST') stop()
      return service(request)
    },
  })
  const asked = await writing.open()
  stop = writing.stop
  const { body } = await writing.post('approve', asked)
  const { status, err } = await writing.running
  expect([0, 130]).toContain(status)
  expect(err).not.toContain('nothing was changed')
  expect(err).toMatch(status === 0 ? /done\. Undo: / : /interrupted: [\s\S]*resume with: calctl runs resume/)
  expect(body.isWhole).toBe(status === 0)
})
