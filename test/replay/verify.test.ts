import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startServe } from '../support/start-serve.ts'
import { worldOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-verify-'))
const calctl = worldOf({
  cwd: folder,
  now: () => new Date(),
  env: { CALCTL_USER: 'admin', CALCTL_PASSWORD: 'demo', NO_COLOR: '1' },
})

/** A server of the demo, as a site answers, and the options that reach it. */
async function demo(options = '') {
  const line = `--demo --quirks --namespace tribe/events/v1 --base-path /wp-json --port 0 ${options}`
  const server = await startServe(line, { cwd: folder })
  if (!('stop' in server)) throw new Error(server.err)
  onTestFinished(async () => void (await server.stop()))
  return { url: server.url, at: `--base-url ${server.url} --namespace tribe/events/v1` }
}

type Line = { name?: string; request: { path: string; headers: object }; response: { status: number; body: object } }

const linesOf = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

const inFolder = (name: string): string => {
  const [file = ''] = readdirSync(join(folder, name))
  return join(folder, name, file)
}

describe('a recording of a site', () => {
  beforeAll(async () => {
    const line = '--demo --quirks --namespace tribe/events/v1 --base-path /wp-json --port 0'
    const server = await startServe(line, { cwd: folder })
    if (!('stop' in server)) throw new Error(server.err)
    const at = `--base-url ${server.url} --namespace tribe/events/v1`
    const { status, err } = await calctl(`verify --record answers --write ${at}`)
    await server.stop()
    expect(status, err).toBe(0)
    expect(err).toMatch(/recorded \d{3} exchanges in .*answers.*\.ndjson; play them with: calctl verify answers\n/)
  })

  test('has no password, and the address of no site', () => {
    const text = readFileSync(inFolder('answers'), 'utf8')
    expect(text).toContain('Basic <admin>')
    expect(text).not.toMatch(/127\.0\.0\.1:\d+\/wp-json|YWRtaW46|"demo"/)
  })

  test.each(['', '--write'])('is what the same site answers (%s), in every form', async write => {
    const { at } = await demo()
    const before = await calctl(`events list --all --all-dates -o ids ${at}`)
    const played = await calctl(`verify answers ${write} ${at}`)

    expect(played.err).toMatch(/^(\d+) of \1 answers are as recorded \(100 %\); \d+ not played\n$/)
    expect(played.status).toBe(0)
    expect(played.out).toMatch(/^GET \/events\t\d+\t\d+\t0\t0\t0\t0$/m)
    expect((await calctl(`events list --all --all-dates -o ids ${at}`)).out).toBe(before.out)
  })

  test('names each of three answers that were falsified, by what is wrong with it', async () => {
    const { at } = await demo()
    const [head, ...lines] = linesOf(inFolder('answers'))
    const one = lines.find(({ response }) => response.status === 200)
    const other = lines.find(({ response }) => response.status === 404)
    const third = lines.findLast(({ request, response }) => response.status === 200 && /^\/tags\?/.test(request.path))
    if (!one || !other || !third) throw new Error('the recording lacks these answers')
    one.response.status = 203
    Object.assign(other.response.body, { code: 'falsified' })
    Object.assign(third.response.body, { falsified: true })
    writeFileSync(join(folder, 'falsified.ndjson'), [head, ...lines].map(line => `${JSON.stringify(line)}\n`).join(''))
    const { status, out, err } = await calctl(`verify falsified.ndjson ${at} --json`)
    const { differing } = JSON.parse(out)
    expect(differing).toEqual([
      expect.objectContaining({ name: one.name, differences: [expect.objectContaining({ facet: 'status' })] }),
      expect.objectContaining({ name: other.name, differences: [expect.objectContaining({ facet: 'code' })] }),
      expect.objectContaining({ name: third.name, differences: [expect.objectContaining({ facet: 'keys' })] }),
    ])
    expect([status, err]).toEqual([1, expect.stringContaining(' answers are as recorded (9')])
    const { out: junit } = await calctl(`verify falsified.ndjson ${at} -o junit`)
    expect(junit.match(/<failure /g)).toHaveLength(3)
  })

  test('is what serve --like answers, at its own address', async () => {
    const server = await startServe(
      '--memory --quirks --namespace tribe/events/v1 --base-path /wp-json --port 0 --like answers --user admin:demo',
      { cwd: folder },
    )
    if (!('stop' in server)) throw new Error(server.err)
    onTestFinished(async () => void (await server.stop()))
    const at = `--base-url ${server.url} --namespace tribe/events/v1`
    expect((await calctl(`verify answers ${at}`)).err).toContain('(100 %)')
    const answer = await fetch(`${server.url}/tribe/events/v1/events?per_page=2`, { headers: { connection: 'close' } })
    const { events } = (await answer.json()) as { events: { url: string }[] }
    expect(events[0]?.url).toMatch(new RegExp(`^${new URL(server.url).origin}/`))
  })
})

test.each([
  ['verify', 'no recordings given', 'calctl verify --record FOLDER'],
  ['verify missing', 'cannot read missing: ', 'calctl verify --record FOLDER'],
  ['verify text.ndjson', 'line 2: this is no recorded exchange', 'calctl verify --record FOLDER'],
])('%s is refused, with the next step', async (line, message, hint) => {
  writeFileSync(join(folder, 'text.ndjson'), '{"group":"a","start":"site","zone":"UTC"}\nhello\n')
  const { status, err } = await calctl(`${line} --base-url http://127.0.0.1:1`)
  expect([status, err]).toEqual([2, expect.stringContaining(message)])
  expect(err).toContain(hint)
})
