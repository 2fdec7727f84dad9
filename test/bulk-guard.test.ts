import { expect, test } from 'vitest'
import { head, row, shelf } from './shelf.ts'

/** A calendar of 25 events, and their IDs. */
async function crowded() {
  const shelved = shelf()
  const rows = Array.from({ length: 25 }, (_, index) => row(`Concert ${index}`)).join('')
  await shelved.calctl(`apply ${shelved.file('many.csv', head + rows)} --yes`)
  return { ...shelved, ids: Array.from({ length: 25 }, (_, index) => index + 1) }
}

test('records that a status takes to the trash count as trashed', async () => {
  const { calctl, ids } = await crowded()
  const all = `${ids.join('\n')}\n`
  expect(await calctl('events update - --status trash --yes', all)).toEqual({
    status: 8,
    out: '',
    err: `+ create 0  ~ update 0  - trash 25  = same 0  ! invalid 0
error: this takes away 25 records, more than 20
hint: look at them with: --dry-run; if they are meant add: --max-trash 25
`,
  })
  const some = `${ids.slice(0, 8).join('\n')}\n`
  expect(await calctl('events update - --status trash --yes', some)).toMatchObject({
    status: 8,
    err: expect.stringContaining('error: this takes away 8 of 25 events, more than 30 %\n'),
  })
  expect(await calctl('events update - --status trash --dry-run', all)).toMatchObject({
    status: 0,
    err: 'this takes away 25 records, more than 20: it needs --max-trash 25\n',
  })
  expect((await calctl('events update - --status trash --dry-run', '1\n')).out).toBe(
    `- event 1 "Concert 0" (line 1): status "publish" → "trash"
+ create 0  ~ update 0  - trash 1  = same 0  ! invalid 0
`,
  )
  const sheet = `id,title,status\n${ids.map(id => `${id},Off,trash\n`).join('')}`
  expect((await calctl('apply - --format csv --yes', sheet)).status).toBe(8)
  expect((await calctl('apply - --format csv --yes --max-trash 25', sheet)).status).toBe(0)
  expect((await calctl('events list --all-dates -o count')).out).toBe('0\n')
})
