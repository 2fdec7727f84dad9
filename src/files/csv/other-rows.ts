/**
 * Rows of a sheet of events that are no records: months as headings, notes, sums, and legends below the table. Input: the rows of a sheet that
 * people wrote. Output: those that are records, among them those with mistakes; the others are counted.
 */

import { usage } from '../../base/failure.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { foldWords, months } from '../../base/time/calendar-words.ts'
import { createTurns } from '../../base/turns.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { CellRow } from './cell-values.ts'
import type { Sheet } from './headings.ts'

type RowKind = 'record' | 'other' | 'below'

const monthWords = `${months.flat().join('|')}|primavera|estiu|tardor|hivern|verano|otono|invierno|spring|summer|autumn|winter`

const monthHeading = new RegExp(`^(mes (de )?|mes d'|month of )?(${monthWords})\\.?,?( (de |del )?\\d{4})?:?$`)

const isMonth = (text: string): boolean => monthHeading.test(foldWords(text))

const notes = /^\W*((sub)?total(s|es)?|sum[ae]?s?|nota?s?|notes?|n\.? ?b|llegenda|leyenda|legend|key)\b\W*(\d|:|$)|^\*/

const hasDigit = (text: string): boolean => /\d/.test(text)

const longestDay = 40

const mostNamed = 20

/** Tells whether a row is a record. `below` is one that follows a blank row, and is no record if none comes after it. */
function kindOfRow({ cells }: CellRow, { columns }: Sheet, isBelow: boolean): RowKind {
  const filled = cells.flatMap((cell, index) => {
    const text = cell.trim()
    return text === '' ? [] : [{ text, name: columns[index]?.name ?? '' }]
  })
  const textOf = (...names: string[]) => filled.find(({ name }) => names.includes(name))?.text ?? ''
  const [title, day] = [textOf('title'), textOf('start_date.day', 'start_date.at')]
  const isDay = hasDigit(day) && day.length <= longestDay && !isMonth(day)
  const [first = { text: '', name: '' }] = filled
  if (textOf('id', 'slug', 'action') !== '' || (title !== '' && isDay)) return 'record'
  if (notes.test(foldWords(first.text)) && !isDay) return 'other'
  if (filled.length === 1 && (isMonth(first.text) || (title === '' && !isDay))) return 'other'
  const isSum = filled.every(({ text }) => hasDigit(text) && !/\p{L}{4}/u.test(text))
  if (title === '' && day === '' && isSum) return 'other'
  return isBelow && !isDay && filled.length <= 2 ? 'below' : 'record'
}

/** Whether people wrote a sheet of events: all rows of others are records. */
const isOfPeople = ({ resource, isExport, columns }: Sheet): boolean =>
  resource.name === 'events' && !isExport && columns.some(({ name }) => /^start_date\.(day|at)$/.test(name))

/** The records below the headings of a sheet. Says at the end which rows were left out; throws `usage` if there are no others. */
export async function* recordRows(
  rows: AsyncIterable<CellRow>,
  headings: CellRow,
  sheet: Sheet,
  file: string,
): AsyncGenerator<CellRow> {
  const kindOf = isOfPeople(sheet) ? kindOfRow : () => 'record'
  const others: number[] = []
  let below: CellRow[] = []
  let last = Number.POSITIVE_INFINITY
  let hasRecords = false
  const turn = createTurns()
  for await (const row of rows) {
    await turn()
    if (row.number <= headings.number || row.cells.every(cell => cell.trim() === '')) continue
    const kind = kindOf(row, sheet, below.length > 0 || row.number > last + 1)
    last = row.number
    if (kind === 'other') others.push(row.number)
    else below.push(row)
    if (kind !== 'record') continue
    yield* below
    below = []
    hasRecords = true
  }
  others.push(...below.map(({ number }) => number))
  if (others.length === 0) return
  if (!hasRecords)
    throw usage(
      phrase('{file} has no event, only headings, notes or sums', { file }),
      phrase('write a title and a date in the row of each event'),
    )
  const left = phrase(
    'left out {count, plural, one {# row that is a heading, a note or a sum} other {# rows that are headings, notes or sums}}: {rows}',
    { count: others.length, rows: listOfFirst(others.map(String), mostNamed) },
  )
  sheet.remark('other rows', left)
}
