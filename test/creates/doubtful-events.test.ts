import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

const concert = (year = 2026) =>
  `events create --title Concert --start-date "${year}-12-05 19:00" --end-date "${year}-12-05 21:00"`

test.each([{}, { quirks: true }])(
  'a script that creates an event twice is told so, and creates it (%j)',
  async shape => {
    const calctl = calendar(shape)
    expect((await calctl(concert())).err).not.toContain('already')
    expect(await calctl(concert().replace('Concert', 'CONCERT'))).toMatchObject({
      status: 0,
      err: expect.stringContaining(
        'an event of this title begins at the same time already: "Concert", Sat 5 Dec 19:00 (',
      ),
    })
    expect((await calctl(concert().replace('19:00', '18:00'))).err).not.toContain('already')
  },
)

test('an event that is past is said to be, but not one that is still on', async () => {
  const calctl = calendar()
  expect((await calctl(concert(2025))).err).toContain('this event is past: it ends on Fri 5 Dec 2025 21:00')
  const fair = 'events create --title Fira --start-date 2026-11-20 --end-date 2026-12-20 --all-day'
  expect((await calctl(fair)).err).not.toContain('past')
})

test.each([
  ['a double', concert(), 'Create it anyway? (y/N)', 8],
  ['a past event', concert(2025), 'Create it anyway? (Y/n)', 0],
])('at a terminal %s is asked about', async (_, line, question, status) => {
  const calctl = calendar({ terminal: 200, keys: ['\r', '\r'] })
  await calctl(`${concert()} --yes`)
  const outcome = await calctl(line)
  expect(outcome.err).toContain(question)
  expect(outcome.status).toBe(status)
})

test('with -q nothing is searched for', async () => {
  const seen: string[] = []
  const calctl = calendar({ seen })
  await calctl(`${concert()} -q`)
  expect(seen.filter(line => line.startsWith('GET') && line.includes('search'))).toEqual([])
})
