import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
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
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { exitStatus } from '../../src/base/failure.ts'
import { onlyInSoak, skipped } from '../support/skipped.ts'
import { merged, repository, review } from './github.ts'

const root = resolve(import.meta.dirname, '../..')
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))

/** How this machine reaches the registry of packages, which npm needs for a real installation. */
const networkSettings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(npm_config_.*|https?_proxy|no_proxy|(node|ssl)_.*cert.*)$/i.test(name),
    ),
  )

/** What a runner has around it. */
interface Surroundings {
  readonly api?: string
  /** Takes artifacts. */
  readonly keep?: (name: string, path: string) => Promise<string>
  readonly variables?: Readonly<Record<string, string>>
}

/** Loaded into each Node of a runner: its time. */
const moment = `const moment = Date.parse('2026-12-01T09:00:00Z')
globalThis.Date = class extends Date {
  constructor(...values) { super(...(values.length === 0 ? [moment] : values)) }
  static now() { return moment }
}`

const folders: string[] = []
afterAll(() => folders.map(folder => rmSync(folder, { recursive: true })))

/** A folder until all tests are over. */
function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), name))
  folders.push(folder)
  return folder
}

/**
 * A runner with a checkout that has a sheet: `run` does the steps of action.yml with some inputs, in this checkout of the action. Only some
 * tests are about the step that installs calctl.
 */
function runner(checkout = root, { hasBrowser = false, installs = checkout !== root } = {}) {
  const folder = newFolder('calctl-runner-')
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  if (checkout === root) {
    writeFileSync(join(programs, 'npm'), `#!/bin/sh\necho "$PWD: npm $*" >> ${folder}/installed\n`)
    chmodSync(join(programs, 'npm'), 0o755)
  }
  if (!hasBrowser) {
    writeFileSync(join(programs, 'which'), '#!/bin/sh\nexit 1\n')
    chmodSync(join(programs, 'which'), 0o755)
  }
  mkdirSync(join(folder, 'home'))
  writeFileSync(join(folder, 'moment.cjs'), moment)
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
  async function run(
    inputs: Readonly<Record<string, string>>,
    event: object,
    { api = 'http://127.0.0.1:9', keep, variables = {} }: Surroundings = {},
  ) {
    save('event.json', JSON.stringify(event))
    for (const name of ['summary', 'path', 'output']) save(name, '')
    const known: Record<string, string> = {}
    for (const [name, { default: usual }] of Object.entries<{ default: string }>(action.inputs))
      known[`inputs.${name}`] = inputs[name] ?? usual.replace(/^.*github\.token.*$/, 'of-the-run')
    const fill = (text: string) => text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name) => known[name] ?? '')
    let log = ''
    let outputs = ''
    for (const step of action.runs.steps) {
      const [, needed] = /^([\w.-]+) != ''$/.exec(step.if ?? '') ?? []
      if (needed && !known[needed]) continue
      if (step.name === 'Install calctl' && !installs) continue
      if (step.uses) {
        expect(step.uses).toMatch(/^actions\/upload-artifact@v4$/)
        const address = await keep?.(fill(step.with.name), fill(step.with.path))
        if (address) known[`steps.${step.id}.outputs.artifact-url`] = address
        continue
      }
      const env = Object.entries<string>(step.env ?? {}).map(([key, value]) => [key, fill(value)])
      save('output', '')
      const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
        cwd: folder,
        env: {
          PATH: `${programs}:${process.env.PATH}`,
          ...(checkout !== root && networkSettings()),
          HOME: join(folder, 'home'),
          CI: 'true',
          ...(step.env && { NODE_OPTIONS: `--require "${join(folder, 'moment.cjs')}"` }),
          GITHUB_ACTION_PATH: checkout,
          GITHUB_PATH: join(folder, 'path'),
          GITHUB_EVENT_PATH: join(folder, 'event.json'),
          GITHUB_OUTPUT: join(folder, 'output'),
          GITHUB_STEP_SUMMARY: join(folder, 'summary'),
          GITHUB_REPOSITORY: 'town/agenda',
          GITHUB_API_URL: api,
          GITHUB_SHA: merged.merge_commit_sha,
          RUNNER_TEMP: folder,
          ...Object.fromEntries(env),
          ...variables,
        },
      })
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          log += chunk
        })
      const [status] = await once(child, 'close')
      for (const [, key = '', value = ''] of read('output').matchAll(/^([\w-]+)=(.*)$/gm))
        known[`steps.${step.id}.outputs.${key}`] = value
      if (step.id === 'run')
        outputs = `changes=${known['steps.run.outputs.changes']}\nplan=${known['steps.run.outputs.plan']}\n`
      save('output', outputs)
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

