import { writeSync } from 'node:fs'
import { type CheckedLine, checkLine, sealLine } from '../../base/sealed-lines.ts'

/**
 * The lines of a run's journal: each has a checksum, and the first begins with the number of lines, which is rewritten with each line, so
 * that a missing end is noticed. The first versions wrote neither.
 */

/** What a writer needs to know about the existing lines. */
export interface LinesSoFar {
  /** In bytes. */
  readonly length: number
  /** How many there are, including lost ones. */
  readonly count: number
  /** The last checksum; undefined for a journal without checksums. */
  readonly checksum: number | undefined
}

/** The beginning of the first line: the number has a fixed width, so that it can be overwritten. */
const countPattern = /^\{"lines":([ \d]{10}),/
const countName = '{"lines":'
const countWidth = 10

const countText = (count: number): string => String(count).padStart(countWidth)

/** Appends lines to a journal, several at once, and then updates the number of lines. */
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

/** Checks the lines of a journal in order. Lines after a damaged one are still checked. */
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

/** The number of lines according to the first line; undefined in a journal of an earlier version. */
export function statedCount(firstLine: string): number | undefined {
  const [, count] = countPattern.exec(firstLine) ?? []
  return count === undefined ? undefined : Number(count)
}
