/** Streams: bytes to text, text to lines, and the beginning of a stream without consuming it. */

import { isAscii, isUtf8 } from 'node:buffer'
import { text as joinText } from 'node:stream/consumers'
import { usage } from '../base/failure.ts'
import { windows1252From80 } from '../base/text/mojibake.ts'
import { withTurns } from '../base/turns.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Notice } from './records/file-record.ts'

/** Reads the beginning of a stream until `isEnough`. `all` is the whole stream, including the beginning. */
export async function peek<T>(
  items: AsyncIterable<T>,
  isEnough: (peeked: readonly T[]) => boolean,
): Promise<{ peeked: readonly T[]; all: AsyncIterable<T> }> {
  const iterator = items[Symbol.asyncIterator]()
  const peeked: T[] = []
  while (!isEnough(peeked)) {
    const next = await iterator.next()
    if (next.done) break
    peeked.push(next.value)
  }
  return { peeked, all: resume(peeked, iterator) }
}

async function* resume<T>(peeked: readonly T[], iterator: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* peeked
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}

/** The same for bytes. */
export async function peekBytes(bytes: AsyncIterable<Uint8Array>, least: number) {
  const { peeked, all } = await peek(bytes, chunks => chunks.reduce((sum, { length }) => sum + length, 0) >= least)
  return { start: Buffer.concat(peeked), all }
}

export { joinText }

export async function joinBytes(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The lines of a text, without line ends. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let incomplete = ''
  for await (const piece of text) {
    const lines = (incomplete + piece).split(/\r?\n/)
    incomplete = lines.pop() ?? ''
    yield* lines
  }
  if (incomplete !== '') yield incomplete
}

/** Decodes UTF-8, UTF-16 and Windows-1252, with a notice if it is not UTF-8; throws `usage` for what is not text. */
export const decodeText = (...given: Parameters<typeof decode>): AsyncGenerator<string> => withTurns(decode(...given))

async function* decode(bytes: AsyncIterable<Uint8Array>, name: string, notice: Notice): AsyncGenerator<string> {
  const { start, all } = await peekBytes(bytes, 64)
  checkSignature(start, name)
  const utf16 = utf16Charset(start)
  if (utf16) {
    notice(phrase('{file}: read as {charset}', { file: name, charset: 'UTF-16' }))
    yield* decodeUtf16(all, utf16)
    return
  }
  yield* decode8Bit(isICalendar(start) ? unfoldCharacters(all) : wholeLines(all), name, notice)
}

const isICalendar = (start: Buffer): boolean => /^(\xef\xbb\xbf)?\s*BEGIN:VCALENDAR/i.test(start.toString('latin1'))

function checkSignature(start: Buffer, name: string): void {
  const text = start.toString('latin1', 0, 4)
  if (text === 'PK\x03\x04')
    throw usage(phrase('{file} is a workbook or another archive, not text', { file: name }), phrase('give a text file'))
  if (text === '%PDF') throw usage(phrase('{file} is a PDF, not text', { file: name }), textFormats())
}

const textFormats = (): string => phrase('give a CSV, JSON, NDJSON, YAML or iCalendar file')

/** By the byte order mark, or by the zero bytes of ASCII characters. */
function utf16Charset(start: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second, third, fourth] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first && second === 0 && third && fourth === 0) return 'utf-16le'
  return first === 0 && second && third === 0 && fourth ? 'utf-16be' : undefined
}

async function* decodeUtf16(bytes: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(charset)
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/**
 * Decodes UTF-8 or Windows-1252. The first lines with other characters than ASCII decide, by the majority of these characters. In a UTF-8
 * file, a byte that is not UTF-8 is refused: reading it as Windows-1252 would damage the rest.
 */
async function* decode8Bit(pieces: AsyncIterable<Buffer>, name: string, notice: Notice): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const counts: Counts = { utf8Characters: 0, otherBytes: 0, otherLine: 0 }
  let line = 1
  let charset: Charset | undefined
  for await (const lines of pieces) {
    if (lines.includes(0)) throw usage(phrase('{file} is not text', { file: name }), textFormats())
    if (!isAscii(lines)) {
      if ((charset ?? 'utf-8') === 'utf-8' && isUtf8(lines)) charset = 'utf-8'
      else {
        countCharacters(lines, line, counts)
        checkMostly8Bit(charset, counts, name)
        charset ??= oldCharset(lines, name, notice)
      }
    }
    const text = decodeAs(charset, lines, utf8)
    yield line === 1 ? text.replace(/^\uFEFF/, '') : text
    line += countNewlines(lines)
  }
}

