import { lookupTable } from '../base/memoize.ts'

/** The formats of files with records. All of them except ODS can also be written from records. */
export const formats = ['csv', 'tsv', 'xlsx', 'ods', 'json', 'ndjson', 'yaml', 'ics'] as const

export type Format = (typeof formats)[number]

const endings: Readonly<Record<string, Format>> = lookupTable({
  yml: 'yaml',
  jsonl: 'ndjson',
  ical: 'ics',
  ifb: 'ics',
  txt: 'tsv',
  xlsm: 'xlsx',
  xltx: 'xlsx',
  xls: 'xlsx',
})

/** The format by the extension of a path or URL. */
export function formatOf(name: string): Format | undefined {
  const ending = /\.(\w+)(?:[?#].*)?$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return endings[ending] ?? formats.find(format => format === ending)
}
