import type { Language } from '../../contract/languages.ts'

/** The headings of the two columns that `--errors` adds to a sheet, by language. */
export const reportHeadings: Readonly<Record<Language, readonly [row: string, reason: string]>> = {
  ca: ['fila', 'motiu'],
  en: ['row', 'reason'],
  es: ['fila', 'motivo'],
}

/** A third one stands before them where the order of day and month would not show any more. */
export const dateOrderHeading = 'date_order'

/** What these columns are called once they are recognized. */
export const reportColumns = {
  row: 'report.row',
  reason: 'report.reason',
  dateOrder: 'report.date_order',
  /** What `--map` leaves out. */
  ignored: 'report.ignored',
} as const

/** Whether a column tells of a row, and nothing of its record; also under the headings of earlier versions. */
export const isReportColumn = (name: string): boolean => /^(report\..*|error|hint)$/.test(name)

/** The columns of an error sheet by their positions: a row and a reason next to each other, and not one of them alone. */
export function findReportColumns(headings: readonly string[]): Map<number, string> {
  const found = new Map<number, string>()
  const folded = headings.map(heading => heading.trim().toLowerCase())
  for (const [row, reason] of Object.values(reportHeadings)) {
    const index = folded.findIndex((heading, index) => heading === row && folded[index + 1] === reason)
    if (index === -1) continue
    found.set(index, reportColumns.row)
    found.set(index + 1, reportColumns.reason)
    if (folded[index - 1] === dateOrderHeading) found.set(index - 1, reportColumns.dateOrder)
  }
  return found
}
