// Runs test files with Vitest, and says what came of it. A run that was killed, took too long or executed no test says nothing about the
// sources: it is neither a success nor a failure.
import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'

/**
 * What came of a run: `passed`; `failed`, with the file of the first test that failed; or `not run`, with the reason.
 * `ended` is how the process ended, `report` what it wrote, if it did.
 */
function outcomeOf({ code, signal, timedOut, report }, limit) {
  const notRun = why => ({ state: 'not run', why })
  if (timedOut) return notRun(`the run took longer than ${limit / 60_000} minutes`)
  if (signal) return notRun(`the run was ended by ${signal}`)
  if (!report) return notRun(`the run ended with status ${code} and without a report`)
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const executed = tests.filter(({ status }) => status === 'passed' || status === 'failed')
  const broken = report.testResults.find(({ status }) => status === 'failed')
  if (executed.length === 0) return notRun(`no test was executed${broken ? `: ${broken.message.split('\n')[0]}` : ''}`)
  if (broken) return { state: 'failed', by: broken.name }
  return code === 0 ? { state: 'passed' } : notRun(`all tests passed, and the run ended with status ${code}`)
}

/** Runs test files in a folder: their outcome, and how many ms each file took. */
export function runTests(folder, tests, { args = [], limit = 600_000, retries = 0 } = {}) {
  return new Promise(done => {
    const file = join(folder, 'report.json')
    const all = ['vitest', 'run', `--retry=${retries}`, '--reporter=json', `--outputFile=${file}`, ...args, ...tests]
    const child = spawn('npx', all, { cwd: folder, stdio: 'ignore', detached: true })
    let timedOut = false
    // A fault can make a loop that never ends.
    const timer = setTimeout(() => {
      timedOut = true
      process.kill(-child.pid, 'SIGKILL')
    }, limit)
    child.on('close', async (code, signal) => {
      clearTimeout(timer)
      const report = await readFile(file, 'utf8').then(JSON.parse, () => undefined)
      await rm(file, { force: true })
      const outcome = outcomeOf({ code, signal, timedOut, report }, limit)
      const results = report?.testResults ?? []
      done({
        ...outcome,
        timedOut,
        ...(outcome.by && { by: relative(folder, outcome.by) }),
        failing: results.flatMap(({ name, status }) => (status === 'failed' ? relative(folder, name) : [])),
        times: new Map(results.map(({ name, startTime, endTime }) => [relative(folder, name), endTime - startTime])),
      })
    })
  })
}
