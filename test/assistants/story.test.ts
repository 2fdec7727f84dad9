import { expect, test } from 'vitest'
import { conversation, decide, revisions, skillText } from './conversation.ts'

const names = ['look', 'get', 'check', 'plan', 'apply_plan', 'undo']

for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  test(`${revision}: a plan is refused without a press, carried out after it, reported, and undone by a tool`, async () => {
    const pages: string[] = []
    let decision: 'wait' | 'press' = 'wait'
    const { call, ids, records, writes } = await conversation({
      revision,
      opens: async address => {
        pages.push(address)
        if (decision === 'wait') return 'decline'
        await decide(address)
        return 'accept'
      },
    })
    const before = await records()
    const planned = await call('plan', { action: 'move', ids: [ids[0]], to: '2027-03-09' })
    expect(planned).toMatchObject({
      isError: false,
      language: 'ca',
      zone: 'Europe/Madrid',
      data: [expect.stringContaining('Ball')],
    })
    expect(await call('apply_plan', { plan: planned.plan })).toMatchObject({ state: 'waiting' })
    expect(writes).toEqual([])
    decision = 'press'
    const applied = await call('apply_plan', { plan: planned.plan })
    expect(applied).toMatchObject({ state: 'approved', run: expect.stringMatching(/^\w{3}$/) })
    expect(await records()).not.toBe(before)
    // The same plan again is not written again.
    const sent = writes.length
    expect(await call('apply_plan', { plan: planned.plan })).toMatchObject({ state: 'approved', run: applied.run })
    expect(writes).toHaveLength(sent)
    expect(await call('undo', { run: applied.run })).toMatchObject({ state: 'approved' })
    expect(await records()).toBe(before)
    expect(pages).toHaveLength(3)
  })

  test(`${revision}: a client that opens no pages: a browser is opened, and the address is told only where there is none`, async () => {
    const { call, ids, opened, records, writes } = await conversation({ revision })
    const { plan } = await call('plan', { action: 'cancel', ids: [ids[1]], reason: 'Pluja' })
    const waiting = await call('apply_plan', { plan })
    expect(waiting).toMatchObject({ state: 'waiting' })
    expect(waiting.address).toBeUndefined()
    expect([opened.length, writes]).toEqual([1, []])
    const before = await records()
    await decide(opened[0] ?? '', 'refuse')
    expect(await call('apply_plan', { plan })).toMatchObject({ state: 'refused' })
    expect([await records(), writes]).toEqual([before, []])
    const blind = await conversation({ revision, hasBrowser: false })
    const other = await blind.call('plan', { action: 'move', ids: [blind.ids[0]], to: '2027-03-09' })
    const { address } = await blind.call('apply_plan', { plan: other.plan })
    await decide(String(address))
    expect(await blind.call('apply_plan', { plan: other.plan })).toMatchObject({ state: 'approved' })
  })
}

test('a form that a client accepts by itself is no press', async () => {
  const { call, ids, writes } = await conversation({ opens: async () => 'accept' })
  const { plan } = await call('plan', { action: 'move', ids: [ids[0]], to: '2027-03-09' })
  expect(await call('apply_plan', { plan })).toMatchObject({ state: 'waiting' })
  expect(writes).toEqual([])
})

test('what is left out on the page is not written', async () => {
  const { call, opened, records } = await conversation()
  const records2 = ['Un', 'Dos'].map(title => ({ title, start_date: '2027-04-01 19:00', end_date: '2027-04-01 20:00' }))
  const { plan } = await call('plan', { action: 'create', records: records2 })
  await call('apply_plan', { plan })
  await decide(opened[0] ?? '', 'approve', [0])
  expect(await call('apply_plan', { plan })).toMatchObject({ state: 'approved' })
  expect(await records()).toMatch(/Dos/)
  expect(await records()).not.toMatch(/"Un"/)
})

test.each(Object.keys(revisions) as (keyof typeof revisions)[])(
  '%s: six tools, in less than 2,000 tokens, and the skill',
  async revision => {
    const { client } = await conversation({ revision })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(names)
    // About four bytes a token.
    expect(JSON.stringify(tools).length / 4).toBeLessThan(2000)
    const { resources } = await client.listResources()
    expect(JSON.stringify(resources)).toContain('skill://calctl/SKILL.md')
    const { contents } = await client.readResource({ uri: 'skill://calctl/SKILL.md' })
    expect(contents).toMatchObject([{ text: skillText() }])
  },
)
