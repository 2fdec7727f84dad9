// Plants small faults in the core, one at a time, and says which of them no test sees: `npm run mutants -- --count 100 --seed 1`.
// Each fault is one change that a tired person could make: a condition turned round, a filter left out, a check that is gone.
// Test files that saw an earlier fault run first, so that most faults need seconds; one that survives needs the whole suite.
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

/** What runs first, until other files have seen more faults. */
const firstTests = ['updates', 'undo', 'undo-steps', 'apply', 'run-execute', 'run-resume', 'field-law', 'writes']

/** Minutes of load or of killed processes, which `npm run soak` is for. */
const slowTests = /documents|soak|serve-kill|store-kill|service-fuzz|random-command-lines|public-feeds|shipped/

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

/** The faults that can be planted at a node: `{ start, end, text, name }`. */
function* faultsAt(node, source) {
  const text = ({ start, end }) => source.slice(start, end)
  const at = ({ start, end }, instead, name) => ({ start, end, text: instead, name })
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
  return drawn.slice(Number(options.from))
}

/** Runs test files in a folder; the first that fails, or undefined if all pass. */
function failingTest(folder, tests) {
  return new Promise(done => {
    const args = ['vitest', 'run', '--bail=1', '--retry=0', '--reporter=json', '--outputFile=result.json', ...tests]
    const child = spawn('npx', args, { cwd: folder, stdio: 'ignore' })
    // A fault can make a loop that never ends.
    const timer = setTimeout(() => child.kill('SIGKILL'), 900_000)
    child.on('close', async code => {
      clearTimeout(timer)
      if (code === 0) return done(undefined)
      const result = await readFile(join(folder, 'result.json'), 'utf8').then(JSON.parse, () => ({ testResults: [] }))
      const failed = result.testResults.find(({ status }) => status === 'failed')
      done(failed ? relative(folder, failed.name) : 'a run that ended early')
    })
  })
}

async function main() {
  const faults = await chosenFaults()
  if (options.list) {
    for (const { file, start, name } of faults) console.log(`${file}:${start} ${name}`)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'calctl-mutants-'))
  await cp(root, folder, { recursive: true, filter: path => !/\/(node_modules|\.git)$/.test(path) })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const all = (await filesIn('test')).filter(file => file.endsWith('.test.ts') && !slowTests.test(file))
  const seen = new Map(firstTests.map((name, index) => [`test/${name}.test.ts`, 1 / (index + 1)]))
  let killed = 0
  for (const [index, { file, start, end, text, name }] of faults.entries()) {
    const source = await readFile(join(root, file), 'utf8')
    const line = source.slice(0, start).split('\n').length
    await writeFile(join(folder, file), source.slice(0, start) + text + source.slice(end))
    const first = [...seen.keys()].filter(test => all.includes(test)).sort((a, b) => seen.get(b) - seen.get(a))
    const early = first.slice(0, 12)
    const by =
      (await failingTest(folder, early)) ??
      (await failingTest(
        folder,
        all.filter(test => !early.includes(test)),
      ))
    await writeFile(join(folder, file), source)
    if (by) {
      killed += 1
      seen.set(by, (seen.get(by) ?? 0) + 1)
    }
    console.log(
      `${index + 1}/${faults.length} ${by ? 'seen' : 'SURVIVED'} ${file}:${line} ${name}${by ? ` (${by})` : ''}`,
    )
  }
  console.log(`${killed} of ${faults.length} faults were seen`)
  await rm(folder, { recursive: true })
}

await main()
