import type { Reporter, TestModule } from 'vitest/node'
import { reasonIn } from './skipped.ts'

/**
 * Ends a run with the reasons for which tests were skipped, the tests that passed only on a second try, and one line that says how many
 * passed and failed.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()])
    const states = tests.map(test => test.result().state)
    const broken = modules.filter(module => module.errors().length > 0).length
    const passed = states.filter(state => state === 'passed').length
    const failed = states.filter(state => state === 'failed').length + broken
    const reasons = new Map<string, number>()
    // Those without a reason were left out on the command line.
    for (const test of tests.filter(test => test.result().state === 'skipped')) {
      const reason = reasonIn(test.fullName)
      if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
    for (const [reason, count] of reasons) process.stdout.write(`${count} skipped: ${reason}\n`)
    for (const test of tests.filter(test => test.diagnostic()?.flaky))
      process.stdout.write(`passed on the second try: ${test.module.relativeModuleId}: ${test.fullName}\n`)
    process.stdout.write(`${passed} passed, ${failed} failed\n`)
  }
}
