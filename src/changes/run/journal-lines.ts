import { writeSync } from 'node:fs'
import { type CheckedLine, checkLine, sealLine } from '../../base/sealed-lines.ts'

/**
 * The lines of a run's journal: sealed lines, of which the first begins with the number of lines, written anew with each of them, so
 * that the end of the file cannot be lost unnoticed. The first journals had neither.
 */

/** What a writer needs to know of the lines that are there. */
export interface LinesSoFar {
  /** In bytes. */
  readonly length: number
  /** How many there are, or were. */
  readonly count: number
  /** The last checksum; undefined for a journal without checksums. */
  readonly checksum: number | undefined
}

/** The beginning of the first line: the number has a fixed width, so that it can be overwritten. */
const countPattern = /^\{"lines":([ \d]{10}),/
const countName = '{"lines":'
const countWidth = 10

const countText = (count: number): string => String(count).padStart(countWidth)

/** Writes lines at the end of a journal, several at once. The number of lines follows when they are written. */
export function createLineWriter(fd: number, soFar: LinesSoFar = { length: 0, count: 0, checksum: 0 }) {
  let { length, count, checksum } = soFar
  return (values: readonly object[]): void => {
    const lines = values.map((value, index) => {
      const json = JSON.stringify(value)
      if (checksum === undefined) return `${json}\n`
      const isFirst = length === 0 && index === 0
      const sealed = sealLine(isFirst ? `${countName}${countText(0)},${json.slice(1)}` : json, checksum)
      checksum = sealed.checksum
      return `${sealed.line}\n`
    })
    length += writeAll(fd, Buffer.from(lines.join('')), length)
    count += values.length
    if (checksum !== undefined) writeAll(fd, Buffer.from(countText(count)), countName.length)
  }
}

function writeAll(fd: number, bytes: Uint8Array, position: number): number {
  for (let written = 0; written < bytes.length; )
    written += writeSync(fd, bytes, written, bytes.length - written, position + written)
  return bytes.length
}

/** Checks the lines of a journal one after another, from the first. After one that differs, the next ones are checked all the same. */
export function createLineChecker() {
  let checksum = 0
  return {
    check(text: string): CheckedLine {
      const checked = checkLine(text, checksum, json => json.replace(countPattern, `${countName}${countText(0)},`))
      checksum = checked.checksum
      return checked
    },
    checksum: () => checksum,
  }
}

/** The number of lines that the first line states; undefined in a journal of an earlier version. */
export function statedCount(firstLine: string): number | undefined {
  const [, count] = countPattern.exec(firstLine) ?? []
  return count === undefined ? undefined : Number(count)
}
