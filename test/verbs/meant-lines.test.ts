import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

/** A line as somebody types it who has read no help, and the line that works. */
const lines: [typed: string, hint: string][] = [
  ['export --out x.xlsx', 'use: calctl export -o xlsx > x.xlsx'],
  ['export --out=x.csv -q', 'use: calctl export -q -o csv > x.csv'],
  ['export december.xlsx', 'use: calctl export -o xlsx > december.xlsx'],
  ['export events december', 'use: calctl export events --on december'],
  ['export events december list.xlsx', 'use: calctl export events --on december -o xlsx > list.xlsx'],
  ['events list -o xlsx', 'use: calctl export events -o xlsx > calendar.xlsx'],
  ['events list next week -o xlsx', "use: calctl export events --on 'next week' -o xlsx > calendar.xlsx"],
  ['events list --month 2026-12 -o december.xlsx', 'use: calctl export events --month 2026-12 -o xlsx > december.xlsx'],
  ['stats per mes --ui ca', 'feu servir: calctl stats --ui ca --by mes'],
  ['stats by place', 'use: calctl stats --by place'],
  ['stats 2026', 'use: calctl stats --year 2026'],
  ['stats december', 'use: calctl stats --on december'],
  ['stats --year 2026 2027', 'see the usage with: calctl stats --help'],
  ['events create Concert saturday 20:00', "use: calctl events create --title Concert --start-date 'saturday 20:00'"],
  ['events create "Winter fair" --cost 5', "use: calctl events create --cost 5 --title 'Winter fair'"],
  ['events create Fira de Nadal', "use: calctl events create --title 'Fira de Nadal'"],
  ['venues create Library', 'use: calctl venues create --venue Library'],
  ['events create Concert --post-password hunter2', 'see the usage with: calctl events create --help'],
  [
    'events list december library',
    'at a place: --on december --venue library; with a word of the title: --on december --search library',
  ],
  ['agenda saturday library', 'at a place: --on saturday --venue library;'],
  ['events publish december', 'use: calctl events publish --on december'],
  ['events delete december --yes', 'use: calctl events delete --yes --on december'],
  ['events publish jazz', 'list events with: calctl events list --all-dates'],
]

test.each(lines)('%s is answered with the line that works', async (typed, hint) => {
  const { status, err } = await calendar({ language: 'en' })(typed)
  expect([status > 0, err]).toEqual([true, expect.stringContaining(hint)])
})

test('what an argument can be is said in words', async () => {
  const { err } = await calendar()('export tot --ui ca')
  expect(err).toContain('error: tipus: s’esperava un d’aquests valors: events, venues,')
})
