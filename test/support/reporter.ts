import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with the tests that passed only on a second try, and one line that says how many passed and failed. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()])
    const states = tests.map(test => test.result().state)
    const broken = modules.filter(module => module.errors().length > 0).length
    const passed = states.filter(state => state === 'passed').length
    const failed = states.filter(state => state === 'failed').length + broken
    for (const test of tests.filter(test => test.diagnostic()?.flaky))
      process.stdout.write(`passed on the second try: ${test.module.relativeModuleId}: ${test.fullName}\n`)
    process.stdout.write(`${passed} passed, ${failed} failed\n`)
  }
}
