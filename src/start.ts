import { readFileSync } from 'node:fs'
import { wrap } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { version } from '../package.json'

/**
 * What bin/calctl.js starts: `--version` at once, anything else from the bundle. The build leaves beside each of its files
 * what V8 made of it; a V8 of the same version takes that over and saves 10 ms, another one compiles as usual.
 */
const [first, ...others] = process.argv.slice(2)
if (others.length === 0 && (first === '--version' || first === '-V')) sayVersion()
else (load('./main.js') as typeof import('./main.ts')).start()

function sayVersion(): void {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 3))
  process.stdout.write(`${version}\n`)
}

function load(name: string): unknown {
  if (!name.startsWith('./')) return require(name)
  const filename = join(__dirname, name)
  const script = new Script(wrap(readFileSync(filename, 'utf8')), { filename, cachedData: compiled(filename) })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, load, module, filename, __dirname)
  return module.exports
}

function compiled(filename: string): Buffer | undefined {
  try {
    return readFileSync(`${filename}.cache`)
  } catch {
    return undefined
  }
}
