import { writeSync } from 'node:fs'

/**
 * The lines of a journal, so that a reader notices whatever happens to the file. Every line ends with the checksum of all lines up
 * to it: one that was changed, left out or repeated does not fit. The first line begins with the number of lines, written anew with
 * each of them, so that the end of the file cannot be lost unnoticed. Journals of earlier versions have neither.
 */
export interface CheckedLine {
  /** The line as JSON, without its checksum. */
  readonly json: string
  /** Whether the line has a checksum, and whether it is correct. */
  readonly seal: 'none' | 'fits' | 'differs'
}

/** What a writer needs to know of the lines that are there. */
export interface LinesSoFar {
  /** In bytes. */
  readonly length: number
  /** How many there are, or were. */
  readonly count: number
  /** The last checksum; undefined for a journal without checksums. */
  readonly checksum: number | undefined
}

/** The end of a line. */
const sealPattern = /,"sum":"([\da-f]{8})"\}$/

/** The beginning of the first line: the number has a fixed width, so that it can be overwritten. */
const countPattern = /^\{"lines":([ \d]{10}),/
const countName = '{"lines":'
const countWidth = 10

const countText = (count: number): string => String(count).padStart(countWidth)

/** Writes lines at the end of a journal, several at once. The number of lines follows when they are written. */
export function createLineWriter(fd: number, soFar: LinesSoFar = { length: 0, count: 0, checksum: 0 }) {
  let { length, count, checksum } = soFar
  return (values: readonly object[]): void => {
    const texts: string[] = []
    for (const value of values) {
      const text = JSON.stringify(value)
      if (checksum === undefined) texts.push(`${text}\n`)
      else {
        const isFirst = length === 0 && texts.length === 0
        const line = isFirst ? `${countName}${countText(0)},${text.slice(1)}` : text
        checksum = checksumOf(line, checksum)
        texts.push(`${line.slice(0, -1)},"sum":"${checksumText(checksum)}"}\n`)
      }
    }
    length += writeAll(fd, Buffer.from(texts.join('')), length)
    count += values.length
    if (checksum !== undefined) writeAll(fd, Buffer.from(countText(count)), countName.length)
  }
}

function writeAll(fd: number, bytes: Uint8Array, position: number): number {
  for (let written = 0; written < bytes.length; )
    written += writeSync(fd, bytes, written, bytes.length - written, position + written)
  return bytes.length
}

/** Checks the lines of a journal one after another, from the first. */
export function createLineChecker() {
  let checksum = 0
  return {
    check(text: string): CheckedLine {
      const [seal, stated] = sealPattern.exec(text) ?? []
      if (seal === undefined || stated === undefined) return { json: text, seal: 'none' }
      const json = `${text.slice(0, -seal.length)}}`
      const line = json.replace(countPattern, `${countName}${countText(0)},`)
      const fits = checksumText(checksumOf(line, checksum)) === stated
      // After a line that differs, the next ones are checked all the same.
      checksum = Number.parseInt(stated, 16)
      return { json, seal: fits ? 'fits' : 'differs' }
    },
    checksum: () => checksum,
  }
}

/** The number of lines that the first line states; undefined in a journal of an earlier version. */
export function statedCount(firstLine: string): number | undefined {
  const [, count] = countPattern.exec(firstLine) ?? []
  return count === undefined ? undefined : Number(count)
}

const checksumText = (checksum: number): string => checksum.toString(16).padStart(8, '0')

/** FNV-1a in 32 bits, continued. Loading zlib or crypto would take longer than a short run. */
function checksumOf(text: string, before: number): number {
  let hash = before ^ 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
