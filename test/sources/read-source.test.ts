import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { requireTrustedSources, sourcesHere } from '../../src/cli/commands/sources/source-world.ts'
import type { FileRecord } from '../../src/files/records/file-record.ts'
import { isOwnHost, publicLookup } from '../../src/sources/public-address.ts'
import { eventsOf, reader } from './reader.ts'
import { concert, feedOf, web } from './web.ts'

const sheet = 'title,start_date,end_date\nFira,2026-12-05 10:00,2026-12-05 14:00\n'
const fira = [['Fira', '2026-12-05 10:00:00']]

const lastStart = ({ records }: { records: readonly FileRecord[] }) =>
  records
    .map(({ values }) => values.start_date)
    .toSorted()
    .at(-1)

test('before it is trusted, a file reads nothing outside its folder, not even by a link', async () => {
  for (const place of ['../secret.csv', 'link.csv']) {
    const { read, trust, root, cwd } = reader([{ name: 'town', place }])
    writeFileSync(join(root, 'secret.csv'), sheet)
    symlinkSync(join(root, 'secret.csv'), join(cwd, 'link.csv'))
    expect(eventsOf(await read())).toMatch(
      /sources.yaml is not trusted: its source town cannot be read from .*, which is outside its folder$/,
    )
    await trust()
    expect(eventsOf(await read())).toEqual(fira)
  }
})

test('before it is trusted, and after it has changed, a file changes no calendar', async () => {
  const { world, cwd, trust, write } = reader([{ name: 'town', place: 'town.csv' }])
  const changes = async () => requireTrustedSources(world, await sourcesHere(world))
  await expect(changes()).rejects.toThrow(/sources.yaml is not trusted: its sources cannot change a calendar$/)
  await trust()
  await changes()
  write('sources.yaml', 'sources:\n  - name: other\n    place: /etc/passwd\n')
  await expect(changes()).rejects.toThrow(/changed after it was trusted: its sources cannot change a calendar$/)
  rmSync(join(cwd, 'sources.yaml'))
  await expect(changes()).rejects.toThrow('there is no sources.yaml in this folder')
})

test('a file of its folder is read without trust', async () => {
  const { read, write } = reader([{ name: 'town', place: 'town.csv' }])
  write('town.csv', sheet)
  expect(eventsOf(await read())).toEqual(fira)
})

test('before it is trusted, a file sends nothing to this machine, by no name of it, and no credentials', async () => {
  const { url, seen } = await web({ '/town.ics': feedOf(concert('a')) })
  const { port } = new URL(url)
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', '0x7f.1', '10.0.0.1']
  for (const host of hosts) {
    const { read } = reader([{ name: 'town', place: `http://${host}:${port}/town.ics` }])
    expect(eventsOf(await read()), host).toMatch(/is not trusted: .* which is not on the public web$/)
  }
  const withKey = { name: 'town', place: 'https://town.example/a.ics', headers: { 'X-Key': 'env:KEY' } }
  expect(eventsOf(await reader([withKey], { KEY: 'sesame' }).read())).toMatch(/cannot be read with credentials$/)
  expect(seen).toEqual([])
})

test('a trusted source gets its headers, and is told who asks', async () => {
  const { url, seen } = await web({ '/town.ics': feedOf(concert('a')) })
  const { read, trust } = reader([{ name: 'town', place: `${url}/town.ics`, headers: { 'X-Key': 'env:KEY' } }], {
    KEY: 'sesame',
  })
  await trust()
  expect(eventsOf(await read())).toEqual([['Concert', '2026-12-05 19:00:00']])
  expect(seen[0]?.headers).toMatchObject({ 'x-key': 'sesame', 'user-agent': 'calctl (+https://town.example)' })
})

test('what did not change is not read again: by ETag, by date, or by the same bytes', async () => {
  const feed = feedOf(concert('a'))
  const { url, answers, seen } = await web({})
  const { read, trust, later } = reader([{ name: 'town', place: `${url}/town.ics` }])
  await trust()
  const validator = { etag: '"v1"', 'last-modified': 'Sat, 21 Nov 2026 01:00:00 GMT' }
  for (const header of ['etag', 'last-modified', undefined] as const) {
    seen.length = 0
    answers['/town.ics'] = (headers, response) => {
      const asked = header === 'etag' ? headers['if-none-match'] : headers['if-modified-since']
      if (header && asked === validator[header]) return void response.writeHead(304).end()
      response.writeHead(200, header ? { [header]: validator[header] } : {}).end(feed)
    }
    const first = await read()
    if (first.state !== 'read') throw new Error(first.state)
    later()
    expect(await read(JSON.parse(JSON.stringify(first.validators)))).toEqual({ state: 'unchanged' })
    expect(seen).toHaveLength(2)
  }
})

