/**
 * Sheets to print: a month or an agenda as one HTML file for A4, in the language of the content. Input: events by day. Output: a page that
 * loads nothing else: no scripts, no fonts, no images, and everything from the site escaped.
 */

import { escapeXml } from '../../base/text/escaping.ts'
import { fnv1a } from '../../base/text/fnv1a.ts'
import { bySlug, type DayEvent, type DayWords, type EventCategory } from './day-events.ts'
import styles from './sheet-styles.json' with { type: 'json' }

/** Tells calctl that a file is one of its sheets, which it may overwrite. */
export const sheetMark = '<meta name="generator" content="calctl">'

/** The contents of a sheet of any size: the same in a file and in a browser. */
export interface PrintedSheet {
  readonly title: string
  readonly words: DayWords
  readonly orientation: 'landscape' | 'portrait'
  readonly style: readonly string[]
  readonly body: string
  readonly events: readonly DayEvent[]
  readonly lookOf: LookOf
  /** The size of most of the text, in points. */
  readonly fontSize?: number
}

/** The whole document, for A4. Its policy keeps the browser from loading or running anything, even after a mistake in escaping. */
export const sheetPage = (sheet: PrintedSheet): string => `<!doctype html>
<html lang="${sheet.words.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
${sheetMark}
<title>${escaped(sheet.title)}</title>
<style>
@page { size: A4 ${sheet.orientation}; margin: 12mm }
${printedStyle(sheet)}
body { max-width: ${sheet.orientation === 'landscape' ? 273 : 186}mm; margin: 0 auto }
</style>
</head>
<body>
${printedBody(sheet)}</body>
</html>
`

/** The styles of a sheet of any size. */
export const printedStyle = ({
  style,
  fontSize = 9,
}: PrintedSheet): string => `* { box-sizing: border-box; margin: 0; padding: 0 }
html { font: ${fontSize}pt/1.3 "Helvetica Neue", Arial, sans-serif; color: #111; print-color-adjust: exact; -webkit-print-color-adjust: exact }
${[...styles.sheets.every, ...style].join('\n')}`

/** The title, the days and the categories of a sheet. */
export const printedBody = ({ title, body, events, lookOf }: PrintedSheet): string =>
  `<h1>${escaped(title)}</h1>\n${body}\n${legend(legendItems(events, lookOf))}`

/** Dark enough for white letters on them, and for white paper; neighbours differ most. No device has pictures of its own for the shapes. */
const { colors, shapes } = styles.sheets

/**
 * How an event is marked by the first of its categories: properties of a style sheet with a colour, and a shape for those who cannot tell
 * the colours apart.
 */
export type LookOf = (categories: readonly EventCategory[]) => string

/** The style attribute with a look. */
export const styled = (look: string, more = ''): string => ` style="${look}${more}"`

/**
 * The looks of categories. Each begins with its slug, which translations share, so that it is the same in every language and on most
 * sheets; if its place is taken, it gets the next free one. Each dozen has all colours and shapes once, in other pairs than the last dozen.
 */
export function looksOf(categories: readonly EventCategory[]): LookOf {
  const looks = new Map<number, string>()
  const taken = new Set<number>()
  for (const { id, slug } of categories.toSorted(bySlug)) {
    const dozen = Math.floor(taken.size / colors.length)
    let place = fnv1a(slug) % colors.length
    while (taken.has(dozen * colors.length + place)) place = (place + 1) % colors.length
    taken.add(dozen * colors.length + place)
    looks.set(id, lookWith(colors[place] ?? '', shapes[(place + dozen) % shapes.length] ?? ''))
  }
  return ([first]) => (first && looks.get(first.id)) ?? lookWith('#495057', '○')
}

const lookWith = (color: string, shape: string): string => `--color: ${color}; --shape: '${shape}'`

/** The categories that decide the colours of events, each once. */
export function firstCategories(events: readonly DayEvent[]): EventCategory[] {
  const shown = new Map(events.flatMap(({ categories: [first] }) => (first ? [[first.id, first] as const] : [])))
  return [...shown.values()].toSorted((one, other) => one.id - other.id)
}

/** The categories that decide the colours of events, with their looks, as items of a list. */
export const legendItems = (events: readonly DayEvent[], lookOf: LookOf): string[] =>
  firstCategories(events).map(one => `<li${styled(lookOf([one]))}>${escaped(one.name)}</li>`)

const legend = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul class="legend">\n${items.join('\n')}\n</ul>\n`

/** A text, escaped for an element or an attribute of HTML. */
export const escaped = (text: string): string => escapeXml(text).replaceAll("'", '&#39;')
