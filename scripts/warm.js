// Runs a bundle with typical command lines, as src/start.ts does, and writes V8's code cache next to it, so that the cache
// includes the functions that were called.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { writeCodeCache } from './code-cache.js'

const [, , file = '', ...lines] = process.argv
const require = createRequire(import.meta.url)
const source = readFileSync(file)
const script = new Script(source.toString('latin1'), { filename: basename(file) })
const { start } = exportsOf(script, file)
for (const line of lines) {
  process.argv = [process.execPath, file, ...line.split(' ')]
  await start()
}
await writeCodeCache(file, source, script)

function exportsOf(script, file) {
  const module = { exports: {} }
  script.runInThisContext()(module.exports, load, module, file, dirname(file))
  return module.exports
}

/** What start.ts gives the bundle in place of require, without the code caches of libraries. */
function load(name) {
  if (!name.startsWith('./')) return require(name)
  const library = join(dirname(file), name)
  return exportsOf(new Script(readFileSync(library, 'latin1'), { filename: library }), library)
}
