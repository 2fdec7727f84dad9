import { writeXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { costInstead, writtenCost } from '../../src/contract/kinds/site-costs.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { dates, productionSite } from '../support/production-site.ts'
import { workbook } from '../support/workbooks.ts'

async function siteWithCost(cost: string) {
  const site = await productionSite({ wordpress: false })
  const { id } = await site.json(['events', 'create', '--title', 'Ball', ...when, '--cost', cost, '--json'])
  const costOf = async () => (await site.json(`events get ${id} --json`)).cost
  return { ...site, id: id as number, costOf }
}

const when = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']

test('0 in a sheet is not the same as any cost', async () => {
  const { calctl, file, id, costOf } = await siteWithCost('15')
  const sheet = file('events.csv', `id,cost\n${id},0\n`)
  const { status, err } = await calctl(`apply ${sheet} --resource events --yes`)
  expect([status, err]).toEqual([0, expect.stringContaining('1 to update')])
  expect(await costOf()).toBe('Free')
  expect((await calctl(`apply ${sheet} --resource events --yes`)).err).toContain('1 unchanged')
})

test('a cost with a decimal comma survives the update of another field', async () => {
  const bodies: string[] = []
  const site = await productionSite({
    wordpress: false,
    intercept: async request => {
      if (request.body) bodies.push(String(request.body))
      return undefined
    },
  })
  const { id } = await site.json(`events create --title Ball ${dates} --cost 12,50 --json`)
  const updated = await site.json(`events update ${id} --title Concert --json`)
  expect(updated.cost).toBe('$12.50')
  expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({ cost: '12.50' })
})

test('a cost in a sheet is the same as shown and as stored', async () => {
  const { calctl, json, file } = await productionSite()
  const { id } = await json(`events create --title Ball ${dates} --cost "5 €" --json`)
  const line = `apply ${file('events.csv', `id,cost,description\n${id},5€,\n`)} --resource events --yes`
  expect((await calctl(line)).err).toContain('1 unchanged')
  expect((await calctl(line.replace('5€', '5 €'))).err).toContain('1 unchanged')
})

test('another currency is another cost', async () => {
  const { calctl, file, id, costOf } = await siteWithCost('20 EUR')
  const sheet = file('events.csv', `id,cost\n${id},20 CHF\n`)
  expect((await calctl(`apply ${sheet} --resource events --yes`)).status).toBe(0)
  expect(await costOf()).toBe('20CHF')
})

test.each([
  ['de 5 a 10 €', 'log in as an editor, or write one amount'],
  ['Entrada 10 €, socis gratis', 'write: 0 € - 10 €; put other details into the description'],
  ['5, 10, 15', 'write: 5 - 15'],
  ['1 kg d’aliments', 'put it into the description'],
])('the cost %s, which the site would change, is refused with what to write instead', async (cost, hint) => {
  const { calctl, writes, file, id, costOf } = await siteWithCost('15')
  const before = writes().length
  const updated = await calctl(['events', 'update', String(id), '--cost', cost])
  expect([updated.status, updated.err]).toEqual([4, expect.stringContaining(hint)])
  const created = await calctl(['events', 'create', '--title', 'Nou', ...when, '--cost', cost])
  expect([created.status, created.err]).toEqual([4, expect.stringContaining(hint)])
  const sheet = file('events.csv', `id,cost\n${id},"${cost}"\n`)
  expect((await calctl(`apply ${sheet} --resource events --yes`)).err).toContain(hint)
  expect(writes()).toHaveLength(before)
  expect(await costOf()).toBe('$15')
})

test.each([
  ['csv', ','],
  ['tsv', '\t'],
])('an amount with two separators means one thing in a sheet that is %s', async (ending, separator) => {
  const { calctl, json, file } = await productionSite()
  const rows = [
    ['Títol', 'Data', 'Hora', 'Preu'],
    ['Ball', '2027-01-09', '22 h', '"1.250,50"'],
    ['Gala', '2027-01-10', '22 h', '"1,250.50 €"'],
    ['Fira', '2027-01-11', '10 h', '"1.250.000,5 EUR"'],
  ]
  const sheet = file(`season.${ending}`, rows.map(row => `${row.join(separator)}\n`).join(''))
  expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({ status: 0 })
  const costs = async () => (await json('events list --all --json')).map(({ cost }: { cost: string }) => cost)
  expect(await costs()).toEqual(['$1250.50', '1250.50€', '1250000.5€'])
  expect((await calctl(`apply ${sheet} --yes`)).err).toContain('3 unchanged')
})

test('text cells of a workbook with decimal commas are read beside its numbers', async () => {
  const { calctl, json, file } = await productionSite()
  const rows = [
    ['Títol', 'Data', 'Hora', 'Preu'],
    ['Ball', '2027-01-09', '22 h', '1.250,50'],
    ['Gala', '2027-01-10', '22 h', 1.125],
  ]
  expect(await calctl(`apply ${file('season.xlsx', await workbook({ Actes: rows }))} --yes`)).toMatchObject({
    status: 0,
  })
  const events = await json('events list --all --json')
  expect(events.map(({ cost }: { cost: string }) => cost)).toEqual(['$1250.50', '$1.125'])
})

test('a cost that a site stores with two separators stays as it is in an export', async () => {
  const { calctl, json, file, storeCost } = await productionSite()
  const { id } = await json(`events create --title Ball ${dates} --json`)
  await storeCost(id, '1.234,56')
  const exported = file('events.csv', (await calctl('export events --format csv')).out)
  expect((await calctl(`apply ${exported} --yes`)).err).toContain('1 unchanged')
})

test.each([
  ['5, 10, 15', 'write: 5 - 15'],
  ['de 5 a 10 € o més', 'write: 5 € - 10 €'],
  ['Entrada 10 €, socis gratis', 'write: 0 € - 10 €'],
])('the cost %s is refused where wp/v2 would store it, and kept where it is stored already', async (cost, hint) => {
  const { calctl, json, writes, storeCost } = await productionSite()
  const { id } = await json(`events create --title Ball ${dates} --cost 15 --json`)
  const before = writes().length
  for (const line of [
    ['events', 'update', String(id), '--cost', cost],
    ['events', 'update', String(id), String(id + 1), '--cost', cost, '--yes'],
    ['events', 'create', '--title', 'Nou', ...when, '--cost', cost],
  ])
    expect((await calctl(line)).err).toContain(hint)
  expect(writes()).toHaveLength(before)
  expect(await storeCost(id, cost)).toMatchObject({ status: 0 })
  expect(await calctl(['events', 'update', String(id), '--cost', cost, '--title', 'Gala'])).toMatchObject({ status: 0 })
  const stored = await json(`api GET /wp/v2/tribe_events/${id}?context=edit`)
  expect([stored.title.raw, stored.meta._EventCost]).toEqual(['Gala', cost])
})

test.each(['Preu', 'cost'])(
  'an amount with two separators under %s is read with a point, with and without an ID',
  async heading => {
    const { calctl, json, file } = await productionSite()
    const { id } = await json(`events create --title Ball ${dates} --cost 15 --json`)
    const withId = file('ids.csv', `id,${heading}\n${id},"1.234,56"\n`)
    expect((await calctl(`apply ${withId} --resource events --yes`)).err).toContain('1 to update')
    expect((await calctl(`apply ${withId} --resource events --yes`)).err).toContain('1 unchanged')
    const withTitle = file(
      'new.csv',
      `title,start_date,end_date,${heading}\nGala,2027-01-09 20:00,2027-01-09 22:00,"1.234,56"\n`,
    )
    expect((await calctl(`apply ${withTitle} --resource events --yes`)).err).toContain('1 to create')
    const costs = (await json('events list --all --json')).map(({ cost }: { cost: string }) => cost)
    expect(costs).toEqual(['$1234.56', '$1234.56'])
  },
)

test('the part of a stored cost that a site shows is another cost', async () => {
  const { calctl, json, file, storeCost } = await productionSite()
  const { id } = await json(`events create --title Ball ${dates} --json`)
  await storeCost(id, '1.234,56')
  const { err } = await calctl(`apply ${file('events.csv', `id,cost\n${id},1.23\n`)} --resource events --yes`)
  expect(err).toContain('1 to update')
  expect((await json(`api GET /wp/v2/tribe_events/${id}?context=edit`)).meta._EventCost).toBe('1.23')
})

test('a plan says which costs name no currency, and which have no amount', async () => {
  const { calctl, file } = await productionSite()
  const rows = ['"12,50 €"', '20', '20 €', '12.50 €', 'a consultar', 'Gratuït', '']
  const lines = rows.map((cost, index) => `Acte ${index},2027-01-0${index + 1},22 h,${cost}\n`)
  const { err } = await calctl(`apply ${file('season.csv', `Títol,Data,Hora,Preu\n${lines.join('')}`)} --yes`)
  expect(err).toContain('a cost has no amount: "a consultar" (row 6)\n')
  expect(err).toContain('shows "20" (row 3) in its own currency, because they name none')
})

test('prices stand as readers of a language write them on what is printed, and as they are stored for programs', async () => {
  const { calctl, json } = await productionSite()
  const create = ['events', 'create', '--title', 'A', '--start-date', '2027-06-04', '--end-date', '2027-06-04', '--yes']
  await calctl([...create, '--cost', '6.50 €'])
  for (const [ui, shown] of [
    ['ca', '6,50'],
    ['en', '6.50'],
  ])
    expect((await calctl(`agenda 2027-06-04 -o markdown --ui ${ui}`)).out).toContain(shown)
  expect((await json('events list --starts-after 2027-06-01 --json'))[0].cost).toContain('6.50')
})

test('a single event says so, too, before it is written', async () => {
  const { calctl } = await productionSite()
  const create = 'events create --title A --start-date 2027-06-04 --end-date 2027-06-04'
  const said = 'shows "20" in its own currency, because they name none'
  expect((await calctl(`${create} --cost 20 --dry-run`)).err).toContain(said)
  expect((await calctl(`${create} --cost 20`)).err).toContain(said)
  expect((await calctl([...create.split(' '), '--cost', '20 €'])).err).not.toContain('in its own currency')
})

test('a new event whose cost is 0 is shown as free, where wp/v2 can write that', async () => {
  const { calctl, json, file, writes } = await productionSite()
  const sheet = file('season.csv', 'Títol,Data,Hora,Preu\nContes,9/1/2027,11.30 h,0\nBall,20/1/2027,20 h,5 €\n')
  expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({ status: 0 })
  expect(writes()).toHaveLength(3)
  const events = await json('events list --starts-after 2027-01-01 --json')
  expect(events.map(({ cost }: { cost: string }) => cost)).toEqual(['Free', '5€'])
  expect((await calctl(`apply ${sheet} --yes`)).err).toContain('2 unchanged')
})

test('an amount with a comma and a currency is written with a point, so that the site keeps the currency', async () => {
  const { calctl, json, file } = await productionSite()
  const sheet = file('season.csv', 'Títol,Data,Hora,Preu\nBall,9/1/2027,22 h,"12,50 €"\nGala,20/1/2027,22 h,"€7,5"\n')
  const plan = await calctl(`diff --exit-code ${sheet}`)
  expect([plan.status, plan.out]).toEqual([1, expect.stringContaining('12.50 €')])
  expect(plan.err).not.toContain('in its own currency')
  expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({ status: 0 })
  const costs = async () => (await json('events list --all --json')).map(({ cost }: { cost: string }) => cost)
  expect(await costs()).toEqual(['12.50€', '€7.5'])
  expect((await calctl(`apply ${sheet} --yes`)).err).toContain('2 unchanged')
})

test.each([true, false])(
  'an export of a cost that is stored with a comma changes nothing, wp/v2: %s',
  async wordpress => {
    const { calctl, json, file } = await productionSite({ wordpress })
    const { id } = await json(['events', 'create', '--title', 'Ball', ...when, '--json'])
    await calctl(`api PUT /tribe/events/v1/events/${id} --input -`, '{"cost":"12,50 €"}')
    for (const form of ['csv', 'ndjson']) {
      const exported = file(`events.${form}`, (await calctl(`export events --format ${form}`)).out)
      expect([form, (await calctl(`apply ${exported} --yes`)).err]).toEqual([
        form,
        expect.stringContaining('1 unchanged'),
      ])
    }
    expect((await json(`events get ${id} --json`)).cost).toBe('$12,50')
  },
)

test('a stored cost gets its currency back with a point, where wp/v2 shows that it has one', async () => {
  const { calctl, json, file } = await productionSite()
  const { id } = await json(['events', 'create', '--title', 'Ball', ...when, '--json'])
  await calctl(`api PUT /tribe/events/v1/events/${id} --input -`, '{"cost":"12,50 €"}')
  const sheet = file('events.csv', `id,cost\n${id},12.50 €\n`)
  expect((await calctl(`apply ${sheet} --resource events --yes`)).err).toContain('1 to update')
  expect((await json(`events get ${id} --json`)).cost).toBe('12.50€')
})

test.each([
  ['#,##0.00 "€"', 12.5, '12.50€'],
  ['#,##0.00\\ [$€-403]', 12.5, '12.50€'],
  ['_-* #,##0.00 "€"_-', 1250.5, '1250.50€'],
  ['[$€-1809]#,##0', 7, '€7'],
  ['0.00 [$CHF]', 12, '12CHF'],
  ['0.00', 12.5, '$12.5'],
  ['#,##0.00 "€"', 0, 'Free'],
])('a number in a workbook with the format %s keeps its currency', async (numFmt, value, shown) => {
  const { calctl, json, file } = await productionSite()
  const rows = [
    ['Títol', 'Data', 'Hora', 'Preu'],
    ['Ball', '2027-01-09', '22 h', value],
  ]
  const cells = new Map([['1,3', { style: { numFmt } }]])
  const bytes = await writeXlsx({ sheets: [{ name: 'Actes', rows, cells }] })
  expect(await calctl(`apply ${file('a.xlsx', bytes)} --yes`)).toMatchObject({ status: 0 })
  const events = await json('events list --all --json')
  expect(events.map(({ cost }: { cost: string }) => cost)).toEqual([shown])
})

test('a cost that the site would change is refused in a sentence with its heading', async () => {
  const { calctl, file } = await productionSite()
  const { err } = await calctl(
    `diff --exit-code ${file('season.csv', 'Títol,Data,Hora,Preu\nBall,2027-01-09,22 h,"Entrada 10 €, socis gratis"\n')}`,
  )
  expect(err).toMatch(
    /! row 2: Preu \(cost\): http:\S+ would not show "Entrada 10 €, socis gratis" as it is written: it shows one amount, or the lowest and the highest \(write: 0 € - 10 €; .*; for all rows of the file: --cost-in-description\)/,
  )
})

test.each([
  ['', '', '<p>12€ / 8€ reduïda</p>'],
  [',Descripció', ',Amb la coral', '<p>Amb la coral</p>\n<p>12€ / 8€ reduïda</p>'],
])(
  '--cost-in-description puts a price that the site cannot show into the description%s',
  async (heading, cell, description) => {
    const { calctl, json, file } = await productionSite()
    const sheet = file('season.csv', `Títol,Data,Hora,Preu${heading}\nBall,2027-01-09,22 h,12€ / 8€ reduïda${cell}\n`)
    const { status } = await calctl(`apply ${sheet} --yes --cost-in-description`)
    const [event] = await json('events list --all --json')
    expect([status, event.cost, event.description]).toEqual([0, '8€ – 12€', description])
    const again = await calctl(`diff --exit-code ${sheet} --cost-in-description`)
    expect([again.status, again.out]).toEqual([0, '1 unchanged\n'])
  },
)

test('--cost-in-description leaves the description of an event that exists', async () => {
  const { calctl, json, file } = await productionSite()
  await calctl(
    'events create --title Ball --start-date "2027-01-09 22:00" --end-date "2027-01-09 23:00" --description Coral',
  )
  const applied = await calctl(
    `apply ${file('season.csv', 'Id,Preu\n1,12€ / 8€ reduïda\n')} --resource events --yes --cost-in-description`,
  )
  expect(applied.status).toBe(0)
  expect(await json('events list --all --json')).toMatchObject([{ cost: '8€ – 12€', description: '<p>Coral</p>' }])
})

test.each([
  '15',
  '12,50',
  '1,000',
  '20 €',
  '€20',
  '12,50 €',
  ' 12,50 € ',
  '20 EUR',
  '10 - 20',
  '10–20',
  '10 € - 20 €',
  '-5',
  '0',
  'Free',
  'Gratuït',
  '',
  [10, 20],
])('a site shows the cost %j as it was meant', cost => {
  expect(costInstead(cost)).toBeUndefined()
})

test.each([
  ['1.234,56', '1234.56'],
  ['1,234.56 €', '1234.56 €'],
  ['5, 10, 15', '5 - 15'],
  ['Free - 10', '0 - 10'],
  ['12,50 - 15', '12.50 - 15'],
  ['de 5 a 10 €', '5 € - 10 €'],
  ['20 € / 15 € socis', '15 € - 20 €'],
  ['Entrada 10 €, gratuït per a socis', '0 € - 10 €'],
])('instead of %s a site takes %s', (cost, instead) => {
  expect(costInstead(cost)).toBe(instead)
  expect(costInstead(instead)).toBeUndefined()
})

const details = (values: string[], currency_symbol = '') => ({ currency_symbol, values })

test.each([
  ['$15', details(['15']), '15'],
  ['$12,50', details(['12.50']), '12,50'],
  ['$1,000', details(['1000']), '1,000'],
  ['$12.5', details(['12.5']), '12.5'],
  ['$10 – $20', details(['10', '20']), '10 - 20'],
  ['Free', details(['0']), '0'],
  ['Free – $10', details(['0', '10']), '0 - 10'],
  ['Gratis', details(['gratis']), 'Gratis'],
  ['15€', details(['15'], '€'), '15€'],
  ['$1.234', details(['.56', '1.234']), '$1.234'],
  ['', details([]), ''],
])('the cost that a site shows as %s is sent back as it was written', (shown, site, written) => {
  expect(writtenCost(shown, site)).toBe(written)
})

test.each([
  ['12 euros', '12 €'],
  ['12 EUR', '12 €'],
  ['12,50 €', '12.50 €'],
  ['12,50 euros', '12.50 €'],
  ['gratuït', 'gratuït'],
  ['Entrada lliure', 'Entrada lliure'],
  ['taquilla inversa', 'taquilla inversa'],
  ['a determinar', 'a determinar'],
])('the cost %s is one value in an option and in a sheet', async (typed, cost) => {
  const { calctl, file } = calendarWithFiles({})
  const json = async (line: string | string[]) => JSON.parse((await calctl(line)).out)
  const { id } = await json(['events', 'create', '--title', 'A', ...when, '--cost', typed, '--json'])
  expect((await json(`events get ${id} --json`)).cost).toBe(cost)
  await json(`events update ${id} --cost 7 --json`)
  expect(await json(['events', 'update', String(id), '--cost', typed, '--json'])).toMatchObject({ cost })
  for (const separator of [',', ';']) {
    const rows = [
      ['Títol', 'Data', 'Hora', 'Preu'],
      ['B', '2027-01-09', '22 h', typed],
    ]
    const cell = (text: string) => (text.includes(separator) ? `"${text}"` : text)
    const sheet = file('a.csv', rows.map(row => `${row.map(cell).join(separator)}\n`).join(''))
    expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({ status: 0 })
  }
  const events = await json('events list --all --json')
  expect(events.map((event: { cost: string }) => event.cost)).toEqual([cost, cost])
})

test.each(['dotze euros', 'vint euros', 'doce euros', 'twelve euros', 'deu dòlars'])(
  'the cost %s, an amount in words, is refused',
  async typed => {
    const { json, calctl, file } = await productionSite()
    const { id } = await json(`events create --title Ball ${dates} --json`)
    const refusal = expect.stringContaining(`expected an amount in digits, such as 12 €, got "${typed}"`)
    for (const line of [
      ['events', 'create', '--title', 'A', ...when],
      ['events', 'update', String(id)],
    ])
      expect(await calctl([...line, '--cost', typed])).toMatchObject({ status: 2, err: refusal })
    const sheet = file('a.csv', `Títol,Data,Hora,Preu\nA,2027-01-09,22 h,${typed}\n`)
    expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({ status: 2, err: refusal })
  },
)

test('a cost with € is that of a site which names the currency EUR', async () => {
  const { calctl, file, id } = await siteWithCost('15')
  await calctl(`api PUT /tribe/events/v1/events/${id} --input -`, '{"cost":"20EUR"}')
  const sheet = file('events.csv', `id,cost\n${id},20 euros\n`)
  expect((await calctl(`apply ${sheet} --resource events --yes`)).err).toContain('1 unchanged')
})
