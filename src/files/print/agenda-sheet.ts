import { type DayEvent, type DayWords, detailsOf, hoursOn, lastDayOf, markOf } from './day-events.ts'
import { type ColorOf, colored, colorsOf, escaped, type PrintedSheet } from './sheet-page.ts'

/** Days with their events on A4 sheets, one after another. */
export function agendaSheet(
  title: string,
  days: ReadonlyMap<string, readonly DayEvent[]>,
  today: string,
  words: DayWords,
): PrintedSheet {
  const events = [...new Set([...days.values()].flat())]
  const colorOf = colorsOf(events)
  const sections = [...days].map(
    ([day, events]) =>
      `<section>\n<h2>${escaped(words.heading(day, today))}</h2>\n<table>\n${events.map(event => row(event, day, words, colorOf)).join('\n')}\n</table>\n</section>`,
  )
  return { title, words, orientation: 'portrait', style, body: sections.join('\n'), events, colorOf }
}

const style = `
section { margin-bottom: 5mm }
h2 { font-size: 11pt; border-bottom: 0.3mm solid #495057; margin-bottom: 1mm; break-after: avoid }
table { width: 100%; border-collapse: collapse }
tr { break-inside: avoid }
td { vertical-align: top; padding: 1mm 0; overflow-wrap: anywhere }
td:first-child { width: 32mm; white-space: nowrap; padding-right: 2mm }
td:last-child { border-left: 1mm solid var(--color); padding-left: 2mm }
td span { color: #495057 }`

function row(event: DayEvent, day: string, words: DayWords, colorOf: ColorOf): string {
  const { title, categories } = event
  const until = lastDayOf(event, day, words)
  const marks = [until, markOf(event, words)].filter(Boolean).join(' ')
  const details = detailsOf(event)
  const [category] = categories
  const text = `<b>${escaped(title)}</b>${marks === '' ? '' : ` ${escaped(marks)}`}${details === '' ? '' : `<br><span>${escaped(details)}</span>`}`
  return `<tr${colored(colorOf(category))}><td><time>${escaped(hoursOn(event, day, words))}</time></td><td>${text}</td></tr>`
}
