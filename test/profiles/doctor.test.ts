import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { judgeFamilies } from '../../src/cli/commands/doctor/connection-checks.ts'
import { commandOf, stagedFailures } from '../sites/staged-failures.ts'
import { html, pem, stagedSite } from '../support/staged-site.ts'
import { startServe } from '../support/start-serve.ts'
import { worldOf } from '../support/world.ts'

interface Row {
  check: string
  state: string
  found: string
  hint: string | null
  problem: string | null
}

const rowsOf = (out: string): Row[] => JSON.parse(out)
const stateOf = (rows: readonly Row[]) => Object.fromEntries(rows.map(({ check, state }) => [check, state]))

/** What a command can only guess, and sends people to the doctor for. All else is in the same words. */
const knowsMore = new Set([
  'user-not-seen',
  'no-right',
  'passwords-off',
  'php-messages',
  'no-namespace',
  'not-the-api',
  'only-https',
])

for (const failure of stagedFailures) {
  const { name, stage = {}, baseUrl, flags = '', env = {}, code } = failure
  test(`doctor finds "${name}"`, async () => {
    const site = await stagedSite(stage)
    const run = site.calctlWith({ ...(baseUrl && { CALCTL_BASE_URL: baseUrl(site.port) }), ...env })
    const options = flags.replace('CERTIFICATE', pem('certificate.pem')).replace('EXPIRED', pem('expired.pem'))
    const { status, out } = await run(`doctor -o json -q ${options}`)
    const failed = rowsOf(out).filter(({ state }) => state === 'failed')
    const row = failed.find(({ problem }) => problem === (code ?? 'php-messages'))
    expect(row, JSON.stringify(failed)).toBeDefined()
    expect(row?.hint).toMatch(/\w/)
    expect(row?.hint).not.toContain('calctl doctor')
    if (row?.problem && !knowsMore.has(row.problem)) {
      const { err } = await run(`${commandOf(failure)} --retries 0 -q ${options}`)
      expect(err).toContain(`error: ${row.found}\nhint: ${row.hint}\n`)
    }
    expect(status).toBe(1)
    expect(site.seen.filter(line => !/^(GET|HEAD) /.test(line))).toEqual([])
  }, 60_000)
}

test('on a site that works, every check is done or does not apply, and nothing is written', async () => {
  const site = await stagedSite()
  const { status, out, err } = await site.calctl('doctor')
  expect(out).not.toContain('✗')
  expect(out).toMatch(/^✓ name +127\.0\.0\.1 is an address$/m)
  expect(out).toMatch(/^✓ port +\d+ is open$/m)
  expect(out).toMatch(/^– TLS +the address begins with http:/m)
  expect(out).toMatch(/^✓ WordPress +yes: its Link header names the API$/m)
  expect(out).toMatch(/^✓ API +at http:\/\/127\.0\.0\.1:\d+\/wp-json \("calctl"\)$/m)
  expect(out).toMatch(/^✓ namespace +tribe\/events\/v1$/m)
  expect(out).toMatch(/^✓ Authorization +header reaches WordPress$/m)
  expect(out).toMatch(/^✓ user +admin \(administrator\)$/m)
  expect(out).toMatch(/^✓ publishing +allowed$/m)
  expect(out).toMatch(/^✓ time zone +Europe\/Madrid$/m)
  expect(out).toMatch(/^✓ settings +profile: local \(the default\); base URL: CALCTL_BASE_URL; .*user: CALCTL_USER$/m)
  expect(err).toMatch(/^\d+ checks: \d+ done, 0 failed, \d+ skipped$/m)
  expect(status).toBe(0)
  expect(site.seen.every(line => line.startsWith('GET '))).toBe(true)
})

test('doctor takes the address of any page, and finds the API below it', async () => {
  const site = await stagedSite()
  const run = site.calctlWith({ CALCTL_BASE_URL: undefined, CALCTL_NAMESPACE: undefined })
  const { out, status } = await run(['doctor', `${site.origin}/`, '-o', 'json', '-q'])
  expect(rowsOf(out).find(({ check }) => check === 'API')).toMatchObject({ found: expect.stringContaining('/wp-json') })
  expect(stateOf(rowsOf(out))).toMatchObject({ API: 'done', namespace: 'done', reading: 'done' })
  expect(status).toBe(0)
})

test('doctor works where permalinks are plain, and in both cases needs nothing but the front page', async () => {
  const site = await stagedSite({
    answer: ({ url }) => (url.startsWith('/wp-json') ? html(404, '<title>Page not found</title>') : undefined),
    after: answer => {
      if (answer.headers.link) answer.headers.link = answer.headers.link.replace('/wp-json/', '/?rest_route=/')
    },
  })
  const plain = await site.calctlWith({ CALCTL_BASE_URL: `${site.origin}/?rest_route=` })('doctor -q')
  expect(plain.out).not.toContain('✗')
  expect(plain.status).toBe(0)
  const found = await site.calctlWith({ CALCTL_BASE_URL: undefined, CALCTL_NAMESPACE: undefined })([
    'doctor',
    '-q',
    `${site.origin}/`,
  ])
  expect(found.out).toContain(`at ${site.origin}/?rest_route= ("calctl")`)
  expect(found.status).toBe(0)
  const wrong = await site.calctl('doctor -q')
  expect(wrong.out).toContain(
    `✗ API                    it is at ${site.origin}/?rest_route=, not at ${site.origin}/wp-json`,
  )
})

