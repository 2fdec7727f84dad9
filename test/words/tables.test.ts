import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

const dates = '--start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'

/** A draft at a venue, on a terminal in Catalan. */
async function town() {
  const calctl = calendar({ terminal: 120, env: { CALCTL_UI: 'ca' } })
  await calctl('venues create --venue "Plaça Major" --yes')
  await calctl(`events create --title Concert ${dates} --venue 1 --status draft --yes`)
  return calctl
}

test('tables have the words of the contract as headings, and name statuses and days of the week', async () => {
  const calctl = await town()
  const { out } = await calctl('events list --status draft --no-color')
  expect(out.split('\n')).toEqual([
    'ID  Inici             Títol    Lloc         Categories  Estat',
    '2   ds. 5 des. 19:00  Concert  Plaça Major              esborrany',
    '',
  ])
})

test('a whole record says yes and no in words', async () => {
  const calctl = await town()
  const { out } = await calctl('events get 2 --full --no-color')
  expect(out).toMatch(/^Estat +esborrany$/m)
  expect(out).toMatch(/^Dura tot el dia +no$/m)
})

test('what is for programs stays as it is', async () => {
  const calctl = await town()
  expect((await calctl('events list --status draft --fields title,status -o csv')).out).toBe(
    'title,status\nConcert,draft\n',
  )
})
