import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEmbedded } from '../support/program.ts'
import { testTime, worldOf } from '../support/world.ts'
import { entered } from './preview-of.ts'
import { serve } from './serve-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-preview-'))

const concert = { title: 'Concert', start_date: '2027-03-04 19:00:00', end_date: '2027-03-04 21:00:00' }

/** A calendar, a plan for it, and what a browser reads while the plan is shown. */
async function previewed() {
  const { url, create } = await serve('--memory --timezone Europe/Madrid --open')
  const ball = await create('events', { ...concert, title: 'Ball' })
  const play = await create('events', { ...concert, title: 'Teatre' })
  const walk = await create('events', { ...concert, title: 'Passejada' })
  const rows = [
    { resource: 'events', id: ball.id, start_date: '2027-03-05 19:00:00', end_date: '2027-03-05 21:00:00' },
    { resource: 'events', id: play.id, cost: '12 €' },
    { resource: 'events', id: walk.id, title: 'Passejada' },
    {
      resource: 'events',
      title: 'Cursa',
      start_date: '2027-03-06 09:00:00',
      end_date: '2027-03-06 11:00:00',
      venue: 'Sala nova',
    },
  ]
  writeFileSync(join(folder, 'season.json'), JSON.stringify(rows))
  const stop = new AbortController()
  const seen: { month: string; plan: Plan; page: string; write: number; events: number; event: number }[] = []
  const calctl = worldOf({
    cwd: folder,
    stopping: stop.signal,
    openPage: async opened => {
      const { home, cookie, search } = await entered(opened)
      const headers = { connection: 'close', cookie, origin: new URL(home).origin }
      const get = (path: string, init = {}) => fetch(home + path, { headers, ...init })
      const query = new URLSearchParams({ ends_after: '2027-03-01', search: 'Ball' })
      seen.push({
        month: search,
        plan: (await (await get('/__page/plan')).json()) as Plan,
        page: await (await get('/')).text(),
        write: (await get('/calendar/events/v1/tags', { method: 'POST', body: '{"name":"x"}' })).status,
        events: (await get(`/calendar/events/v1/events?${query}`)).status,
        event: (await get(`/calendar/events/v1/events/${ball.id}`)).status,
      })
      stop.abort()
    },
  })
  const at = `--base-url ${url}`
  const diff = await calctl(`diff season.json --create-missing --save plan.json ${at}`)
  return { ...(await calctl(`preview plan.json ${at}`)), seen: seen[0], calctl, at, diff }
}

/** What the page reads of the plan. */
async function planShown(opened: string): Promise<string> {
  const { home, cookie } = await entered(opened)
  return (await fetch(`${home}/__page/plan`, { headers: { connection: 'close', cookie } })).text()
}

interface Plan {
  readonly changes: readonly {
    kind: string
    title: string
    id: number | null
    sentence: string
    before: Row
    after: Row
  }[]
}

type Row = Readonly<Record<string, unknown>> | null

test('a plan is shown in the calendar: what is new, moved and changed, with its difference, and nothing can be written', async () => {
  const { status, err, seen, diff } = await previewed()
  expect(status, diff.err).toBe(0)
  expect(err).toMatch(/2 to create.*2 to update[\s\S]*opened a browser; if it does not show the page, go to http/)
  expect(seen).toMatchObject({ month: '?month=2027-03', write: 405, events: 200, event: 404 })
  expect(seen?.page).toMatch(/data-plan="\/[\w-]{43}\/__page\/plan"/)
  expect(
    seen?.plan.changes.map(({ kind, title, id }) => [kind, title, id === null]),
    diff.out + diff.err,
  ).toEqual([
    ['new', 'Sala nova', true],
    ['moved', 'Ball', false],
    ['changed', 'Teatre', false],
    ['new', 'Cursa', true],
  ])
  const [, moved, changed, created] = seen?.plan.changes ?? []
  expect([moved?.before?.start_date, moved?.after?.start_date]).toEqual(['2027-03-04 19:00:00', '2027-03-05 19:00:00'])
  expect(changed?.sentence).toContain('→ "12 €"')
  expect(created?.after).toMatchObject({ venue: { venue: 'Sala nova' }, start_date: '2027-03-06 09:00:00' })
})

