// Plants small faults in the core, one at a time, and says which of them no test sees: `npm run mutants -- --count 100 --seed 1`.
// Each fault is one change that a tired person could make: a condition turned round, a filter left out, a check that is gone. Those of
// mutants/faults.json, which no test saw once, are always among them; it also lists, with the reason, faults that change nothing.
//
//   --only 3 --only 17    only these of them
//   --paths src/files     draw from other files than those of the core
//   --tests test/undo     only these tests (default: all but the slow ones)
//   --limit 5             minutes after which a run has no end
//   --results FILE        keep the outcomes, and go on after those that the file has
//   -- --maxWorkers=1     options for Vitest
//
// The tests run once with a probe at each fault, which tells the test files that reach it; only those run with the fault, the quickest
// first. A fault that no test reaches has survived. One that makes a run endless, which ends without it, is seen. If a run says nothing,
// because it was killed, took too long or executed no test, the measurement fails: the status is 1, and the last line says which faults
// were not measured.
import { createHash } from 'node:crypto'
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseFaults, faulty, filesIn } from './mutants/faults.js'
import { testsThatReach } from './mutants/reach.js'
import { runTests } from './mutants/test-runs.js'

const root = resolve(import.meta.dirname, '..')

const { values: options, positionals: args } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    paths: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    tests: { type: 'string', multiple: true, default: ['test'] },
    results: { type: 'string' },
    limit: { type: 'string', default: '5' },
    list: { type: 'boolean', default: false },
  },
})

/** Minutes of load or of killed processes, which `npm run soak` is for. */
const slowTests =
  /documents|soak|serve\/kill|store\/kill|service\/fuzz|signals-while-reading|random-command-lines|merge-story|public-feeds|shipped/

/** So many test files run at first: most faults are seen by one of them. */
const atFirst = 8

async function main() {
  const { count, seed, paths } = options
  const all = await chooseFaults({ count: Number(count), seed: Number(seed), paths })
  const faults = all.filter(({ number }) => options.only.length === 0 || options.only.includes(`${number + 1}`))
  if (faults.length === 0) throw new Error('no faults were chosen; nothing was measured')
  if (options.list) return console.log(faults.map(labelOf).join('\n'))
  const folder = await copyOfProject()
  try {
    await measure(folder, faults)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const labelOf = ({ number, file, line, name }) => `${number + 1} ${file}:${line} ${name}`

async function copyOfProject() {
  const folder = await mkdtemp(join(tmpdir(), 'calctl-mutants-'))
  // What is written to the copy must not reach the original through a link.
  await cp(root, folder, { recursive: true, dereference: true, filter: path => !/\/(node_modules|\.git)$/.test(path) })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

async function measure(folder, faults) {
  const results = await openResults()
  const reaching = results.reaching ?? (await testsThatReach(folder, faults, await testFiles(faults), args))
  if (!results.reaching) await results.begin(reaching)
  for (const fault of faults) {
    const outcome = results.outcomes.get(fault.number) ?? (await outcomeOf(folder, fault, reaching.get(fault.number)))
    await results.add(fault.number, outcome)
    console.log(`${labelOf(fault)}: ${sentenceOf(outcome)}`)
  }
  report(faults, results.outcomes)
}

async function testFiles(faults) {
  const chosen = (await Promise.all(options.tests.map(path => filesIn(path, '.test.ts')))).flat()
  const named = faults.flatMap(({ tests }) => tests ?? [])
  return [...new Set([...chosen.filter(file => !slowTests.test(file)), ...named])]
}

/** What came of a fault: `{ state: 'seen', by }`, `survived`, `equivalent` or `not run`, these two with the reason. */
async function outcomeOf(folder, fault, tests) {
  if (fault.why) return { state: 'equivalent', why: fault.why }
  for (const some of inBatches(tests)) {
    const { state, by, why, timedOut } = await runWithFault(folder, fault, some)
    if (state === 'failed') return { state: 'seen', by }
    if (timedOut && (await endsWithoutFault(folder, some))) return { state: 'seen', by: 'a run that does not end' }
    if (state === 'not run') return { state, why }
  }
  return { state: 'survived', tests: tests.length }
}

/** The tests in batches, each twice as long as the one before. */
function inBatches(tests) {
  const batches = []
  for (let start = 0, size = atFirst; start < tests.length; start += size, size *= 2)
    batches.push(tests.slice(start, start + size))
  return batches
}

/** In ms. */
const limit = () => Number(options.limit) * 60_000

async function runWithFault(folder, fault, tests) {
  const path = join(folder, fault.file)
  await writeFile(path, faulty(fault, fault.source))
  try {
    return await runTests(folder, tests, { limit: limit(), args: ['--bail=1', ...args] })
  } finally {
    await writeFile(path, fault.source)
  }
}

/** Whether the same tests end in the same time without the fault: then the fault has made a loop, and not the machine a pause. */
async function endsWithoutFault(folder, tests) {
  return (await runTests(folder, tests, { limit: limit(), args })).state === 'passed'
}

function sentenceOf({ state, by, why, tests }) {
  if (state === 'seen') return `seen by ${by}`
  if (state === 'survived') return `SURVIVED ${tests} test files`
  return state === 'equivalent' ? `changes nothing: ${why}` : `NOT MEASURED: ${why}`
}

function report(faults, outcomes) {
  const having = wanted => faults.filter(({ number }) => outcomes.get(number).state === wanted)
  const [seen, equivalent, unmeasured] = ['seen', 'equivalent', 'not run'].map(having)
  const others = equivalent.length > 0 ? `; ${equivalent.length} change nothing` : ''
  if (unmeasured.length === 0)
    return console.log(`${seen.length} of ${faults.length - equivalent.length} faults were seen${others}`)
  const numbers = unmeasured.map(({ number }) => number + 1).join(', ')
  throw new Error(`${unmeasured.length} of ${faults.length} faults were not measured: ${numbers}`)
}

/** The outcomes so far: those of the file, if it is about this state of the project and this choice of faults. */
async function openResults() {
  const file = options.results
  const outcomes = new Map()
  const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '')
  const [head, ...lines] = text.split('\n').flatMap(line => (line ? [JSON.parse(line)] : []))
  const of = await stateOfProject()
  if (head && head.of !== of)
    throw new Error(`${file} is about other sources, tests or options: delete it, or name another file`)
  // What was not measured is measured again.
  for (const { number, ...outcome } of lines) if (outcome.state !== 'not run') outcomes.set(number, outcome)
  const kept = new Set(outcomes.keys())
  const write = async value => file !== undefined && appendFile(file, `${JSON.stringify(value)}\n`)
  return {
    outcomes,
    reaching: head && new Map(head.reaching),
    begin: reaching => write({ of, reaching: [...reaching] }),
    async add(number, outcome) {
      outcomes.set(number, outcome)
      if (!kept.has(number)) await write({ number, ...outcome })
    },
  }
}

async function stateOfProject() {
  const { count, seed, paths, tests, only } = options
  const hash = createHash('sha256').update(JSON.stringify({ count, seed, paths, tests, only }))
  const places = [
    ['src', '.ts'],
    ['test', '.ts'],
    ['scripts/mutants', '.json'],
  ]
  for (const [place, ending] of places)
    for (const file of (await filesIn(place, ending)).sort()) hash.update(file).update(await readFile(join(root, file)))
  return hash.digest('hex')
}

await main().catch(error => {
  console.error(`error: ${error.message}`)
  process.exitCode = 1
})
