import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yauzl from 'yauzl'

/** Unpacks a zip into a folder, as the programs of a desktop do; returns the paths in it. */
export async function unpack(file: string, folder: string): Promise<string[]> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true })
  const paths: string[] = []
  for await (const entry of zip.eachEntry()) {
    const path = join(folder, entry.fileName)
    mkdirSync(dirname(path), { recursive: true })
    const mode = (entry.externalFileAttributes >>> 16) & 0o777
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path, { mode }))
    paths.push(entry.fileName)
  }
  return paths
}
