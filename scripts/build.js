// Bundles src into one CommonJS file in which late imports still run late, and each library into a file of its own that is read
// on first use. For a list, Node opens three files instead of fifty, and the ES module loader never starts.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import Module, { builtinModules, createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { Script } from 'node:vm'
import * as esbuild from 'esbuild'
import { buildMark, writeCodeCache } from './code-cache.js'
import { lateFunctions } from './late-functions.js'
import { licensesOf } from './licenses.js'
import { writeManual } from './manual.js'
import { recordTypes } from './record-types.js'
import { sbomOf } from './sbom.js'

const require = createRequire(import.meta.url)
const root = resolve(import.meta.dirname, '..')
const shared = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // A script with a code cache cannot use import(); the late imports left over, of Node's own modules, become late requires.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.filename': '__filename' },
  minifySyntax: true,
  minifyWhitespace: true,
  minifyIdentifiers: true,
  // publint decides from the first lines whether a file is CommonJS; the bundle itself is one long line.
  banner: { js: 'module.exports = {}' },
  legalComments: 'none',
  // Node prints the line of an error that nobody catches.
  lineLimit: 500,
  metafile: true,
  logLevel: 'warning',
}

/** Bundled into main.js: nearly every command needs them, so a separate file would only cost time. */
const inlined = ['commander', 'fastest-levenshtein', '@ultraq/icu-message-formatter', '@ultraq/function-utils']

/** Installed beside calctl and loaded from there: WebAssembly of 1 MB, which few command lines need. */
const external = ['jq-wasm']

/**
 * Functions that are called on few paths only, so that each loads the library, or the module of Node (up to 3 ms), when it is first
 * called. Nothing else can be imported from these modules, except by `import()`, which loads a module of Node late anyway.
 */
const calledLate = {
  'entities/decode': ['decodeHTML'],
  [resolve(root, 'src/cli/terminal/chalk.lib.ts')]: ['chalkInColor'],
  'node:crypto': ['createHash', 'randomBytes', 'randomInt', 'randomUUID', 'timingSafeEqual'],
  'node:v8': ['setFlagsFromString'],
}

/** Modules that libraries load but calctl never needs: undici's HTTP/2 client, 9 ms; conf's schema validator (ajv), 20 ms. */
const unusedModules = /undici.lib.dispatcher.client-h2\.js$|node_modules.ajv(-formats)?.dist.(2020|index)\.js$/

/** Modules for programs, beside the command line. */
const libraries = [
  { name: 'client', source: 'src/client/library/calendar-client.ts', types: 'src/client/library/client.d.ts' },
  { name: 'testing', source: 'src/testing/start-calendar.ts', types: 'src/testing/testing.d.ts' },
]

const languageData = /eld.src.ngrams.extrasmall\.js$/

/** The paths of all bundled files. */
const inputs = []

async function build(options) {
  const { metafile } = await esbuild.build({ ...shared, ...options })
  inputs.push(...Object.keys(metafile.inputs).filter(path => !unusedModules.test(path)))
}

/** Built in a temporary folder and renamed at the end, so that a failed build leaves the last one in place, and nothing else. */
const dist = resolve(`dist.${process.pid}`)
process.on('exit', () => rmSync(dist, { recursive: true, force: true }))
await mkdir(join(dist, 'lib'), { recursive: true })
await writeFile(join(dist, 'package.json'), '{ "type": "commonjs" }\n')
await build({ entryPoints: ['src/start.ts'], outfile: join(dist, 'start.js') })
await build({
  entryPoints: ['src/main.ts'],
  outfile: join(dist, 'main.js'),
  plugins: [
    { name: 'separate libraries', setup: separateLibraries },
    { name: 'no child processes', setup: omitChildProcesses },
  ],
})
await wrap(join(dist, 'main.js'))
await writeParsingThread()
await writeFile(join(dist, 'records.d.mts'), await recordTypes(root, shared))
await writeLibraries()
await mkdir(join(dist, 'words'))
for (const file of (await readdir('src/base/words')).filter(name => name.endsWith('.json')))
  await writeFile(join(dist, 'words', file), inAscii(JSON.parse(await readFile(join('src/base/words', file), 'utf8'))))