test('a feed is read again on the next day, because its series go on, and after a change of its settings', async () => {
  const weekly = concert('a').replace('SUMMARY', 'RRULE:FREQ=WEEKLY\r\nSUMMARY')
  const { url, seen } = await web({
    '/town.ics': ({ 'if-none-match': known }, response) =>
      known ? response.writeHead(304).end() : response.writeHead(200, { etag: '"v1"' }).end(feedOf(weekly)),
  })
  const { read, trust, later, write } = reader([{ name: 'town', place: `${url}/town.ics` }])
  await trust()
  const first = await read()
  if (first.state !== 'read') throw new Error(first.state)
  expect(lastStart(first)).toBe('2027-11-20 19:00:00')
  later(new Date('2026-11-29T02:00:00Z'))
  const next = await read(first.validators)
  if (next.state !== 'read') throw new Error(next.state)
  expect(lastStart(next)).toBe('2027-11-27 19:00:00')
  expect(await read(next.validators)).toEqual({ state: 'unchanged' })
  write('sources.yaml', JSON.stringify({ sources: [{ name: 'town', place: `${url}/town.ics`, tags: ['town'] }] }))
  await trust()
  later()
  expect((await read(next.validators)).state).toBe('read')
  expect(seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, '"v1"', undefined])
})

test('one host gets one request at a time, and a failure stops no other', async () => {
  let open = 0
  let most = 0
  const names = ['a', 'b', 'c', 'd']
  const { url } = await web(
    Object.fromEntries(
      names.map(name => [
        `/${name}.ics`,
        (_, response) => {
          open += 1
          most = Math.max(most, open)
          setTimeout(() => {
            open -= 1
            response.writeHead(name === 'b' ? 500 : 200).end(feedOf(concert(name)))
          }, 20)
        },
      ]),
    ),
  )
  const { read, trust } = reader(names.map(name => ({ name, place: `${url}/${name}.ics` })))
  await trust()
  const readings = await Promise.all(names.map(name => read(undefined, name)))
  expect(readings.map(({ state }) => state)).toEqual(['read', 'failed', 'read', 'read'])
  expect(most).toBe(1)
})

test.each([
  ['a feed that is cut off', feedOf(concert('a')).slice(0, -15), /town is truncated: missing END:VCALENDAR/],
  ['a page in place of a feed', '<!DOCTYPE html><title>Log in</title>', /town is not iCalendar: it begins with/],
])('%s is a failure', async (_, answer, message) => {
  const { url } = await web({ '/town.ics': answer })
  const { read, trust } = reader([{ name: 'town', place: `${url}/town.ics`, kind: 'icalendar' }])
  await trust()
  expect(eventsOf(await read())).toMatch(message)
})

test('another charset is read as what it says', async () => {
  const bytes = Buffer.from(feedOf(concert('a', 'Cançó d\u2019amor')).replace('\u2019', "'"), 'latin1')
  const { url } = await web({
    '/town.ics': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/calendar; charset=iso-8859-1' }).end(bytes),
  })
  const { read, trust } = reader([{ name: 'town', place: `${url}/town.ics` }])
  await trust()
  expect(eventsOf(await read())).toEqual([["Cançó d'amor", '2026-12-05 19:00:00']])
})

test('an answer of more than 50 MB is a failure, however small it is packed', async () => {
  const packed = gzipSync(Buffer.alloc(51 * 1024 ** 2, 'a'))
  const { url } = await web({
    '/town.ics': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
  })
  const { read, trust } = reader([{ name: 'town', place: `${url}/town.ics` }])
  await trust()
  expect(eventsOf(await read())).toBe('cannot read town: it is larger than 50 MB')
})

test('the name of a host that leads to this machine is not looked up for a file that is not trusted', async () => {
  const failure = await new Promise(resolve => publicLookup('localhost', {}, resolve))
  expect(failure).toMatchObject({ code: 'ENOTFOUND' })
  expect(isOwnHost(new URL('http://town.localhost.'))).toBe(true)
  expect(isOwnHost(new URL('http://93.184.215.14'))).toBe(false)
})

const agenda = `<!DOCTYPE html><script type="application/ld+json">${JSON.stringify({
  '@type': 'Event',
  name: 'Xerrada',
  startDate: '2026-12-05T19:00:00+01:00',
})}</script>`

test.each([
  ['no robots.txt', undefined, true],
  ['rules for others', 'User-agent: other\nDisallow: /\n', true],
  ['rules for all', 'User-agent: *\nDisallow: /private\nDisallow: /agenda\n', false],
  ['rules for calctl', 'User-agent: *\nDisallow: /\n\nUser-agent: calctl\nAllow: /agenda\n', true],
  ['a robots.txt that fails', 503, false],
])('a page is read if its site lets programs: %s', async (_, robots, isRead) => {
  const { url, answers, seen } = await web({ '/agenda': agenda, '/agenda.ics': feedOf(concert('a')) })
  if (typeof robots === 'string') answers['/robots.txt'] = robots
  if (typeof robots === 'number') answers['/robots.txt'] = (_, response) => response.writeHead(robots).end()
  const { read, trust } = reader([
    { name: 'page', place: `${url}/agenda` },
    { name: 'feed', place: `${url}/agenda.ics` },
  ])
  await trust()
  const reading = await read(undefined, 'page')
  if (isRead) expect(eventsOf(reading)).toEqual([['Xerrada', '2026-12-05 19:00:00']])
  else expect(reading.state).toBe('failed')
  seen.length = 0
  expect((await read(undefined, 'feed')).state).toBe('read')
  expect(seen.map(({ path }) => path)).toEqual(['/agenda.ics'])
})
