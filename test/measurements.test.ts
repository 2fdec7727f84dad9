import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

// A measurement that did not run fails: it reports no figure.

const root = resolve(import.meta.dirname, '..')

const small = {
  'src/kinds/empty.ts': 'export const isEmpty = (text: string) => text === undefined || text.trim() === ""\n',
  'test/empty.test.ts': '',
  'scripts/mutants/faults.json': JSON.stringify({
    always: [],
    equivalent: [
      { file: 'src/kinds/empty.ts', code: 'text === undefined', instead: 'text !== undefined', why: 'it never is' },
    ],
  }),
}

/** A small project with the scripts of this one, and a function that runs one of them there with programs of ours on the PATH. */
function project(files: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-measure-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  for (const name of ['weight.json', 'vitest.config.ts']) cpSync(join(root, name), join(folder, name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries({ ...small, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  mkdirSync(join(folder, 'bin'))
  return (script: string, args: readonly string[], programs: Record<string, string> = {}) => {
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(folder, 'bin', name), `#!${process.execPath}\n${text}`)
      chmodSync(join(folder, 'bin', name), 0o755)
    }
    const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` }
    const options = { cwd: folder, env, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', script), ...args], options)
    return { status, out: stdout, err: stderr }
  }
}

test('the faults that are always planted fit the sources and the tests', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/mutants.js', '--list'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  const { always } = JSON.parse(readFileSync(join(root, 'scripts/mutants/faults.json'), 'utf8'))
  const named = always.flatMap(({ tests }: { tests: readonly string[] }) => tests)
  expect(named.filter((file: string) => !existsSync(join(root, file)))).toEqual([])
})

describe('npm run mutants', () => {
  /** Stands for Vitest: the first run is the one without a fault. */
  const runner = (runs: readonly string[]) => `
    const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
    const counter = ${JSON.stringify(join(mkdtempSync(join(tmpdir(), 'calctl-measure-')), 'runs'))}
    const run = existsSync(counter) ? readFileSync(counter, 'utf8').length : 0
    appendFileSync(counter, '.')
    const file = process.argv.find(word => word.startsWith('--outputFile=')).slice('--outputFile='.length)
    const tests = process.argv.filter(word => word.endsWith('.test.ts'))
    const ends = {
      killed: () => process.kill(process.pid, 'SIGKILL'),
      crashed: () => process.exit(1),
      endless: () => setTimeout(() => {}, 60_000),
      idle: () => report(0, []),
      skipped: () => report(0, ['skipped']),
      unloaded: () => report(1, []),
      passed: () => report(0, ['passed']),
      failed: () => report(1, ['failed']),
      unhandled: () => report(1, ['passed']),
    }
    // As the probes do.
    const reached = JSON.stringify({ test: process.cwd() + '/' + tests[0], numbers: [0, 1, 2, 3] })
    if (existsSync('test/probes.ts') && run === 0) appendFileSync('reached.jsonl', reached + '\\n')
    function report(code, statuses) {
      const status = statuses.includes('failed') || (code && statuses.length === 0) ? 'failed' : 'passed'
      const assertionResults = statuses.map(status => ({ status }))
      const results = tests.map(name => ({ name, status, assertionResults, message: 'cannot load', startTime: 0, endTime: 1 }))
      writeFileSync(file, JSON.stringify({ testResults: results }))
      process.exit(code)
    }
    ends[${JSON.stringify(runs)}[run]]()`

  const options = ['--paths', 'src/kinds', '--seed', '2', '--count']

  const measured = (...runs: string[]) => project()('mutants.js', [...options, '1'], { npx: runner(runs) })

  test.each([
    ['killed', 'the run was ended by SIGKILL'],
    ['crashed', 'the run ended with status 1 and without a report'],
    ['idle', 'no test was executed'],
    ['skipped', 'no test was executed'],
    ['unloaded', 'no test was executed: cannot load'],
    ['unhandled', 'all tests passed, and the run ended with status 1'],
  ])('reports no figure if a run is %s', (end, why) => {
    expect(measured('passed', end)).toEqual({
      status: 1,
      out: expect.stringContaining(`NOT MEASURED: ${why}\n`),
      err: 'error: 1 of 1 faults were not measured: 1\n',
    })
  })

  const withLimit = (...runs: string[]) =>
    project()('mutants.js', [...options, '1', '--limit', '0.03'], { npx: runner(runs) })

  test('takes a fault for seen that makes the tests endless, if they end without it', () => {
    const { status, out } = withLimit('passed', 'endless', 'passed')
    expect([status, out]).toEqual([
      0,
      expect.stringContaining('seen by a run that does not end\n1 of 1 faults were seen'),
    ])
  })

  test('reports no figure if the tests do not end without the fault either', () => {
    const { status, out } = withLimit('passed', 'endless', 'endless')
    expect([status, out]).toEqual([1, expect.stringContaining('NOT MEASURED: the run took longer than')])
  })

  test('measures nothing with tests that fail, or do not run, without a fault', () => {
    expect(measured('killed')).toEqual({
      status: 1,
      out: '',
      err: 'error: without a fault: the run was ended by SIGKILL; nothing was measured\n',
    })
    expect(measured('failed')).toMatchObject({ status: 1, err: expect.stringMatching(/without a fault: .* fails/) })
  })

  test('counts a fault as seen if a test fails, and only then', () => {
    expect(measured('passed', 'failed')).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^1 of 1 faults were seen$/m),
    })
    expect(measured('passed', 'passed')).toMatchObject({ status: 0, out: expect.stringMatching(/SURVIVED.*\n0 of 1/) })
  })

  test('goes on where it stopped, and only with the same sources and options', () => {
    const run = project()
    const args = [...options, '9', '--results', 'results']
    expect(run('mutants.js', args, { npx: runner(['passed', 'failed', 'passed', 'killed']) })).toMatchObject({
      status: 1,
    })
    expect(run('mutants.js', args, { npx: runner(['failed']) })).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /: changes nothing: it never is\n(?:.*\n)*2 of 3 faults were seen; 1 change nothing\n$/,
      ),
    })
    expect(run('mutants.js', ['--tests', 'test', ...args, '--only', '1'], { npx: runner([]) })).toMatchObject({
      status: 1,
      err: expect.stringContaining('other sources, tests or options'),
    })
  })

  test('refuses a list that does not fit the sources', () => {
    const entry = { file: 'src/kinds/empty.ts', code: 'text === null', instead: 'true', why: 'it never is' }
    const run = project({ 'scripts/mutants/faults.json': JSON.stringify({ always: [], equivalent: [entry] }) })
    expect(run('mutants.js', [...options, '1'], { npx: runner([]) })).toMatchObject({
      status: 1,
      err: expect.stringContaining('does not have this text once: text === null'),
    })
  })
})

describe('npm run weight', () => {
  const kinds = { code: 2, longFunctions: 0, manyParameters: 0 }
  const ceilings = { rooms: { kinds, loose: { code: 1 } }, all: { code: 3 }, dist: { 'kB of main.js': 1 } }
  const sources = {
    'src/kinds/empty.ts': '/** Why. */\n\nexport const isEmpty = (text: string) =>\n  text === "" // or longer\n',
    'src/start.ts': 'start()\n',
    'dist/main.js': 'start()',
  }
  const weigh = (files: Record<string, string> = {}, other: object = {}) =>
    project({ ...sources, 'weight.json': JSON.stringify({ ...ceilings, ...other }), ...files })('weight.js', [])

  test('prints the lines of each room without comments, with their ceilings', () => {
    expect(weigh()).toEqual({
      status: 0,
      out: expect.stringMatching(/^kinds +2 +2\nloose +1 +1\nall +3 +3$/m),
      err: '',
    })
  })

  const long = `export function last() {\n${'\n'.repeat(60)}}\n`

  test.each([
    ['a room', {}, { rooms: { ...ceilings.rooms, kinds: { code: 1 } } }, 'kinds: lines of code: 2'],
    ['a room that is not there', {}, { rooms: { kinds } }, 'loose: lines of code: 1'],
    ['a whole that is not there', {}, { all: undefined }, 'all: lines of code: 3'],
    ['the whole', {}, { all: { code: 2 } }, 'all: lines of code: 3'],
    ['a long function', { 'src/start.ts': long }, { all: { code: 9 } }, 'loose: functions of more than 60 lines: 1'],
    [
      'a function of many parameters',
      { 'src/start.ts': 'f((a, b, c, d, e) => a)\n' },
      {},
      'loose: functions of more than four parameters: 1',
    ],
    ['the bundle', { 'dist/main.js': '.'.repeat(1001) }, {}, 'dist: kB of main.js: 2'],
  ])('refuses %s above its ceiling', (_, files, other, said) => {
    expect(weigh(files, other)).toMatchObject({
      status: 1,
      err: expect.stringContaining(`error: ${said}, and the ceiling`),
    })
  })

  test('does not renew ceilings', () => {
    const text = JSON.stringify({ ...ceilings, all: { code: 1 } })
    const run = project({ ...sources, 'weight.json': text })
    for (const args of [['--update'], []]) expect(run('weight.js', args)).toMatchObject({ status: 1 })
  })

  test('fails without a bundle', () => {
    expect(project()('weight.js', [])).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining('build first'),
    })
  })
})

test('an audit that the registry does not answer ends with 2, and one without advisories with 0', () => {
  const run = project({ 'dist/sbom.cdx.json': JSON.stringify({ components: [{ name: 'yaml', version: '2.9.1' }] }) })
  for (const answer of ['<html>', '{"error":{"code":"ENOTFOUND"}}'])
    expect(run('audit.js', [], { npm: `process.stdout.write(${JSON.stringify(answer)})` })).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringContaining('not checked'),
    })
  const yaml = { yaml: { name: 'yaml', severity: 'high', range: '<3' } }
  const found = (vulnerabilities: object) => `process.stdout.write('${JSON.stringify({ vulnerabilities })}')`
  expect(run('audit.js', [], { npm: found({}) }).status).toBe(0)
  expect(run('audit.js', [], { npm: found(yaml) }).status).toBe(1)
})

test('every test that may be skipped says why', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  )
  const silent = files
    .filter(name => !['measurements.test.ts', join('support', 'skipped.ts')].includes(name))
    .filter(name => {
      const text = readFileSync(join(root, 'test', name), 'utf8')
      return /\b(?:skipIf|runIf)\(|\b(?:test|describe|it)\.skip\b/.test(text) && !/\bskipped\(/.test(text)
    })
  expect(silent).toEqual([])
})
