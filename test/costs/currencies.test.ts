import { describe, expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

const event = {
  title: 'Jazz',
  description: 'A <b>long</b> night',
  start_date: '2026-12-05 19:00:00',
  end_date: '2026-12-05 21:00:00',
  timezone: 'Europe/Madrid',
  website: 'https://example.org/',
}

/** Each field alone: some are written by one API, some by the other, and some by both. */
const changes = [
  '--title Blues',
  '--description Short',
  '--start-date 2026-12-05T18:00',
  '--timezone Europe/Paris',
  '--all-day',
  '--featured',
  '--sticky',
  '--hide-from-listings',
  '--website https://example.org/other',
  '--status private',
  '--shift +1d',
  '--featured --title Blues',
]

/** The cost as it is sent to the events API, and what the editor of the site then stores beside it. */
const costs = {
  'an own currency before the amount': { cost: '15', meta: { symbol: '£', position: 'prefix', code: 'GBP' } },
  'an own currency after the amount': { cost: '15', meta: { symbol: '€', position: 'postfix', code: '' } },
  'a code alone': { cost: '20', meta: { symbol: '', position: '', code: 'CHF' } },
  'a currency in a text of two amounts': { cost: '10 - 20', meta: { symbol: '€', position: 'postfix', code: 'EUR' } },
  'a currency that its text does not say': { cost: '18 €', meta: { symbol: '', position: '', code: '' } },
  'a currency that its text says': { cost: '15 €', meta: undefined },
  'no currency': { cost: '15', meta: undefined },
  'no cost': { cost: '', meta: undefined },
} as const

async function eventWith({ cost, meta }: (typeof costs)[keyof typeof costs]) {
  const site = await wordpressSite()
  const { id } = await site.ask('POST /events', { ...event, cost })
  const currency = meta && {
    _EventCost: cost,
    _EventCurrencySymbol: meta.symbol,
    _EventCurrencyPosition: meta.position,
    _EventCurrencyCode: meta.code,
  }
  if (currency) await site.ask(`POST /wp/v2/tribe_events/${id}`, { meta: currency })
  /** What the public sees of the cost, and what is stored of it. */
  const state = async () => {
    const shown = await site.ask(`GET /events/${id}`)
    const { meta } = await site.ask(`GET /wp/v2/tribe_events/${id}?context=edit`)
    const stored = ['Cost', 'CurrencySymbol', 'CurrencyPosition', 'CurrencyCode'].map(key => meta[`_Event${key}`])
    return { shown: shown.cost, details: shown.cost_details, stored }
  }
  return { ...site, id, state }
}

/** Outside of the soak each kind of cost gets a quarter of the changes. */
const share = <T>(values: readonly T[], index: number): readonly T[] =>
  process.env.SOAK_ROUNDS ? values : values.filter((_, at) => (at + index) % 4 === 0)

describe.each(Object.entries(costs).map(([name, kind], index) => ({ name, kind, index })))(
  'an event with $name',
  ({ kind, index }) => {
    test('keeps what is shown and stored of its cost in every update of another field, and in its undo', async () => {
      const { calctl, id, state } = await eventWith(kind)
      const before = await state()
      for (const change of share(changes, index)) {
        const { status, err } = await calctl(`events update ${id} ${change}`)
        expect([status, err, await state()], change).toEqual([0, expect.anything(), before])
        expect((await calctl('undo --yes')).status, `undo ${change}`).toBe(0)
        expect(await state(), `undo ${change}`).toEqual(before)
      }
    })

    test('shows the cost that is asked for, in its own currency if none is, and gets its own back', async () => {
      const { calctl, id, state } = await eventWith(kind)
      const before = await state()
      const { currency_symbol: own, currency_position: place, currency_code: code } = before.details
      const inOwn = (amount: string) => (/^(post|suf)fix$/.test(place) ? amount + own : (own || '$') + amount)
      const asked: [cost: string, shown: string, code: string][] = [
        ['25 €', '25€', own === '€' ? code : ''],
        ['£12', '£12', own === '£' ? code : ''],
        ['20 USD', '20USD', ''],
        ['30', inOwn('30'), code],
        ['12 - 14', `${inOwn('12')} – ${inOwn('14')}`, code],
        ['8€ - 12€', '8€ – 12€', own === '€' ? code : ''],
        ['Gratis', 'Gratis', ''],
      ]
      for (const [cost, shown, keptCode] of share(asked, index)) {
        expect((await calctl(['events', 'update', String(id), '--cost', cost])).status, cost).toBe(0)
        const after = await state()
        expect([after.shown, after.details.currency_code], cost).toEqual([shown, keptCode])
        expect((await calctl('undo --yes')).status, cost).toBe(0)
        expect(await state(), `undo ${cost}`).toEqual(before)
      }
    })

    test('has its cost with its currency in a sheet, which changes nothing', async () => {
      const { calctl, file, state, id } = await eventWith(kind)
      const before = await state()
      const { out } = await calctl(`export events --include ${id} --format csv`)
      const sheet = file('events.csv', out)
      expect((await calctl(`diff ${sheet} --exit-code`)).status).toBe(0)
      expect((await calctl(`apply ${sheet} --yes`)).status).toBe(0)
      expect(await state()).toEqual(before)
    })
  },
)

test.each(Object.entries(costs))(
  'through the events API alone an event with %s is shown as before, or the update is refused',
  async (_, kind) => {
    const { calctl, id, state } = await eventWith(kind)
    const { shown, details } = await state()
    for (const change of changes) {
      const { status, err } = await calctl(`events update ${id} ${change} --via events`)
      if (status !== 0) expect([status, err], change).toEqual([4, expect.stringContaining('would not keep all of')])
      expect(await state(), change).toMatchObject({ shown, details })
    }
  },
)

test('an update through the events API alone keeps a currency that its text can say', async () => {
  const { calctl, id, state } = await eventWith(costs['an own currency before the amount'])
  expect((await calctl(`events update ${id} --title Blues --via events`)).status).toBe(0)
  expect((await state()).shown).toBe('£15')
})

test('an update of another field writes no row of the currency, and one of the cost only what changes', async () => {
  const site = await wordpressSite()
  const { id } = await site.ask('POST /events', { ...event, cost: '15' })
  const body = async (options: string) => {
    const { err } = await site.calctl(`events update ${id} ${options} --print-curl`)
    await site.calctl('undo --yes')
    const [, sent = ''] = [...err.matchAll(/'(\{.*\})'/g)].at(-1) ?? []
    return JSON.parse(sent)
  }
  expect(await body('--title Blues')).toEqual({ title: 'Blues', meta: { _EventCost: '15' } })
  expect(await body('--cost 20')).toEqual({ meta: { _EventCost: '20' } })
  expect(await body('--cost 20€')).toEqual({
    meta: { _EventCost: '20 €', _EventCurrencySymbol: '€', _EventCurrencyPosition: 'postfix' },
  })
})

const when = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']

test('an event created with a range in a currency of its own is undone, and is kept after a change of the cost', async () => {
  const site = await wordpressSite()
  const create = async () =>
    JSON.parse(
      (await site.calctl(['events', 'create', '--title', 'Ball', ...when, '--cost', '8 € - 12 €', '--json'])).out,
    )
  const { id, cost } = await create()
  expect(cost).toBe('8€ – 12€')
  expect(await site.calctl('undo --yes')).toMatchObject({ status: 0 })
  expect((await site.calctl(`events get ${id}`)).status).toBe(4)
  const { id: other } = await create()
  const created = JSON.parse((await site.calctl('history --json')).out)[0].run
  await site.calctl(`events update ${other} --cost 9€`)
  expect(await site.calctl(`undo ${created} --yes`)).toMatchObject({ status: 4 })
})
