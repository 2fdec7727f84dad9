import { expect, test } from 'vitest'
import { killServer } from '../soak/kill-server.ts'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'

/** `npm run soak` sets many more. */
const rounds = Number(process.env.SOAK_ROUNDS ?? 1)

test('a server killed under eight clients loses no acknowledged write', {
  timeout: rounds * 120_000,
}, async () => {
  const { file } = tempCalendarFile()
  const { acknowledged, lost } = await killServer(file, rounds)
  console.log(`${rounds} kills of a server, ${acknowledged} writes acknowledged, ${lost.length} lost`)
  expect(lost).toEqual([])
  expect(acknowledged).toBeGreaterThan(rounds)
})
