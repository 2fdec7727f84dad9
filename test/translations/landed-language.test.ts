import { expect, test } from 'vitest'
import { multilingualSite } from './multilingual-site.ts'

const concert = '--title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

test.each([
  ['answers say', true],
  ['the address says, which is asked again,', false],
])('a record that %s is in another language than asked for is a conflict, with what to type', async (_, tells) => {
  const { calctl } = await multilingualSite({ tells })
  const created = await calctl(`events create --lang es ${concert}`)
  expect(created).toMatchObject({
    status: 7,
    err: expect.stringMatching(
      /error: event \d+ is in the language ca, not in es\nhint: remove it with: calctl events delete \d+ --lang ca; or set its language in WordPress/,
    ),
  })
  expect(await calctl('events list --lang ca --all-dates -o count')).toMatchObject({ out: '1\n' })
  expect(await calctl('undo --lang es --yes')).toMatchObject({ status: 0, err: expect.stringContaining('- trash 1') })
  expect(await calctl('events list --lang ca --all-dates -o count')).toMatchObject({ out: '0\n' })
})

test.each([true, false])('a record in the language that was asked for is none (its site says so: %s)', async tells => {
  const { calctl, seen } = await multilingualSite({ tells, obeys: true })
  expect((await calctl(`events create --lang es ${concert}`)).status).toBe(0)
  expect((await calctl(`events create --lang ca ${concert}`)).status).toBe(0)
  seen.splice(0)
  expect((await calctl(`events update concert --lang es --title Concierto`)).status).toBe(0)
  expect(seen.filter(line => line.startsWith('POST'))).toHaveLength(1)
})

test('the same holds for the records of a file', async () => {
  const { apply } = await multilingualSite({ tells: false })
  const row = 'es,Concierto,2026-12-05 19:00,2026-12-05 21:00'
  expect(await apply(`lang_code,title,start_date,end_date\n${row}\n`)).toMatchObject({
    status: 7,
    err: expect.stringContaining('is in the language ca, not in es'),
  })
})
