import { usage } from '../base/failure.ts'
import { phrase } from '../base/words/phrase.ts'
import { eventsOfPage } from './page-events.ts'
import type { FileReading } from './records/file-reading.ts'
import type { FileRecord } from './records/file-record.ts'
import { isSiteExport, recordsOfExport } from './site-export.ts'

/** Reads the events of a page, or the export of a site. Throws `usage` for any other HTML or XML, such as what a site shows before a login. */
export async function readMarkup(text: string, reading: FileReading): Promise<readonly FileRecord[]> {
  const records = isSiteExport(text) ? await recordsOfExport(text, reading) : await eventsOfPage(text, reading)
  if (records) return records
  throw usage(
    phrase('{file} is {kind}, not a file of records', {
      file: reading.name,
      kind: /^\s*<\?xml/.test(text) ? 'XML' : 'HTML',
    }),
    phrase(
      'a web page may ask you to log in: download it in a browser; if a spreadsheet program opens it, save it there as .xlsx',
    ),
  )
}
