// Cost of the calendar file: opening it compared with JSON.parse of the same file, and writes compared with the bare journal.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { writeCalendar } from './serve/calendar.js'
import { journalRate } from './serve/journal.js'

const rounds = 7
const now = () => new Date()

/** `npm run bench -- store [1000 100000]` */
export default async function bench(sizes = []) {
  const folder = await mkdtemp(join(tmpdir(), 'calctl-bench-'))
  const store = await bundle(folder)
  for (const size of sizes.length > 0 ? sizes.map(Number) : [1000, 100_000]) {
    const file = join(folder, `${size}.json`)
    await writeCalendar(file, size)
    await measureOpening(store, file, size)
    await measureWriting(store, file, folder)
  }
  await rm(folder, { recursive: true })
}

/** Bundles the store as the build does; returns the path of the module. */
async function bundle(folder) {
  const entry = join(import.meta.dirname, '..', 'src', 'service', 'store', 'open-calendar-file.ts')
  const outdir = join(folder, 'store')
  const js = "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"
  await build({
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    banner: { js },
  })
  return join(outdir, 'open-calendar-file.mjs')
}

async function measureOpening(store, file, size) {
  const checked = await timeAlone(opening, store, file)
  await rewrite(store, file)
  const opened = []
  const parsed = []
  for (let round = 0; round < rounds; round++) {
    opened.push(await timeAlone(opening, store, file))
    parsed.push(await timeAlone(parsing, store, file))
  }
  print(`${size} events, ${Math.round((await stat(file)).size / 1e6)} MB`, {
    'first opening, every record checked, ms': checked.ms,
    'its peak memory, MB': checked.peak,
    'opening, ms': median(opened, 'ms'),
    'JSON.parse of the file, ms': median(parsed, 'ms'),
    'opening / JSON.parse': median(opened, 'ms') / median(parsed, 'ms'),
    'peak memory, MB': median(opened, 'peak'),
  })
}

const opening = `const { openStore } = await import(process.argv[1])
const start = performance.now()
const store = await openStore({ file: process.argv[2], now: () => new Date() })
const ms = performance.now() - start
await store.close()`

const parsing = `import { readFileSync } from 'node:fs'
const start = performance.now()
const data = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const ms = performance.now() - start`

/** Runs a script that measures \`ms\` in a new process, because garbage of earlier rounds would slow down later ones. */
async function timeAlone(script, ...args) {
  const saying = `${script}\nconsole.log(JSON.stringify({ ms, peak: process.resourceUsage().maxRSS / 1024 }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', saying, ...args])
  return JSON.parse(stdout)
}

async function rewrite(path, file) {
  const { openStore } = await import(path)
  const store = await openStore({ file, now })
  await store.rewrite()
  await store.close()
}

async function measureWriting(path, file, folder) {
  const { openStore } = await import(path)
  const store = await openStore({ file, now })
  const [template] = store.table('events').values()
  for (const callers of [1, 32]) {
    const ours = []
    const bare = []
    for (let round = 0; round < 3; round++) {
      ours.push({ rate: await createRate(store, template, callers) })
      bare.push({ rate: await journalRate(folder, callers) })
    }
    print(`writes by ${callers} at a time`, {
      'creates a second, on disk': median(ours, 'rate'),
      'bare journal, lines a second': median(bare, 'rate'),
      'creates / bare journal': median(ours, 'rate') / median(bare, 'rate'),
    })
  }
  await store.close()
}

async function createRate(store, template, callers, ms = 1500) {
  const start = performance.now()
  let count = 0
  const caller = async () => {
    while (performance.now() - start < ms) {
      await store.write(writing => {
        const id = writing.nextId('post')
        writing.put('events', { ...template, id, slug: `written-${id}` })
      })
      count++
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (count * 1000) / (performance.now() - start)
}

const median = (all, name) =>
  all.map(({ [name]: value }) => value).toSorted((a, b) => a - b)[Math.floor(all.length / 2)]

function print(title, values) {
  console.log(title)
  for (const [name, value] of Object.entries(values))
    console.log(`  ${name.padEnd(42)} ${value < 10 ? value.toFixed(2) : Math.round(value)}`)
}

if (process.argv[1] === import.meta.filename) await bench(process.argv.slice(2))
