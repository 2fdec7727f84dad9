import { type DayEvent, type DayWords, detailsOf, hoursOn, lastDayOf, markOf } from './day-events.ts'
import { escaped, firstCategories, type LookOf, looksOf, type PrintedSheet, styled } from './sheet-page.ts'
import styles from './sheet-styles.json' with { type: 'json' }

/** Days with their events on A4 sheets, one after another. */
export function agendaSheet(
  days: ReadonlyMap<string, readonly DayEvent[]>,
  today: string,
  words: DayWords,
  lookOf = looksOf(firstCategories([...days.values()].flat())),
): Omit<PrintedSheet, 'title'> {
  const events = [...new Set([...days.values()].flat())]
  const sections = [...days].map(
    ([day, events]) =>
      `<section>\n<h2>${escaped(words.heading(day, today))}</h2>\n<table>\n${events.map(event => row(event, day, words, lookOf)).join('\n')}\n</table>\n</section>`,
  )
  return { words, orientation: 'portrait', style: styles.sheets.agenda, body: sections.join('\n'), events, lookOf }
}

function row(event: DayEvent, day: string, words: DayWords, lookOf: LookOf): string {
  const { title } = event
  // It says that an event goes on.
  const until = lastDayOf(event, day, words)
  const marks = [until, markOf(event, words)].filter(Boolean).join(' ')
  const details = detailsOf(event)
  const text = `<b>${escaped(title)}</b>${marks === '' ? '' : ` ${escaped(marks)}`}${details === '' ? '' : `<br><span>${escaped(details)}</span>`}`
  return `<tr${styled(lookOf(event.categories))}><td><time>${escaped(hoursOn(event, day, words).replace(/ ?→$/, ''))}</time></td><td>${text}</td></tr>`
}
