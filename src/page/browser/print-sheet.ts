import { dayAfter } from '../../base/time/dates.ts'
import { agendaSheet } from '../../files/print/agenda-sheet.ts'
import { type DayEvent, type DayWords, eventsByDay } from '../../files/print/day-events.ts'
import { monthSheet } from '../../files/print/month-sheet.ts'
import { printedBody, printedStyle } from '../../files/print/sheet-page.ts'
import { element, fillStyled } from './elements.ts'

/** What is to be printed. */
export interface Printed {
  readonly isMonth: boolean
  /** A span of days without the last one. */
  readonly from: string
  readonly until: string
  readonly events: readonly DayEvent[]
  readonly words: DayWords
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
    styles.replaceSync(`@media print { @page { margin: 12mm }\n${printedStyle(sheet)} }`)
    place.lang = wanted.words.language
    fillStyled(place, printedBody(sheet))
  })
  addEventListener('afterprint', () => {
    place.replaceChildren()
    styles.replaceSync('')
  })
}

function sheetOf({ isMonth, from, until, events, words }: Printed) {
  const range = { first: from, last: dayAfter(until, -1) }
  const shown = events.filter(({ firstDay, lastDay }) => firstDay <= range.last && lastDay >= range.first)
  if (isMonth) return monthSheet(words.month(from.slice(0, 7)), shown, range, words)
  return agendaSheet(words.range(range.first, range.last), eventsByDay(shown, range), from, words)
}
