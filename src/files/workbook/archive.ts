import type { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { Failure, usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'

/** A workbook as an archive of XML files. */
export interface Archive {
  readonly names: ReadonlySet<string>
  /** The text of a part, piece by piece; none if the archive does not have the part. */
  text(part: string): AsyncGenerator<string>
}

/** The largest part to unpack, in bytes. A sheet of this size has about three million cells. */
const largestPart = 200 * 1024 ** 2

/** How many files an archive may contain: a workbook has one for each sheet and picture, and about twenty more. */
const mostParts = 10_000

/** Opens an archive; throws `usage` if it is damaged. A part is unpacked when it is read. */
export async function openArchive(bytes: Buffer, name: string): Promise<Archive> {
  const damaged = () => damagedArchive(name)
  const entries = new Map<string, yauzl.Entry>()
  const zip = await yauzl.fromBufferPromise(bytes, { autoClose: false, lazyEntries: true }).catch(damaged)
  if (zip.entryCount > mostParts) throw archiveTooLarge(name, phrase('it has {count} files', { count: zip.entryCount }))
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  } catch {
    damaged()
  }
  return {
    names: new Set(entries.keys()),
    async *text(part) {
      const entry = entries.get(part)
      if (!entry) return
      // The library stops a part that unpacks to more than the archive says.
      if (entry.uncompressedSize > largestPart)
        throw archiveTooLarge(
          name,
          phrase('{part} unpacks to {size} MB', { part, size: Math.round(entry.uncompressedSize / 1024 ** 2) }),
        )
      if (entry.isEncrypted()) throw protectedWorkbook(name)
      const stream = await zip.openReadStreamPromise(entry).catch(damaged)
      const decoder = new TextDecoder()
      try {
        for await (const chunk of stream as Readable) yield decoder.decode(chunk, { stream: true })
        yield decoder.decode()
      } catch (error) {
        if (error instanceof Failure) throw error
        damaged()
      }
    },
  }
}

function damagedArchive(name: string): never {
  throw usage(
    phrase('{file} is cut off or damaged', { file: name }),
    phrase('download or copy it again, or open it in a spreadsheet program and save it'),
  )
}

export const archiveTooLarge = (name: string, why: string) =>
  usage(
    phrase('{file} is too large for a workbook: {reason}', { file: name, reason: why }),
    phrase('save the sheet as CSV, or split it (at most {most} MB of XML are read)', { most: largestPart / 1024 ** 2 }),
  )

export const protectedWorkbook = (name: string) =>
  usage(
    phrase('{file} is protected with a password', { file: name }),
    phrase('open it in a spreadsheet program and save it without a password'),
  )

/** Opening tags of one kind, with their attributes, without parsing what is around them. */
export async function tagsIn(text: AsyncIterable<string>, tag: string): Promise<string[]> {
  const pattern = new RegExp(`<(?:\\w+:)?${tag}[\\s/>][^<]*`, 'g')
  const tags: string[] = []
  let rest = ''
  for await (const piece of text) {
    const whole = rest + piece
    const end = whole.lastIndexOf('<')
    for (const [found] of whole.slice(0, Math.max(end, 0)).matchAll(pattern)) tags.push(found)
    rest = whole.slice(Math.max(end, 0))
    if (rest.length > longestTag) rest = rest.slice(0, longestTag)
  }
  for (const [found] of rest.matchAll(pattern)) tags.push(found)
  return tags
}

const longestTag = 1 << 16
