import { windows1252From80 } from './text-streams.ts'

/** The bytes of a text in the encoding of the file that it belongs with. */
export function encodeText(text: string, charset: string, hasBom: boolean): Buffer {
  const marked = hasBom ? `\uFEFF${text}` : text
  if (charset === 'utf-16le') return Buffer.from(marked, 'utf16le')
  if (charset === 'utf-16be') return Buffer.from(marked, 'utf16le').swap16()
  if (charset === 'windows-1252') return Buffer.from(text.replace(/[^\0-\x7f\xa0-\xff]/gu, toByte), 'latin1')
  return Buffer.from(marked)
}

/** Windows-1252 has these characters where Latin-1 has controls; a character that it lacks becomes a question mark. */
function toByte(character: string): string {
  const index = windows1252From80.indexOf(character)
  return index === -1 ? '?' : String.fromCharCode(0x80 + index)
}
