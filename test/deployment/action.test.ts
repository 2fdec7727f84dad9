import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { exitStatus } from '../../src/base/failure.ts'
import { onlyInSoak, skipped } from '../support/skipped.ts'

const root = resolve(import.meta.dirname, '../..')
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))

interface Comment {
  readonly id: number
  body: string | null
  readonly user: { readonly type: string }
}

/** The comments of a pull request, as the API of GitHub has them. */
async function githubApi(comments: Comment[], refused = false) {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.headers.authorization !== 'Bearer of-the-run') return response.writeHead(401).end()
    if (refused && request.method !== 'GET') return response.writeHead(403).end()
    const { body } = text === '' ? { body: '' } : JSON.parse(text)
    const id = Number(/\/issues\/comments\/(\d+)$/.exec(request.url ?? '')?.[1])
    if (request.method === 'PATCH') Object.assign(comments.find(comment => comment.id === id) ?? {}, { body })
    if (request.method === 'POST') comments.push({ id: comments.length + 1, body, user: { type: 'Bot' } })
    return response.end(JSON.stringify(comments))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** How this machine reaches the registry of packages, which npm needs for a real installation. */
const networkSettings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(npm_config_.*|https?_proxy|no_proxy|(node|ssl)_.*cert.*)$/i.test(name),
    ),
  )

/** Loaded into each Node of a runner: its time. */
const moment = `const moment = Date.parse('2026-12-01T09:00:00Z')
globalThis.Date = class extends Date {
  constructor(...values) { super(...(values.length === 0 ? [moment] : values)) }
  static now() { return moment }
}`

