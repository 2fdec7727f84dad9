import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openLinkProbe } from '../../src/care/lint/link-probe.ts'
import { isPrivateHost, isPrivateSite, lookUpPublic, PrivateAddress } from '../../src/care/lint/private-network.ts'
import { calendar } from '../support/calendar.ts'
import { type Stage, stagedSite } from '../support/staged-site.ts'
import { startServe } from '../support/start-serve.ts'
import { testTime, words, worldOf } from '../support/world.ts'

/** A site with a page, an image, a page that refuses HEAD, and a redirect; it counts what it is asked for. */
async function webSite() {
  const asked: string[] = []
  const server = createServer(({ method = '', url = '' }, response) => {
    asked.push(`${method} ${url}`)
    const status =
      { '/page': 200, '/poster.jpg': 200, '/no-head': method === 'HEAD' ? 405 : 200, '/login': 401, '/moved': 301 }[
        url
      ] ?? 404
    response.writeHead(status, status === 301 ? { location: '/page' } : {}).end()
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { asked, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A command line for a site on this machine, whose links may lead to this machine too. */
async function localSite(cwd = '/') {
  const site = await startServe('--memory --port 0', { now: testTime })
  if (!('url' in site)) throw new Error(site.err)
  onTestFinished(async () => void (await site.stop()))
  return worldOf({ cwd, env: { CALCTL_BASE_URL: site.url } })
}

const day = (number: number) => `--start-date "2026-12-0${number} 19:00" --duration 2h`

const eventWith = (description: string): string[] => [
  ...['events', 'create', '--title', 'A', '--description', description],
  ...['--start-date', '2026-12-01 19:00', '--duration', '2h'],
]

test('--online finds links that lead nowhere and images that are gone, and asks for each address once', async () => {
  const { asked, origin } = await webSite()
  const calctl = await localSite()
  const links = ['page', 'no-head', 'moved', 'login', 'gone'].map(name => `<a href="${origin}/${name}">x</a>`).join('')
  await calctl(eventWith(links))
  await calctl(
    `events create --title B ${day(2)} --description Jazz --website ${origin}/gone --image ${origin}/poster.jpg`,
  )
  await calctl(`events create --title C ${day(3)} --description Jazz --image ${origin}/lost.jpg`)
  await calctl(`events create --title D ${day(4)} --description Jazz --website http://127.0.0.1:1/`)
  expect((await calctl('lint')).out).toBe('')
  expect(asked).toEqual([])
  const { status, out } = await calctl('lint --online -o json -q')
  const found = JSON.parse(out) as { title: string; rule: string; message: string }[]
  expect(status).toBe(1)
  expect(found.map(({ title, rule }) => `${title} ${rule}`)).toEqual(['C image-gone', 'A dead-link', 'D dead-link'])
  expect(found[1]?.message).toBe(`links to ${origin}/gone, which answers 404`)
  expect(found[2]?.message).toContain('does not answer')
  expect(asked.filter(line => line.endsWith('/gone'))).toEqual(['HEAD /gone', 'GET /gone'])
  expect(asked.filter(line => line.endsWith('/no-head'))).toEqual(['HEAD /no-head', 'GET /no-head'])
})

test('no more addresses are looked at than the threshold allows, and that is said', async () => {
  const { asked, origin } = await webSite()
  const folder = mkdtempSync(join(tmpdir(), 'calctl-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, '.calctl.json'),
    JSON.stringify({ lint: { rules: { 'dead-link': ['warning', { addresses: 40 }] } } }),
  )
  const calctl = await localSite(folder)
  const links = Array.from({ length: 45 }, (_, index) => `<a href="${origin}/page?${index}">x</a>`).join('')
  await calctl(eventWith(links))
  const { err } = await calctl('lint --online --only dead-link')
  expect(err).toContain('checked 40 of 45 addresses')
  expect(asked).toHaveLength(80)
})

test('a rule that sends requests is refused without --online', async () => {
  expect(await calendar()('lint --only dead-link')).toEqual({
    status: 2,
    out: '',
    err: 'error: dead-link sends requests of its own\nhint: add --online\n',
  })
})

test('--online finds what the data of an event lacks for search engines', async () => {
  const { calctl } = await stagedSite({}, { now: testTime })
  await calctl('venues create --venue "Sala Gran" --city Girona --address "Carrer Nou, 1"')
  await calctl(`events create --title Concert ${day(5)} --description Jazz --venue "Sala Gran"`)
  await calctl(`events create --title Fira ${day(6)} --description Parades`)
  const { out } = await calctl(
    'lint events --online --severity info --only rich-results-required,rich-results-recommended -o json -q',
  )
  const found = (JSON.parse(out) as { title: string; message: string }[]).map(
    ({ title, message }) => `${title} ${message}`,
  )
  expect(found).toContain('Fira lacks a venue for search engines')
  expect(found).toContain('Concert lacks an image for search engines')
  expect(found).toContain('Concert lacks an organizer for search engines')
  expect(found).not.toContain('Concert lacks a venue for search engines')
})

test('events whose data for search engines is not there, or was not asked for, are counted once', async () => {
  const after: Stage['after'] = answer => {
    const body = JSON.parse(answer.body)
    if (body.title === 'Fira') answer.body = JSON.stringify({ ...body, json_ld: undefined })
  }
  const { calctl, calctlWith, folder } = await stagedSite({ after }, { now: testTime })
  await calctl(`events create --title Concert ${day(5)} --description Jazz`)
  await calctl(`events create --title Fira ${day(6)} --description Parades`)
  const line = 'lint events --online --severity info --only rich-results-required,rich-results-recommended'
  expect((await calctl(line)).err).toMatch(
    /^not checked: 1 event for which the site gives no data for search engines, for example 2\n.* in 2 events\n$/,
  )
  const rules = { 'rich-results-required': ['warning', { events: 1 }] }
  writeFileSync(join(folder, '.calctl.json'), JSON.stringify({ lint: { rules } }))
  expect((await calctlWith({}, { cwd: folder })(line)).err).toContain(
    'checked the data for search engines of 1 of 2 events; to check more, raise the threshold "events" of the rule\n',
  )
})

test('links of a public calendar into a private network are not asked for, and that is said', async () => {
  const { asked, origin } = await webSite()
  const calctl = calendar()
  const links = [
    origin,
    'http://169.254.169.254',
    'http://[::ffff:10.0.0.1]',
    'http://printer.local',
    'http://localhost',
  ]
    .map(address => `<a href="${address}/gone">x</a>`)
    .join('')
  await calctl(['events', 'create', '--title', 'A', '--description', links, ...words(day(1))])
  expect(await calctl('lint events --online')).toEqual({
    status: 0,
    out: '',
    err: `not checked: 5 addresses on a private network, for example ${origin}/gone\nno problems found in 1 event\n`,
  })
  expect(asked).toEqual([])
})

test('a name that leads to a private address is not asked for either, whatever it is called', async () => {
  const { origin } = await webSite()
  const refused = await new Promise(done => lookUpPublic('localhost', { all: true }, done))
  expect(refused).toBeInstanceOf(PrivateAddress)
  expect(
    ['93.184.215.14', '[2606:2800:21f::1]', 'example.org', 'local.example', '172.32.0.1'].filter(isPrivateHost),
  ).toEqual([])
  expect(await isPrivateSite(origin)).toBe(true)
  expect(await isPrivateSite('http://localhost:8080/wp-json')).toBe(true)
  expect(await isPrivateSite(undefined)).toBe(false)
})

test('a host gets two requests at once, and a server that sends a whole video is cut off', async () => {
  let [active, most, sent] = [0, 0, 0]
  const server = createServer(async ({ method }, response) => {
    active += 1
    most = Math.max(most, active)
    await new Promise(done => setTimeout(done, 5))
    active -= 1
    if (method === 'HEAD') return void response.writeHead(405).end()
    const chunks = function* () {
      for (; sent < 1000; sent++) yield Buffer.alloc(64 * 1024)
    }
    pipeline(Readable.from(chunks()), response, () => {})
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const probe = openLinkProbe({ timeout: 10_000, reachesPrivate: true })
  onTestFinished(() => probe.close())
  const paths = Array.from({ length: 10 }, (_, index) => `http://127.0.0.1:${port}/${index}`)
  expect(await Promise.all(paths.map(path => probe.inspect(path)))).toEqual(paths.map(() => ({ problem: undefined })))
  expect(most).toBe(2)
  expect(sent).toBeLessThan(1000)
})
