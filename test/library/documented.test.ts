import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stepsOf } from '../documents/examples.ts'
import { skipped } from '../support/skipped.ts'

const root = resolve(import.meta.dirname, '../..')
const files = stepsOf(readFileSync(join(root, 'docs/testing.md'), 'utf8')).filter(step => 'file' in step)
const modules = join(root, 'node_modules')

/** A project with the files of docs/testing.md, in which this package is installed. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calctl-documented-'))
  mkdirModules(folder)
  for (const { file, text } of files) writeFileSync(join(folder, file), text)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rmSync(folder, { recursive: true }))

function mkdirModules(project: string): void {
  const target = join(project, 'node_modules')
  spawnSync('mkdir', [target])
  for (const name of ['vitest', 'vite', '@playwright', 'playwright', 'playwright-core', '@types', 'typescript'])
    if (existsSync(join(modules, name))) symlinkSync(join(modules, name), join(target, name))
  symlinkSync(root, join(target, 'calctl'))
}

/** Runs a program of the project; returns its status, and what it printed if that is not 0. */
function run(program: string, args: readonly string[]) {
  const { CI, VITEST, VITEST_MODE, TEST, NODE_ENV, VITEST_POOL_ID, VITEST_WORKER_ID, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(modules, program), ...args], {
    cwd: folder,
    env: { ...env, NO_COLOR: '1' },
    encoding: 'utf8',
    timeout: 100_000,
  })
  return { status, printed: `${stdout}${stderr}` }
}

test('the Vitest suite of docs/testing.md passes', { timeout: 120_000 }, () => {
  const { status, printed } = run('vitest/vitest.mjs', ['run', '--root', folder, 'concerts'])
  expect([status, printed]).toEqual([0, expect.stringContaining('3 passed')])
})

const hasBrowser = spawnSync('which', ['chromium']).status === 0

test(`the Playwright test of docs/testing.md passes${skipped(!hasBrowser, 'chromium is not installed')}`, {
  timeout: 120_000,
  skip: !hasBrowser,
}, () => {
  const launchOptions = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] }
  const config = { use: { launchOptions }, reporter: 'list', testMatch: '*.spec.ts' }
  writeFileSync(join(folder, 'playwright.config.ts'), `export default ${JSON.stringify(config)}\n`)
  const { status, printed } = run('playwright/cli.js', ['test'])
  expect([status, printed]).toEqual([0, expect.stringContaining('1 passed')])
})

test('strict TypeScript accepts the files of docs/testing.md, and refuses a misspelt field', {
  timeout: 120_000,
}, () => {
  const options = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'ES2023',
    module: 'NodeNext',
    allowImportingTsExtensions: true,
    types: ['node'],
    skipLibCheck: true,
  }
  const check = (names: readonly string[]) => {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: names }))
    return run('typescript/bin/tsc', ['--project', folder])
  }
  const names = files.map(({ file }) => file).filter(file => file.endsWith('.ts'))
  expect(names).toHaveLength(4)
  expect(check(names)).toEqual({ status: 0, printed: '' })
  const misspelt = readFileSync(join(folder, 'concerts.test.ts'), 'utf8').replace("cost: '12 €'", "costs: '12 €'")
  writeFileSync(join(folder, 'misspelt.test.ts'), misspelt)
  expect(check(['misspelt.test.ts']).printed).toContain("'costs' does not exist")
})
