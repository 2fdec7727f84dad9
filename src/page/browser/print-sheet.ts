import { writtenDay } from '../../base/time/calendar-words.ts'
import { dayAfter } from '../../base/time/dates.ts'
import { agendaSheet } from '../../files/print/agenda-sheet.ts'
import { type DayEvent, type DayWords, eventsByDay } from '../../files/print/day-events.ts'
import { monthSheet } from '../../files/print/month-sheet.ts'
import { type LookOf, type PrintedSheet, printedBody, printedStyle } from '../../files/print/sheet-page.ts'
import { element, fillStyled } from './elements.ts'
import onePage from './one-page.json' with { type: 'json' }
import { words as pageWords } from './words.ts'

/** What is to be printed. */
export interface Printed {
  readonly isMonth: boolean
  /** A span of days without the last one. */
  readonly from: string
  readonly until: string
  readonly events: readonly DayEvent[]
  readonly words: DayWords
  readonly lookOf: LookOf
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
    place.lang = wanted.words.language
    fillStyled(place, printedBody(sheet))
    const dense = { ...sheet, style: [...sheet.style, ...onePage.dense] }
    const fontSize = wanted.isMonth ? sizeOnOnePage(dense, place, styles) : undefined
    // The weeks of a month share the page, so that none of it is empty.
    const filled = fontSize === undefined ? sheet : { ...dense, fontSize, style: [...dense.style, ...onePage.filled] }
    styles.replaceSync(`${footOf(wanted)}\n@media print { ${printedStyle(filled)} }`)
  })
  addEventListener('afterprint', () => {
    place.replaceChildren()
    styles.replaceSync('')
  })
}

/** The largest size in points with which a month fits on an A4 page between its margins; undefined if even the smallest is too large. */
function sizeOnOnePage(sheet: PrintedSheet, place: HTMLElement, styles: CSSStyleSheet): number | undefined {
  return [9, 8.5, 8, 7.5, 7, 6.5].find(fontSize => {
    styles.replaceSync(`${printedStyle({ ...sheet, fontSize })}\n.sheet { display: block; width: 273mm }`)
    return place.scrollHeight <= pageHeight
  })
}

/** In pixels: 210 mm without the margins and a line. */
const pageHeight = (180 * 96) / 25.4

/** At the foot of each page: whose calendar it is, and when it was printed. */
function footOf({ place, words, today }: Printed): string {
  const printedOn = pageWords[words.language].printed.replace('{day}', writtenDay(today, words.language))
  const box = (name: string, text: string) =>
    `@${name} { content: ${JSON.stringify(text)}; font: 8pt sans-serif; color: #495057 }`
  return `@page { margin: 12mm; ${box('bottom-left', place)} ${box('bottom-right', printedOn)} }`
}

function sheetOf({ isMonth, from, until, events, words, lookOf }: Printed): PrintedSheet {
  // The days and whose they are.
  const { title } = document
  const range = { first: from, last: dayAfter(until, -1) }
  const shown = events.filter(({ firstDay, lastDay }) => firstDay <= range.last && lastDay >= range.first)
  if (isMonth) return { title, ...monthSheet(shown, range, words, lookOf) }
  return { title, ...agendaSheet(eventsByDay(shown, range), from, words, lookOf) }
}
