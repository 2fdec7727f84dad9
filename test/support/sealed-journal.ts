import { crc32 } from 'node:zlib'

/** The lines of a journal without their checksums and without the number of lines. */
export const unsealedLines = (journal: string): string[] =>
  journal
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/^\{"lines":[ \d]{10},/, '{').replace(/,"crc":"[\da-f]{8}"\}$/, '}'))

/** A journal of these lines, with checksums that fit: written a second time, so that a change of how calctl does it is noticed. */
export function sealedJournal(lines: readonly string[]): string {
  let checksum = 0
  const sealed = lines.map((text, index) => {
    const line = index === 0 ? `{"lines":${String(0).padStart(10)},${text.slice(1)}` : text
    checksum = crc32(line, checksum)
    return `${line.slice(0, -1)},"crc":"${checksum.toString(16).padStart(8, '0')}"}\n`
  })
  return sealed.join('').replace(/^\{"lines": {9}0/, `{"lines":${String(lines.length).padStart(10)}`)
}
