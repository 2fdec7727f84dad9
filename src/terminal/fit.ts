import stringWidth from 'string-width'

const segmenter = new Intl.Segmenter()

/** How many columns of a terminal a text takes. */
export const widthOf = (text: string): number => stringWidth(text)

/** A text cut to a width, never within a character, with an ellipsis where something is missing. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let short = ''
  let taken = 1
  for (const { segment } of segmenter.segment(text)) {
    taken += widthOf(segment)
    if (taken > width) break
    short += segment
  }
  return `${short.trimEnd()}…`
}

/** The words of a text on lines of a width; a longer word, such as a URL, keeps a line of its own. */
export function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map(line => {
      const lines: string[] = []
      let current = ''
      for (const word of line.trimEnd().split(' ')) {
        const longer = current === '' ? word : `${current} ${word}`
        if (current === '' || widthOf(longer) <= width) {
          current = longer
          continue
        }
        lines.push(current)
        current = word
      }
      return [...lines, current].join('\n')
    })
    .join('\n')
}

/** What says nothing when it is cut: a number, a word, a date. */
const firm = /^(\S{0,9}|[A-Z][a-z]{2} \d{4}-\d{2}-\d{2}( \d{2}:\d{2})?)$/

/** The widths of columns within a total. The first row is the headings. Wide texts give way first, the widest most. */
export function columnWidths(rows: readonly (readonly string[])[], total: number): number[] {
  const [headings = [], ...records] = rows
  const natural = headings.map((_, at) => Math.max(...rows.map(cells => widthOf(cells[at] ?? ''))))
  const isText = headings.map((_, at) => records.some(cells => !firm.test(cells[at] ?? '')))
  return cut(
    cut(natural, 8, total, at => isText[at] === true),
    3,
    total,
  )
}

/** Takes from the widest of some columns until all fit, or until those have the least they need. */
function cut(natural: readonly number[], least: number, total: number, mayCut = (_: number) => true): number[] {
  const widths = [...natural]
  let excess = widths.reduce((sum, width) => sum + width, 0) - total
  for (; excess > 0; excess--) {
    const widest = widths.reduce((best, width, at) => (mayCut(at) && width > (widths[best] ?? least) ? at : best), -1)
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}
