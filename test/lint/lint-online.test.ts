import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { calendar } from '../calendar.ts'
import { stagedSite } from '../staged-site.ts'
import { testTime } from '../world.ts'

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

const day = (number: number) => `--start-date "2026-12-0${number} 19:00" --duration 2h`

test('--online finds links that lead nowhere and images that are gone, and asks for each address once', async () => {
  const { asked, origin } = await webSite()
  const calctl = calendar()
  const links = ['page', 'no-head', 'moved', 'login', 'gone'].map(name => `<a href="${origin}/${name}">x</a>`).join('')
  await calctl([
    'events',
    'create',
    '--title',
    'A',
    '--description',
    links,
    '--start-date',
    '2026-12-01 19:00',
    '--duration',
    '2h',
  ])
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
  const calctl = calendar()
  const links = Array.from({ length: 1010 }, (_, index) => `<a href="${origin}/page?${index}">x</a>`).join('')
  await calctl([
    'events',
    'create',
    '--title',
    'A',
    '--description',
    links,
    '--start-date',
    '2026-12-01 19:00',
    '--duration',
    '2h',
  ])
  const { err } = await calctl('lint --online --only dead-link')
  expect(err).toContain('looked at 1000 of 1010 addresses')
  expect(asked).toHaveLength(2000)
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
