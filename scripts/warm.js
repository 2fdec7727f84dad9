// Runs a bundle with typical command lines, as src/start.ts does, and writes V8's code cache next to it, so that the cache
// includes the functions that were called.
import { readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { writeCodeCache } from './code-cache.js'

const [, , file = '', ...lines] = process.argv
const require = createRequire(import.meta.url)
const load = name => require(name.startsWith('./') ? join(dirname(file), name) : name)
const source = readFileSync(file)
const script = new Script(Module.wrap(source.toString()), { filename: basename(file) })
const module = { exports: {} }
script.runInThisContext()(module.exports, load, module, file, dirname(file))
for (const line of lines) {
  process.argv = [process.execPath, file, ...line.split(' ')]
  await module.exports.start()
}
await writeCodeCache(file, source, script)
