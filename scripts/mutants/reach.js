// Finds the test files that reach each fault, by a run of the tests with a probe at each of them.
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { runTests } from './test-runs.js'

/** The setup of the tests defines this function; a program that a test starts does not have it. */
const probe = 'globalThis.__reached'

/** The source with a probe at each of these faults, whose numbers are their places in the list of all. */
function withProbes(source, faults) {
  const marks = faults.flatMap(({ number, node }) => {
    const isStatement = node.type.endsWith('Statement') && node.type !== 'IfStatement'
    const { start, end } = node.type === 'IfStatement' ? node.test : node
    const [before, after] = isStatement ? [`{${probe}?.(${number});`, '}'] : [`(${probe}?.(${number}),`, ')']
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

/**
 * The test files that reach each fault, the quickest first. What a test that fails without a fault says later is not about one: its file is
 * left out, with a word. If all fail, or none runs, this throws. Faults of the list name their tests.
 */
export async function testsThatReach(folder, faults, tests, args) {
  const probed = faults.filter(({ node }) => node)
  const reached = join(folder, 'reached.jsonl')
  const config = join(folder, 'vitest.config.ts')
  const configured = await readFile(config, 'utf8')
  await writeFile(reached, '')
  await writeFile(join(folder, 'test/probes.ts'), setup(reached))
  await writeFile(
    config,
    configured.replace("['test/support/temp-folder.ts']", "['test/support/temp-folder.ts', 'test/probes.ts']"),
  )
  for (const { file, source } of probed)
    await writeFile(
      join(folder, file),
      withProbes(
        source,
        probed.filter(fault => fault.file === file),
      ),
    )
  const { state, why, by, times, failing } = await runTests(folder, tests, { args, limit: 4 * 3_600_000, retries: 1 })
  const isUsable = state === 'passed' || (state === 'failed' && failing.length < times.size)
  if (!isUsable) throw new Error(`without a fault: ${why ?? `${by} fails`}; nothing was measured`)
  for (const file of failing) console.log(`left out: ${file}, which fails without a fault`)
  const byNumber = new Map(faults.map(({ number, tests }) => [number, new Set(tests)]))
  const lines = (await readFile(reached, 'utf8')).split('\n').filter(line => line !== '')
  // Each test file writes one, even if it reaches no fault.
  if (lines.length === 0) throw new Error('without a fault: no probe was set up; nothing was measured')
  for (const line of lines) {
    const { test, numbers } = JSON.parse(line)
    for (const number of numbers) byNumber.get(number)?.add(relative(folder, test))
  }
  for (const { file, source } of probed) await writeFile(join(folder, file), source)
  await writeFile(config, configured)
  return new Map(
    [...byNumber].map(([number, files]) => [
      number,
      [...files].filter(file => !failing.includes(file)).sort((a, b) => times.get(a) - times.get(b)),
    ]),
  )
}
