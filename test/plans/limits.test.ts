import { expect, test } from 'vitest'
import { removalExcess } from '../../src/changes/plan/plan-checks.ts'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'
import { concert, planOf, stepOn } from '../support/run-helpers.ts'

const trashing = (count: number) =>
  planOf(...Array.from({ length: count }, (_, index) => stepOn('trash', 'events', { ...concert, id: index + 1 })))

test.each([
  [20, undefined, undefined, undefined],
  [21, undefined, undefined, 'this would remove 21 records, more than the limit of 20'],
  [21, undefined, 21, undefined],
  [22, undefined, 21, 'this would remove 22 records, more than the limit of 21'],
  [3, 10, undefined, undefined],
  [4, 11, undefined, 'this would remove 4 of 11 events, more than the limit of 30 %'],
  [4, 11, 4, undefined],
  [1, 1, 0, 'this would remove 1 record, more than the limit of 0'],
])('removing %i of %s with --max-trash %s: %s', (count, total, maxTrash, message) => {
  const plan = { ...trashing(count), ...(total !== undefined && { among: { events: total } }) }
  const excess = removalExcess(plan, maxTrash)
  expect(excess?.message).toBe(message)
})

/** A calendar of 25 events, and their IDs. */
async function crowded() {
  const shelved = calendarWithFiles()
  const rows = Array.from({ length: 25 }, (_, index) => row(`Concert ${index}`)).join('')
  await shelved.calctl(`apply ${shelved.file('many.csv', head + rows)} --yes`)
  return { ...shelved, ids: Array.from({ length: 25 }, (_, index) => index + 1) }
}

test('an update whose status is trash counts as a removal', async () => {
  const { calctl, ids } = await crowded()
  const all = `${ids.join('\n')}\n`
  expect(await calctl('events update - --status trash --yes', all)).toEqual({
    status: 8,
    out: '',
    err: `25 to move to the trash
error: this would remove 25 records, more than the limit of 20
hint: see which with: --dry-run; to remove them add: --max-trash 25
`,
  })
  const some = `${ids.slice(0, 8).join('\n')}\n`
  expect(await calctl('events update - --status trash --yes', some)).toMatchObject({
    status: 8,
    err: expect.stringContaining('error: this would remove 8 of 25 events, more than the limit of 30 %\n'),
  })
  expect(await calctl('events update - --status trash --dry-run', all)).toMatchObject({
    status: 0,
    err: 'this would remove 25 records, more than the limit of 20: it needs --max-trash 25\n',
  })
  expect((await calctl('events update - --status trash --dry-run', '1\n')).out).toBe(
    `- "Concert 0", Sat 5 Dec 19:00 (1, line 1): status publish → trash
1 to move to the trash
`,
  )
  const sheet = `id,title,status\n${ids.map(id => `${id},Off,trash\n`).join('')}`
  expect((await calctl('apply - --format csv --yes', sheet)).status).toBe(8)
  expect((await calctl('apply - --format csv --yes --max-trash 25', sheet)).status).toBe(0)
  expect((await calctl('events list --all-dates -o count')).out).toBe('0\n')
})
