import { expect, test } from 'vitest'
import { calendarAt } from '../../src/client/calendar.ts'
import { calendarApi } from '../../src/client/create-client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'
import { calendar } from '../support/calendar.ts'
import { Failure } from '../support/program.ts'

async function season(shape: Parameters<typeof calendar>[0] = {}) {
  const calctl = calendar(shape)
  const create = (title: string, day: string) =>
    calctl(['events', 'create', '--title', title, '--start-date', `${day} 19:00`, '--end-date', `${day} 21:00`])
  await create('Mercat de pagès', '2026-10-03')
  await create('Mercat de pagès', '2026-12-05')
  await create('Concert de Nadal', '2026-12-20')
  await create('Festa major de l’estiu', '2020-08-15')
  for (const day of ['2027-01-09', '2027-01-16', '2027-01-23', '2027-01-30']) await create('Ball de plaça', day)
  await calctl(['venues', 'create', '--venue', 'Teatre Principal'])
  return calctl
}

test.each<[string, readonly string[], string]>([
  ['a part of it', ['events', 'update', 'Concert de', '--cost', '5'], '3 ("Concert de Nadal", 2026-12-20)?'],
  ['one word of it', ['events', 'update', 'nadal', '--cost', '5'], '3 ("Concert de Nadal", 2026-12-20)?'],
  ['a mistyped one', ['events', 'delete', 'Consert de Nadal', '--yes'], '3 ("Concert de Nadal", 2026-12-20)?'],
  [
    'that of a past event',
    ['events', 'update', 'Festa major', '--cost', '5'],
    '4 ("Festa major de l’estiu", 2020-08-15)?',
  ],
  ['the name of a venue', ['venues', 'update', 'Teatre Principl', '--city', 'Vic'], '("Teatre Principal")?'],
])('%s in place of an ID is answered with the ID', async (_, line, answer) => {
  for (const shape of [{}, { quirks: true }]) {
    const calctl = await season(shape)
    const { status, err } = await calctl(line)
    expect({ status, err }).toEqual({ status: 4, err: expect.stringMatching(/\nhint: did you mean \d/) })
    expect(err).toContain(`${answer}\n`)
  }
})

test('the exact title of one event that is to come stands for its ID', async () => {
  const calctl = await season()
  expect(JSON.parse((await calctl(['events', 'get', 'Mercat de pagès', '--json'])).out)).toMatchObject({ id: 2 })
  expect(await calctl(['events', 'update', 'Mercat de pagès', '--cost', '5'])).toMatchObject({ status: 0 })
  expect(await calctl(['events', 'delete', 'Concert de Nadal', '--yes'])).toMatchObject({ status: 0 })
})

test('the title of many is refused with their IDs', async () => {
  const calctl = await season()
  expect(await calctl(['events', 'get', 'Ball de plaça'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('hint: pass the ID of one of them: 5, 6, 7, 8\n'),
  })
})

test('a title that nothing is like is answered with how to look for it', async () => {
  const calctl = await season()
  expect(await calctl(['events', 'get', 'Res de res a 5$'])).toMatchObject({
    status: 4,
    err: expect.stringContaining(
      "hint: expected an ID or a slug; find it with: calctl events list --all-dates --search 'Res de res a 5$'\n",
    ),
  })
})

test('of many titles only the first few are looked up', async () => {
  const seen: string[] = []
  const calctl = await season({ seen })
  seen.splice(0)
  const titles = Array.from({ length: 20 }, (_, number) => `Res de res ${number}`)
  const { status } = await calctl(['events', 'update', '-', '--cost', '5', '--yes'], titles.join('\n'))
  expect(status).toBe(2)
  expect(seen.length).toBeLessThan(40)
})

test.each([
  ['Ctrl-C', new Failure('interrupted', 'interrupted while waiting to retry'), 'interrupted while waiting to retry'],
  ['a mistake of calctl', new TypeError('not a function'), 'not a function'],
  [
    'a site that fails',
    new Failure('unreachable', 'no answer'),
    'no event "Res de res" at https://example.org/wp-json',
  ],
])('%s while a title is looked for', async (_, error, message) => {
  const body = JSON.stringify({ code: 'rest-event-not-found', message: 'No route was found', data: { status: 404 } })
  const client = calendarApi({
    transport: async ({ query }) => {
      if (query?.includes('search=')) throw error
      return { status: 404, headers: { 'content-type': 'application/json' }, body }
    },
    calendar: calendarAt('https://example.org/wp-json', 'calendar/events/v1'),
    namespace: 'tribe/events/v1',
  })
  await expect(client.get(resourceNamed('events'), { slug: 'Res de res' })).rejects.toThrow(message)
})
