/** What a site shows of a price is what was said, in its currency. */
import { expect, test } from 'vitest'
import { cost } from '../../src/contract/kinds/cost-kind.ts'
import { say } from '../../src/contract/languages.ts'
import { readCell, writeCell } from '../../src/files/csv/cell-values.ts'
import { dates, productionSite } from '../support/production-site.ts'

const rounds = process.env.SOAK_ROUNDS === undefined ? 20 : 200

/** Pseudo-random numbers below 1, the same in each run. */
function randomNumbers(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

interface Money {
  readonly name: string
  readonly sign: string
  readonly isBefore: boolean
  readonly code: string
}

/** The currency of an event; `$` without a name is that of the site. */
const currencies: readonly Money[] = [
  { name: 'none', sign: '$', isBefore: true, code: '' },
  { name: '€', sign: '€', isBefore: false, code: '' },
  { name: '€', sign: '€', isBefore: true, code: 'EUR' },
  { name: '£', sign: '£', isBefore: true, code: 'GBP' },
  { name: '£', sign: '£', isBefore: false, code: '' },
]

const inMoney = (amount: string, { sign, isBefore }: Money) => (isBefore ? sign + amount : amount + sign)

/** A random price: how somebody writes it, and what a site shows of it for an event with this currency. */
function randomPrice(random: () => number, own: Money): { text: string; shown: string } {
  const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const amount = () => ({ whole: 1 + Math.floor(random() * 2000), cents: oneOf(['', '', '50', '05']) })
  const plain = ({ whole, cents }: ReturnType<typeof amount>) => (cents ? `${whole}.${cents}` : String(whole))
  const typed = ({ whole, cents }: ReturnType<typeof amount>) => {
    const grouped = whole > 999 ? `${Math.floor(whole / 1000)}.${String(whole % 1000).padStart(3, '0')}` : whole
    return cents ? oneOf([`${whole},${cents}`, `${whole}.${cents}`, `${grouped},${cents}`]) : String(whole)
  }
  const [first, second] = [amount(), amount()].toSorted((one, other) => one.whole - other.whole)
  if (!first || !second) throw new Error('no amounts')
  const money = oneOf([undefined, ...currencies.slice(1)])
  const sign = (text: string) =>
    money ? (money.isBefore ? money.sign + text : oneOf([text + money.sign, `${text} ${money.sign}`])) : text
  const shownIn = money ?? own
  if (first.whole === second.whole || random() < 0.5)
    return { text: sign(typed(second)), shown: inMoney(plain(second), shownIn) }
  const [low, high] = [first, second].map(one => inMoney(plain(one), shownIn))
  return { text: `${sign(typed(first))} - ${sign(typed(second))}`, shown: `${low} – ${high}` }
}

test(`${rounds} random prices for events of several currencies are shown as they were said`, async () => {
  const random = randomNumbers(7)
  const { calctl, json } = await productionSite()
  for (let round = 0; round < rounds; round++) {
    const own = currencies[round % currencies.length] as Money
    const { id } = await json(`events create --title "Ball ${round}" ${dates} --cost 5 --json`)
    const meta = {
      _EventCurrencySymbol: own.name === 'none' ? '' : own.sign,
      _EventCurrencyPosition: own.name === 'none' ? '' : own.isBefore ? 'prefix' : 'postfix',
      _EventCurrencyCode: own.code,
    }
    await json(`api POST /wp/v2/tribe_events/${id} --input -`, JSON.stringify({ meta: { ...meta, _EventCost: '5' } }))
    const { text, shown } = randomPrice(random, own)
    const { status, err } = await calctl(['events', 'update', String(id), `--cost=${text}`])
    const after = await json(`events get ${id} --json`)
    expect([text, status, after.cost], err).toEqual([text, 0, shown])
    const again = await calctl(['events', 'update', String(id), `--cost=${text}`])
    expect([text, again.err]).toEqual([text, expect.stringContaining('already')])
  }
})

test('a range in another currency than that of the site is published in it', async () => {
  const { calctl, json } = await productionSite()
  const created = await json(['events', 'create', '--title', 'Ball', ...when, '--cost', '8€ - 12€', '--json'])
  expect((await json(`events get ${created.id} --json`)).cost).toBe('8€ – 12€')
  expect(await calctl(['events', 'update', String(created.id), '--cost', 'entre 9 i 14 £'])).toMatchObject({
    status: 0,
  })
  expect((await json(`events get ${created.id} --json`)).cost).toBe('9£ – 14£')
})

const when = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']

test('amounts alone in a sheet keep the currencies of the events, and are unchanged where they are the same', async () => {
  const { calctl, json, file } = await productionSite()
  const ids: number[] = []
  for (const cost of ['18 €', '20 €', '£20', '20'])
    ids.push((await json(['events', 'create', '--title', cost, ...when, '--cost', cost, '--json'])).id)
  const sheet = file('prices.csv', `id,cost\n${ids.map(id => `${id},20\n`).join('')}`)
  expect((await calctl(`apply ${sheet} --resource events --yes`)).err).toMatch(/1 to update.*3 unchanged/s)
  const costs = await Promise.all(ids.map(async id => (await json(`events get ${id} --json`)).cost))
  expect(costs).toEqual(['20€', '20€', '£20', '$20'])
})

test('a copy of an event keeps the symbol, the position and the code of its currency', async () => {
  const { calctl, json } = await productionSite()
  const { id } = await json(['events', 'create', '--title', 'Ball', ...when, '--cost', '15', '--json'])
  const meta = {
    _EventCost: '15',
    _EventCurrencySymbol: 'Fr',
    _EventCurrencyPosition: 'prefix',
    _EventCurrencyCode: 'CHF',
  }
  await json(`api POST /wp/v2/tribe_events/${id} --input -`, JSON.stringify({ meta }))
  expect(await calctl(`events duplicate ${id} --to 2026-12-12 --yes`)).toMatchObject({ status: 0 })
  const [original, copy] = await json('events list --all --json')
  expect(copy.cost_details).toEqual(original.cost_details)
  expect(copy.cost_details).toMatchObject({ currency_symbol: 'Fr', currency_position: 'prefix', currency_code: 'CHF' })
})

test('a site that shows a price in another currency than was asked for is said to differ, with both', async () => {
  const site = await productionSite({
    wordpress: false,
    intercept: async (request, pass) => {
      const answer = await pass(request)
      return {
        ...answer,
        body: String(answer.body)
          .replace('"cost":"15€"', '"cost":"$15"')
          .replace('"currency_symbol":"€"', '"currency_symbol":"$"'),
      }
    },
  })
  const { status, err } = await site.calctl(['events', 'create', '--title', 'Ball', ...when, '--cost', '15 €'])
  expect([status, err]).toEqual([7, expect.stringMatching(/15 €.*\$15/s)])
})

test('a price without a currency is said as the site shows it', async () => {
  const { calctl } = await productionSite()
  const created = await calctl(`events create --title Ball ${dates} --cost 15`)
  expect(created.err).toContain('Created "Ball", Sat 5 Dec 19:00 (1), $15.')
  expect((await calctl('events update 1 --cost 20')).err).toContain('Changed "Ball" (1): cost "$15" → "$20".')
  expect((await calctl(`events create --title Concert ${dates} --cost "15 €"`)).err).toContain('(2). Undo')
  const range = await calctl(`events create --title Fira ${dates} --cost "10 - 20"`)
  expect(range.err).toContain('Created "Fira", Sat 5 Dec 19:00 (3), $10 – $20.')
  expect((await calctl('events update 3 --cost "12 - 20"')).err).toContain('cost "$10 – $20" → "$12 – $20".')
})

const oddPrices = ["'15", "''12,50", "'12.50", "'a voluntat", '12,50', "'=1", "''"]

test.each(oddPrices)('a cell with the stored price %s reads back as it', price => {
  const field = cost(say('Preu', 'Cost', 'Precio'))
  for (const hasDecimalCommas of [false, true])
    expect(readCell(field, writeCell(field, price, hasDecimalCommas))).toBe(price)
})

test.each(oddPrices)('an export with the stored price %s changes nothing', async cost => {
  const { calctl, json } = await productionSite()
  const { id } = await json(['events', 'create', '--title', 'Ball', ...when, '--json'])
  await json(`api POST /wp/v2/tribe_events/${id} --input -`, JSON.stringify({ meta: { _EventCost: cost } }))
  for (const form of ['csv', 'csv --excel', 'tsv']) {
    const { out } = await calctl(`export events --format ${form}`)
    const applied = await calctl('apply - --yes', out)
    expect(applied.err).toMatch(/^(?:.*\n)?1 unchanged\n$/)
  }
})
