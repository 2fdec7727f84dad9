import { expect, test } from 'vitest'
import { daysToYear } from '../../src/changes/plan/making/copied-events.ts'
import { calendar } from '../support/calendar.ts'
import { openEmbedded } from '../support/program.ts'
import { testTime, worldOf } from '../support/world.ts'
import { townInThreeLanguages } from '../translations/town-in-three-languages.ts'

/** A festival from Friday to Sunday, in which one event is on the last night until 2:00. */
async function festival(shape = {}) {
  const calctl = calendar(shape)
  await calctl('venues create --venue Plaça')
  const events = [
    ['Pregó', '2027-08-13 20:00', '2027-08-13 21:00', '--cost "12 €"'],
    ['Cercavila', '2027-08-14 11:00', '2027-08-14 13:00', '--featured'],
    ['Ball', '2027-08-15 23:00', '2027-08-16 02:00', ''],
  ]
  for (const [title, start, end, more] of events)
    await calctl(`events create --title ${title} --start-date "${start}" --end-date "${end}" --venue 1 ${more}`)
  const list = async (year: number) => JSON.parse((await calctl(`events list --month ${year}-08 --json -q`)).out)
  return { calctl, list }
}

test.each([
  ['2026-08-14', 2027, '2027-08-13'],
  ['2027-08-13', 2028, '2028-08-11'],
  ['2024-02-29', 2025, '2025-02-27'],
  ['2026-12-31', 2027, '2027-12-30'],
  ['2026-08-14', 2025, '2025-08-15'],
])('%s is in %d on %s, the same weekday nearest to the date', (day, year, expected) => {
  const later = new Date(Date.parse(day) + daysToYear(day, year) * 86_400_000)
  expect(later.toISOString().slice(0, 10)).toBe(expected)
  expect(later.getUTCDay()).toBe(new Date(day).getUTCDay())
})

test.each([{}, { quirks: true }])(
  'a festival is copied to the same weekdays of another year, in one run (%j)',
  async shape => {
    const { calctl, list } = await festival(shape)
    const { status, err } = await calctl('events duplicate --month 2027-08 --to 2028 --yes')
    expect([status, err]).toEqual([0, expect.stringContaining('Fri 13 Aug 2027  Fri 11 Aug 2028  Pregó')])
    const [{ cost, cost_details }] = await list(2027)
    expect(await list(2028)).toMatchObject([
      { title: 'Pregó', start_date: '2028-08-11 20:00:00', end_date: '2028-08-11 21:00:00', cost, cost_details },
      { title: 'Cercavila', start_date: '2028-08-12 11:00:00', featured: true, venue: { venue: 'Plaça' } },
      { title: 'Ball', start_date: '2028-08-13 23:00:00', end_date: '2028-08-14 02:00:00' },
    ])
    expect(await calctl('events duplicate --month 2027-08 --to 2028 --yes')).toMatchObject({ status: 0 })
    expect(await list(2028)).toHaveLength(3)
    expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
    expect(await list(2028)).toEqual([])
    expect(await list(2027)).toHaveLength(3)
  },
)

test('a named day goes to another, and all others by as many days', async () => {
  const { calctl, list } = await festival()
  await calctl('events duplicate --venue Plaça --from-date 2027-08-13 --to "25 d’agost de 2028" --yes')
  expect((await list(2028)).map(({ start_date: start }: { start_date: string }) => start.slice(0, 10))).toEqual([
    '2028-08-25',
    '2028-08-26',
    '2028-08-27',
  ])
})

test('what is on the new day already is shown, and a place that is taken is told', async () => {
  const { calctl } = await festival()
  await calctl('events create --title Cursa --start-date "2028-08-11 19:00" --end-date "2028-08-11 22:00" --venue 1')
  const { err, out } = await calctl('events duplicate --month 2027-08 --to 2028 --dry-run')
  expect(err).toContain('Fri 13 Aug 2027  Fri 11 Aug 2028  Pregó      "Cursa"')
  expect(err + out).toContain('Plaça is taken Fri 11 Aug 2028 19:00–22:00 by "Cursa" (5)')
})

test.each([
  ['--to 2027', 'these events are in 2027 already'],
  ['--from-date 2027-08-13 --to 2027-08-13', '--from-date and --to are the same day'],
  ['--to 2028-08-11', 'several events are copied to another year, or by the days between two dates'],
  ['--from-date 2027-08-13 --to 2028', '--from-date and --to 2028 cannot be used together'],
])('events duplicate --month 2027-08 %s is refused', async (options, message) => {
  const { calctl, list } = await festival()
  const { status, err } = await calctl(`events duplicate --month 2027-08 ${options} --yes`)
  expect([status, err]).toEqual([2, expect.stringContaining(message)])
  expect(await list(2027)).toHaveLength(3)
})

test('translations are copied along, and stay translations of one another', async () => {
  const { calctl, json } = await townInThreeLanguages()
  const { status, err } = await calctl('events duplicate mercat-2026-11-21 --to 2027 --yes')
  expect([status, err]).toEqual([0, expect.stringContaining('3 done')])
  const copies = await json('events list --lang all --on 2027-11-20')
  expect(copies.map((event: { title: string }) => event.title).toSorted()).toEqual([
    'Farmers’ market',
    'Mercado de productores',
    'Mercat de pagès',
  ])
  expect(new Set(copies.map((event: { slug: string }) => event.slug))).toEqual(new Set(['mercat-2027-11-20']))
})

test('of the demo, all languages are copied, and an event that began before the month is named', async () => {
  const calctl = worldOf({
    openCalendar: (place, onlyReads, notice) => openEmbedded(place, () => testTime, { onlyReads, notice }),
  })
  const market = await calctl('events duplicate --demo mercat-2026-11-21 --to 2027 --dry-run')
  expect(market.out + market.err).toContain('3 to create')
  const own = await calctl('events duplicate --demo mercat-2026-11-21 --to 2027 --dry-run --no-all-languages')
  expect(own.out + own.err).toContain('1 to create')
  const month = await calctl('events duplicate --demo --month 2026-12 --to 2027 --dry-run')
  expect(month.err + month.out).toMatch(/begins? before 2026-12-01: "Aquarel·les de barri"/)
})

test.each(['next year', 'any que ve', 'l’any que ve', 'el año que viene'])('"%s" is a year', async year => {
  const { calctl, list } = await festival()
  const { status } = await calctl(['events', 'duplicate', '--month', '2027-08', '--to', year, '--yes'])
  expect([status, await list(2027)]).toEqual([2, expect.any(Array)])
  await calctl('events create --title Fira --start-date 2026-06-05T10:00 --duration 1h')
  expect((await calctl(['events', 'duplicate', '--month', '2026-06', '--to', year, '--yes'])).status).toBe(0)
  expect((await calctl('events list --month 2027-06 --fields start_date')).out).toBe('2027-06-04 10:00:00\n')
})
