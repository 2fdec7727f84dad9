import { writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/** A comment to begin a source with, by which src/start.ts recognises the code cache of the same build. */
export const buildMark = source => `/*${crc32(source).toString(16).padStart(8, '0')}*/`

/** Writes V8's code cache of a compiled file next to it, for this release of Node, with the mark of the source at its end. */
export async function writeCodeCache(file, source, script) {
  const mark = source.subarray(0, buildMark('').length)
  await writeFile(`${file}.${process.version}-${process.arch}.cache`, Buffer.concat([script.createCachedData(), mark]))
}
