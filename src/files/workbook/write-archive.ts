import { once } from 'node:events'
import { Readable } from 'node:stream'
import yazl from 'yazl'
import type { RawCell } from '../csv/sheet-rows.ts'

/** A sheet to write: its headings stay in view. */
export interface OutgoingSheet {
  readonly name: string
  readonly headings: readonly string[]
  readonly rows: AsyncIterable<readonly RawCell[]>
}

/** A file in an archive: its text is asked for once those before it are written, unless it is stored as it is. */
export type OutgoingPart =
  | { readonly name: string; readonly text: () => Iterable<string> | AsyncIterable<string> }
  | { readonly name: string; readonly stored: string }

/** Writes the parts of an archive one after another. The same parts give the same bytes, whenever they are written. */
export async function* writeArchive(parts: readonly OutgoingPart[]): AsyncGenerator<Uint8Array> {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', error => output.destroy(error))
  const mtime = new Date(1980, 0, 1)
  for (const part of parts)
    if ('stored' in part) zip.addBuffer(Buffer.from(part.stored), part.name, { mtime, compress: false })
    else
      zip.addReadStreamLazy(part.name, { mtime }, ready =>
        ready(null, Readable.from(inLargerPieces(part.text()), { objectMode: false })),
      )
  zip.end()
  try {
    for await (const chunk of output) yield chunk as Buffer
  } finally {
    if (!output.destroyed) {
      output.destroy()
      await once(output, 'close')
    }
  }
}

/** One piece a row makes the archive slow. */
async function* inLargerPieces(text: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  let pieces = ''
  for await (const piece of text) {
    pieces += piece
    if (pieces.length < 1 << 16) continue
    yield Buffer.from(pieces)
    pieces = ''
  }
  if (pieces !== '') yield Buffer.from(pieces)
}

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, character => entities[character] ?? character)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Control characters but for tab and line feed, and halves of characters. */
export const unwritable = /[^\P{Cc}\t\n]|\p{Cs}|[\uFFFE\uFFFF]/gu
