import { expect, test } from 'vitest'
import { kill } from '../soak/kill.ts'
import { tempCalendarFile } from '../support/temp-calendar-file.ts'

/** `npm run soak` sets many more. */
const rounds = Number(process.env.SOAK_ROUNDS ?? 2)

test('a process killed while it writes loses no acknowledged write', {
  timeout: rounds * 60_000,
}, async () => {
  const { file } = tempCalendarFile()
  const { acknowledged, lost } = await kill(file, rounds)
  console.log(`${rounds} kills, ${acknowledged} writes acknowledged, ${lost.length} lost`)
  expect(lost).toEqual([])
  expect(acknowledged).toBeGreaterThan(rounds)
})
