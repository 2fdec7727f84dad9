import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Plan } from '../../src/changes/plan/plan.ts'
import { previewChanges } from '../../src/changes/plan/planned-records.ts'
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

  test(`${revision}: a client that opens no pages: a browser is opened, or the address printed for a person`, async () => {
    const { call, ids, opened, records, writes } = await conversation({ revision })
    const { plan } = await call('plan', { action: 'cancel', ids: [ids[1]], reason: 'Pluja' })
    const waiting = await call('apply_plan', { plan })
    expect(waiting).toMatchObject({ state: 'waiting' })
    expect([opened.length, writes]).toEqual([1, []])
    const before = await records()
    await decide(opened[0] ?? '', 'refuse')
    expect(await call('apply_plan', { plan })).toMatchObject({ state: 'refused' })
    expect([await records(), writes]).toEqual([before, []])
    const blind = await conversation({ revision, hasBrowser: false })
    const other = await blind.call('plan', { action: 'move', ids: [blind.ids[0]], to: '2027-03-09' })
    expect((await blind.call('apply_plan', { plan: other.plan })).text).not.toContain('127.0.0.1')
    expect(blind.opened).toHaveLength(1)
    await decide(blind.opened[0] ?? '')
    expect(await blind.call('apply_plan', { plan: other.plan })).toMatchObject({ state: 'approved' })
  })
}

test('a malformed message is told in one line on stderr, and the conversation goes on', async () => {
  const { call, client, end, send } = await conversation()
  send({ jsonrpc: '2.0', id: 90, method: 5 })
  send([])
  expect(await call('look', { what: 'events', from: '2027-03-01' })).toMatchObject({ isError: false })
  await client.close()
  const { err } = await end()
  expect(err).toBe('ignored a malformed message\n'.repeat(2))
})

test('a form that a client accepts by itself is no press', async () => {
  const { call, ids, writes } = await conversation({ opens: async () => 'accept' })
  const { plan } = await call('plan', { action: 'move', ids: [ids[0]], to: '2027-03-09' })
  expect(await call('apply_plan', { plan })).toMatchObject({ state: 'waiting' })
  expect(writes).toEqual([])
})

test('an assistant plans with no file of this machine, and is not told which there are', async () => {
  const { call, ids } = await conversation()
  const image = join(mkdtempSync(join(tmpdir(), 'private-')), 'a.png')
  writeFileSync(image, Buffer.from('89504e470d0a1a0a', 'hex'))
  for (const [action, value] of [
    ['update', image],
    ['apply', { url: image }],
    ['update', { id: image }],
    ['update', '/no/such.png'],
    ['create', pathToFileURL(image).href],
  ])
    expect(await call('plan', { action, records: [{ id: ids[0], title: 'Ball', image: value }] })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^assistants name no files of this machine; /),
    })
  const { isError } = await call('plan', {
    action: 'update',
    records: [{ id: ids[0], image: 'https://example.org/a.png' }],
  })
  expect(isError).toBe(false)
})

test('records that are nested too deeply are refused, and the conversation goes on', async () => {
  const { call, ids } = await conversation()
  let deep: unknown = 'x'
  for (let level = 0; level < 3000; level++) deep = [deep]
  expect(await call('plan', { action: 'update', records: [{ id: ids[0], description: deep }] })).toMatchObject({
    isError: true,
    text: expect.stringContaining('nested too deeply'),
  })
  expect(await call('look', { what: 'events', from: '2027-03-01' })).toMatchObject({ isError: false })
})

test('a page whose plan cannot be kept is closed again', async () => {
  const { call, ids, opened, plansFolder } = await conversation()
  rmSync(plansFolder, { recursive: true })
  writeFileSync(plansFolder, '')
  const servers = () => process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap').length
  const before = servers()
  const { plan } = await call('plan', { action: 'move', ids: [ids[0]], to: '2027-03-09' })
  expect(await call('apply_plan', { plan })).toMatchObject({ isError: true })
  expect([opened, servers()]).toEqual([[], before])
})

test('the page shows texts in full, also behind what a terminal has room for', () => {
  const harmless = 'A very harmless description of the venue. '.repeat(3)
  const step = {
    key: 'venues 1',
    action: 'update',
    resource: 'venues',
    id: 1,
    before: { id: 1, venue: 'Sala', description: harmless },
  }
  const values = { description: `${harmless}https://phishing.test/` }
  const [change] = previewChanges(
    { made: '2027-01-01', steps: [{ ...step, values }] } as unknown as Plan,
    () => undefined,
  )
  expect(change?.sentence).toContain('https://phishing.test/')
})

test.each(['constructor', '__proto__', 'toString', 'no'])('%s is no field of a record', async field => {
  const { call, ids } = await conversation()
  expect(await call('get', { kind: 'events', id: ids[0], field })).toMatchObject({
    isError: true,
    text: expect.stringContaining(`no such field: ${field}`),
  })
})

test('what an assistant is advised is no command line', async () => {
  const { call, ids } = await conversation()
  const told = await call('plan', { action: 'move', ids: [ids[0], 4242], to: '2027-03-09' })
  expect(told.invalid).toEqual([{ at: '4242', message: expect.stringContaining('no event 4242') }])
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
