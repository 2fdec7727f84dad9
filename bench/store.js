// What the calendar file costs: opening it beside JSON.parse of the same file, and writes beside the bare journal, in one run.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { writeCalendar } from './serve/calendar.js'
import { journalRate } from './serve/journal.js'

const rounds = 9
const now = () => new Date()

/** `npm run bench -- store [1000 100000]` */
export default async function bench(sizes = []) {
  const folder = await mkdtemp(join(tmpdir(), 'calctl-bench-'))
  const { openStore } = await load(folder)
  for (const size of sizes.length > 0 ? sizes.map(Number) : [1000, 100_000]) {
    const file = join(folder, `${size}.json`)
    await writeCalendar(file, size)
    await measureOpening(openStore, file, size)
    await measureWriting(openStore, file, folder)
  }
  await rm(folder, { recursive: true })
}

/** The store as it is bundled for users. */
async function load(folder) {
  const entry = join(import.meta.dirname, '..', 'src', 'service', 'store', 'open.ts')
  const outdir = join(folder, 'store')
  const js = "import { createRequire as __require } from 'node:module'; const require = __require(import.meta.url);"
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
  return import(join(outdir, 'open.mjs'))
}

async function measureOpening(openStore, file, size) {
  const checked = await time(() => openAndClose(openStore, file))
  const store = await openStore({ file, now })
  await store.rewrite()
  await store.close()
  const opened = []
  const parsed = []
  for (let round = 0; round < rounds; round++) {
    opened.push(await time(() => openAndClose(openStore, file)))
    parsed.push(await time(async () => JSON.parse(await readFile(file, 'utf8'))))
  }
  const megabytes = (await stat(file)).size / 1e6
  const heap = await heapOf(openStore, file)
  print(`${size} events, ${megabytes.toFixed(1)} MB`, {
    'first opening, every record checked, ms': checked,
    'opening, ms': median(opened),
    'JSON.parse of the file, ms': median(parsed),
    'opening / JSON.parse': median(opened) / median(parsed),
    'heap, MB': heap / 1e6,
  })
}

async function openAndClose(openStore, file) {
  const store = await openStore({ file, now })
  await store.close()
}

async function heapOf(openStore, file) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect()
  const before = process.memoryUsage().heapUsed
  const store = await openStore({ file, now })
  store.bySlug('events', 'ca', 'event-1')
  collect()
  const used = process.memoryUsage().heapUsed - before
  await store.close()
  return used
}

async function measureWriting(openStore, file, folder) {
  const store = await openStore({ file, now })
  const [template] = store.table('events').values()
  for (const callers of [1, 32]) {
    const ours = []
    const bare = []
    for (let round = 0; round < 3; round++) {
      ours.push(await createRate(store, template, callers))
      bare.push(await journalRate(folder, callers))
    }
    print(`writes by ${callers} at a time`, {
      'creates a second, on disk': median(ours),
      'bare journal, lines a second': median(bare),
      'creates / bare journal': median(ours) / median(bare),
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

async function time(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

function print(title, values) {
  console.log(title)
  for (const [name, value] of Object.entries(values))
    console.log(`  ${name.padEnd(42)} ${value < 10 ? value.toFixed(2) : Math.round(value)}`)
}

if (process.argv[1] === import.meta.filename) await bench(process.argv.slice(2))
