import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { productionSite } from '../support/production-site.ts'

const season = (...rows: string[]) =>
  `title,start_date,end_date\n${rows.map(title => `${title},2027-01-09 20:00,2027-01-09 22:00\n`).join('')}`

const note =
  '1 of the new events is in the trash: "Concert de barri 13" (2); to restore it: calctl events restore 2; to leave it out, delete its row\n'

test.each([
  ['a site', async () => productionSite()],
  ['a calendar file', async () => ({ calctl: calendar(), seen: [] as string[] })],
] as const)('a plan for %s names the events that it would create and that are in the trash', async (_, open) => {
  const { calctl, seen } = await open()
  const sheet = season('Concert de barri 12', 'Concert de barri 13')
  expect((await calctl('apply - --format csv --yes', sheet)).err).not.toContain('in the trash')
  await calctl('events delete 2 --yes')
  await calctl('events delete 1 --yes')
  await calctl('events restore 1 --status publish')
  seen.length = 0
  expect((await calctl('diff --exit-code - --format csv', sheet)).out).toContain(note)
  expect(seen.filter(line => line.startsWith('GET /events')).length).toBeLessThan(4)
  expect((await calctl('events restore 2 --status publish')).status).toBe(0)
  expect((await calctl('diff --exit-code - --format csv', sheet)).out).toContain('same 2')
})

test('an event of another title or start is not the one in the trash', async () => {
  const { calctl } = await productionSite()
  await calctl('apply - --format csv --yes', season('Concert'))
  await calctl('events delete 1 --yes')
  expect((await calctl('diff --exit-code - --format csv', season('Ball'))).out).not.toContain('in the trash')
  const later = season('Concert').replace('20:00', '21:00')
  expect((await calctl('diff --exit-code - --format csv', later)).out).not.toContain('in the trash')
})

test('a plan that creates many events of the trash names the first', async () => {
  const { calctl } = await productionSite()
  const sheet = season('A1', 'B2', 'C3', 'D4', 'E5', 'F6', 'G7')
  await calctl('apply - --format csv --yes --jobs 1', sheet)
  for (const id of [1, 2, 3, 4, 5, 6, 7]) await calctl(`events delete ${id} --yes`)
  const { err } = await calctl('apply - --format csv --yes', sheet)
  expect(err).toMatch(
    /^7 of the new events are in the trash: "A1" \(1\), "B2" \(2\), "C3" \(3\), "D4" \(4\), "E5" \(5\) and 2 others; to restore them: calctl events restore 1 2 3 4 5 6 7; to leave them out, delete their rows$/m,
  )
})

test('a plan without new events reads no trash, and a trash that cannot be read is none', async () => {
  const lists: string[] = []
  const { calctl } = await productionSite({
    intercept: async ({ path, query = '' }) => {
      if (!path.endsWith('/events') || !query.includes('status=trash')) return undefined
      lists.push(query)
      return { status: 400, headers: { 'content-type': 'application/json' }, body: '{"code":"rest_invalid_param"}' }
    },
  })
  expect(await calctl('apply - --format csv --yes', season('Concert'))).toMatchObject({ status: 0 })
  expect(lists).toHaveLength(1)
  expect((await calctl('apply - --format csv --yes', season('Concert'))).err).toContain('same 1')
  expect(lists).toHaveLength(1)
})
