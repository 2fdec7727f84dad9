import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { useColor } from '../../src/cli/terminal/colors.ts'
import { type PrintOptions, printRecords } from '../../src/cli/terminal/print.ts'
import { linesWithin, widthOf } from '../../src/cli/terminal/table.ts'
import { events } from '../../src/contract/events.ts'
import type { Answer } from '../../src/contract/resource.ts'

const jazz: Answer = {
  id: 1,
  title: 'Jazz a la plaça',
  description: 'Una nit de jazz\nper a tothom.',
  start_date: '2026-12-05 19:00:00',
  all_day: false,
  venue: { id: 7, venue: 'Teatre Principal' },
  categories: [{ id: 2, name: 'Jazz' }],
  organizer: [],
  status: 'publish',
  website: '',
}
const fair: Answer = {
  id: 12,
  title: 'Fira de tardor',
  start_date: '2026-12-06 00:00:00',
  all_day: true,
  status: 'draft',
}

/** The visible lines. */
async function seen(records: PrintOptions['records'], options: Partial<PrintOptions> & { columns?: number } = {}) {
  let text = ''
  const { columns = 80 } = options
  const write = async (more: string | Uint8Array) => {
    text += more
  }
  const stdout = { write, isTTY: true, columns }
  await printRecords({ shape: events, records, env: { TERM: 'dumb' }, stdout, ...options })
  return text.trimEnd().split('\n')
}

test('a terminal gets a table with headings, weekdays, and names of linked records', async () => {
  expect(await seen([jazz, fair])).toEqual([
    'ID  Start date            Title            Venue             Categories  Status',
    '1   Sat 5 Dec 2026 19:00  Jazz a la plaça  Teatre Principal  Jazz',
    '12  Sun 6 Dec 2026        Fira de tardor                                 draft',
  ])
})

test('a narrow terminal cuts other texts before titles, and never dates and IDs', async () => {
  expect(await seen([jazz, fair], { columns: 64 })).toEqual([
    'ID  Start date            Title            Venue     Cat…  Stat…',
    '1   Sat 5 Dec 2026 19:00  Jazz a la plaça  Teatre…   Jazz',
    '12  Sun 6 Dec 2026        Fira de tardor                   draft',
  ])
})

test('each event takes two lines if the terminal is too narrow for columns', async () => {
  expect(await seen([jazz, fair], { columns: 38 })).toEqual([
    'Sat 5 Dec 2026 19:00  Jazz a la plaça',
    '  Teatre Principal · Jazz · (1)',
    'Sun 6 Dec 2026  Fira de tardor',
    '  draft · (12)',
  ])
  expect(await seen([jazz], { columns: 24 })).toEqual([
    'Sat 5 Dec 2026 19:00',
    'Jazz a la plaça',
    '  Teatre Principal ·',
    '  Jazz · (1)',
  ])
})

test('each record with fields of its own is a block if the terminal is too narrow for columns', async () => {
  expect(await seen([jazz], { columns: 20, fields: ['start_date', 'venue'] })).toEqual([
    'Start date',
    '  Sat 5 Dec 2026',
    '  19:00',
    'Venue',
    '  Teatre Principal',
  ])
})

test('a status is shown where it is another than publish', async () => {
  const [heading, ...rows] = await seen([jazz, { ...jazz, id: 2 }])
  expect([heading, rows.length]).toEqual(['ID  Start date            Title            Venue             Categories', 2])
  expect(await seen([jazz], { fields: ['id', 'status'] })).toEqual(['ID  Status', '1   publish'])
  async function* many() {
    for (let id = 1; id <= 300; id++) yield { ...jazz, id, status: id === 300 ? 'draft' : 'publish' }
  }
  const lines = await seen(many())
  expect([lines[0]?.includes('Status'), lines.at(-1)?.endsWith('  draft')]).toEqual([false, true])
})

test('the time zone of an event is never cut', async () => {
  const call = {
    ...jazz,
    timezone: 'Europe/London',
    timezone_abbr: 'GMT',
    title: 'A title that is long enough to be cut',
  }
  const [, row] = await seen([call], { columns: 70, viewer: () => ({ zone: 'Europe/Madrid' }) })
  expect(row).toContain('Sat 5 Dec 2026 19:00 GMT')
})

test('cells are cut and padded by their width on the screen', async () => {
  const titles = ['日本語の音楽祭り', 'cafe\u0301 cafe\u0301 cafe\u0301', '👩‍👩‍👧 en família 🎉', 'Música i dansa']
  const records = titles.map((title, at) => ({ id: at + 1, title, status: 'draft' }))
  expect(await seen(records, { columns: 24, fields: ['id', 'title', 'status'] })).toEqual([
    'ID  Title         Status',
    '1   日本語の音…   draft',
    '2   cafe\u0301 cafe\u0301 c…  draft',
    '3   👩‍👩‍👧 en famíl…  draft',
    '4   Música i da…  draft',
  ])
})