/** The numbers of characters and bytes beyond ASCII, and the line of the first one that is not UTF-8. */
interface Counts {
  utf8Characters: number
  otherBytes: number
  otherLine: number
}

function checkMostly8Bit(charset: Charset | undefined, counts: Counts, file: string): void {
  if (charset !== 'utf-8' && counts.utf8Characters < counts.otherBytes) return
  throw usage(
    phrase('{file} is UTF-8, but line {line} is not', { file, line: counts.otherLine }),
    phrase('fix that line, or save the file again as UTF-8'),
  )
}

type Charset = 'utf-8' | 'windows-1252' | 'macintosh'

/** The charset of bytes that are not UTF-8. */
function oldCharset(lines: Buffer, file: string, notice: Notice): Charset {
  const [charset, name] = isMacRoman(lines)
    ? (['macintosh', 'Mac Roman'] as const)
    : (['windows-1252', 'Windows-1252 (Latin-1)'] as const)
  notice(phrase('{file}: not UTF-8, read as {charset}', { file, charset: name }))
  return charset
}

function decodeAs(charset: Charset | undefined, lines: Buffer, utf8: Pick<InstanceType<typeof TextDecoder>, 'decode'>) {
  if (charset === 'windows-1252') return decodeWindows1252(lines)
  return charset === 'macintosh' ? new TextDecoder('macintosh').decode(lines) : utf8.decode(lines)
}

/**
 * Whether bytes are more likely Mac Roman than Windows-1252: the bytes for `é`, `à` and so on are signs in Windows-1252 that no word
 * contains, and none of them is a letter there.
 */
function isMacRoman(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  return /[a-z][\x87\x88\x8d-\x8f\x98\x9c]|[\x87\x88\x8d-\x8f\x98\x9c][a-z]/.test(text) && !/[\xe0-\xff]/.test(text)
}

/** Characters of UTF-8, and other bytes above ASCII. */
const aboveAscii = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g

function countCharacters(lines: Buffer, line: number, counts: Counts): void {
  for (const { 0: bytes, index } of lines.toString('latin1').matchAll(aboveAscii)) {
    if (bytes.length > 1) counts.utf8Characters += 1
    else counts.otherBytes += 1
    if (bytes.length === 1 && counts.otherLine === 0) counts.otherLine = line + countNewlines(lines.subarray(0, index))
  }
}

function countNewlines(bytes: Buffer): number {
  let number = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) number += 1
  return number
}

const decodeWindows1252 = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, character => windows1252From80[character.charCodeAt(0) - 0x80] ?? '')

const newline = 0x0a

/** Pieces of whole lines, so that no character is cut. */
async function* wholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let incomplete: Uint8Array[] = []
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(newline) + 1
    if (end > 0) {
      yield Buffer.concat([...incomplete, chunk.subarray(0, end)])
      incomplete = []
    }
    if (end < chunk.length) incomplete.push(chunk.subarray(end))
  }
  if (incomplete.length > 0) yield Buffer.concat(incomplete)
}

/**
 * The lines of an iCalendar file. RFC 5545, 3.1 folds lines by octets, possibly within a character: such a fold is moved behind the
 * character, where it means the same.
 */
async function* unfoldCharacters(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const file = await joinBytes(bytes)
  for (let from = 0, to = 0; from < file.length; from = to) {
    to = from + bytesPerPiece
    do to = file.indexOf(newline, to) + 1 || file.length
    while (isBlank(file[to]))
    const piece = file.subarray(from, to)
    yield isAscii(piece) ? piece : Buffer.from(piece.toString('latin1').replace(foldedCharacter, '$1$3$2'), 'latin1')
  }
}

/** A character of UTF-8 with a fold between its bytes. */
const foldedCharacter = /([\xc2-\xf4][\x80-\xbf]{0,2})(\r?\n[ \t])([\x80-\xbf]+)/g

const bytesPerPiece = 1 << 20

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09
