import { crc32 } from 'node:zlib'
import { Failure } from '../../base/failure.ts'
import { jsonProblem } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import { pack, type Rows, type Site, type TableName, unpack } from './rows.ts'
import type { Sequence, Snapshot } from './store.ts'
import { tableNames } from './tables.ts'

/** The version of the calendar file that this program reads and writes. */
const formatVersion = 1

/** The contents of a calendar file. */
export interface CalendarContents {
  readonly site: Site
  readonly start: Snapshot
}

/** The default settings of a calendar; the time zone is that of the machine. */
export const newSite = (): Site => ({
  language: 'ca',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  quirks: false,
})

const beginning = `{"calctl": ${formatVersion}, `

/** In bytes, and in characters: pieces of this size keep a large file from being in memory twice. */
const pieceLength = 1 << 18

/**
 * The text of a calendar file, piece by piece, with one record on each line. Other work runs between the pieces. At its end is a checksum
 * of everything before it, which an edit by hand makes wrong.
 */
export async function* textOf({ site, start: { rows, sequence } }: CalendarContents): AsyncIterable<string> {
  let checksum = 0
  let text = `${beginning}"site": ${JSON.stringify(site)}, "sequence": ${JSON.stringify(sequence)}`
  for (const name of tableNames) {
    text += `, "${name}": [`
    let separator = '\n'
    for (const row of rows[name].toSorted((a, b) => a.id - b.id)) {
      text += separator + JSON.stringify(pack(name, row))
      separator = ',\n'
      if (text.length < pieceLength) continue
      checksum = crc32(text, checksum)
      yield text
      text = ''
      await turn()
    }
    text += '\n]'
  }
  yield text + endingWith(crc32(text, checksum))
}

const endingWith = (checksum: number) => `, "checksum": "${checksum.toString(16).padStart(8, '0')}"}\n`
const endingLength = endingWith(0).length

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

/** Whether a file ends with a checksum, correct or not: then calctl wrote it. */
export const hasChecksum = (bytes: Buffer): boolean =>
  /"checksum": ".{8}"\}\s*$/.test(bytes.subarray(-2 * endingLength).toString('latin1'))

/** Whether this is the text of a calendar file as `textOf` wrote it, in this format version. */
export function isUnedited(bytes: Buffer): boolean {
  const end = bytes.length - endingLength
  if (end < 0 || bytes.toString('latin1', 0, beginning.length) !== beginning) return false
  return bytes.toString('latin1', end) === endingWith(crc32(bytes.subarray(0, end)))
}

/** Reads what `textOf` wrote, without checking it. */
export function readText(bytes: Buffer): CalendarContents {
  let at = bytes.indexOf('\n') + 1
  const head: { site: Site; sequence: Sequence } = JSON.parse(`${bytes.toString('utf8', 0, at)}]}`)
  const listOf = <T extends TableName>(name: T): Rows[T][] => {
    const end = bytes.indexOf('\n]', at - 1)
    const rows: Rows[T][] = []
    for (const piece of piecesOf<Partial<Rows[T]>>(bytes, at, end))
      for (const record of piece) rows.push(unpack(name, record))
    at = bytes.indexOf('\n', end + 1) + 1
    return rows
  }
  const rows = {
    events: listOf('events'),
    venues: listOf('venues'),
    organizers: listOf('organizers'),
    categories: listOf('categories'),
    tags: listOf('tags'),
    images: listOf('images'),
  }
  return { site: head.site, start: { rows, sequence: head.sequence } }
}

function* piecesOf<R>(bytes: Buffer, start: number, end: number): Iterable<R[]> {
  for (let at = start; at < end; ) {
    const next = bytes.indexOf(',\n', at + pieceLength)
    const pieceEnd = next < 0 || next > end ? end : next
    yield JSON.parse(`[${bytes.toString('utf8', at, pieceEnd)}]`)
    at = pieceEnd + 2
  }
}

/** Parses a calendar file of this version that calctl did not write; the contents are not checked. */
export function parse(file: string, bytes: Buffer): object {
  const data = parseJson(file, bytes.toString('utf8'))
  if (typeof data !== 'object' || data === null || !('calctl' in data))
    throw new Failure('settings', phrase('{file} is not a calendar of calctl', { file }), {
      hint: phrase('a calendar file begins with {beginning}; name another file, or one that does not exist yet', {
        beginning: `{"calctl": ${formatVersion}, …}`,
      }),
    })
  if (data.calctl === formatVersion) return data
  throw new Failure(
    'settings',
    phrase('{file} has the unsupported format {format}', { file, format: JSON.stringify(data.calctl) }),
    { hint: phrase('update calctl: this version reads format {format}', { format: formatVersion }) },
  )
}

function parseJson(file: string, text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const before = text.slice(0, validLength(text)).split('\n')
    const message = phrase('{file} is not valid JSON: line {line}, column {column}', {
      file,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    })
    throw new Failure('settings', message, { hint: phrase('fix it, then try again') })
  }
  const problem = jsonProblem(value)
  if (problem !== undefined)
    throw new Failure('settings', phrase('{file} cannot be used: {reason}', { file, reason: problem }), {
      hint: phrase('check that it is the right file'),
    })
  return value
}

/** How much of a text could be the beginning of JSON. Node does not always say where it stopped. */
function validLength(text: string): number {
  let [sound, unsound] = [0, text.length + 1]
  while (unsound - sound > 1) {
    const middle = (sound + unsound) >> 1
    if (isBeginning(text.slice(0, middle))) sound = middle
    else unsound = middle
  }
  return sound
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as SyntaxError
    return /end of JSON|Unterminated/.test(message) || message.includes(`at position ${text.length}`)
  }
}
