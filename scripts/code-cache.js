import { writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/**
 * Writes V8's code cache of a compiled file next to it, with the checksum of the source at its end: V8 takes the cache of any source
 * of the same length, and src/start.ts must not.
 */
export async function writeCodeCache(file, source, script) {
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(crc32(source))
  await writeFile(`${file}.cache`, Buffer.concat([script.createCachedData(), checksum]))
}
