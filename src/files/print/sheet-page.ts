/**
 * Sheets to print: a month or an agenda as one HTML file for A4, in the language of the content. Input: events by day. Output: a page that
 * loads nothing else: no scripts, no fonts, no images, and everything from the site escaped.
 */

import { escapeXml } from '../../base/text/escaping.ts'
import type { DayEvent, DayWords, EventCategory } from './day-events.ts'

/** Tells calctl that a file is one of its sheets, which it may overwrite. */
export const sheetMark = '<meta name="generator" content="calctl">'

/** The contents of a sheet of any size: the same in a file and in a browser. */
export interface PrintedSheet {
  readonly title: string
  readonly words: DayWords
  readonly orientation: 'landscape' | 'portrait'
  readonly style: string
  readonly body: string
  readonly events: readonly DayEvent[]
  readonly colorOf: ColorOf
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
h1 { font-size: 18pt; margin-bottom: 4mm }
time { font-variant-numeric: tabular-nums }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 1mm 4mm; margin-top: 4mm; font-size: 8pt }
.legend li { border-left: 3mm solid var(--color); padding-left: 1mm }
${style}`

/** The title, the days and the categories of a sheet. */
export const printedBody = ({ title, body, events, colorOf }: PrintedSheet): string =>
  `<h1>${escaped(title)}</h1>\n${body}\n${legend(events, colorOf)}`

/** Dark enough for white letters on them, and for white paper; neighbours differ most. */
const colors = '#1864ab #b35900 #2a863c #862e9c #c92a2a #0b7285 #7f4f24 #c2255c #4f800b #364fc7 #5c5c00 #5f3dc4'.split(
  ' ',
)

/** The colour of a category, or of an event without one. */
export type ColorOf = (category: EventCategory | undefined) => string

/** The style attribute with a colour. */
export const colored = (color: string, more = ''): string => ` style="--color: ${color}${more}"`

/**
 * The colours of a sheet: each category has its own, as long as there are enough. It depends on the ID, so that it is the same on most
 * sheets; if two categories of a sheet would have the same colour, the second one gets the next free colour.
 */
export const colorsOf = (events: readonly DayEvent[]): ColorOf => colorsOfCategories(firstCategories(events))

/** The same for categories, in the order of their IDs. */
export function colorsOfCategories(categories: readonly Pick<EventCategory, 'id'>[]): ColorOf {
  const chosen = new Map<number, string>()
  const free = new Set(colors)
  for (const { id } of categories) {
    const start = id % colors.length
    const next = [...colors.slice(start), ...colors.slice(0, start)].find(color => free.has(color))
    const color = next ?? colors[start] ?? ''
    free.delete(color)
    chosen.set(id, color)
  }
  return category => (category && chosen.get(category.id)) ?? '#495057'
}

/** The categories that decide the colours of events, each once. */
export function firstCategories(events: readonly DayEvent[]): EventCategory[] {
  const shown = new Map(events.flatMap(({ categories: [first] }) => (first ? [[first.id, first] as const] : [])))
  return [...shown.values()].toSorted((one, other) => one.id - other.id)
}

function legend(events: readonly DayEvent[], colorOf: ColorOf): string {
  const items = firstCategories(events).map(
    category => `<li${colored(colorOf(category))}>${escaped(category.name)}</li>`,
  )
  return items.length === 0 ? '' : `<ul class="legend">\n${items.join('\n')}\n</ul>\n`
}

/** A text, escaped for an element or an attribute of HTML. */
export const escaped = (text: string): string => escapeXml(text).replaceAll("'", '&#39;')
