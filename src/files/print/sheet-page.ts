/**
 * Sheets to print: a month or an agenda as one HTML file for A4, in the language of the content. Events on days come in; text goes
 * out that needs nothing else: no scripts, no fonts, no images, and nothing of a site that is not escaped.
 */

import type { DayEvent, EventCategory } from '../../days/day-events.ts'
import type { DayWords } from '../../days/day-words.ts'

/** By which a sheet of ours is recognized, so that it may be overwritten. */
export const sheetMark = '<meta name="generator" content="calctl">'

export interface SheetPage {
  readonly title: string
  readonly words: DayWords
  readonly orientation: 'landscape' | 'portrait'
  readonly style: string
  readonly body: string
  readonly events: readonly DayEvent[]
}

/** The whole document. The policy keeps even an error in escaping from loading or running anything. */
export const sheetPage = ({ title, words, orientation, style, body, events }: SheetPage): string => `<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
${sheetMark}
<title>${escaped(title)}</title>
<style>
@page { size: A4 ${orientation}; margin: 12mm }
* { box-sizing: border-box; margin: 0; padding: 0 }
html { font: 9pt/1.3 "Helvetica Neue", Arial, sans-serif; color: #111; print-color-adjust: exact; -webkit-print-color-adjust: exact }
body { max-width: ${orientation === 'landscape' ? 273 : 186}mm; margin: 0 auto }
h1 { font-size: 18pt; margin-bottom: 4mm }
time { font-variant-numeric: tabular-nums }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 1mm 4mm; margin-top: 4mm; font-size: 8pt }
.legend li { border-left: 3mm solid var(--color); padding-left: 1mm }
${style}
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${body}
${legend(events)}</body>
</html>
`

/** Dark enough to be told apart in print, and on white paper; as many as categories are likely to follow one another. */
const colors = [
  '#0b7285',
  '#9c36b5',
  '#2b8a3e',
  '#b35900',
  '#1864ab',
  '#c2255c',
  '#5c940d',
  '#862e9c',
  '#087f5b',
  '#a61e4d',
]

/** The style attribute with the colour of a category, which is the same on every sheet. */
export const colorOf = (category: EventCategory | undefined): string =>
  ` style="--color: ${category ? colors[category.id % colors.length] : '#495057'}"`

function legend(events: readonly DayEvent[]): string {
  const shown = new Map(events.flatMap(({ categories: [first] }) => (first ? [[first.id, first] as const] : [])))
  if (shown.size === 0) return ''
  const items = [...shown.values()]
    .toSorted((one, other) => one.id - other.id)
    .map(category => `<li${colorOf(category)}>${escaped(category.name)}</li>`)
  return `<ul class="legend">\n${items.join('\n')}\n</ul>\n`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as it stands in HTML, in an element or in an attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign] ?? sign)