test('what hosts and themes put into every page is no sign of anything', async () => {
  const site = await stagedSite({
    after: (answer, { url }) => {
      answer.headers.server = 'Sucuri/Cloudproxy'
      answer.headers['x-sucuri-id'] = '11005'
      answer.headers['cf-ray'] = '8f00'
      if (url === '/')
        answer.body =
          '<html><head><title>Town</title><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script></head>' +
          '<body><a href="/wp-login.php">Log in</a><form><input type="password" name="pwd"></form>' +
          '<p>Protected by Wordfence. How to fix a fatal error: read the log</p></body></html>'
    },
  })
  const { out, status } = await site.calctl('doctor -q')
  expect(out).not.toContain('✗')
  expect(status).toBe(0)
  expect((await site.calctl('events get 99')).err).toContain('no event 99')
})

test('a page that refuses is told from one that checks for browsers', async () => {
  const page = '<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>'
  const site = await stagedSite({ answer: () => html(403, page, { 'cf-ray': '8f00' }) })
  expect((await site.calctl('events list')).err).toContain('answered 403 with HTML: Cloudflare blocks the request')
})

test('doctor says where the API is if the base URL is another page of the site', async () => {
  const site = await stagedSite()
  const mistaken = `${site.origin}/wp-json/tribe/events/v1`
  const { out, status } = await site.calctl(['doctor', '-o', 'json', '-q', '--base-url', mistaken])
  expect(rowsOf(out).find(({ check }) => check === 'API')).toMatchObject({
    state: 'failed',
    found: `it is at ${site.origin}/wp-json, not at ${mistaken}`,
    hint: `use --base-url ${site.origin}/wp-json --namespace tribe/events/v1`,
  })
  expect(status).toBe(1)
})

test('doctor finds a clock that is wrong', async () => {
  const site = await stagedSite()
  const run = site.calctlWith({}, { now: () => new Date(Date.now() + 600_000) })
  const { out, status } = await run('doctor')
  expect(out).toMatch(
    /^✗ clock +the site's clock is 10 min behind this machine's\n +→ compare both with the right time/m,
  )
  expect(status).toBe(1)
})

test('doctor names the settings that others can read, and the folders that cannot be written to', async () => {
  const site = await stagedSite()
  const config = join(site.folder, 'config', 'calctl')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'config.json'), '{"profiles":{}}')
  chmodSync(join(config, 'config.json'), 0o644)
  const { out } = await site.calctl('doctor')
  expect(out).toMatch(
    /^✗ secrets +others on this machine can read \S+config\.json\n +→ run: chmod 600 \S+config\.json$/m,
  )
})

describe('without a site', () => {
  test('doctor looks at the calendar file and at what belongs to calctl', async () => {
    const site = await stagedSite()
    const file = join(site.folder, 'town.json')
    const run = site.calctlWith({ CALCTL_BASE_URL: `file:${file}` })
    expect(await run('doctor -q')).toMatchObject({ status: 1, out: expect.stringContaining('✗ calendar') })
    const demo = await site.calctlWith(
      { CALCTL_BASE_URL: undefined },
      {
        transport: async () => ({ status: 200, headers: {}, body: '{"events":[{"id":1}],"total":7,"total_pages":7}' }),
      },
    )('doctor --demo -o ndjson -q')
    expect(demo).toMatchObject({ status: 0, out: expect.stringContaining('the demo calendar has 7 events') })
    expect(demo.out).not.toContain('"port"')
  })
})

test('an IPv6 address that does not answer is found beside one of IPv4 that does', async () => {
  const both = [
    { address: '2001:db8::1', family: 6 },
    { address: '192.0.2.1', family: 4 },
  ]
  const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
  const finding = await judgeFamilies(both, async address => (address.includes(':') ? refused : undefined))
  expect(finding).toMatchObject({
    state: 'failed',
    found: expect.stringContaining('2001:db8::1 does not answer, 192.0.2.1 does'),
    hint: expect.stringContaining('remove the AAAA record'),
  })
  const noNetwork = Object.assign(new Error('no'), { code: 'ENETUNREACH' })
  expect(await judgeFamilies(both, async () => noNetwork)).toMatchObject({ state: 'skipped' })
  expect(await judgeFamilies(both, async () => undefined)).toMatchObject({ state: 'done' })
})

test('doctor finds nothing wrong with calctl serve as it is started', async () => {
  const server = await startServe('--demo --port 0')
  if (!('url' in server)) throw new Error(server.err)
  const run = worldOf({ env: { HOME: '/tmp', CALCTL_BASE_URL: new URL(server.url).origin }, now: () => new Date() })
  const { out, status } = await run('doctor -q')
  await server.stop()
  expect(out).not.toContain('✗')
  expect(status).toBe(0)
})

test('the table of docs/troubleshooting.md has a row for each failure', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/troubleshooting.md'), 'utf8')
  for (const { name } of stagedFailures) expect(text).toContain(`| ${name} |`)
})

test('the hint for a site without the events API names the address that was typed', async () => {
  const server = await startServe('--memory --port 0')
  if (!('url' in server)) throw new Error(server.err)
  const flags = `--base-url ${new URL(server.url).origin} --namespace tribe/events/v1`
  const { status, err } = await worldOf({})(`events list ${flags}`)
  await server.stop()
  expect([status, err]).toEqual([4, expect.stringContaining(`calctl doctor ${flags}; calctl serve uses`)])
})