/** A runner with a checkout that has a sheet: `run` does the steps of action.yml with some inputs, in this checkout of the action. */
function runner(checkout = root) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-runner-'))
  const programs = join(folder, 'programs')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(programs)
  if (checkout === root) {
    writeFileSync(join(programs, 'npm'), `#!/bin/sh\necho "$PWD: npm $*" >> ${folder}/installed\n`)
    chmodSync(join(programs, 'npm'), 0o755)
  }
  mkdirSync(join(folder, 'home'))
  writeFileSync(join(folder, 'moment.cjs'), moment)
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
  async function run(inputs: Readonly<Record<string, string>>, event: object, api = 'http://127.0.0.1:9') {
    save('event.json', JSON.stringify(event))
    save('output', '')
    save('summary', '')
    save('path', '')
    const given: Record<string, string> = {}
    for (const [name, { default: usual }] of Object.entries<{ default: string }>(action.inputs))
      given[name] = inputs[name] ?? usual.replace(/^.*github\.token.*$/, 'of-the-run')
    let log = ''
    for (const step of action.runs.steps) {
      if (step.if === "inputs.files != ''" && given.files === '') continue
      const env = Object.fromEntries(
        Object.entries<string>(step.env ?? {}).map(([name, value]) => [
          name,
          value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input) => given[input] ?? `unknown input ${input}`),
        ]),
      )
      const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
        cwd: folder,
        env: {
          PATH: `${programs}:${process.env.PATH}`,
          ...(checkout !== root && networkSettings()),
          HOME: join(folder, 'home'),
          CI: 'true',
          ...(step.id === 'run' && { NODE_OPTIONS: `--require "${join(folder, 'moment.cjs')}"` }),
          GITHUB_ACTION_PATH: checkout,
          GITHUB_PATH: join(folder, 'path'),
          GITHUB_EVENT_PATH: join(folder, 'event.json'),
          GITHUB_OUTPUT: join(folder, 'output'),
          GITHUB_STEP_SUMMARY: join(folder, 'summary'),
          GITHUB_REPOSITORY: 'town/agenda',
          GITHUB_API_URL: api,
          RUNNER_TEMP: folder,
          ...env,
        },
      })
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          log += chunk
        })
      const [status] = await once(child, 'close')
      if (status !== 0) return { status, log }
    }
    return { status: 0, log }
  }
  /** Runs the step in a summary, with the inputs that it names. */
  function laterStep(summary: string, inputs: Readonly<Record<string, string>>) {
    const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(summary) ?? []
    const [{ run: command }] = parse(yaml)
    const named = [...yaml.matchAll(/(\w+): # as the input "([\w-]+)"/g)]
    const given = named.map(([, name, input = '']) => [name, inputs[input] ?? `unknown input ${input}`])
    writeFileSync(join(programs, 'calctl'), `#!/bin/sh\nexec "${process.execPath}" "${root}/bin/calctl.js" "$@"\n`)
    chmodSync(join(programs, 'calctl'), 0o755)
    return execFileSync('bash', ['-c', `${command} 2>&1`], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${programs}:${process.env.PATH}`, HOME: join(folder, 'home'), ...Object.fromEntries(given) },
    })
  }
  return { run, read, save, laterStep, folder, calendar: `file:${join(folder, 'town.json')}` }
}

const sheet = 'title,start_date,end_date\nConcert,2026-12-05 19:00,2026-12-05 21:00\n'
const pullRequest = { pull_request: { number: 7 } }

test('a pull request gets the plan as a comment, which later runs replace, and the merge applies it', {
  timeout: 60_000,
}, async () => {
  const { run, read, save, laterStep, folder, calendar } = runner()
  save('agenda.csv', sheet)
  const comments: Comment[] = [{ id: 1, body: 'Nice!', user: { type: 'User' } }]
  const api = await githubApi(comments)
  const inputs = { files: 'agenda.csv', 'base-url': calendar }
  expect(await run(inputs, pullRequest, api)).toMatchObject({ status: 0 })
  expect(read('installed').trim().split('\n')).toEqual([
    `${root}: npm ci --ignore-scripts --include=dev --no-audit --no-fund`,
    `${root}: npm run build`,
    `${root}: npm install --global --ignore-scripts --no-audit --no-fund --prefix ${folder}/calctl .`,
  ])
  expect(read('path')).toBe(`${folder}/calctl/bin\n`)
  expect(read('output')).toMatch(/^changes=true\nplan=.*calctl-plan\.json\n$/)
  expect(comments.map(({ body }) => body)).toEqual([
    'Nice!',
    expect.stringContaining('```diff\n+ "Concert", Sat 5 Dec 19:00 (row 2): ends 21:00\n'),
  ])
  save('agenda.csv', `${sheet}"\`\`\`::error::Ball",2026-12-06 19:00,2026-12-06 21:00\n`)
  expect(await run(inputs, pullRequest, api)).toMatchObject({ status: 0 })
  expect(comments).toHaveLength(2)
  expect(comments[1]?.body).toContain('````diff\n+ "Concert"')
  expect(await run(inputs, {}, api)).toMatchObject({ status: 0 })
  expect(read('summary')).toMatch(/^### The files were applied\n/)
  expect(read('summary')).toMatch(/Undo: calctl undo \w+/)
  expect(read('summary')).toContain('+ "Concert", Sat 5 Dec 19:00')
  const summary = read('summary')
  expect(await run(inputs, {}, api)).toMatchObject({ status: 0 })
  expect(read('summary')).toMatch(/^### The calendar matches the files\n/)
  await run(inputs, pullRequest, api)
  expect(read('output')).toContain('changes=false')
  expect(comments[1]?.body).toContain('### The calendar matches the files')
  expect(laterStep(summary, inputs)).toContain('2 done. Undo: calctl undo')
})

test('a sheet with a mistake fails the step, and the comment says what is wrong', { timeout: 60_000 }, async () => {
  const { run, read, save, calendar } = runner()
  save('agenda.csv', sheet.replace('19:00', '25:00'))
  const comments: Comment[] = []
  const outcome = await run({ files: 'agenda.csv', 'base-url': calendar }, pullRequest, await githubApi(comments))
  expect(outcome).toMatchObject({
    status: 2,
    log: expect.stringContaining('\n::error::The files cannot be applied as they are\n'),
  })
  expect(comments[0]?.body).toContain('### The files cannot be applied as they are')
  expect(comments[0]?.body).toContain('25:00')
  expect(read('output')).toBe('changes=unknown\nplan=\n')
})

test('what a push applied in part is listed, with the line that takes it back', { timeout: 60_000 }, async () => {
  const { run, read, save, calendar } = runner()
  save('agenda.csv', `${sheet}Ball,2026-12-06 25:00,2026-12-06 26:00\n`)
  const inputs = { files: 'agenda.csv', 'base-url': calendar, arguments: '--skip-invalid' }
  expect(await run(inputs, {})).toMatchObject({
    status: 6,
    log: expect.stringContaining('\n::error::Only some of the changes were made\n'),
  })
  expect(read('summary')).toMatch(/^### Only some of the changes were made\n/)
  expect(read('summary')).toMatch(/Undo: calctl undo \w+/)
  expect(read('summary')).toContain('+ "Concert", Sat 5 Dec 19:00')
  expect(read('output')).toBe('changes=unknown\nplan=\n')
})

/** A site that answers every request with this status. */
async function brokenSite(status: number) {
  const server = createServer((_, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
      .end('{"code":"no","message":"No"}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  [401, 3, 'calctl cannot log in, or a setting is wrong'],
  [404, 4, 'The site has no such record, or refused a request'],
  [503, 5, 'The site cannot be reached, or failed'],
])('a site that answers %s is not a mistake in the files', { timeout: 60_000 }, async (answer, status, heading) => {
  const { run, read, save } = runner()
  save('agenda.csv', sheet)
  const inputs = { files: 'agenda.csv', 'base-url': await brokenSite(answer), arguments: '--retries 0' }
  for (const command of ['plan', 'apply']) {
    expect(await run({ ...inputs, command }, {})).toMatchObject({ status })
    expect(read('summary')).toContain(`### ${heading}\n`)
    expect(read('output')).toBe('changes=unknown\nplan=\n')
  }
})

test('a comment that is refused, as on a pull request from a fork, is a warning', { timeout: 60_000 }, async () => {
  const { run, read, save, calendar } = runner()
  save('agenda.csv', sheet)
  const api = await githubApi([], true)
  const { status, log } = await run({ files: 'agenda.csv', 'base-url': calendar }, pullRequest, api)
  expect([status, log]).toEqual([0, expect.stringContaining('::warning::The plan is in the summary')])
  expect(read('summary')).toContain('+ "Concert"')
})

test('a file is never read as an option, whatever its name is', async () => {
  const { run, read, save, folder, calendar } = runner()
  const names = ['--header=X-A: command:touch ran.csv', '--base-url=file:other.csv', '--yes.csv', '-h.csv', '--.csv']
  for (const [day, name] of names.entries()) save(name, sheet.replaceAll('-05', `-1${day}`))
  const inputs = { files: names.join('\n'), 'base-url': calendar }
  for (const event of [pullRequest, {}]) {
    expect(await run(inputs, event)).toMatchObject({ status: 0 })
    for (const day of names.keys()) expect(read('summary')).toContain(`+ "Concert", ${sayDay(day)}`)
  }
  expect([read('ran.csv'), read('other.csv')]).toEqual(['', ''])
  expect(existsSync(join(folder, 'town.json'))).toBe(true)
})

const sayDay = (day: number) => `${['Thu', 'Fri', 'Sat', 'Sun', 'Mon'][day]} ${10 + day} Dec 19:00`

test('a plan counts, even if the comments cannot be read or written', async () => {
  const { run, read, save, calendar } = runner()
  save('agenda.csv', sheet)
  const inputs = { files: 'agenda.csv', 'base-url': calendar }
  const comments: Comment[] = [{ id: 1, body: null, user: { type: 'Bot' } }]
  expect(await run(inputs, pullRequest, await githubApi(comments))).toMatchObject({ status: 0 })
  expect(comments).toHaveLength(2)
  // A port where nobody listens, and a service that answers with something else.
  for (const api of ['http://127.0.0.1:9', await brokenSite(200)]) {
    const { status, log } = await run(inputs, pullRequest, api)
    expect([api, status, log]).toEqual([api, 0, expect.stringContaining('\n::warning::The plan is in the summary')])
    expect(log).not.toContain('    at ')
    expect(read('output')).toMatch(/^changes=true\nplan=.*calctl-plan\.json\n$/)
  }
  save('agenda.csv', sheet.replace('19:00', '25:00'))
  expect(await run(inputs, pullRequest)).toMatchObject({ status: 2 })
  expect(read('summary')).toContain('25:00')
  expect(read('output')).toBe('changes=unknown\nplan=\n')
})

test('an input is no command to the runner', async () => {
  const { run, calendar } = runner()
  const command = 'plan\r\n::add-mask::a%0A'
  const { status, log } = await run({ files: 'agenda.csv', command, 'base-url': calendar }, {})
  expect([status, log]).toEqual([
    2,
    '::error::command: expected plan, apply or auto, got "plan%0D%0A::add-mask::a%250A"\n',
  ])
})

test('docs/scripting.md has every input of the action', () => {
  const text = readFileSync(join(root, 'docs/scripting.md'), 'utf8')
  for (const input of Object.keys(action.inputs))
    expect(text).toMatch(new RegExp(`^\\| [^|]*\`${input}\`[^|]* \\|`, 'm'))
})

test('without files calctl is only installed, and another command is an error', { timeout: 60_000 }, async () => {
  const { run, read, save, calendar } = runner()
  expect(await run({}, {})).toEqual({ status: 0, log: '' })
  expect(read('installed')).not.toBe('')
  save('agenda.csv', sheet)
  const { status, log } = await run({ files: 'agenda.csv', command: 'aply', 'base-url': calendar }, {})
  expect([status, log]).toEqual([2, '::error::command: expected plan, apply or auto, got "aply"\n'])
})

test('a program that crashes is not a difference, although both end with 1', { timeout: 60_000 }, async () => {
  const { run, read, save, calendar } = runner()
  save('agenda.csv', sheet)
  save('moment.cjs', `if (/calctl\\.js$/.test(process.argv[1])) throw new Error('crashed')`)
  expect(await run({ files: 'agenda.csv', 'base-url': calendar, command: 'plan' }, {})).toMatchObject({ status: 1 })
  expect(read('summary')).toContain('### calctl failed (status 1)\n')
  expect(read('output')).toBe('changes=unknown\nplan=\n')
})

test('every exit status of calctl has a heading of its own in the action', () => {
  const text = readFileSync(join(root, 'action/run.js'), 'utf8')
  const statuses = new Set(Object.values(exitStatus))
  for (const status of statuses) expect(text).toContain(`\n  ${status}: '`)
})

// Installs every development tool, and builds: some 30 seconds of computing.
const isShort = !process.env.SOAK_ROUNDS
test.skipIf(isShort)(
  `from a clean clone, with an empty prefix, the action installs itself${skipped(isShort, onlyInSoak)}`,
  { timeout: 900_000 },
  async () => {
    const clone = mkdtempSync(join(tmpdir(), 'calctl-clone-'))
    onTestFinished(() => rmSync(clone, { recursive: true }))
    execFileSync('git', ['clone', '--quiet', root, clone])
    const { run, read, save, folder, calendar } = runner(clone)
    save('agenda.csv', sheet)
    expect(await run({ files: 'agenda.csv', 'base-url': calendar, command: 'plan' }, {})).toMatchObject({ status: 0 })
    expect(read('summary')).toContain('+ "Concert", Sat 5 Dec 19:00')
    const calctl = join(read('path').trim(), 'calctl')
    expect(realpathSync(calctl)).toBe(join(realpathSync(clone), 'bin/calctl.js'))
    const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
    expect(execFileSync(calctl, ['--version'], { encoding: 'utf8', cwd: folder })).toBe(`${version}\n`)
  },
)
