import { expect, onTestFinished, test } from 'vitest'
import { startCalendar } from '../../src/testing/start-calendar.ts'
import { testTime } from '../support/world.ts'
import { reader } from './reader.ts'

const at = (day: string, title: string, more: object = {}) => ({
  title,
  start_date: `2026-12-${day} 19:00:00`,
  end_date: `2026-12-${day} 21:00:00`,
  ...more,
})

async function otherCalendar() {
  const calendar = await startCalendar({
    quirks: true,
    now: testTime,
    timezone: 'Europe/Madrid',
    records: {
      venues: [{ venue: 'Teatre', city: 'Olot', address: 'c/ Major, 1' }],
      organizers: [{ organizer: 'Ateneu', email: 'info@ateneu.example' }],
      categories: [{ name: 'Música & dansa' }],
      events: [
        at('05', 'Concert', { venue: 1, organizer: [2], categories: ['Música & dansa'], cost: '12 €' }),
        at('06', 'Xerrada'),
        { title: 'Vell', start_date: '2026-01-05 19:00:00', end_date: '2026-01-05 21:00:00' },
        at('07', 'Esborrany', { status: 'draft' }),
      ],
    },
  } as never)
  onTestFinished(() => calendar.close())
  return calendar
}

test('another calendar is read by its API, by its page, or by what its API answers: its public events to come', async () => {
  const { url } = await otherCalendar()
  const places = [`${url}/tribe/events/v1/events`, url, new URL(url).origin]
  for (const place of places) {
    const { read, trust, later } = reader([{ name: 'other', place, kind: 'calendar' }])
    await trust()
    const reading = await read()
    if (reading.state !== 'read') throw reading.state === 'failed' ? reading.failure : new Error(reading.state)
    expect(reading.records.map(({ values }) => values.title)).toEqual(['Concert', 'Xerrada'])
    const [concert] = reading.records
    expect(concert?.values).toMatchObject({
      start_date: '2026-12-05 19:00:00',
      timezone: 'Europe/Madrid',
      cost: expect.stringContaining('12'),
      venue: { venue: 'Teatre', city: 'Olot', address: 'c/ Major, 1' },
      organizer: [{ organizer: 'Ateneu', email: 'info@ateneu.example' }],
      categories: ['Música & dansa'],
      slug: expect.stringMatching(/tribe-events-v1-events-\d+-\w+$/),
    })
    // What has a meaning only there.
    expect(concert?.id).toBeUndefined()
    expect(Object.keys(concert?.values ?? {})).not.toContain('status')
    later()
    expect(await read(reading.validators)).toEqual({ state: 'unchanged' })
  }
})

test('the root of an API is recognized without its kind, and filters are sent', async () => {
  const calendar = await otherCalendar()
  const { read, trust } = reader([
    { name: 'all', place: `${calendar.url}/` },
    { name: 'some', place: calendar.url, kind: 'calendar', filters: { search: 'Xerrada' } },
  ])
  await trust()
  const titles = async (name: string) => {
    const reading = await read(undefined, name)
    return reading.state === 'read' ? reading.records.map(({ values }) => values.title) : reading
  }
  expect(await titles('all')).toEqual(['Concert', 'Xerrada'])
  expect(await titles('some')).toEqual(['Xerrada'])
})

test('the calendar itself is no source of its own', async () => {
  const { url } = await otherCalendar()
  const { read, trust } = reader([{ name: 'self', place: url, kind: 'calendar' }], {}, `${url}/tribe/events/v1`)
  await trust()
  expect(await read()).toMatchObject({ state: 'failed', failure: { message: 'self is the calendar itself' } })
})