test('a pull request gets the plan as a comment, which later runs replace', { timeout: 600_000 }, async () => {
  const { run, read, save, folder, calendar } = runner(root, { installs: true })
  save('agenda.csv', sheet)
  const { api, comments, keep, artifacts } = await repository()
  comments.push({ id: 1, body: 'Nice!', user: { type: 'User' } })
  const around = { api, keep: (name: string, path: string) => keep(name, path, { sha: merged.head.sha }) }
  const inputs = { files: 'agenda.csv', 'base-url': calendar }
  expect(await run(inputs, pullRequest, around)).toMatchObject({ status: 0 })
  expect(read('installed').trim().split('\n')).toEqual([
    `${root}: npm ci --ignore-scripts --include=dev --no-audit --no-fund`,
    `${root}: npm run build`,
    `${root}: npm install --global --ignore-scripts --no-audit --no-fund --prefix ${folder}/calctl .`,
  ])
  expect(read('path')).toBe(`${folder}/calctl/bin\n`)
  expect(read('output')).toMatch(/^changes=true\nplan=.*\/calctl-plan-\w{8}\/plan\.json\n$/)
  expect(comments.map(({ body }) => body)).toEqual([
    'Nice!',
    expect.stringContaining('```diff\n+ "Concert", Sat 5 Dec 19:00 (row 2): ends 21:00\n'),
  ])
  expect(comments[1]?.body).toContain('\n\nThe plan creates 1 event.\n\nKept: [the plan](https://github.test/')
  expect(comments[1]?.body).toContain('; no pictures of the calendar: there is no Chromium on the runner.\n')
  expect(artifacts[0]?.listed.name).toMatch(/^calctl-plan-\w{8}$/)
  expect(read('summary')).toBe(comments[1]?.body)
  save('agenda.csv', `${sheet}"\`\`\`::error::Ball @LINKS@",2026-12-06 19:00,2026-12-06 21:00\n`)
  expect(await run(inputs, pullRequest, around)).toMatchObject({ status: 0 })
  expect(comments).toHaveLength(2)
  expect(comments[1]?.body).toContain('````diff\n+ "Concert"')
  expect(comments[1]?.body).toContain('Ball @LINKS@')
})

