import {
  type Bar,
  type DayEvent,
  type DaySpan,
  type DayWords,
  hourIn,
  titleWithStatus,
  type WeekRow,
  weekRows,
} from './day-events.ts'
import { escaped, firstCategories, type LookOf, looksOf, type PrintedSheet, styled } from './sheet-page.ts'
import styles from './sheet-styles.json' with { type: 'json' }

/** A month on an A4 sheet: a row for each week, with bars for events of several days. */
export function monthSheet(
  events: readonly DayEvent[],
  range: DaySpan,
  words: DayWords,
  lookOf = looksOf(firstCategories(events)),
): Omit<PrintedSheet, 'title'> {
  const names = words.weekdays('long').map(name => `<div class="name">${escaped(name)}</div>`)
  const rows = weekRows(events, range, words.locale)
  const weeks = rows.map(week => `<tr><td>${weekRow(week, words, lookOf)}</td></tr>`)
  const head = `<thead><tr><td><div class="week names">${names.join('')}</div></td></tr></thead>`
  const body = `<table>\n${head}\n<tbody>\n${weeks.join('\n')}\n</tbody>\n</table>`
  const fontSize = fontSizeFor(rows)
  return { words, orientation: 'landscape', style: styles.sheets.month, body, events, lookOf, fontSize }
}

const fontSizes = [9, 8.5, 8, 7.5, 7]

/** The height and column width between the margins, in mm, without the title and the legend. */
const page = { height: 168, column: 39 }

/** The largest size with which a month needs no more pages than with the smallest. */
function fontSizeFor(weeks: readonly WeekRow[]): number {
  const [usual = 9, ...smaller] = fontSizes
  return smaller.reduce((best, size) => (pagesOf(weeks, size) < pagesOf(weeks, best) ? size : best), usual)
}

/** Weeks are not divided between pages. */
function pagesOf(weeks: readonly WeekRow[], size: number): number {
  let pages = 1
  let left = page.height
  for (const week of weeks) {
    const height = heightOf(week, size)
    if (height > left) {
      pages += 1
      left = page.height
    }
    left -= height
  }
  return pages
}

/** The height of a week, in mm, estimated from the number of letters. */
function heightOf({ lanes, events }: WeekRow, size: number): number {
  const line = size * 1.3 * mmPerPoint
  const lines = (text: string, columns = 1) =>
    Math.ceil((text.length * letterWidth * size * mmPerPoint) / (columns * page.column - 4))
  const bars = lanes.map(lane =>
    Math.max(...lane.map(({ event, from, to }) => lines(`● ${event.title}`, to - from + 1))),
  )
  const lists = events.map(list =>
    list.reduce((sum, { title, venue }) => sum + lines(`00:00 ● ${title} ${venue}`) * line + 0.7, 1),
  )
  return line + 1 + bars.reduce((sum, count) => sum + count * line + 0.5, 0) + Math.max(12, ...lists)
}

const mmPerPoint = 25.4 / 72

/** The width of a letter in proportion to its height, including the space lost at the ends of lines. */
const letterWidth = 0.58

/** The days are columns behind the numbers, bars and events, so that the lines between them are as high as the week. */
function weekRow({ days, lanes, events }: WeekRow, words: DayWords, lookOf: LookOf): string {
  const rows = lanes.length + 2
  const cells = days.flatMap((day, column) => [
    `<div class="day" style="grid-area: 1 / ${column + 1} / ${rows + 1}"></div>`,
    ...(day ? [`<div class="number" style="grid-area: 1 / ${column + 1}">${Number(day.slice(8))}</div>`] : []),
  ])
  const bars = lanes.flatMap((lane, index) => lane.map(bar => barOf(bar, index + 2, words, lookOf)))
  const lists = events.map(
    (list, column) =>
      `<ul class="events" style="grid-area: ${rows} / ${column + 1}">${list.map(event => item(event, days[column] ?? '', words, lookOf)).join('')}</ul>`,
  )
  // A page that is filled has higher days, not higher bars.
  return `<div class="week" style="grid-template-rows: repeat(${rows - 1}, min-content) auto">\n${[...cells, ...bars, ...lists].join('\n')}\n</div>`
}

function barOf({ event, from, to, beginsBefore, endsAfter }: Bar, row: number, words: DayWords, lookOf: LookOf) {
  const style = styled(lookOf(event.categories), `; grid-area: ${row} / ${from + 1} / auto / ${to + 2}`)
  const open = `${beginsBefore ? ' before' : ''}${endsAfter ? ' after' : ''}`
  return `<div class="bar${open}"${style}>${escaped(titleWithStatus(event, words))}</div>`
}

function item(event: DayEvent, day: string, words: DayWords, lookOf: LookOf): string {
  const hour = event.isAllDay ? '' : `<time>${escaped(hourIn(day, event))}</time> `
  const venue = event.venue === '' ? '' : ` <span>${escaped(event.venue)}</span>`
  return `<li${styled(lookOf(event.categories))}>${hour}<b>${escaped(titleWithStatus(event, words))}</b>${venue}</li>`
}
