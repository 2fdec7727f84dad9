// Plants small faults in the core, one at a time, and says which of them no test sees: `npm run mutants -- --count 100 --seed 1`.
// `--only 3 --only 17` plants those of them alone. Each fault is one change that a tired person could make: a condition turned round,
// a filter left out, a check that is gone.
// The suite runs once with a probe at each fault, which tells the test files that reach it; only those run with the fault, the quickest
// first. A fault that no test reaches has survived.
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseSync } from 'oxc-parser'

const root = resolve(import.meta.dirname, '..')

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    paths: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
  },
})

/** The core: what a kind of value is, merging, writing through each API, executing plans, and undo. */
const core = [
  'src/contract/kinds',
  'src/contract/three-way-merge.ts',
  'src/contract/record.ts',
  'src/client/adapters',
  'src/changes/run',
  'src/changes/undo',
]

/** Minutes of load or of killed processes, which `npm run soak` is for. */
const slowTests = /documents|soak|serve\/kill|store\/kill|service\/fuzz|random-command-lines|public-feeds|shipped/

const opposites = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['&&', '||'],
  ['||', '&&'],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
])

/** The faults that can be planted at a node: `{ start, end, text, name, node }`. */
function* faultsAt(node, source) {
  const text = ({ start, end }) => source.slice(start, end)
  const at = ({ start, end }, instead, name) => ({ start, end, text: instead, name, node })
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
    const other = opposites.get(node.operator)
    if (other) yield at(node, `${text(node.left)} ${other} ${text(node.right)}`, `${node.operator} becomes ${other}`)
    if (node.operator === '??') yield at(node, text(node.left), 'without ??')
  }
  if (node.type === 'ConditionalExpression')
    yield at(node, `${text(node.test)} ? ${text(node.alternate)} : ${text(node.consequent)}`, 'the other way round')
  if (node.type === 'IfStatement') yield at(node.test, `!(${text(node.test)})`, 'if not')
  if (node.type === 'UnaryExpression' && node.operator === '!') yield at(node, text(node.argument), 'without !')
  if (node.type === 'ExpressionStatement' && /^(await )?[\w.?]+\(/.test(text(node)))
    yield at(node, ';', 'call left out')
  if (node.type === 'ThrowStatement') yield at(node, ';', 'throw left out')
  if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
    const method = node.callee.property.name
    if (['filter', 'toSorted', 'trim', 'toLowerCase', 'reverse'].includes(method))
      yield at(node, text(node.callee.object), `without .${method}()`)
    if (method === 'some' || method === 'every')
      yield at(node.callee.property, method === 'some' ? 'every' : 'some', `${method} becomes the other`)
  }
  if (node.type === 'Literal' && typeof node.value === 'boolean') yield at(node, String(!node.value), `${!node.value}`)
}

/** All faults that can be planted in a file. Types are no code, and patterns and imports no decisions. */
function faultsIn(file, source) {
  const faults = []
  const visit = node => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null || /^(TS|Import)/.test(node.type ?? '')) return
    for (const fault of faultsAt(node, source)) faults.push({ ...fault, file })
    for (const key of Object.keys(node)) if (key !== 'parent') visit(node[key])
  }
  visit(parseSync(file, source).program.body)
  return faults
}

async function filesIn(path) {
  if (path.endsWith('.ts')) return [path]
  const entries = await readdir(join(root, path), { recursive: true })
  return entries.filter(name => name.endsWith('.ts')).map(name => join(path, name))
}

/** A generator of numbers below 1 that repeats itself for a seed (mulberry32). */
function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

async function chosenFaults() {
  const paths = options.paths.length > 0 ? options.paths : core
  const files = (await Promise.all(paths.map(filesIn))).flat().sort()
  const faults = []
  for (const file of files) faults.push(...faultsIn(file, await readFile(join(root, file), 'utf8')))
  const random = randomNumbers(Number(options.seed))
  const drawn = []
  while (drawn.length < Number(options.count) && faults.length > 0)
    drawn.push(...faults.splice(Math.floor(random() * faults.length), 1))
  const isChosen = (_, index) => options.only.length === 0 || options.only.includes(`${index + 1}`)
  return drawn.filter(isChosen).slice(Number(options.from))
}

/** Runs test files in a folder; the report of Vitest, or undefined if the run ended without one. */
function runTests(folder, tests, args = []) {
  return new Promise(done => {
    const report = join(folder, 'report.json')
    const all = ['vitest', 'run', '--retry=0', '--reporter=json', `--outputFile=${report}`, ...args, ...tests]
    const child = spawn('npx', all, { cwd: folder, stdio: 'ignore', detached: true })
    // A fault can make a loop that never ends.
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 600_000)
    child.on('close', async code => {
      clearTimeout(timer)
      const { testResults } = await readFile(report, 'utf8').then(JSON.parse, () => ({ testResults: [] }))
      await rm(report, { force: true })
      done({
        passed: code === 0,
        results: testResults.map(result => ({ ...result, file: relative(folder, result.name) })),
      })
    })
  })
}

