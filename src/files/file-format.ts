import { Failure } from '../failure.ts'
import { isHeadingLine } from './recognise.ts'

/** The kinds of file that records are read from; all but iCalendar are written from records, too. */
export const formats = ['csv', 'tsv', 'json', 'ndjson', 'yaml', 'ics'] as const

/** A kind of file. */
export type Format = (typeof formats)[number]

const endings: Readonly<Record<string, Format>> = { yml: 'yaml', jsonl: 'ndjson', ical: 'ics', ifb: 'ics', txt: 'tsv' }

/** The format that the ending of a path or URL tells, if it does. */
export function formatOf(name: string): Format | undefined {
  const ending = /\.(\w+)(?:[?#].*)?$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return endings[ending] ?? formats.find(format => format === ending)
}

/** Marks of a document, comments before them, an item of a list, or a key. */
const yaml = /^(?:#.*[\r\n]\s*)*(?:---(?:\s|$)|%YAML|- |"?[\w-]+"?\s*:(?:\s|$))/

/** The format that a file's first lines tell; what separates the cells of a sheet its headings say. */
export function formatOfText(start: string, name: string): Format {
  const text = start.trimStart()
  if (/^BEGIN:VCALENDAR/i.test(text)) return 'ics'
  if (text.startsWith('[')) return 'json'
  if (text.startsWith('{')) return isJson(text.split('\n')[0] ?? '') ? 'ndjson' : 'json'
  if (yaml.test(text)) return 'yaml'
  if (isHeadingLine(text.split(/[\r\n]/)[0] ?? '')) return 'csv'
  throw new Failure('usage', `${name}: cannot tell what kind of file this is`, {
    hint: `say it with: --format ${formats.join('|')}`,
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
