import { pipeline, Readable } from 'node:stream'
import { CsvError, type Parser, parse } from 'csv-parse'
import { usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { peek } from '../text-streams.ts'
import { type CellRow, type CellTable, rowPlace } from './cell-values.ts'

export interface CsvOptions {
  readonly name: string
  /** The separator, if the heading line does not show it. */
  readonly separator: ',' | '\t'
}

/** Reads a sheet that is text. */
export async function readCsv(text: AsyncIterable<string>, { name, separator }: CsvOptions): Promise<CellTable> {
  const { peeked: pieces, all } = await peek(text, pieces => headingLine(pieces.join('')) !== undefined)
  const line = headingLine(`${pieces.join('')}\n`) ?? ''
  const declaredSeparator = parseSepLine(line)
  const delimiter = declaredSeparator ?? mostFrequentSeparator(line) ?? separator
  return {
    rows: parseRows(all, delimiter, name, declaredSeparator !== undefined),
    kind: 'csv',
  }
}

/** Spreadsheet programs do not count the line with `sep=`. */
async function* parseRows(
  text: AsyncIterable<string>,
  delimiter: string,
  name: string,
  hasSepLine: boolean,
): AsyncGenerator<CellRow> {
  const parser: Parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
  })
  // An error of the stream destroys the parser, and so reaches the loop below.
  pipeline(Readable.from(text), parser, () => {})
  let number = hasSepLine ? -1 : 0
  try {
    for await (const cells of parser) {
      number += 1
      if (number > 0) yield { cells, number }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { records = number } = error
    const place = rowPlace(Number(records) + (hasSepLine ? 0 : 1))
    throw usage(
      `${name}: ${place}: ${reasonOf(error)}`,
      phrase('quote cells that contain separators, quotes or line breaks'),
    )
  }
}

const reasonOf = ({ code, message }: CsvError): string =>
  code === 'CSV_QUOTE_NOT_CLOSED' ? phrase('a quote is not closed') : message

/** The first line, including line breaks within quotes; undefined while its end is missing. */
const headingLine = (text: string): string | undefined => /^(?:[^"\r\n]|"[^"]*")*(?=[\r\n])/.exec(text)?.[0]

/** The separator of a first line such as `sep=;`, which Excel writes and reads. */
const parseSepLine = (line: string): string | undefined => /^"?sep=([;,\t|])"?[;,\t]*$/i.exec(line)?.[1]

/** The separator that is most frequent outside of quotes. */
function mostFrequentSeparator(line: string): string | undefined {
  const unquoted = line.replace(/"[^"]*"/g, '')
  const counts = [';', '\t', ',', '|'].map(separator => ({ separator, count: unquoted.split(separator).length - 1 }))
  const most = counts.reduce((best, next) => (next.count > best.count ? next : best))
  return most.count > 0 ? most.separator : undefined
}
