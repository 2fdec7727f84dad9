import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testService } from '../support/test-service.ts'
import { worldOf } from '../support/world.ts'

/** A calendar with an event, and the text of a plan that moves it; `offer` has a plan approved in each of the ways there are. */
async function calendar() {
  const { ask, service } = testService()
  const march = { start_date: '2027-03-04 19:00:00', end_date: '2027-03-04 21:00:00' }
  const { id } = (await ask('POST /events', { json: { ...march, title: 'Ball', status: 'publish' } })).body
  const cwd = mkdtempSync(join(tmpdir(), 'bad-plan-'))
  const writes: string[] = []
  const setup = {
    cwd,
    env: { XDG_STATE_HOME: join(cwd, 'state'), NO_COLOR: '1' },
    transport: async (request: Parameters<typeof service>[0]) => {
      if (request.method !== 'GET') writes.push(request.method)
      return service(request)
    },
  }
  writeFileSync(
    join(cwd, 'rows.json'),
    JSON.stringify([{ resource: 'events', id, start_date: '2027-03-09', end_date: '2027-03-09' }]),
  )
  await worldOf(setup)('diff rows.json --save plan.json')
  const text = readFileSync(join(cwd, 'plan.json'), 'utf8')
  const offer = async (plan: string) => {
    writeFileSync(join(cwd, 'offered.json'), plan)
    const opened: string[] = []
    const withPage = worldOf({ ...setup, openPage: async file => void opened.push(file) })
    const outcomes = [
      await withPage('preview offered.json --approve'),
      await withPage('approve offered.json --page'),
      await worldOf({ ...setup, terminal: 100, keys: [] })('approve offered.json'),
    ]
    expect([opened, writes]).toEqual([[], []])
    return outcomes
  }
  return { ask, id, offer, text }
}

const withoutSum = (text: string) => text.replace(/,"checksum":"\w+"/, '')

test.each<[string, number, string, (text: string) => string]>([
  ['changed', 7, 'was changed after it was made', text => text.replace('2027-03-09', '2027-03-10')],
  ['cut off', 2, 'is cut off', text => text.slice(0, -90)],
  [
    'of another calendar',
    7,
    'the plan is for',
    text => withoutSum(text).replace(/"id":"http[^"]*"|"id":"file[^"]*"/, '"id":"https://other.test"'),
  ],
  ['of another version', 2, 'another version of calctl', text => withoutSum(text).replace('"calctl":1', '"calctl":2')],
  [
    'forged with a field that is none',
    2,
    'no such field',
    text => withoutSum(text).replace('"values":{', '"values":{"is_admin":true,'),
  ],
  ['forged with a date that is none', 2, 'expected', text => withoutSum(text).replace('2027-03-09', '2027-13-09')],
  [
    'forged for a record that it does not show',
    2,
    'before',
    text => withoutSum(text).replace(/"id":(\d+),"before"/, '"id":999,"before"'),
  ],
])('a plan that is %s is refused before anybody is asked: %i', async (_, status, said, change) => {
  const { offer, text } = await calendar()
  const changed = change(text)
  expect(changed).not.toBe(text)
  for (const outcome of await offer(changed))
    expect(outcome).toMatchObject({ status, err: expect.stringContaining(said) })
})
