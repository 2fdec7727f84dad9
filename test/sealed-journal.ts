/** The lines of a journal without their checksums and without the number of lines. */
export const unsealedLines = (journal: string): string[] =>
  journal
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/^\{"lines":[ \d]{10},/, '{').replace(/,"sum":"[\da-f]{8}"\}$/, '}'))

/** A journal of these lines, with checksums that fit: written a second time, so that a change of how calctl does it is noticed. */
export function sealedJournal(lines: readonly string[]): string {
  let checksum = 0
  const sealed = lines.map((text, index) => {
    const line = index === 0 ? `{"lines":${String(0).padStart(10)},${text.slice(1)}` : text
    checksum = continued(checksum, line)
    return `${line.slice(0, -1)},"sum":"${checksum.toString(16).padStart(8, '0')}"}\n`
  })
  return sealed.join('').replace(/^\{"lines": {9}0/, `{"lines":${String(lines.length).padStart(10)}`)
}

/** FNV-1a in 32 bits. */
function continued(checksum: number, text: string): number {
  let hash = checksum ^ 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
