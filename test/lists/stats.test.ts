import { expect, test } from 'vitest'
import { productionSite } from '../support/production-site.ts'
import { worldOf } from '../support/world.ts'

/** A year of a town: a concert of three weeks in January, two in June of which one is cancelled, and one in the year before. */
async function townWithEvents() {
  const site = await productionSite()
  const create = (words: string) => site.json(`events create ${words} --json`)
  await site.json('venues create --venue Hall --json')
  await site.json('categories create --name Jazz --json')
  await site.json('categories create --name Rock --json')
  await create('--title A --start-date 2026-01-20T10:00 --end-date 2026-02-10T12:00 --venue 1 --cost 0 --categories 1')
  await create('--title B --start-date 2026-06-05T10:00 --duration 1h --venue 1 --categories 1,2 --cost "8 €"')
  await create('--title C --start-date 2026-06-06T10:00 --duration 1h')
  await create('--title D --start-date 2025-06-06T10:00 --duration 1h --cost "5 €"')
  await create('--title E --start-date 2025-12-30T10:00 --end-date 2026-01-02T10:00')
  expect((await site.calctl('events cancel 4')).status).toBe(0)
  return site
}

const csv = ({ out }: { readonly out: string }) => out.trim().split('\n').slice(1)

test('events are counted by the month in which they begin, each month of the year', async () => {
  const { calctl } = await townWithEvents()
  const months = csv(await calctl('stats --year 2026 -o csv'))
  expect(months).toHaveLength(12)
  expect(months.filter(row => !row.endsWith(',0,0'))).toEqual(['2026-01,1,0', '2026-06,2,1'])
})

test.each([
  ['place', ['Hall,2,0', ',1,1']],
  ['category', ['Jazz,2,0', ',1,1', 'Rock,1,0']],
  ['price', [',1,1', 'free,1,0', 'paid,1,0']],
  ['status', ['publish,3,1']],
])('events are counted by %s', async (by, rows) => {
  const { calctl } = await townWithEvents()
  const outcome = await calctl(`stats --year 2026 --by ${by} -o csv`)
  expect(csv(outcome).toSorted()).toEqual(rows.toSorted())
  expect(outcome.err).toContain('3 events from Thu 1 Jan 2026 to Thu 31 Dec 2026; 1 of them cancelled')
})

test('a year is compared with another one, on the same days', async () => {
  const { calctl } = await townWithEvents()
  const { out, err } = await calctl('stats --from 2026-06-01 --to 2026-06-30 --compare 2025 -o csv')
  expect(csv({ out })).toEqual(['2026-06,2,1,1,1'])
  expect(err).toContain('1 event from Sun 1 Jun 2025 to Mon 30 Jun 2025')
  const { out: whole } = await calctl('stats --year 2026 --compare 2025 --by place --json')
  expect(JSON.parse(whole)).toEqual([
    { value: 'Hall', events: 2, cancelled: 0, earlier: 0, change: 2 },
    { value: '', events: 1, cancelled: 1, earlier: 2, change: -1 },
  ])
})

test('a terminal shows bars, in the words of the interface', async () => {
  const { baseUrl } = await townWithEvents()
  const calctl = worldOf({
    terminal: 80,
    env: {
      CALCTL_BASE_URL: baseUrl,
      CALCTL_NAMESPACE: 'tribe/events/v1',
      CALCTL_USER: 'admin',
      CALCTL_PASSWORD: 'secret',
    },
  })
  const { out } = await calctl('stats --year 2026 --by price --ui ca')
  expect(out).toMatch(/gratuït +1 +0 +█{24}\n/)
  expect(out).toMatch(/no es diu +1 +1 +█{24}\n/)
  const months = await calctl('stats --year 2026 --ui ca')
  expect(months.out).toMatch(/Juny de 2026 +2 +1/)
  expect(months.err).toContain('dj. 1 gen. 2026')
})

test('a year without events, half of the days and a workbook on a terminal', async () => {
  const { calctl } = await townWithEvents()
  expect(await calctl('stats --year 2030 --by place -o csv')).toMatchObject({
    status: 0,
    out: 'value,events,cancelled\n',
  })
  expect(await calctl('stats --from 2026-06-01')).toMatchObject({
    status: 2,
    err: expect.stringContaining('a report needs a first and a last day'),
  })
  expect(await calctl('stats --year 2026 --month 2026-06')).toMatchObject({ status: 2 })
  const workbook = await calctl('stats --year 2026 -o xlsx')
  expect([workbook.status, workbook.out.slice(0, 2)]).toEqual([0, 'PK'])
})

test('a report from 29 February is compared with one from 1 March', async () => {
  const { calctl } = await productionSite()
  const { err } = await calctl('stats --from 2028-02-29 --to 2028-03-31 --compare 2027 -o csv')
  expect(err).toContain('from Mon 1 Mar 2027 to Wed 31 Mar 2027')
})