test('what is removed has no record after it', async () => {
  const { url, create } = await serve('--memory --open')
  const { id } = await create('events', concert)
  const stop = new AbortController()
  let plan: Plan | undefined
  const calctl = worldOf({
    cwd: folder,
    stopping: stop.signal,
    openPage: async opened => {
      plan = JSON.parse(await planShown(opened)) as Plan
      stop.abort()
    },
  })
  writeFileSync(join(folder, 'other-events.json'), JSON.stringify([{ resource: 'events', ...concert, title: 'Ball' }]))
  const { err } = await calctl(
    `diff other-events.json --prune --starts-after 2027-01-01 --save prune.json --base-url ${url}`,
  )
  const { status } = await calctl(`preview prune.json --base-url ${url}`)
  expect([status, plan?.changes], err).toEqual([
    0,
    [expect.objectContaining({ kind: 'new' }), expect.objectContaining({ kind: 'removed', id, after: null })],
  ])
})

test('the passwords of a plan are not shown', async () => {
  const { url, create, protect } = await serve('--memory --quirks --open')
  const { id } = await create('events', { ...concert, title: 'Ball' })
  await protect(id, 'swordfish')
  const stop = new AbortController()
  let text = ''
  const calctl = worldOf({
    cwd: folder,
    stopping: stop.signal,
    openPage: async opened => {
      text = await planShown(opened)
      stop.abort()
    },
  })
  const at = `--base-url ${url}`
  const [ball, own] = [{ id, title: 'Gran ball' }, concert]
  const rows = [ball, own].map(row => ({ resource: 'events', ...row, post_password: 'sesame' }))
  writeFileSync(join(folder, 'locked-rows.json'), JSON.stringify(rows))
  const { err, out } = await calctl(`diff locked-rows.json --save locked.json ${at}`)
  await calctl(`preview locked.json ${at}`)
  expect(text, out + err).toContain('Gran ball')
  expect(text).toContain('***')
  expect(text).not.toMatch(/sesame|swordfish/)
})

test('a plan of a calendar file can be carried out while it is shown', async () => {
  const file = join(folder, 'town.json')
  const at = `--base-url file:${file}`
  const stop = new AbortController()
  let applied: { status: number; err: string } | undefined
  const calctl = worldOf({
    cwd: folder,
    openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
    stopping: stop.signal,
    openPage: async () => {
      applied = await calctl(`apply own.json --yes ${at}`)
      stop.abort()
    },
  })
  writeFileSync(join(folder, 'own-rows.json'), JSON.stringify([{ resource: 'events', ...concert }]))
  await calctl(`diff own-rows.json --save own.json ${at}`)
  expect((await calctl(`preview own.json ${at}`)).status).toBe(0)
  expect(applied, applied?.err).toMatchObject({ status: 0 })
})

test('a plan that is damaged, that is none, or that is for another calendar is refused', async () => {
  const { calctl, at } = await previewed()
  const text = readFileSync(join(folder, 'plan.json'), 'utf8')
  writeFileSync(join(folder, 'cut.json'), text.slice(0, text.length - 20))
  writeFileSync(join(folder, 'other.json'), '{"events": []}')
  expect(await calctl(`preview cut.json ${at}`)).toMatchObject({
    status: 2,
    err: expect.stringContaining('is cut off'),
  })
  expect(await calctl(`preview other.json ${at}`)).toMatchObject({
    status: 2,
    err: 'error: other.json is not a saved plan\nhint: save one with: calctl diff FILE --save plan.json\n',
  })
  expect(await calctl('preview plan.json --demo')).toMatchObject({
    status: 7,
    err: expect.stringContaining('the plan is for'),
  })
  expect(await calctl(`preview missing.json ${at}`)).toMatchObject({
    status: 2,
    err: expect.stringContaining('error: cannot read missing.json: no such file\n'),
  })
})
