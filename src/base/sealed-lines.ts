/**
 * The lines of a log that detects any damage. Each line is JSON and ends with the checksum of all lines up to it, so a line that
 * was changed, omitted or repeated does not fit. The journals of runs and of calendar files are such logs.
 */
import { crc32 } from 'node:zlib'
import { fnv1a } from './text/fnv1a.ts'

export interface CheckedLine {
  /** The line as JSON, without its checksum. */
  readonly json: string
  /** Whether the line has a checksum, and whether it is correct. */
  readonly seal: 'none' | 'fits' | 'differs'
  /** The stated checksum, or the previous one if the line states none; the next line continues it. */
  readonly checksum: number
}

/** The line for this JSON, without line feed. `before` is the checksum of the previous line, 0 for the first. */
export function sealLine(json: string, before: number): { line: string; checksum: number } {
  const checksum = crc32(json, before)
  return { line: `${json.slice(0, -1)},"crc":"${hex(checksum)}"}`, checksum }
}

/**
 * Checks a line against the checksum of the previous one. `sealedForm` restores the sealed text where a part was rewritten later.
 */
export function checkLine(text: string, before: number, sealedForm = (json: string) => json): CheckedLine {
  for (const { pattern, jsonOf, checksumOf } of forms) {
    const stated = pattern.exec(text)?.[1]
    if (stated === undefined) continue
    const json = jsonOf(text)
    const fits = hex(checksumOf(sealedForm(json), before)) === stated
    return { json, seal: fits ? 'fits' : 'differs', checksum: Number.parseInt(stated, 16) }
  }
  return { json: text, seal: 'none', checksum: before }
}

const endLength = ',"crc":"00000000"}'.length
const withoutEnd = (line: string): string => `${line.slice(0, -endLength)}}`

/** The current form first, then two earlier ones: at the end of a line (runs) and at its beginning (calendars). */
const forms = [
  { pattern: /,"crc":"([\da-f]{8})"\}$/, jsonOf: withoutEnd, checksumOf: crc32 },
  { pattern: /,"sum":"([\da-f]{8})"\}$/, jsonOf: withoutEnd, checksumOf: fnv1a },
  {
    pattern: /^([\da-f]{8})[ +]\{/,
    jsonOf: (line: string) => line.slice('00000000 '.length),
    checksumOf: crc32,
  },
]

const hex = (checksum: number): string => checksum.toString(16).padStart(8, '0')
