import { isUtf8 } from 'node:buffer'
import { ignoreErrors } from '../base/attempt.ts'

/**
 * The bytes of an HTTP answer as UTF-8, if its header names a charset that the bytes themselves do not show. UTF-8, UTF-16 and Windows-1252
 * are detected later, from the text: many servers declare a charset for anything they send.
 */
export function asUtf8(bytes: Buffer, contentType = ''): Buffer {
  const [, charset = ''] = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType) ?? []
  if (/^$|^(utf-?8|us-ascii|iso-8859-1|latin-?1|windows-1252|cp1252)$/i.test(charset)) return bytes
  if (hasByteOrderMark(bytes) || (isUtf8(bytes) && !bytes.includes(0) && !isSevenBit(charset))) return bytes
  const decoder = ignoreErrors(() => new TextDecoder(charset))
  if (!decoder) return bytes
  // Lines are folded between bytes (RFC 5545, 3.1), even between those of one character.
  const isWide = /^utf-16/.test(decoder.encoding)
  const unfolded = isWide ? bytes : Buffer.from(bytes.toString('latin1').replace(/\r?\n[ \t]/g, ''), 'latin1')
  return Buffer.from(decoder.decode(unfolded))
}

const hasByteOrderMark = (bytes: Buffer): boolean =>
  /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 3))

/** Charsets whose bytes look like ASCII. */
const isSevenBit = (charset: string): boolean => /^(iso-2022|utf-7|hz)/i.test(charset)