test('an empty list prints no headings over nothing', async () => {
  expect(await seen([], { fields: ['id', 'lang_code', 'venue.city', 'utc_start_date'] })).toEqual([''])
})

test('texts of a site cannot move the cursor, change colours or reverse the direction', async () => {
  const title = 'A\u001b[2J\u001b]8;;http://evil.example\u0007B\u009b1mC\u202eD\u0000\r\nE'
  expect(await seen([{ id: 1, title }], { fields: ['id', 'title'] })).toEqual(['ID  Title', '1   ABCD E'])
})

test('one record is printed with a line for each field that is not empty', async () => {
  expect(await seen(jazz)).toEqual([
    'ID           1',
    'Title        Jazz a la plaça',
    'Start date   Sat 5 Dec 2026 19:00',
    'Description  Una nit de jazz',
    '             per a tothom.',
    'Status       publish',
    'All day      false',
    'Categories   Jazz',
    'Venue        Teatre Principal',
  ])
})

test('long texts of one record wrap at words', async () => {
  const description = 'Una nit de jazz per a tothom a la plaça https://example.org/una-nit-de-jazz-per-a-tothom'
  expect(await seen({ id: 1, description }, { columns: 40, fields: ['description'] })).toEqual([
    'Description  Una nit de jazz per a',
    '             tothom a la plaça',
    '             https://example.org/una-nit-de-jazz-per-a-tothom',
  ])
})

test('fields of --fields are printed even if they are empty', async () => {
  expect(await seen(jazz, { fields: ['id', 'website'] })).toEqual(['ID       1', 'Website'])
})

test('the status has a colour', async () => {
  expect(await seen([fair], { color: true, fields: ['title', 'status'] })).toEqual([
    '\u001b[1mTitle\u001b[22m           \u001b[1mStatus\u001b[22m',
    'Fira de tardor  \u001b[33mdraft\u001b[39m',
  ])
})

test('a long list keeps the widths of its beginning, but for IDs', async () => {
  async function* many() {
    for (let id = 1; id <= 1000; id++)
      yield { id, title: id === 1000 ? 'A title longer than the others' : `Event ${id}` }
  }
  const lines = await seen(many(), { fields: ['title', 'id'] })
  expect(lines).toHaveLength(1001)
  expect([lines[0], lines[1], lines[1000]]).toEqual(['Title      ID', 'Event 1    1', 'A title…   1000'])
})

test.each([
  [{}, true, undefined, true],
  [{}, false, undefined, false],
  [{ NO_COLOR: '1' }, true, undefined, false],
  [{ NO_COLOR: '' }, true, undefined, true],
  [{ TERM: 'dumb' }, true, undefined, false],
  [{ CLICOLOR_FORCE: '1' }, false, undefined, true],
  [{ CLICOLOR_FORCE: '0' }, false, undefined, false],
  [{ FORCE_COLOR: '1' }, false, undefined, true],
  [{ FORCE_COLOR: '0' }, true, undefined, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, undefined, false],
  [{ NO_COLOR: '1', CLICOLOR_FORCE: '1' }, true, undefined, false],
  [{ NO_COLOR: '1' }, false, true, true],
  [{ CLICOLOR_FORCE: '1' }, true, false, false],
])('colours follow %j, a terminal (%s) and --color (%s): %s', (env, isTTY, option, expected) => {
  expect(useColor(option, env, isTTY)).toBe(expected)
})

test('every character has the width that string-width gives it', () => {
  const wrong: string[] = []
  // From U+2E80 on, all are wide.
  for (let code = 0; code < 0x3100; code += code < 0x2e80 ? 1 : 7) {
    const character = String.fromCodePoint(code)
    for (const text of /\p{M}/u.test(character) ? [character, `e${character}`] : [character])
      if (widthOf(text) !== stringWidth(text)) wrong.push(code.toString(16))
  }
  expect(wrong).toEqual([])
})

test('words that are longer than a line are cut between characters', () => {
  expect(linesWithin('日本語の音楽祭り', 5)).toEqual(['日本', '語の', '音楽', '祭り'])
  expect(linesWithin('cafe\u0301cafe\u0301', 4)).toEqual(['cafe\u0301', 'cafe\u0301'])
  expect(linesWithin('👩‍👩‍👧👩‍👩‍👧', 3)).toEqual(['👩‍👩‍👧', '👩‍👩‍👧'])
  expect(linesWithin('one two three', 5, 2)).toEqual(['one', 'two…'])
})
