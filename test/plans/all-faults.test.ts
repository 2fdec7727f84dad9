import { describe, expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

/** A cell of a column that cannot be written, and a word of it that tells it from all others. */
interface Fault {
  readonly heading: string
  readonly cell: string
  readonly named: string
}

const fault = (heading: string, cell: string, named = cell): Fault => ({ heading, cell, named })

/** Faults of all kinds: cells that cannot be read, names that do not exist, and what the calendar does not have. */
const faults: readonly Fault[] = [
  fault('Title', '', 'needs a title'),
  fault('Date', 'soon'),
  fault('Time', 'at nine'),
  fault('End time', 'rather late'),
  fault('Duration', 'ages'),
  fault('Time zone', 'Mars/Olympus'),
  fault('Venue', 'Nowhere'),
  fault('Organizer', 'Nobody'),
  fault('Categories', 'Unheard'),
  fault('Tags', 'Untold'),
  fault('Cost', '50%'),
  fault('Website', '93 123 45 67'),
  fault('Status', 'hushed'),
  fault('Featured', 'perhaps'),
]

const headings = ['id', ...faults.map(({ heading }) => heading)]

const right: Readonly<Record<string, string>> = { Title: 'Ball', Date: '2026-12-05', Time: '19:00' }

const pairs = faults.flatMap((one, index) => faults.slice(index + 1).map(other => [one, other]))

const triples = faults.map((one, index) => [one, ...[4, 9].map(step => faults[(index + step) % faults.length] ?? one)])

/** A row with these faults; the ID makes it an update. */
function rowOf(id: string, wrong: readonly Fault[], number: number): string {
  const cells = {
    ...right,
    Title: `Ball ${number}`,
    id,
    ...Object.fromEntries(wrong.map(({ heading, cell }) => [heading, cell])),
  }
  return headings.map(heading => `"${(cells as Readonly<Record<string, string>>)[heading] ?? ''}"`).join(',')
}

/** The faults of each row that a text of it does not name. */
const unnamed = (rows: readonly (readonly Fault[])[], textOf: (row: number) => string): string[] =>
  rows.flatMap((wrong, index) => {
    const text = textOf(index + 2)
    const missing = wrong.filter(({ named }) => !text.includes(named))
    return missing.length > 0 ? [`${missing.map(({ heading }) => heading)} in: ${text}`] : []
  })

describe.each([
  ['create', () => ''],
  ['update', (number: number) => String(number)],
])('%s', (action, idOf) => {
  // An existing event has a title already.
  const isPossible = (wrong: readonly Fault[]) =>
    action === 'create' || !wrong.some(({ heading }) => heading === 'Title')
  const rows = [...pairs, ...triples].filter(isPossible)

  test('a row names all of its faults at once', async () => {
    const { calctl, file } = calendarWithFiles()
    const all = rows.map((_, index) => `Ball ${index + 1},2026-12-05 19:00,2026-12-05 21:00\n`)
    if (action === 'update')
      await calctl(`apply ${file('all.csv', `title,start_date,end_date\n${all.join('')}`)} --yes`)
    const sheet = file(
      'rows.csv',
      [headings.join(','), ...rows.map((wrong, index) => rowOf(idOf(index + 1), wrong, index + 1)), ''].join('\n'),
    )
    const { out } = await calctl(`apply ${sheet} --dry-run --json`)
    const { invalid }: { invalid: { at: string; message: string; hint: string }[] } = JSON.parse(out)
    expect(unnamed(rows, row => invalid.find(({ at }) => at === `row ${row}`)?.message ?? '')).toEqual([])
  })
})
