import { expect, test } from 'vitest'
import { dates, productionSite } from './production-site.ts'

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
  expect([status, err]).toEqual([0, expect.stringContaining('update 1')])
  expect(await costOf()).toBe('Free')
  expect((await calctl(`apply ${sheet} --resource events --yes`)).err).toContain('same 1')
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
  expect(updated.cost).toBe('$12,50')
  expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({ cost: '12,50' })
})

test('a cost in a sheet is the same as shown and as stored', async () => {
  const { calctl, json, file } = await productionSite()
  const { id } = await json(`events create --title Ball ${dates} --cost "5 €" --json`)
  const line = `apply ${file('events.csv', `id,cost,description\n${id},5€,\n`)} --resource events --yes`
  expect((await calctl(line)).err).toContain('same 1')
  expect((await calctl(line.replace('5€', '5 €'))).err).toContain('same 1')
})

test('another currency is another cost', async () => {
  const { calctl, file, id, costOf } = await siteWithCost('20 EUR')
  const sheet = file('events.csv', `id,cost\n${id},20 CHF\n`)
  expect((await calctl(`apply ${sheet} --resource events --yes`)).status).toBe(0)
  expect(await costOf()).toBe('20CHF')
})

test.each([
  ['1.234,56', 'write: 1234.56'],
  ['5, 10, 15', 'write: 5 - 15'],
  ['Free - 10', 'write: 0 - 10'],
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

test('a new event whose cost is 0 is shown as free, where wp/v2 can write that', async () => {
  const { calctl, json, file, writes } = await productionSite()
  const sheet = file('season.csv', 'Títol,Data,Hora,Preu\nContes,9/1/2027,11.30 h,0\nBall,20/1/2027,20 h,5 €\n')
  expect(await calctl(`apply ${sheet} --yes`)).toMatchObject({ status: 0 })
  expect(writes()).toHaveLength(3)
  const events = await json('events list --starts-after 2027-01-01 --json')
  expect(events.map(({ cost }: { cost: string }) => cost)).toEqual(['Free', '5€'])
  expect((await calctl(`apply ${sheet} --yes`)).err).toContain('same 2')
})
