import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

async function season(keys: readonly string[]) {
  const calctl = calendar({ terminal: 100, piped: true, keys })
  for (const title of ['Concert', 'Ball', 'Taller'])
    await calctl(`events create --title ${title} --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"`)
  return calctl
}

test('list | update - asks through the terminal, because stdin has the records', async () => {
  const calctl = await season(['y\r'])
  const { out } = await calctl('events list -o ids')
  const { status, err } = await calctl('events update - --featured', out)
  expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('update 3 events') })
  expect((await calctl('events list --featured -o count')).out).toBe('3\n')
})

test('a no at the terminal leaves the records of a pipe as they were', async () => {
  const calctl = await season(['n\r'])
  const { status, err } = await calctl('events delete -', '1\n2\n')
  // A no is an answer, not an error.
  expect({ status, err }).toEqual({ status: 8, err: expect.stringMatching(/nothing was changed\n$/) })
  expect(err).not.toContain('error')
  expect((await calctl('events list -o count')).out).toBe('3\n')
})

test('a pipe that no records come from answers no questions', async () => {
  const calctl = await season(['y\r'])
  const { status, err } = await calctl('events delete 1 2')
  expect({ status, err }).toEqual({ status: 8, err: expect.stringContaining('without a terminal') })
})