/** The first test file that fails, or undefined if all pass. */
async function failingTest(folder, tests) {
  if (tests.length === 0) return undefined
  const { passed, results } = await runTests(folder, tests, ['--bail=1'])
  return passed ? undefined : (results.find(({ status }) => status === 'failed')?.file ?? 'a run that ended early')
}

/** A probe is a call of this function, which the setup of the tests defines. */
const probe = 'globalThis.__reached'

/** The source with a probe at each of these faults, whose numbers are their places in the list of all. */
function withProbes(source, faults) {
  const marks = faults.flatMap(({ number, node }) => {
    const isStatement = node.type.endsWith('Statement') && node.type !== 'IfStatement'
    const { start, end } = node.type === 'IfStatement' ? node.test : node
    const [before, after] = isStatement ? [`{${probe}(${number});`, '}'] : [`(${probe}(${number}),`, ')']
    return [
      { at: start, text: before, isEnd: false, length: end - start },
      { at: end, text: after, isEnd: true, length: end - start },
    ]
  })
  // Ends before beginnings; of those, the inner end and the outer beginning first.
  marks.sort((a, b) => a.at - b.at || b.isEnd - a.isEnd || (a.isEnd ? a.length - b.length : b.length - a.length))
  let [text, done] = ['', 0]
  for (const mark of marks) {
    text += source.slice(done, mark.at) + mark.text
    done = mark.at
  }
  return text + source.slice(done)
}

const setup = reached => `
import { appendFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'
const numbers = new Set()
${probe} = number => numbers.add(number)
afterAll(() => appendFileSync(${JSON.stringify(reached)}, JSON.stringify({ test: expect.getState().testPath, numbers: [...numbers] }) + '\\n'))
`

/** The test files that reach each fault, the quickest first, from one run of the suite with probes. */
async function testsThatReach(folder, faults, sources, tests) {
  const reached = join(folder, 'reached.jsonl')
  const config = join(folder, 'vitest.config.ts')
  const configured = await readFile(config, 'utf8')
  await writeFile(join(folder, 'test/probes.ts'), setup(reached))
  await writeFile(
    config,
    configured.replace("['test/support/temp-folder.ts']", "['test/support/temp-folder.ts', 'test/probes.ts']"),
  )
  for (const [file, source] of sources)
    await writeFile(
      join(folder, file),
      withProbes(
        source,
        faults.filter(fault => fault.file === file),
      ),
    )
  const { passed, results } = await runTests(folder, tests)
  if (!passed) {
    const failed = results.filter(({ status }) => status === 'failed').map(({ file }) => file)
    console.log(`without a fault, these fail, and are left out: ${failed.join(', ') || 'the run itself'}`)
  }
  const times = new Map(
    results
      .filter(({ status }) => status === 'passed')
      .map(({ file, startTime, endTime }) => [file, endTime - startTime]),
  )
  const by = faults.map(() => new Set())
  for (const line of (await readFile(reached, 'utf8')).trim().split('\n')) {
    const { test, numbers } = JSON.parse(line)
    for (const number of numbers) by[number].add(relative(folder, test))
  }
  for (const [file, source] of sources) await writeFile(join(folder, file), source)
  await writeFile(config, configured)
  return by.map(files => [...files].filter(file => times.has(file)).sort((a, b) => times.get(a) - times.get(b)))
}

/** So many test files run at first: most faults are seen by one of them. */
const atFirst = 8

async function main() {
  const faults = (await chosenFaults()).map((fault, number) => ({ ...fault, number }))
  if (options.list) {
    for (const { file, start, name } of faults) console.log(`${file}:${start} ${name}`)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'calctl-mutants-'))
  await cp(root, folder, { recursive: true, filter: path => !/\/(node_modules|\.git)$/.test(path) })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const all = (await filesIn('test')).filter(file => file.endsWith('.test.ts') && !slowTests.test(file))
  const sources = new Map()
  for (const { file } of faults) sources.set(file, await readFile(join(root, file), 'utf8'))
  const tests = await testsThatReach(folder, faults, sources, all)
  let killed = 0
  for (const [index, { file, start, end, text, name }] of faults.entries()) {
    const source = sources.get(file)
    const line = source.slice(0, start).split('\n').length
    await writeFile(join(folder, file), source.slice(0, start) + text + source.slice(end))
    const reaching = tests[index]
    const by =
      (await failingTest(folder, reaching.slice(0, atFirst))) ?? (await failingTest(folder, reaching.slice(atFirst)))
    await writeFile(join(folder, file), source)
    if (by) killed += 1
    const outcome = by ? `seen by ${by}` : `SURVIVED ${reaching.length} test files`
    console.log(`${index + 1}/${faults.length} ${file}:${line} ${name}: ${outcome}`)
  }
  console.log(`${killed} of ${faults.length} faults were seen`)
  await rm(folder, { recursive: true })
}

await main()
