import { afterEach, expect, test, vi } from 'vitest'
import { calendar } from '../support/calendar.ts'

afterEach(() => void vi.restoreAllMocks())

test('a look-up of many records that takes long says how far it is, and ends with the one that is not there', async () => {
  const calctl = calendar()
  await calctl('tags create --name Jazz')
  const lines = Array.from({ length: 1200 }, (_, index) => `${index === 700 ? 999 : 1}\n`).join('')
  const quick = await calctl('tags delete - --yes', lines)
  expect(quick.err).not.toContain('looked up')
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 11_000
    return now
  })
  const { status, err } = await calctl('tags delete - --yes', lines)
  expect(status).toBe(2)
  expect(err).toMatch(/^looked up 500 of 1200\nlooked up 1000 of 1200\nlooked up 1200 of 1200\n! line 701: no tag 999 /)
})