await writePage()
await writeFile(join(dist, 'LICENSES.txt'), await licensesOf(inputs))
await writeFile(join(dist, 'sbom.cdx.json'), await sbomOf(inputs))
warm(join(dist, 'main.js'), 'events list --demo --json -q', '--help', '__complete -- events get --demo a')
await rm('dist', { recursive: true, force: true })
await rename(dist, 'dist')
await writeManual('bin/calctl.js')
await writeReference()

/** Bundles the page of the calendar for browsers: its script, and its styles with those of the library. */
async function writePage() {
  const page = join(dist, 'page')
  const browser = { platform: 'browser', format: 'esm', target: 'es2022', supported: {}, banner: {}, define: {} }
  await build({
    ...browser,
    alias: { 'entities/decode': resolve('src/page/browser/decode-html.ts') },
    entryPoints: ['src/page/browser/calendar-page.ts'],
    outfile: join(page, 'page.js'),
  })
  const own = ['page', 'record'].map(name => resolve('src/page/browser', `${name}.css`))
  const files = [require.resolve('@event-calendar/core/index.css'), ...own]
  const contents = files.map(file => `@import '${file}';`).join('\n')
  await build({
    ...browser,
    stdin: { contents, resolveDir: root, loader: 'css' },
    outfile: join(page, 'page.css'),
  })
}

/** Writes the script of the thread that parses long texts: it loads the bundle. */
async function writeParsingThread() {
  const contents =
    "import { loadBundle } from './src/base/load-bundle.ts'; loadBundle(__dirname, require, './main.js').parseInThread()"
  await build({ stdin: { contents, resolveDir: root }, outfile: join(dist, 'parsing-thread.js') })
}

/**
 * Writes `calctl/client` and `calctl/testing`, with their types, as ES modules that any bundler can follow: their late imports are in
 * files beside them. What a library requires of Node comes from Node itself, wherever the module is put.
 */
async function writeLibraries() {
  const builtins = ({ onResolve, onLoad }) => {
    const filter = new RegExp(`^(node:.*|${builtinModules.join('|')})$`)
    onResolve({ filter }, ({ path, kind }) => (kind === 'require-call' ? { path, namespace: 'builtin' } : undefined))
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }))
  }
  await build({
    format: 'esm',
    splitting: true,
    supported: {},
    define: {},
    banner: {},
    entryPoints: libraries.map(({ name, source }) => ({ in: source, out: name })),
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'modules/[name]-[hash]',
    plugins: [
      { name: 'modules of Node', setup: builtins },
      { name: 'no unused modules', setup: omitUnusedModules },
    ],
  })
  // What a bundler for browsers takes instead (package.json): it has none of the names that are imported.
  await writeFile(
    join(dist, 'runs-on-node-only.mjs'),
    "export {}\nthrow new Error('calctl/client and calctl/testing run on Node only: bundle for Node, or import them on the server')\n",
  )
  for (const { name, types } of libraries) await copyFile(types, join(dist, `${name}.d.mts`))
}