test('what is pushed is applied without a review if the workflow says so', { timeout: 600_000 }, async () => {
  const { run, read, save, laterStep, calendar } = runner()
  save('agenda.csv', sheet)
  const inputs = { files: 'agenda.csv', 'base-url': calendar, approval: 'none' }
  expect(await run(inputs, {})).toMatchObject({ status: 0 })
  expect(read('summary')).toMatch(/^### The files were applied\n/)
  expect(read('summary')).toMatch(/Undo: calctl undo \w+/)
  expect(read('summary')).toContain('+ "Concert", Sat 5 Dec 19:00')
  const summary = read('summary')
  expect(await run(inputs, {})).toMatchObject({ status: 0 })
  expect(read('summary')).toMatch(/^### The calendar matches the files\n/)
  const { api, comments } = await repository()
  await run(inputs, pullRequest, { api })
  expect(read('output')).toContain('changes=false')
  expect(comments[0]?.body).toContain('### The calendar matches the files')
  expect(laterStep(summary, inputs)).toContain('1 done. Undo: calctl undo')
})

const inputsAt = (calendar: string) => ({ files: 'agenda.csv', 'base-url': calendar })

/** A runner on which a pull request was planned, once for all tests about its merge, with the plan and comment that were left. */
let planned: ReturnType<typeof planOnce> | undefined

async function planOnce() {
  const setup = runner()
  const { run, save, calendar, folder } = setup
  save('agenda.csv', sheet)
  const { api, keep, comments, artifacts } = await repository()
  const kept = (name: string, path: string) => keep(name, path, { sha: merged.head.sha })
  expect(await run(inputsAt(calendar), pullRequest, { api, keep: kept })).toMatchObject({ status: 0 })
  const before = newFolder('calctl-planned-')
  cpSync(folder, before, { recursive: true })
  return { setup, before, left: structuredClone({ comments, artifacts }) }
}

/** A pull request whose plan was kept and commented, its merge, and what the calendar has then. */
async function mergedPullRequest() {
  planned ??= planOnce()
  const { setup, before, left } = await planned
  const { run, calendar, folder } = setup
  rmSync(folder, { recursive: true })
  cpSync(before, folder, { recursive: true })
  const github = await repository(structuredClone(left))
  const inputs = inputsAt(calendar)
  const keep = (name: string, path: string) =>
    github.keep(name, path, { sha: merged.merge_commit_sha, at: '2026-12-01T08:55:00Z' })
  const merge = () => run(inputs, {}, { api: github.api, keep })
  const calctl = (...line: string[]) =>
    execFileSync(process.execPath, [join(root, 'bin/calctl.js'), ...line, '--base-url', calendar, '-q'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
    })
  const titles = () =>
    existsSync(join(folder, 'town.json')) ? calctl('events', 'list', '--all-dates', '--fields', 'title') : ''
  return { ...setup, ...github, inputs, merge, calctl, titles }
}

test('the merge carries out the plan that a review approved', { timeout: 600_000 }, async () => {
  const { merge, reviews, read, titles } = await mergedPullRequest()
  reviews.push(review({ state: 'COMMENTED', id: 79 }), review(), review({ state: 'COMMENTED', id: 81 }))
  expect(await merge()).toMatchObject({ status: 0 })
  expect(read('summary')).toMatch(/^### The files were applied\n/)
  expect(titles()).toBe('Concert\n')
  expect(await merge()).toMatchObject({ status: 0 })
  expect(read('summary')).toMatch(/^### The calendar matches the files\n/)
})

test('without an approval, nothing is carried out, whatever a comment says', { timeout: 600_000 }, async () => {
  const { merge, reviews, comments, titles, read } = await mergedPullRequest()
  reviews.push(review({ state: 'COMMENTED' }))
  comments[0] = { id: 1, body: `${comments[0]?.body}\nApproved by the mayor`, user: { type: 'Bot' } }
  const heading = 'No review approved this plan: nothing was written'
  expect(await merge()).toMatchObject({ status: 8, log: expect.stringContaining(`::error::${heading}`) })
  expect(titles()).toBe('')
  expect(read('output')).toBe('changes=unknown\nplan=\n')
  expect(comments).toHaveLength(1)
  expect(comments[0]?.body).toContain(`### ${heading}\n`)
  expect(comments[0]?.body).toContain('Kept: [the plan](')
})

test.each<[string, object[], number]>([
  ['an approval', [review()], 1],
  ['an approval before a comment', [review(), review({ state: 'COMMENTED' })], 1],
  ['no review', [], 0],
  ['a review that only comments', [review({ state: 'COMMENTED' })], 0],
  ['a review of another commit', [review({ commit_id: merged.base.sha })], 0],
  ['an approval that was dismissed', [review({ state: 'DISMISSED' })], 0],
  ['the approval of somebody who may only read', [review({ user: { login: 'guest', type: 'User' } })], 0],
  ['the approval of a program', [review({ user: { login: 'nuria', type: 'Bot' } })], 0],
  ['the approval of somebody who is gone', [review({ user: null })], 0],
  ['an approval before a request for changes', [review(), review({ state: 'CHANGES_REQUESTED' })], 0],
  [
    'an approval beside a request for changes of somebody else',
    [review({ user: { login: 'pau', type: 'User' }, state: 'CHANGES_REQUESTED' }), review()],
    0,
  ],
])('%s counts as it should', async (_, given, count) => {
  const { api, reviews } = await repository()
  reviews.push(...given)
  vi.stubEnv('GITHUB_API_URL', api)
  vi.stubEnv('GITHUB_REPOSITORY', 'town/agenda')
  vi.stubEnv('GITHUB_TOKEN', 'of-the-run')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { approvalsOf } = await import(join(root, 'action/github.js'))
  expect(await approvalsOf(merged)).toHaveLength(count)
})

test('a plan of a fork, one that is gone or newer than the approval, is not carried out', {
  timeout: 600_000,
}, async () => {
  const { merge, reviews, artifacts, titles } = await mergedPullRequest()
  reviews.push(review())
  const { listed = {} } = artifacts[0] ?? {}
  for (const change of [
    { expired: true },
    { workflow_run: { ...(listed.workflow_run ?? {}), head_repository_id: 2 } },
  ]) {
    const before = { ...listed }
    Object.assign(listed, change)
    expect(await merge()).toMatchObject({ status: 8 })
    Object.assign(listed, before)
  }
  expect(titles()).toBe('')
})

test('a forged plan, although approved, is not carried out', { timeout: 600_000 }, async () => {
  const { merge, reviews, artifacts, keep, folder, calctl, titles } = await mergedPullRequest()
  reviews.push(review())
  writeFileSync(join(folder, 'other.csv'), sheet.replace('Concert', 'Forged'))
  mkdirSync(join(folder, 'forged'))
  calctl('diff', join(folder, 'other.csv'), '--save', join(folder, 'forged/plan.json'))
  await keep(String(artifacts[0]?.listed.name), join(folder, 'forged'), {
    sha: merged.head.sha,
    at: '2026-12-01T08:41:00Z',
  })
  expect(await merge()).toMatchObject({ status: 7 })
  expect(titles()).toBe('')
})

test('if the calendar changed, nothing is written, and the new plan asks for another approval', {
  timeout: 600_000,
}, async () => {
  const { merge, reviews, comments, calctl, titles } = await mergedPullRequest()
  reviews.push(review())
  calctl('events', 'create', '--title', 'Concert', '--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 20:00')
  const before = calctl('export', 'events', '--all-dates', '-o', 'json')
  const heading = 'The calendar changed since the plan was approved: nothing was written'
  expect(await merge()).toMatchObject({ status: 7, log: expect.stringContaining(`::error::${heading}`) })
  expect(comments[0]?.body).toContain(`### ${heading}\n\nThe plan creates 1 event.\n\nKept: [the plan](`)
  expect(comments[0]?.body).toContain(merged.head.sha)
  expect(await merge()).toMatchObject({ status: 7 })
  expect(calctl('export', 'events', '--all-dates', '-o', 'json')).toBe(before)
  reviews.push(review({ id: 90, submitted_at: '2026-12-01T09:10:00Z' }))
  expect(await merge()).toMatchObject({ status: 0 })
  expect(titles()).toBe('Concert\nConcert\n')
})

test('a push without a pull request, and answers that make no sense, write nothing', { timeout: 600_000 }, async () => {
  const { run, inputs, api, reviews, artifacts, titles, read } = await mergedPullRequest()
  reviews.push(review())
  const variables = { GITHUB_SHA: merged.base.sha }
  expect(await run(inputs, {}, { api, variables })).toMatchObject({ status: 8 })
  expect(read('summary')).toContain('### No merged pull request made this commit')
  Object.assign(artifacts[0] ?? {}, { zip: Buffer.from('no zip') })
  expect(await run(inputs, {}, { api })).toMatchObject({ status: 5 })
  expect(await run(inputs, {}, { api: await brokenSite(200) })).toMatchObject({ status: 5 })
  expect(await run(inputs, {}, {})).toMatchObject({ status: 5 })
  expect(titles()).toBe('')
})

test('on a schedule, one issue is opened while the calendar differs from the files', { timeout: 600_000 }, async () => {
  const { run, save, calendar, read } = runner()
  const { api, issues } = await repository()
  save('agenda.csv', sheet)
  issues.push({
    id: 1,
    number: 1,
    title: 'x',
    body: '<!-- calctl agenda.csv -->',
    state: 'open',
    user: { type: 'User' },
  })
  const inputs = { files: 'agenda.csv', 'base-url': calendar }
  const onSchedule = (over: object = {}) =>
    run({ ...inputs, ...over }, {}, { api, variables: { GITHUB_EVENT_NAME: 'schedule' } })
  const ours = () => issues.slice(1).map(({ state, title }) => `${state}: ${title}`)
  expect(await onSchedule()).toMatchObject({ status: 0 })
  expect(ours()).toEqual(['open: The calendar differs from the files'])
  expect(issues[1]?.body).toContain('The plan creates 1 event.\n\n```diff\n+ "Concert"')
  save('agenda.csv', sheet.replace('Concert', 'Ball'))
  expect(await onSchedule()).toMatchObject({ status: 0 })
  expect(issues).toHaveLength(2)
  expect(issues[1]?.body).toContain('+ "Ball"')
  expect(read('output')).toMatch(/^changes=true\nplan=.*plan\.json\n$/)
  // A calendar that cannot be read is neither different nor equal.
  expect(await onSchedule({ 'base-url': await brokenSite(503), arguments: '--retries 0' })).toMatchObject({ status: 5 })
  expect(ours()).toEqual(['open: The calendar differs from the files'])
  await run({ ...inputs, command: 'apply', approval: 'none' }, {})
  expect(await onSchedule()).toMatchObject({ status: 0 })
  expect(ours()).toEqual(['closed: The calendar differs from the files'])
  expect(issues.map(({ state }) => state)).toEqual(['open', 'closed'])
  save('agenda.csv', sheet)
  const refused = await repository({ refused: true })
  const { status, log } = await run({ ...inputs, command: 'drift' }, {}, { api: refused.api })
  expect([status, log]).toEqual([5, expect.stringContaining('It needs the permission issues: write')])
})

const lacksBrowser = spawnSync('which', ['chromium']).status !== 0
test.skipIf(lacksBrowser)(
  `the calendar before and after is kept as pictures${skipped(lacksBrowser, 'no Chromium')}`,
  {
    timeout: 600_000,
  },
  async () => {
    const { run, save, calendar, folder } = runner(root, { hasBrowser: true })
    save('agenda.csv', sheet)
    const { api, comments, keep } = await repository()
    const kept: string[] = []
    const around = {
      api,
      async keep(name: string, path: string) {
        kept.push(name)
        if (name.endsWith('-pictures')) cpSync(path, join(folder, 'seen'), { recursive: true })
        return keep(name, path, { sha: merged.head.sha })
      },
    }
    expect(await run({ files: 'agenda.csv', 'base-url': calendar }, pullRequest, around)).toMatchObject({ status: 0 })
    expect(comments[0]?.body).toMatch(/; \[the calendar before and after\]\(https:\/\/github\.test\/\S+\/2\)\.\n/)
    expect(kept[1]).toBe(`${kept[0]}-pictures`)
    const [before, after] = ['before', 'after'].map(name => readFileSync(join(folder, `seen/${name}.png`)))
    for (const picture of [before, after]) expect(picture?.subarray(1, 4).toString()).toBe('PNG')
    expect(before?.equals(after ?? Buffer.alloc(0))).toBe(false)
  },
)

test('a sheet with a mistake fails the step, and the comment says what is wrong', { timeout: 60_000 }, async () => {
  const { run, read, save, calendar } = runner()
  save('agenda.csv', sheet.replace('19:00', '25:00'))
  const { api, comments } = await repository()
  const outcome = await run({ files: 'agenda.csv', 'base-url': calendar }, pullRequest, { api })
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
  const inputs = { files: 'agenda.csv', 'base-url': calendar, arguments: '--skip-invalid', approval: 'none' }
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
  const { api } = await repository({ refused: true })
  const { status, log } = await run({ files: 'agenda.csv', 'base-url': calendar }, pullRequest, { api })
  expect([status, log]).toEqual([0, expect.stringContaining('::warning::The plan is in the summary')])
  expect(read('summary')).toContain('+ "Concert"')
})

test('a file is never read as an option, whatever its name is', async () => {
  const { run, read, save, folder, calendar } = runner()
  const names = ['--header=X-A: command:touch ran.csv', '--base-url=file:other.csv', '--yes.csv', '-h.csv', '--.csv']
  for (const [day, name] of names.entries()) save(name, sheet.replaceAll('-05', `-1${day}`))
  const inputs = { files: names.join('\n'), 'base-url': calendar, approval: 'none' }
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
  const { api, comments } = await repository()
  comments.push({ id: 1, body: null, user: { type: 'Bot' } })
  expect(await run(inputs, pullRequest, { api })).toMatchObject({ status: 0 })
  expect(comments).toHaveLength(2)
  // A port where nobody listens, and a service that answers with something else.
  for (const api of ['http://127.0.0.1:9', await brokenSite(200)]) {
    const { status, log } = await run(inputs, pullRequest, { api })
    expect([api, status, log]).toEqual([api, 0, expect.stringContaining('\n::warning::The plan is in the summary')])
    expect(log).not.toContain('    at ')
    expect(read('output')).toMatch(/^changes=true\nplan=.*plan\.json\n$/)
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
    '::error::command: expected plan, apply, drift or auto, got "plan%0D%0A::add-mask::a%250A"\n',
  ])
})

test('docs/scripting.md has every input of the action', () => {
  const text = readFileSync(join(root, 'docs/scripting.md'), 'utf8')
  for (const input of Object.keys(action.inputs))
    expect(text).toMatch(new RegExp(`^\\| [^|]*\`${input}\`[^|]* \\|`, 'm'))
})

test('without files calctl is only installed, and another command is an error', { timeout: 60_000 }, async () => {
  const { run, read, save, calendar } = runner(root, { installs: true })
  expect(await run({}, {})).toEqual({ status: 0, log: '' })
  expect(read('installed')).not.toBe('')
  save('agenda.csv', sheet)
  const { status, log } = await run({ files: 'agenda.csv', command: 'aply', 'base-url': calendar }, {})
  expect([status, log]).toEqual([2, '::error::command: expected plan, apply, drift or auto, got "aply"\n'])
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
    const clone = newFolder('calctl-clone-')
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
