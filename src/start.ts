import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import { version } from '../package.json'

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

/** The code cache of a file, unless the file was changed since: V8 itself compares nothing but its length. */
function codeCache(filename: string, source: Buffer): Buffer | undefined {
  try {
    const cache = readFileSync(`${filename}.cache`)
    return cache.readUInt32LE(cache.length - 4) === crc32(source) ? cache.subarray(0, -4) : undefined
  } catch {
    return undefined
  }
}
