import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { StartOptions } from '../../src/testing/testing.d.ts'
import { CalendarError, createCalendarClient, startCalendar } from '../support/libraries.ts'

const ball = { title: 'Ball', start_date: '2026-12-05 20:00:00', end_date: '2026-12-05 22:00:00' }

async function started(options: StartOptions = {}) {
  const calendar = await startCalendar({ now: '2026-12-01T09:00:00Z', ...options })
  onTestFinished(() => calendar.close())
  const client = createCalendarClient({ url: calendar.url })
  onTestFinished(() => client.close())
  const titles = async () => {
    const all: unknown[] = []
    for await (const { title } of client.events.list()) all.push(title)
    return all
  }
  return { calendar, client, titles }
}

/** The error that something throws or rejects with. */
async function errorOf(run: () => unknown): Promise<InstanceType<typeof CalendarError>> {
  try {
    await run()
  } catch (error) {
    if (error instanceof CalendarError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe.each([false, true])('with quirks: %s', quirks => {
  test('a calendar begins with records, and is reset, kept and restored', async () => {
    const { calendar, client, titles } = await started({
      quirks,
      records: { venues: [{ venue: 'Casal' }], events: [{ ...ball, venue: { venue: 'Casal' } }] },
    })
    expect(await titles()).toEqual(['Ball'])
    const kept = await calendar.snapshot()
    await client.events.update('ball', { title: 'Gran ball' })
    await client.events.create({ ...ball, title: 'Concert' })
    expect(await titles()).toEqual(['Gran ball', 'Concert'])
    await calendar.restore(kept)
    expect(await titles()).toEqual(['Ball'])
    await client.events.delete('ball')
    await calendar.reset()
    expect(await titles()).toEqual(['Ball'])
  })

  test('an update changes what it names and nothing else', async () => {
    const { client } = await started({
      quirks,
      records: { events: [{ ...ball, cost: '12 €', website: 'https://town.example', featured: true }] },
    })
    const before = await client.events.get('ball')
    const after = await client.events.update(before.id, { title: 'Gran ball' })
    const changed = Object.keys(after).filter(name => JSON.stringify(after[name]) !== JSON.stringify(before[name]))
    expect(changed.filter(name => !/^modified/.test(name))).toEqual(['title'])
  })
})

test('a fault breaks one request of one route, and the client sends it once more', async () => {
  const { calendar, client, titles } = await started()
  calendar.fail({ route: 'POST /events', skip: 1, times: 1, status: 503, retryAfter: 0 })
  await client.events.create(ball)
  await client.events.create({ ...ball, title: 'Concert' })
  expect(await titles()).toEqual(['Ball', 'Concert'])
  expect(calendar.requests({ route: 'POST /events' }).map(({ status }) => status)).toEqual([201, 503, 201])
  expect(calendar.requests({ method: 'POST' })[0]?.body).toMatchObject({ title: 'Ball' })
})

test('a create whose answer is lost is done once', async () => {
  const { calendar, client, titles } = await started()
  calendar.fail({ route: 'POST /events', times: 1, fault: 'reset', moment: 'after' })
  await client.events.create(ball)
  expect(await titles()).toEqual(['Ball'])
})

test('time travels to the day of the event, and events that are over leave the default list', async () => {
  const { calendar } = await started({ records: { events: [ball] } })
  const total = async () =>
    ((await (await calendar.fetch(`${calendar.apiUrl}/events`)).json()) as { total: number }).total
  expect(await total()).toBe(1)
  calendar.travelTo('2027-01-01T00:00:00Z')
  expect(await total()).toBe(0)
})

test('fetch answers as the socket does, and takes faults', async () => {
  const { calendar } = await started({ records: { events: [ball] } })
  const here = await calendar.fetch(`${calendar.apiUrl}/events/1`)
  const there = await fetch(`${calendar.apiUrl}/events/1`)
  expect([here.status, await here.json()]).toEqual([there.status, await there.json()])
  calendar.fail({ fault: 'reset', times: 1 })
  await expect(calendar.fetch(`${calendar.apiUrl}/events`)).rejects.toThrow('fetch failed')
  calendar.fail({ fault: 'timeout', times: 1 })
  await expect(calendar.fetch(`${calendar.apiUrl}/events`, { signal: AbortSignal.timeout(20) })).rejects.toThrow(
    'timeout',
  )
})

test('two calendars never meet', async () => {
  const one = await started({ records: { events: [ball] } })
  const other = await started({ demo: true })
  one.calendar.fail({ status: 500 })
  one.calendar.travelTo('2030-01-01')
  expect((await other.calendar.fetch(`${other.calendar.apiUrl}/events`)).status).toBe(200)
  expect(other.calendar.requests()).toHaveLength(1)
})

test.each<[string, (calendar: Awaited<ReturnType<typeof started>>['calendar']) => unknown, RegExp]>([
  [
    'a fault of an unknown route',
    calendar => calendar.fail({ route: 'POST /evnts', status: 503 }),
    /no route "\/evnts"/,
  ],
  ['a fault without a kind', calendar => calendar.fail({ route: 'POST /events' }), /a status or a fault/],
  ['a clock that is no date', calendar => calendar.travelTo('soon'), /expected a time, got "soon"/],
  ['an option that does not exist', () => startCalendar({ demmo: true } as object), /has no option "demmo"/],
  ['a latency that is none', calendar => calendar.latency('soon'), /expected a duration or a range/],
])('%s is an error with a code and a next step', async (_, run, message) => {
  const { calendar } = await started()
  const error = await errorOf(() => run(calendar))
  expect([error.code, error.message, error.hint]).toEqual(['usage', expect.stringMatching(message), expect.any(String)])
})

test('a snapshot of another calendar is refused, and so is the use of a closed one', async () => {
  const [one, other] = [await started(), await started()]
  const foreign = await other.calendar.snapshot()
  expect((await errorOf(() => one.calendar.restore(foreign))).message).toBe('this is no snapshot of this calendar')
  await Promise.all([one.calendar.close(), one.calendar.close()])
  expect((await errorOf(() => one.calendar.reset())).message).toBe('the calendar is closed')
  expect((await errorOf(() => one.calendar.fail({ status: 503 }))).code).toBe('usage')
})

test('a file that another calendar holds is refused at once, with a sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'town.json')
  await started({ file })
  const error = await errorOf(() => startCalendar({ file }))
  expect([error.kind, error.message]).toEqual(['unreachable', expect.stringContaining('town.json')])
})

test('a client with a URL that is no site says so', async () => {
  expect((await errorOf(() => createCalendarClient({ url: 'town' }).events.get(1))).code).toBe('usage')
  const nothing = createCalendarClient({ url: 'http://127.0.0.1:1', retries: 0 })
  expect((await errorOf(() => nothing.events.get(1))).kind).toBe('unreachable')
})

test.each([
  ['an unknown field', { titel: 'Ball' }, 'events have no field "titel"', 'did you mean title?'],
  [
    'a value of another kind',
    { all_day: 'perhaps' },
    'all_day: expected true or false, got "perhaps"',
    expect.any(String),
  ],
])('%s is refused before anything is sent', async (_, changes, message, hint) => {
  const { calendar, client } = await started({ records: { events: [ball] } })
  const error = await errorOf(() => client.events.update(1, changes))
  expect([error.kind, error.message, error.hint]).toEqual(['usage', message, hint])
  expect(calendar.requests({ method: 'POST' })).toEqual([])
})

test('an unknown filter is refused', async () => {
  const { client } = await started()
  const error = await errorOf(async () => {
    for await (const _ of client.events.list({ startAfter: '2026-12-01' })) throw new Error('listed')
  })
  expect([error.message, error.hint]).toEqual(['events have no filter "startAfter"', 'did you mean startsAfter?'])
})

test('the description of the API names the control routes of a server, and is valid', async () => {
  const { calendar } = await started({ quirks: true })
  const described = JSON.parse(await (await calendar.fetch(`${calendar.apiUrl}/doc`)).text())
  expect(await new Validator().validate(described)).toEqual({ valid: true })
  const paths = Object.entries<Record<string, unknown>>(described.paths).filter(([path]) => path.includes('__calctl'))
  expect(paths).toHaveLength(9)
  for (const [path, { get }] of paths) {
    const headers = { 'x-calctl-token': calendar.token, 'content-type': 'application/json' }
    const answer = await fetch(calendar.url + path, { method: get ? 'GET' : 'POST', headers })
    expect([path, answer.status]).not.toEqual([path, 404])
  }
})

const dist = join(import.meta.dirname, '../../dist')

/** What a program of the packed library prints. */
function runProgram(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'program.mjs')
  writeFileSync(file, program.replaceAll("'calctl/", `'${dist}/`).replace(/dist\/(\w+)'/g, "dist/$1.mjs'"))
  return spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 30_000 })
}

test('the built library ends with its program, although nothing was closed', () => {
  const { status, stdout, stderr } = runProgram(`
import { startCalendar, CalendarError } from 'calctl/testing'
import { createCalendarClient, CalendarError as SameError } from 'calctl/client'
const calendar = await startCalendar({ demo: true, quirks: true })
const client = createCalendarClient({ url: calendar.url })
const missing = await client.events.get(99999).catch(error => error)
console.log(CalendarError === SameError, missing instanceof CalendarError, missing.status)
`)
  expect([stderr, stdout, status]).toEqual(['', 'true true 404\n', 0])
})
