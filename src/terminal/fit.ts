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

const narrowText = 8
const narrowest = 3

/**
 * The widths of columns within a total; the first row is the headings. Texts give way, the widest most; undefined where
 * even so the total is too small.
 */
export function columnWidths(rows: readonly (readonly string[])[], total: number): number[] | undefined {
  const [headings = [], ...records] = rows
  const widest = (lines: typeof rows, at: number) => Math.max(0, ...lines.map(cells => widthOf(cells[at] ?? '')))
  const least = headings.map((_, at) =>
    records.every(cells => firm.test(cells[at] ?? '')) ? widest(records, at) : narrowText,
  )
  const natural = headings.map((_, at) => widest(rows, at))
  return cut(natural, total, least)
}

/** Takes from the widest that has more than the least it needs, until all fit. */
function cut(natural: readonly number[], total: number, least: readonly number[]): number[] | undefined {
  const widths = [...natural]
  let excess = widths.reduce((sum, width) => sum + width, 0) - total
  for (; excess > 0; excess--) {
    const spare = widths.map((width, at) => (width > Math.max(least[at] ?? 0, narrowest) ? width : 0))
    const at = spare.indexOf(Math.max(...spare))
    if (spare[at] === 0) return undefined
    widths[at] = (widths[at] ?? 0) - 1
  }
  return widths
}
