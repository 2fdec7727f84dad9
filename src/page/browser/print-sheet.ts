import { writtenDay } from '../../base/time/calendar-words.ts'
import { dayAfter } from '../../base/time/dates.ts'
import { agendaSheet } from '../../files/print/agenda-sheet.ts'
import { type DayEvent, type DayWords, eventsByDay } from '../../files/print/day-events.ts'
import { monthSheet } from '../../files/print/month-sheet.ts'
import { printedBody, printedStyle } from '../../files/print/sheet-page.ts'
import { element, fillStyled } from './elements.ts'
import { words as pageWords } from './words.ts'

/** What is to be printed. */
export interface Printed {
  readonly isMonth: boolean
  /** A span of days without the last one. */
  readonly from: string
  readonly until: string
  readonly events: readonly DayEvent[]
  readonly words: DayWords
  /** The site and its town, at the foot. */
  readonly place: string
  readonly today: string
}

/**
 * On paper, the page becomes a sheet like those of `calctl month --html` and `calctl agenda --html`, on the paper that the reader chooses,
 * with all public events of the days, and no others.
 */
export function printSheets(printed: () => Printed | undefined): void {
  const place = element('div', { class: 'sheet' })
  const styles = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles]
  document.body.append(place)
  addEventListener('beforeprint', () => {
    const wanted = printed()
    if (!wanted) return
    const sheet = sheetOf(wanted)
    styles.replaceSync(`${footOf(wanted)}\n@media print { ${printedStyle(sheet)}\n${filledPage} }`)
    place.lang = wanted.words.language
    fillStyled(place, printedBody(sheet))
  })
  addEventListener('afterprint', () => {
    place.replaceChildren()
    styles.replaceSync('')
  })
}

/** The weeks of a month share the page, so that none of it is empty. */
const filledPage = `table:has(.names) { height: calc(100vh - 28mm) }
thead tr { height: 8mm }
td:has(> .week) { height: 1px }
.week { height: 100% }
h1 { margin-bottom: 2mm }`

/** At the foot of each page: whose calendar it is, and when it was printed. */
function footOf({ place, words, today }: Printed): string {
  const printedOn = pageWords[words.language].printed.replace('{day}', writtenDay(today, words.language))
  const box = (name: string, text: string) =>
    `@${name} { content: ${JSON.stringify(text)}; font: 8pt sans-serif; color: #495057 }`
  return `@page { margin: 12mm; ${box('bottom-left', place)} ${box('bottom-right', printedOn)} }`
}

function sheetOf({ isMonth, from, until, events, words }: Printed) {
  const range = { first: from, last: dayAfter(until, -1) }
  const shown = events.filter(({ firstDay, lastDay }) => firstDay <= range.last && lastDay >= range.first)
  if (isMonth) return monthSheet(words.month(from.slice(0, 7)), shown, range, words)
  return agendaSheet(words.range(range.first, range.last), eventsByDay(shown, range), from, words)
}
