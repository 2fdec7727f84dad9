import { isAscii, isUtf8 } from 'node:buffer'
import { Failure } from '../failure.ts'
import { look } from './look.ts'
import type { Notice } from './records/file-record.ts'

/** Decodes UTF-8, UTF-16 and Windows-1252, saying so when it is not UTF-8; throws `usage` for what is not text. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, name: string, notice: Notice): AsyncGenerator<string> {
  const { seen, all } = await look(bytes, chunks => chunks.reduce((sum, { length }) => sum + length, 0) >= 64)
  const start = Buffer.concat(seen)
  refuseDocument(start, name)
  const wide = wideCharset(start)
  if (wide) {
    notice(`${name} is read as UTF-16`)
    yield* decodedWide(all, wide)
  } else yield* decodedLines(isCalendar(start) ? wholeCharacters(all) : wholeLines(all), name, notice)
}

const isCalendar = (start: Buffer): boolean => /^(\xef\xbb\xbf)?\s*BEGIN:VCALENDAR/i.test(start.toString('latin1'))

const signatures: readonly (readonly [string, string, string])[] = [
  ['PK\x03\x04', 'a workbook or another archive', 'save it as CSV in the spreadsheet program'],
  ['%PDF', 'a PDF', 'give a CSV, JSON, NDJSON, YAML or iCalendar file'],
]

function refuseDocument(start: Buffer, name: string): void {
  const found = signatures.find(([signature]) => start.toString('latin1').startsWith(signature))
  if (found) throw new Failure('usage', `${name} is not text but ${found[1]}`, { hint: found[2] })
}

/** By byte order mark, or by where the zero bytes of ASCII characters stand. */
function wideCharset(start: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second, third, fourth] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first && second === 0 && third && fourth === 0) return 'utf-16le'
  return first === 0 && second && third === 0 && fourth ? 'utf-16be' : undefined
}

async function* decodedWide(bytes: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(charset)
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/**
 * As long as only ASCII was met, the first lines with more decide what it is, by their larger part. A byte that does not fit in
 * UTF-8 is refused: to read it otherwise would spoil all that is right.
 */
async function* decodedLines(pieces: AsyncIterable<Buffer>, name: string, notice: Notice): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const found = { fitting: 0, stray: 0, strayLine: 0 }
  let line = 1
  let charset: 'utf-8' | 'windows-1252' | undefined
  for await (const lines of pieces) {
    if (lines.includes(0))
      throw new Failure('usage', `${name} is not text`, {
        hint: 'give a CSV, JSON, NDJSON, YAML or iCalendar file',
      })
    if (!isAscii(lines) && !(charset !== 'windows-1252' && isUtf8(lines))) {
      count(lines, line, found)
      if (charset === 'utf-8' || found.fitting >= found.stray)
        throw new Failure('usage', `${name} is UTF-8 only in part: line ${found.strayLine} is not`, {
          hint: 'mend that line, or save the file again as UTF-8',
        })
      if (charset === undefined) notice(`${name} is not UTF-8: read as Windows-1252 (Latin-1)`)
      charset = 'windows-1252'
    } else if (!isAscii(lines)) charset = 'utf-8'
    const text = charset === 'windows-1252' ? western(lines) : utf8.decode(lines)
    yield line === 1 ? text.replace(/^\uFEFF/, '') : text
    line += newlinesIn(lines)
  }
}

/** Characters of UTF-8, and other bytes above ASCII. */
const aboveAscii = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g

function count(lines: Buffer, line: number, found: { fitting: number; stray: number; strayLine: number }): void {
  for (const { 0: bytes, index } of lines.toString('latin1').matchAll(aboveAscii)) {
    if (bytes.length > 1) found.fitting += 1
    else found.stray += 1
    if (bytes.length === 1 && found.strayLine === 0) found.strayLine = line + newlinesIn(lines.subarray(0, index))
  }
}

function newlinesIn(bytes: Buffer): number {
  let number = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) number += 1
  return number
}

/** What Windows-1252 has where Latin-1 has controls; Node 20's own decoder does not know. */
const fromEighty = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const western = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, character => fromEighty[character.charCodeAt(0) - 0x80] ?? '')

const newline = 0x0a

/** Cuts between lines, so that no character is cut. */
async function* wholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Uint8Array[] = []
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(newline) + 1
    if (end > 0) {
      yield Buffer.concat([...begun, chunk.subarray(0, end)])
      begun = []
    }
    if (end < chunk.length) begun.push(chunk.subarray(end))
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}

/** A calendar whole, as its lines may be folded within a character: such a fold is put after it, where it means the same. */
async function* wholeCharacters(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  const whole = Buffer.concat(chunks).toString('latin1')
  yield Buffer.from(whole.replace(/([\xc2-\xf4][\x80-\xbf]*)(\r?\n[ \t])([\x80-\xbf]+)/g, '$1$3$2'), 'latin1')
}

/** Lines of a text that comes in pieces, without what ends them. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of text) {
    const lines = (rest + piece).split(/\r?\n/)
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** A text that comes in pieces, as one. */
export async function joined(text: AsyncIterable<string>): Promise<string> {
  const pieces: string[] = []
  for await (const piece of text) pieces.push(piece)
  return pieces.join('')
}