/** JSON in ASCII, which V8 reads in less time: 0.4 ms of a catalog's 2.8. */
function inAscii(value) {
  return JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Writes docs/reference.md from the tree of commands. */
async function writeReference() {
  const contents = `
    import { Command } from 'commander'
    import { reference } from './scripts/reference.ts'
    import { createApp } from './src/cli/create-app.ts'
    import { program } from './src/cli/program.ts'
    export const text = reference(program(new Command('calctl'), createApp({}, () => ({}))))`
  const { outputFiles } = await esbuild.build({ ...shared, stdin: { contents, resolveDir: root }, write: false })
  const built = new Module(join(root, 'reference.cjs'))
  built.paths = Module._nodeModulePaths(root)
  built._compile(outputFiles[0].text, join(root, 'reference.cjs'))
  await writeFile('docs/reference.md', built.exports.text)
}

/** A library is a package, or one of our `*.lib.ts` modules, which names the parts of a package that are used. */
function separateLibraries({ onResolve, onLoad }) {
  const modules = new Map()
  onResolve({ filter: /^\.\/lib\//, namespace: 'library' }, ({ path }) => ({ path, external: true }))
  // Before the next one, which would resolve what a late module loads to that module again.
  onResolve({ filter: /^node:/, namespace: 'late module' }, ({ path }) => ({ path, external: true }))
  onResolve({ filter: /^[^./]|\.lib\.ts$/ }, ({ path, resolveDir, namespace, kind }) => {
    if (namespace === 'library' || inlined.includes(path)) return undefined
    if (path.startsWith('node:'))
      return path in calledLate && kind === 'import-statement' ? { path, namespace: 'late module' } : undefined
    if (external.includes(path)) return { path, external: true }
    return { path: path.startsWith('.') ? resolve(resolveDir, path) : path, namespace: 'library' }
  })
  onLoad({ filter: /.*/, namespace: 'library' }, async ({ path }) => {
    if (!modules.has(path)) modules.set(path, bundleLibrary(path))
    return { contents: await modules.get(path), resolveDir: root }
  })
  onLoad({ filter: /.*/, namespace: 'late module' }, ({ path }) => ({
    contents: lateFunctions(path, calledLate[path], require(path)),
  }))
}

/** Bundles one library; returns the source of a module that loads it and re-exports its names. */
async function bundleLibrary(source) {
  const name = source.endsWith('.lib.ts')
    ? basename(source, '.lib.ts')
    : source.replace(/^\W|\.js$/g, '').replace(/\W+/g, '-')
  const file = `./lib/${name}.js`
  const outfile = join(dist, file)
  const contents = `export * from '${source}'${(await hasDefault(source)) ? `; export { default } from '${source}'` : ''}`
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    plugins: [
      { name: 'no unused modules', setup: omitUnusedModules },
      { name: 'languages of content', setup: ({ onLoad }) => onLoad({ filter: languageData }, ownLanguages) },
    ],
  })
  const loaded = require(outfile)
  await cacheCode(outfile, await wrap(outfile))
  if (source in calledLate) return lateFunctions(file, calledLate[source], loaded)
  const names = Object.keys(loaded).filter(key => key !== 'default' && /^[A-Za-z_$][\w$]*$/.test(key))
  return [
    `const library = require('${file}')`,
    'export default library.default',
    ...names.map(key => `export const $${key} = library.${key}\nexport { $${key} as ${key} }`),
  ].join('\n')
}

/** What eld knows of 60 languages, without those that content is not in: a tenth of the size, and of the time to load it. */
async function ownLanguages({ path }) {
  const { ngramsData } = await import(path)
  const ids = Object.keys(ngramsData.languages).filter(id => ['ca', 'en', 'es'].includes(ngramsData.languages[id]))
  const ngrams = Object.entries(ngramsData.ngrams).flatMap(([ngram, scores]) => {
    const own = Object.entries(scores).filter(([id]) => ids.includes(id))
    return own.length > 0 ? [[ngram, Object.fromEntries(own)]] : []
  })
  return {
    contents: `export const ngramsData = ${JSON.stringify({ ...ngramsData, ngrams: Object.fromEntries(ngrams) })}`,
  }
}

function omitUnusedModules({ onLoad }) {
  onLoad({ filter: unusedModules }, () => ({ contents: 'module.exports = {}' }))
}

async function hasDefault(source) {
  return !source.endsWith('.ts') && 'default' in (await import(source))
}

/** Commander loads node:child_process (4 ms) for subcommands that are separate programs; calctl has none. */
function omitChildProcesses({ onResolve, onLoad }) {
  onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
    /node_modules.commander/.test(importer) ? { path: 'empty', namespace: 'empty' } : undefined,
  )
  onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'module.exports = {}' }))
}

/** Writes a code cache that includes the functions which these command lines call. */
function warm(file, ...lines) {
  const { status } = spawnSync(process.execPath, ['scripts/warm.js', file, ...lines], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`calctl ended with ${status} after one of: ${lines.join(', ')}`)
}

/**
 * Makes a bundle the function that src/start.ts calls, in ASCII: V8 takes its bytes as they are, neither decoded nor copied, which saves
 * 4 ms. esbuild escapes other letters in strings only, so this escapes those in regular expressions.
 */
async function wrap(file) {
  const source = await readFile(file, 'utf8')
  const escaped = source.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const wrapped = buildMark(escaped) + Module.wrap(escaped)
  await writeFile(file, wrapped, 'latin1')
  return wrapped
}

/** Compiles a wrapped file for its code cache, which start.ts hands back to V8. */
async function cacheCode(file, source) {
  await writeCodeCache(file, Buffer.from(source, 'latin1'), new Script(source, { filename: basename(file) }))
}
