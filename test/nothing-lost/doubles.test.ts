import { expect, test } from 'vitest'
import { worldOf } from '../world.ts'
import { siteBehindProxy } from './site-behind-proxy.ts'

const titles = Array.from({ length: 24 }, (_, index) => `Concert ${index}`)
const sheetOf = (titles: readonly string[]) =>
  [
    'title,start_date,end_date,venue',
    ...titles.map((title, index) => `${title},2026-12-05 19:00,2026-12-05 21:00,Sala ${index % 5}`),
    '',
  ].join('\n')

/** Two machines that apply the same sheet to one site. */
async function twoMachines(titles: readonly string[], proxy: Parameters<typeof siteBehindProxy>[0] = {}) {
  const site = await siteBehindProxy(proxy)
  const file = site.file('season.csv', sheetOf(titles))
  const machine = (name: string) =>
    worldOf({ env: { ...site.env, XDG_STATE_HOME: `${site.env.XDG_STATE_HOME}/${name}` }, now: new Date() })
  return { ...site, one: machine('one'), other: machine('other'), command: `apply ${file} --yes --create-missing` }
}

test('two machines that apply one file at the same time make each record once', async () => {
  const { one, other, command, calctl } = await twoMachines(titles)
  const outcomes = await Promise.all([one(command), other(command)])
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0])
  const listed = await calctl('events list --all -o json --fields title,venue.id,venue.venue')
  const events: { title: string; venue: { id: number; venue: string } }[] = JSON.parse(listed.out)
  expect(events.map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
  const venues = new Map(events.map(({ venue }) => [venue.venue, venue.id]))
  for (const { venue } of events) expect(venue.id).toBe(venues.get(venue.venue))
  expect((await calctl('venues list --all -o count')).out).toBe('5\n')
})

/** Lets writes to a path through only when so many of them have arrived. */
function gate(path: string, count: number) {
  let open = () => {}
  let arrived = 0
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return async (request: { method: string; path: string }) => {
    if (request.method !== 'POST' || !request.path.startsWith(path)) return
    arrived += 1
    if (arrived >= count) open()
    await opened
  }
}

test('what two machines created at the same moment is taken back by the one that was second', async () => {
  const gates = [gate('/venues', 4), gate('/events', 4)]
  const { one, other, command, calctl, requests } = await twoMachines(['Jazz', 'Blues'], {
    async before(request) {
      for (const pass of gates) await pass(request)
    },
  })
  const outcomes = await Promise.all([one(`${command} -o json`), other(`${command} -o json`)])
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0])
  const deleted = requests.filter(request => request.startsWith('DELETE'))
  // A site gives both machines the same venue.
  expect(deleted.map(request => request.replace(/\d+/, 'ID'))).toEqual(['DELETE /events/ID', 'DELETE /events/ID'])
  expect(outcomes.map(({ err }) => err).join('')).toContain('created elsewhere at the same time, and taken back here')
  const { out } = await calctl('events list --all -o json --fields id,title,venue.id')
  const events: { id: number; title: string; venue: { id: number } }[] = JSON.parse(out)
  expect(events.map(({ title }) => title).toSorted()).toEqual(['Blues', 'Jazz'])
  const live = (await calctl('venues list --all -o ids')).out.trim().split('\n').map(Number)
  expect(events.map(({ venue }) => venue.id).toSorted()).toEqual(live.toSorted())

  // Each undo takes back what its own run created, and nothing of the other's.
  for (const machine of [one, other]) expect((await machine('runs undo --yes')).status).toBe(0)
  expect((await calctl('events list --all -o count')).out).toBe('0\n')
})

test('a create that was not answered, and that another machine did as well, is settled by a resume', async () => {
  let isDown = false
  const { one, command, send, calctl } = await twoMachines(['Jazz'], {
    garble({ method }) {
      isDown ||= method === 'POST'
      return isDown
    },
  })
  await send('POST', '/venues', { venue: 'Sala 0' })
  expect((await one(`${command} --retries 0`)).status).not.toBe(0)
  isDown = false
  await send('POST', '/events', {
    title: 'Jazz',
    start_date: '2026-12-05 19:00:00',
    end_date: '2026-12-05 21:00:00',
    venue: 1,
  })
  const { status, err } = await one('runs resume --yes')
  expect([status, err]).toEqual([7, expect.stringMatching(/event "Jazz".* was created 2 times: 2 and 3/)])
  expect(await calctl('events delete 3 --yes')).toMatchObject({ status: 0 })
  expect(await one(command)).toMatchObject({ status: 0 })
  expect((await calctl('events list --all -o count')).out).toBe('1\n')
})
