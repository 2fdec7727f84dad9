import { expect, test } from 'vitest'
import { wrapSentences } from '../../src/cli/terminal/wrapped-sentences.ts'
import { calendar } from '../support/calendar.ts'
import { town } from './town.ts'

const at = (terminal: number) => ({ terminal, env: { NO_COLOR: '1' } })
const words = (text: string) => text.replace(/\s+/g, ' ')

test.each([60, 80])('the history shows what changed in full at %s columns', async terminal => {
  const calctl = calendar({ language: 'en', ...at(terminal) })
  const title = 'Concert of the choir of Saint George and its friends'
  await calctl(['events', 'create', '--title', title, '--start-date', '2026-12-05T19:00', '--duration', '2h', '--yes'])
  const { out } = await calctl('history')
  expect(words(out)).toContain(`events create done + "${title}", Sat 5 Dec 19:00 (1): ends 21:00`)
  expect(out).not.toContain('…')
  expect(Math.max(...out.split('\n').map(line => line.length))).toBeLessThanOrEqual(terminal)
})

test('the queue shows all that is missing at 60 columns', async () => {
  const { calctl } = await town(at(60))
  const { out } = await calctl('queue --ui ca')
  expect(out).toMatch(/ID +Títol.*\n {2}Hi falta\n7 +Rehearsal.*\n {2}imatge destacada, lloc, preu, descripció\n/)
})

test.each([60, 80])('the headings of statistics are whole at %s columns', async terminal => {
  const { calctl } = await town(at(terminal))
  const { out } = await calctl('stats --ui ca')
  expect(out).toMatch(/^Grup +Esdeveniments +Cancel·lats\n/)
  expect(out.includes('█')).toBe(terminal === 80)
  expect(Math.max(...out.split('\n').map(line => line.length))).toBeLessThanOrEqual(terminal)
})

test('a month marks what the public does not see where a title is cut', async () => {
  const { calctl } = await town(at(80))
  const line = 'events create --title "A meeting of the council behind closed doors" --start-date 2026-11-23T20:00'
  await calctl(`${line} --duration 1h --status private --yes`)
  expect((await calctl('month')).out).toContain('(private)')
})

test('a command that is longer than a line breaks at spaces, and can still be copied', async () => {
  const text = 'hint: see: calctl events list --status trash --search library'
  expect(await wrapSentences(text, { isTTY: true, columns: 40 })).toBe(
    'hint: see:\n  calctl events list --status trash \\\n  --search library',
  )
})
