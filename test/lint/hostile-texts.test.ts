import { expect, test } from 'vitest'
import { htmlFaults } from '../../src/base/text/html-faults.ts'
import { decodeMojibake } from '../../src/base/text/mojibake.ts'
import { calendar } from '../support/calendar.ts'
import { calendarOf, cleanCalendar } from './clean-calendar.ts'

/** Enough for what grows with the square of it to take minutes. */
const many = 200_000

/** Texts that take for ever, or overflow a stack, if every letter is looked at more than a few times. */
const hostile: Readonly<Record<string, string>> = {
  'deeply nested elements': '<b>'.repeat(many),
  'ends without beginnings in deep elements': `${'<b>'.repeat(100_000)}${'</i>'.repeat(100_000)}`,
  'ends that close many': `<div>${'<b>'.repeat(100_000)}</div>`,
  'a tag that never ends': `<a ${'x="y" '.repeat(100_000)}`,
  'comments that never end': '<!--'.repeat(many),
  brackets: '[a '.repeat(many),
  'signs of mojibake': 'Ã'.repeat(many),
  'quotes of mojibake': 'â€'.repeat(many),
  'entities in entities': '&amp;'.repeat(many),
  'signs of tags': '<'.repeat(many),
  'one long word': 'a'.repeat(50 * many),
}

test.each(Object.entries(hostile))('a text of %s is read in one go', async (_, text) => {
  const rows = cleanCalendar(1)
  Object.assign(rows.events[0] ?? {}, { description: text, title: text.slice(0, 100_000) })
  const { status, err } = await calendarOf(rows)('lint --severity info -o count')
  expect(status).toBeLessThan(2)
  expect(err).not.toContain('error')
})

test('what --fix makes of HTML is the same HTML, closed', () => {
  expect(htmlFaults('<div><p>a <b>b<i>c</div>d').closed()).toBe('<div><p>a <b>b<i>c</i></b></div>d')
  expect(htmlFaults('a</b> b <ul><li>c<li>d').closed()).toBe('a b <ul><li>c<li>d</ul>')
  expect(htmlFaults('<p class="MsoNormal intro" style="mso-x: 1; color: red" id=a>a<o:p></o:p></p>').cleaned()).toBe(
    '<p class="intro" style="color: red" id=a>a</p>',
  )
  expect(
    htmlFaults(
      '<span lang="CA"><SPAN style="mso-bidi: 1">a</SPAN></span><!--[if gte mso 9]><xml/><![endif]-->',
    ).cleaned(),
  ).toBe('<span lang="CA">a</span>')
  for (const clean of [
    '<p>a<p>b<br>c<img src=x>',
    '<table><tr><td>a<td>b</table>',
    'a < b && c > d',
    '<svg><path d=""/></svg>',
  ])
    expect(htmlFaults(clean)).toMatchObject({ open: [], stray: [], overlapping: undefined, isPasted: false })
})

test('letters are decoded where that is certain, and left alone where they may be meant', () => {
  expect(decodeMojibake('CafÃ© lâ€™any â‚¬ Ã  la plaÃ§a')).toBe('Café l’any € Ã  la plaça')
  expect(decodeMojibake('Fa 20Â ºC, Ã\u00a0 les 7')).toBe('Fa 20Â ºC, à les 7')
  expect(decodeMojibake('CafÃƒÂ©')).toBe('Café')
  for (const meant of ['CAFÉ” i VENDRÀ…', 'São Paulo, NÃO', 'Ângela', 'l’Àgora', 'àéíòú ÀÉÍÒÚ', '«É»'])
    expect(decodeMojibake(meant)).toBe(meant)
})

test('texts of records print nothing but text on a terminal', async () => {
  const calctl = calendar({ terminal: 100 })
  const tag = JSON.stringify({ name: 'CafÃ© \u001b[31mred\u0007 \u202etxt' })
  await calctl('api POST /calendar/events/v1/tags --input -', tag)
  const { out } = await calctl('lint --no-color')
  expect(out).toContain('mojibake')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(out).not.toMatch(/[\u0000-\u0008\u000e-\u001f\u202e]/)
})
