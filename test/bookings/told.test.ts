import { expect, test } from 'vitest'
import { bookingNotes } from '../../src/changes/plan/bookings.ts'
import type { CreateStep } from '../../src/changes/plan/plan.ts'
import type { Client, Values } from '../../src/client/client.ts'
import { calendar } from '../support/calendar.ts'
import { wordpressSite } from '../support/wordpress-site.ts'

const hours = (from: string, until: string, day = '2026-12-05') =>
  `--start-date "${day} ${from}" --end-date "${day} ${until}"`

/** A calendar with a concert from 19:00 to 21:00 in the Sala Gran, which the Ateneu organizes. */
async function withConcert(shape = {}) {
  const seen: string[] = []
  const calctl = calendar({ ...shape, seen })
  const made = async (line: string) => Number((await calctl(`${line} -o ids`)).out)
  const [hall, square] = [await made('venues create --venue "Sala Gran"'), await made('venues create --venue Plaça')]
  const club = await made('organizers create --organizer Ateneu')
  const concert = await made(
    `events create --title Concert ${hours('19:00', '21:00')} --venue ${hall} --organizer ${club}`,
  )
  return { calctl, made, seen, hall, square, club, concert }
}

const taken = (id: number) => `Sala Gran is taken Sat 5 Dec 19:00–21:00 by "Concert" (${id})`

test.each([{}, { quirks: true }])('an event at the same place and hours is told, and created (%j)', async shape => {
  const { calctl, hall, concert } = await withConcert(shape)
  const line = `events create --title Cinema ${hours('20:00', '22:00')} --venue ${hall}`
  expect((await calctl(`${line} --dry-run`)).err).toContain(taken(concert))
  expect(await calctl(line)).toMatchObject({ status: 0, err: expect.stringContaining(taken(concert)) })
})

test.each([
  ['it begins when the other ends', `${hours('21:00', '22:00')}`],
  ['it lasts all day', '--start-date 2026-12-05 --all-day'],
  ['it lasts for days', '--start-date "2026-12-01 10:00" --end-date "2026-12-20 20:00"'],
  ['it is on another day', hours('19:00', '21:00', '2026-12-06')],
])('nothing is told if %s', async (_, dates) => {
  const { calctl, hall } = await withConcert()
  expect((await calctl(`events create --title Cinema ${dates} --venue ${hall}`)).err).not.toContain('taken')
})

test('a cancelled event leaves its place, also on a site whose lists do not say that it is cancelled', async () => {
  const { calctl, ask } = await wordpressSite()
  const venue = await ask('POST /venues', { venue: 'Sala Gran' })
  const create = (title: string) =>
    calctl(`events create --title ${title} ${hours('20:00', '22:00')} --venue ${venue.id} --json`)
  const { id } = JSON.parse((await create('Concert')).out)
  expect((await create('Cinema')).err).toContain('taken')
  await calctl(`events cancel ${id}`)
  await calctl('events delete Cinema --yes')
  expect((await create('Teatre')).err).not.toContain('taken')
})

test('a cancelled event leaves its place, until it takes place after all', async () => {
  const { calctl, hall, concert } = await withConcert()
  await calctl(`events cancel ${concert}`)
  const line = `events create --title Cinema ${hours('20:00', '22:00')} --venue ${hall} -o ids`
  const created = await calctl(line)
  expect(created.err).not.toContain('taken')
  expect((await calctl(`events uncancel ${concert} --dry-run`)).err).toContain('Sala Gran is taken Sat 5 Dec 20:00')
})

test.each([
  ['moved', (id: number) => `events move ${id} 2026-12-05`],
  ['postponed', (id: number) => `events postpone ${id} --to 2026-12-05`],
  ['duplicated', (id: number) => `events duplicate ${id} --to 2026-12-05,2026-12-12`],
  ['given other hours', (id: number) => `events update ${id} --shift +1d`],
  [
    'repeated',
    (_: number, hall: number) =>
      `events create --title Curs --start-date "2026-12-04 20:00" --duration 1h --repeat "cada dia" --repeat-until 2026-12-08 --venue ${hall}`,
  ],
])('an event that is %s there is told', async (_, line) => {
  const { calctl, made, hall, concert } = await withConcert()
  const cinema = await made(`events create --title Cinema ${hours('20:00', '22:00', '2026-12-04')} --venue ${hall}`)
  const { out, err } = await calctl(`${line(cinema, hall)} --dry-run`)
  expect(out + err).toContain(taken(concert))
})

test('an event that gets another place is told; another change of one that is there is not', async () => {
  const { calctl, made, hall, square, concert } = await withConcert()
  const cinema = await made(`events create --title Cinema ${hours('20:00', '22:00')} --venue ${square}`)
  expect((await calctl(`events update ${cinema} --venue ${hall}`)).err).toContain(taken(concert))
  expect((await calctl(`events update ${cinema} --title Film`)).err).not.toContain('taken')
})

test('what a sheet puts at one place is told, also if it creates the place', async () => {
  const { calctl, hall, concert } = await withConcert()
  const sheet = 'title,start_date,end_date,venue\nCinema,2026-12-05 20:00,2026-12-05 22:00,'
  const known = await calctl('apply - --dry-run --yes', `${sheet}${hall}\n`)
  expect(known.out + known.err).toContain(taken(concert))
  const fresh = `${sheet}Carpa\nBall,2026-12-05 21:00,2026-12-05 23:00,Carpa\n`
  const { out, err } = await calctl('apply - --dry-run --create-missing', fresh)
  expect(out + err).toContain('Carpa is taken Sat 5 Dec 21:00–23:00 by "Ball" (row 3)')
})

test('an organizer with one other event then is told, an institution with several is not', async () => {
  const { calctl, square, club, concert } = await withConcert()
  const line = `events create --title Cinema ${hours('20:00', '22:00')} --organizer ${club} --venue ${square}`
  const note = `Ateneu has "Concert" (${concert}) at these hours: Sat 5 Dec 19:00–21:00`
  expect((await calctl(line)).err).toContain(note)
  expect((await calctl(line.replace('Cinema', 'Teatre').replace(`--venue ${square}`, ''))).err).not.toContain('Ateneu')
})

test('only events of these days at that place are asked for, and nothing for an event without them', async () => {
  const asked: object[] = []
  const client = {
    async *pages(_: unknown, filters: object) {
      asked.push(filters)
      yield { records: [], total: 0, pages: 0 }
    },
  } as unknown as Client
  const create = (values: Values): CreateStep => ({
    key: 'events new',
    action: 'create',
    resource: 'events',
    values: { title: 'Cinema', start_date: '2026-12-05 20:00:00', end_date: '2026-12-05 22:00:00', ...values },
  })
  const made = '2026-11-20T08:00:00.000Z'
  await bookingNotes(client, { steps: [create({ venue: [12] }), create({ venue: { $ref: 'venues new' } })], made })
  expect(asked).toEqual([
    { per_page: expect.any(Number), starts_after: '2026-12-02', starts_before: '2026-12-07', venue: '12' },
  ])
  await bookingNotes(client, { steps: [create({})], made })
  expect(asked).toHaveLength(1)
})

test('lint finds what was told, by the same rule', async () => {
  const { calctl, made, hall, concert } = await withConcert()
  const cinema = await made(`events create --title Cinema ${hours('20:00', '22:00')} --venue ${hall}`)
  const conflicts = async () => (await calctl('lint --only venue-conflict')).out
  expect(await conflicts()).toContain(`is at Sala Gran while "Concert" (${concert}) is`)
  await calctl(`events cancel ${cinema}`)
  expect(await conflicts()).toBe('')
})
