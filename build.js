// Bundles src into one CommonJS file whose late imports run late, and each library into a file of its own that is
// read when it is first used: Node opens three files for a list instead of fifty, and no ES module loader wakes.
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import Module, { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { Script } from 'node:vm'
import * as esbuild from 'esbuild'
import { licencesOf } from './licenses.js'

const require = createRequire(import.meta.url)
const shared = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Scripts compiled ahead cannot import; what is left of late imports, of Node's own modules, is required late.
  supported: { 'dynamic-import': false },
  minifySyntax: true,
  minifyWhitespace: true,
  // On a line of its own, so that a package check sees what kind of module the long line below is.
  banner: { js: 'module.exports = {}' },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}

/** Used by nearly every command, so that a file of their own would only cost. */
const inlined = ['commander', 'fastest-levenshtein']

/** What libraries load and never use here: undici HTTP/2, 9 ms; conf a checker for schemas that we do not give it, 20 ms. */
const unused = /undici.lib.dispatcher.client-h2\.js$|node_modules.ajv(-formats)?.dist.(2020|index)\.js$/

/** What all bundles are made of, as paths. */
const inputs = []

async function build(options) {
  const { metafile } = await esbuild.build({ ...shared, ...options })
  inputs.push(...Object.keys(metafile.inputs))
}

/** Built aside and put in place when all is well, so that what is there stays whole. */
const dist = resolve(`dist.${process.pid}`)
await mkdir(join(dist, 'lib'), { recursive: true })
await writeFile(join(dist, 'package.json'), '{ "type": "commonjs" }\n')
await build({ entryPoints: ['src/start.ts'], outfile: join(dist, 'start.js') })
await build({
  entryPoints: ['src/main.ts'],
  outfile: join(dist, 'main.js'),
  plugins: [
    { name: 'libraries apart', setup: keepLibrariesApart },
    { name: 'no processes', setup: leaveOutProcesses },
  ],
})
await writeFile(join(dist, 'LICENSES.txt'), await licencesOf(inputs))
warm(join(dist, 'main.js'), 'events', 'list', '--demo', '--json', '-q')
await rm('dist', { recursive: true, force: true })
await rename(dist, 'dist')

/** A library is a package, or a module of ours named `*.lib.ts` that says which of a package's parts are used. */
function keepLibrariesApart({ onResolve, onLoad }) {
  const made = new Map()
  onResolve({ filter: /^\.\/lib\//, namespace: 'library' }, ({ path }) => ({ path, external: true }))
  onResolve({ filter: /^[^./]|\.lib\.ts$/ }, ({ path, resolveDir, namespace }) => {
    if (namespace === 'library' || path.startsWith('node:') || inlined.includes(path)) return undefined
    return { path: path.startsWith('.') ? resolve(resolveDir, path) : path, namespace: 'library' }
  })
  onLoad({ filter: /.*/, namespace: 'library' }, async ({ path }) => {
    if (!made.has(path)) made.set(path, makeLibrary(path))
    return { contents: await made.get(path), resolveDir: import.meta.dirname }
  })
}

/** Bundles one library, and gives back a module that reads it and has its exports. */
async function makeLibrary(source) {
  const name = source.endsWith('.lib.ts')
    ? basename(source, '.lib.ts')
    : source.replace(/^\W|\.js$/g, '').replace(/\W+/g, '-')
  const file = `./lib/${name}.js`
  const outfile = join(dist, file)
  const contents = `export * from '${source}'${(await hasDefault(source)) ? `; export { default } from '${source}'` : ''}`
  await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    outfile,
    plugins: [
      {
        name: 'nothing unused',
        setup: ({ onLoad }) => onLoad({ filter: unused }, () => ({ contents: 'module.exports = {}' })),
      },
    ],
  })
  await compileAhead(outfile)
  const names = Object.keys(require(outfile)).filter(key => key !== 'default' && /^[A-Za-z_$][\w$]*$/.test(key))
  return [
    `const library = require('${file}')`,
    'export default library.default',
    ...names.map(key => `export const $${key} = library.${key}\nexport { $${key} as ${key} }`),
  ].join('\n')
}

async function hasDefault(source) {
  return !source.endsWith('.ts') && 'default' in (await import(source))
}

/** Commander loads what starts other programs, 4 ms, for subcommands that are programs; we have none. */
function leaveOutProcesses({ onResolve, onLoad }) {
  onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
    /node_modules.commander/.test(importer) ? { path: 'nothing', namespace: 'nothing' } : undefined,
  )
  onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }))
}

/** The same with what a command line calls. */
function warm(file, ...words) {
  const { status } = spawnSync(process.execPath, ['warm.js', file, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`calctl ${words.join(' ')} ended with ${status}`)
}

/** Leaves beside a file what V8 makes of it; start.ts gives that back to V8. */
async function compileAhead(file) {
  const script = new Script(Module.wrap(await readFile(file, 'utf8')), { filename: basename(file) })
  await writeFile(`${file}.cache`, script.createCachedData())
}
