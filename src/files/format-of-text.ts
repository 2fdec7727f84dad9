import { ignoreErrors } from '../base/attempt.ts'
import { usage } from '../base/failure.ts'
import { phrase } from '../base/words/phrase.ts'
import { isHeadingLine } from './csv/headings.ts'
import { type Format, formats } from './file-format.ts'

/** The beginning of a YAML file: comments, then the start of a document, an item of a list, or a key. */
const yamlStart = /^(?:#.*[\r\n]\s*)*(?:---(?:\s|$)|%YAML|- |"?[\w-]+"?\s*:(?:\s|$))/

/** The format by the first lines of a file. `csv` includes other separators, which the headings show. */
export function formatOfText(start: string, name: string): Exclude<Format, 'xlsx' | 'ods'> {
  const text = start.trimStart()
  if (/^BEGIN:VCALENDAR/i.test(text)) return 'ics'
  if (text.startsWith('[')) return 'json'
  if (text.startsWith('{')) return isJson(text.split('\n')[0] ?? '') ? 'ndjson' : 'json'
  if (yamlStart.test(text)) return 'yaml'
  if (isHeadingLine(text.split(/[\r\n]/)[0] ?? '')) return 'csv'
  throw usage(
    phrase('{file}: unknown file format', { file: name }),
    phrase('set it with: {option}', {
      option: `--format ${formats.filter(format => format !== 'xlsx' && format !== 'ods').join('|')}`,
    }),
  )
}

const isJson = (text: string): boolean => ignoreErrors(() => JSON.parse(text)) !== undefined
