import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'

/** Milliseconds within which an installation writes a file and its code cache, in either order. */
const installTime = 10_000

/** Both files begin or end with the build's mark: `/*`, a checksum in eight digits, and the end of the comment. */
const markLength = 12

/**
 * Loads a bundle, and with it the others that it requires. The build makes each file one function in ASCII, and puts V8's code cache
 * next to it; the same release of Node uses it and saves 10 ms, others do not find it.
 */
export function loadBundle(folder: string, required: NodeJS.Require, name: string): unknown {
  if (!name.startsWith('./')) return required(name)
  const filename = join(folder, name)
  const source = readFileSync(filename)
  const cachedData = codeCache(filename, source)
  const script = new Script(source.toString('latin1'), { filename, ...(cachedData && { cachedData }) })
  const module = { exports: {} }
  const load = (other: string) => loadBundle(folder, required, other)
  script.runInThisContext()(module.exports, load, module, filename, folder)
  return module.exports
}

/**
 * The code cache of a file for this release of Node, if it is of the same build, and the file was not edited since: V8 itself compares
 * nothing but its version and the length of the source. With the cache of 20.20.2, which has the same V8, 20.19.0 ran other code. A checksum of the source would cost 3 ms, most of it for loading node:zlib.
 */
function codeCache(filename: string, source: Buffer): Buffer | undefined {
  const cacheName = `${filename}.${process.version}-${process.arch}.cache`
  try {
    const cache = readFileSync(cacheName)
    const isOfBuild = source.subarray(0, markLength).equals(cache.subarray(-markLength))
    const isEdited = statSync(filename).mtimeMs > statSync(cacheName).mtimeMs + installTime
    return isOfBuild && !isEdited ? cache.subarray(0, -markLength) : undefined
  } catch {
    return undefined
  }
}
