import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startServe } from '../support/start-serve.ts'
import { worldOf } from '../support/world.ts'
import { town } from './town.ts'

const plain = { NO_COLOR: '1' }

async function townWithJazz(options: Parameters<typeof town>[0] = {}) {
  const { calctl, seen } = await town(options)
  const description = `<p>A night of <b>jazz</b> &amp; blues. <a href="https://example.org/jazz">More</a></p>
<h2>Programme</h2>
<ul><li>First half</li><li>Second half</li></ul><script>alert(1)</script>`
  await calctl([
    ...'events create --title Jazz --start-date 2026-12-05T20:00 --end-date 2026-12-05T22:00 -q -o ids'.split(' '),
    ...['--description', description, '--venue', '1', '--categories', '1', '--cost', '15 €', '--status', 'draft'],
  ])
  seen.length = 0
  return { calctl, seen }
}

const card = `Jazz (draft)

When        Saturday 5 December 2026, 20:00–22:00
Where       Teatre Principal, Carrer Nou 1, Girona
Cost        15 €
Categories  Music
ID          9 (jazz)
Page        http://calendar.test/?post_type=tribe_events&p=9

A night of jazz & blues. More <https://example.org/jazz>

Programme
 * First half
 * Second half
`

test('on a terminal, an event is a card', async () => {
  const { calctl, seen } = await townWithJazz({ terminal: 80, env: plain })
  expect(await calctl('events get jazz')).toEqual({ status: 0, out: card, err: '' })
  expect(seen).toHaveLength(1)
})

test('in a pipe, with -o, --fields or --full, a record is what it always was', async () => {
  const piped = await townWithJazz()
  const { calctl } = await townWithJazz({ terminal: 80, env: plain })
  for (const more of ['-o json', '-o yaml', '-o csv'])
    expect((await calctl(`events get 9 ${more}`)).out).toBe((await piped.calctl(`events get 9 ${more}`)).out)
  expect((await piped.calctl('events get 9')).out).toContain('9\t2026-12-05 20:00:00\tJazz')
  expect((await calctl('events get 9 --fields id,title')).out).toBe('ID     9\nTitle  Jazz\n')
  expect((await calctl('events get 9 --full')).out).toContain('Show map link')
  expect((await calctl('events get 9 --full')).out).toBe((await calctl('events get 9 -o table')).out)
})

test('days of an event are written in its language', async () => {
  const { calctl } = await town({ language: 'ca', terminal: 100, env: plain })
  const { out } = await calctl('events get fair')
  expect(out).toContain('When        Divendres, 20 de novembre – diumenge, 22 de novembre de 2026, tot el dia\n')
  expect((await calctl('events get exhibition')).out).toContain(', 10:00 – ')
})

test('a card fits into 20 columns', async () => {
  const { calctl } = await townWithJazz({ terminal: 20, env: plain })
  const { out } = await calctl('events get jazz')
  expect(out).toContain(`Jazz (draft)

When
  Saturday 5
  December 2026,
  20:00–22:00
Where
  Teatre Principal,
  Carrer Nou 1,
  Girona
`)
})

test('venues, organizers and terms have cards, too', async () => {
  const { calctl } = await town({ terminal: 80, env: plain })
  expect((await calctl('venues get 1')).out).toBe(`Teatre Principal

Address  Carrer Nou 1, Girona
ID       1 (teatre-principal)
Page     http://calendar.test/venue/teatre-principal/
`)
  expect((await calctl('categories get 1')).out).toMatch(/^Music\n\nEvents +3\nID +1 \(music\)\n/)
  await calctl('organizers create --organizer Cor --email cor@example.org -q -o ids')
  expect((await calctl('organizers get cor')).out).toContain('Email  cor@example.org\n')
})

test('--web needs a site, and opens nothing but pages', async () => {
  const opened: string[] = []
  const { calctl, seen } = await town({ openPage: async url => void opened.push(url) })
  expect(await calctl('events get fair --web')).toMatchObject({ status: 2, out: '' })
  expect(await calctl('events get fair --web --json')).toMatchObject({ status: 2, out: '' })
  expect({ opened, seen }).toEqual({ opened: [], seen: [] })
})

test('--web opens the page of a record of a site, or says where it is', async () => {
  const site = await startServe('--memory --quirks --namespace tribe/events/v1 --user editor:secret --port 0')
  if (!('url' in site)) throw new Error(site.err)
  const opened: string[] = []
  const env = {
    CALCTL_BASE_URL: site.url,
    CALCTL_NAMESPACE: 'tribe/events/v1',
    CALCTL_USER: 'editor',
    CALCTL_PASSWORD: 'secret',
  }
  const calctl = worldOf({ env, openPage: async url => void opened.push(url) })
  await calctl('events create --title Jazz --start-date 2026-12-05 --end-date 2026-12-05 -q -o ids')
  const { status, out, err } = await calctl('events get jazz --web')
  expect({ status, out, err }).toEqual({ status: 0, out: '', err: `opened ${opened[0]}\n` })
  expect(opened).toEqual([expect.stringMatching(/^http:.*jazz/)])
  const without = worldOf({ env, openPage: () => Promise.reject(new Error('no browser')) })
  expect(await without('events get jazz --web')).toMatchObject({
    status: 0,
    err: `no browser could be opened; the page is ${opened[0]}\n`,
  })
  await site.stop()
})

/** Addresses that a site gives for a record, and what a browser gets: undefined for nothing. */
const addresses: readonly (readonly [address: unknown, opened: string | undefined])[] = [
  ['https://example.org/jazz', 'https://example.org/jazz'],
  ['HTTPS://Example.ORG/a b"c\'&calc', "https://example.org/a%20b%22c'&calc"],
  ['https://exámple.org/\u202efdp', 'https://xn--exmple-qta.org/%E2%80%AEfdp'],
  ...['\n', '\r', '\t', '\0', '\x1b[2J', '\x7f', '\x85'].flatMap(
    one =>
      [
        [`https://example.org/${one}--new-window`, undefined],
        [`${one}https://example.org/`, undefined],
        [`https://example.org/${one}`, undefined],
      ] as const,
  ),
  ...[
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'vscode://x',
    '//example.org',
    '-x',
    'https://',
    '',
  ].map(one => [one, undefined] as const),
  [undefined, undefined],
  [12, undefined],
]

test.each(addresses)('--web with the address %j', async (url, expected) => {
  const opened: string[] = []
  const server = createServer((_, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ id: 1, title: 'Jazz', slug: 'jazz', url }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const calctl = worldOf({ openPage: async page => void opened.push(page) })
  const { status, err } = await calctl(`events get 1 --web --base-url http://127.0.0.1:${port}`)
  expect(opened).toEqual(expected === undefined ? [] : [expected])
  expect([status, err]).toEqual(
    expected === undefined
      ? [4, 'error: event 1 has no page\nhint: show it here: calctl events get 1\n']
      : [0, expect.stringMatching(/^opened https:/)],
  )
})
