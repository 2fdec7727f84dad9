import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { version } from '../package.json'

/** Milliseconds within which an installation writes a file and its code cache, in either order. */
const installTime = 10_000

/** Both files begin or end with the build's mark: `/*`, a checksum in eight digits, and the end of the comment. */
const markLength = 12

/**
 * The entry point of bin/calctl.js. Prints `--version` at once, and loads the bundle for anything else. The build makes each file
 * one function in ASCII, and puts V8's code cache next to it; the same version of V8 uses it and saves 10 ms, another version
 * ignores it.
 */
const [first, ...others] = process.argv.slice(2)
if (others.length === 0 && (first === '--version' || first === '-V')) printVersion()
else (load('./main.js') as typeof import('./main.ts')).start()

function printVersion(): void {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 3))
  process.stdout.write(`${version}\n`)
}

function load(name: string): unknown {
  if (!name.startsWith('./')) return require(name)
  const filename = join(__dirname, name)
  const source = readFileSync(filename)
  const cachedData = codeCache(filename, source)
  const script = new Script(source.toString('latin1'), { filename, ...(cachedData && { cachedData }) })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, load, module, filename, __dirname)
  return module.exports
}

/**
 * The code cache of a file, if it is of the same build, and the file was not edited since: V8 itself compares nothing but the length
 * of the source. A checksum of the source would cost 3 ms, most of it for loading node:zlib.
 */
function codeCache(filename: string, source: Buffer): Buffer | undefined {
  const cacheName = `${filename}.cache`
  try {
    const cache = readFileSync(cacheName)
    const isOfBuild = source.subarray(0, markLength).equals(cache.subarray(-markLength))
    const isEdited = statSync(filename).mtimeMs > statSync(cacheName).mtimeMs + installTime
    return isOfBuild && !isEdited ? cache.subarray(0, -markLength) : undefined
  } catch {
    return undefined
  }
}
