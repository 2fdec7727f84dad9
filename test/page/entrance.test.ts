import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import type { Response } from '../../src/contract/exchange.ts'
import { entered, entranceIn, previewOf } from './preview-of.ts'

const get = async (address: string, headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await fetch(address, { method, headers: { connection: 'close', ...headers } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('the browser is given a file that only the user can read, and no token; it is removed when it was used', async () => {
  const { opened } = await previewOf()
  expect([statSync(dirname(opened)).mode & 0o777, statSync(opened).mode & 0o777]).toEqual([0o700, 0o600])
  const token = new URL(entranceIn(opened)).searchParams.get('token') ?? ''
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(opened).not.toContain(token)
  await entered(opened)
  expect(existsSync(dirname(opened))).toBe(false)
})

test('a file that nobody used is removed when the command ends', async () => {
  const { opened, stop } = await previewOf()
  await stop()
  expect(existsSync(dirname(opened))).toBe(false)
})

test('the token works once, and only for a GET', async () => {
  const { opened } = await previewOf()
  const address = entranceIn(opened)
  const refused = [
    await get(address, {}, 'HEAD'),
    await get(address, {}, 'POST'),
    await get(`${address}x`),
    await get(`${address}&token=1`),
    await get(address, { origin: 'http://evil.example' }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  const answers = await Promise.all(Array.from({ length: 20 }, () => get(address, { 'sec-fetch-site': 'cross-site' })))
  const [through, ...others] = answers.toSorted((one, other) => one.status - other.status)
  expect(through?.headers.get('set-cookie')).toMatch(
    /^calctl-\d+=[\w-]{43}; Path=\/[\w-]{43}\/; HttpOnly; SameSite=Strict$/,
  )
  expect(new Set(others.map(({ status, headers }) => `${status} ${headers.get('set-cookie')}`))).toEqual(
    new Set(['403 null']),
  )
})

test('without a browser, the printed address leads there', async () => {
  const { origin, opened, stop } = await previewOf({ openPage: () => Promise.reject(new Error('no browser')) })
  const address = entranceIn(opened)
  expect((await get(address)).headers.get('set-cookie')).toContain('HttpOnly')
  const said = await stop()
  expect(said).toContain(`no browser could be opened; the page is ${address}`)
  expect(address).toContain(`${origin}/enter?token=`)
})

test('another user of the machine and another origin get the same refusal as everybody', async () => {
  const { opened, origin, reached } = await previewOf()
  const nobody = await get(origin)
  const { home, cookie } = await entered(opened)
  const list = `${home}/calendar/events/v1/events`
  const [name, value] = cookie.split('=')
  const refused = await Promise.all([
    get(`${home}/`),
    get(list),
    get(list, { cookie: `${name}=${value?.slice(0, -1)}` }),
    get(list, { cookie: `other=${value}` }),
    get(`${origin}/`, { cookie }),
    get(`${origin}/calendar/events/v1/events`, { cookie }),
    get(list, { cookie, origin: 'http://127.0.0.1:1' }),
    get(list, { cookie, origin: 'null' }),
    get(list, { cookie, 'sec-fetch-site': 'cross-site' }),
    get(list, { cookie, 'sec-fetch-site': 'same-site' }),
  ])
  for (const { status, text } of refused) expect([status, text]).toEqual([nobody.status, nobody.text])
  expect(nobody.status).toBe(403)
  expect(reached).toEqual([])
  expect((await get(list, { cookie: `a=b; ${cookie}`, origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
})

test('no other page can show, open or load an answer', async () => {
  const { opened, origin } = await previewOf()
  const refusal = await get(origin)
  const entrance = await get(entranceIn(opened))
  for (const { headers } of [refusal, entrance])
    expect(Object.fromEntries(headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
})

test.each([
  ['a list of another kind', 'wp/v2/users', 404],
  ['a record', 'calendar/events/v1/events/1', 404],
  ['a parameter that the page does not send', 'calendar/events/v1/events?password=x', 400],
  ['a filter of another list', 'calendar/events/v1/tags?status=draft', 400],
  ['a value that is none', 'calendar/events/v1/events?starts_after=1%20OR%201', 400],
  ['an empty value', 'calendar/events/v1/events?categories=', 400],
  ['two values', 'calendar/events/v1/events?page=1&page=2', 400],
  ['a control character', 'calendar/events/v1/events?search=a%0Ab', 400],
  ['a NUL', 'calendar/events/v1/events?search=%00', 400],
  ['more than the public sees', 'calendar/events/v1/events?context=edit', 400],
  ['16 KB', `calendar/events/v1/events?search=${'x'.repeat(20_000)}`, 431],
])('%s is not read from the site', async (_, path, status) => {
  const { opened, reached } = await previewOf()
  const { home, cookie } = await entered(opened)
  expect((await get(`${home}/${path}`, { cookie })).status).toBe(status)
  expect(reached).toEqual([])
})

test('of the answers of a site, only the body of a list is passed on', async () => {
  const { opened } = await previewOf({
    site:
      service =>
      async (request): Promise<Response> => {
        if (request.path.endsWith('/tags')) return { status: 500, headers: { 'x-secret': 'a' }, body: 'stack trace' }
        if (request.path.endsWith('/venues'))
          return { status: 302, headers: { location: 'http://evil.example' }, body: '' }
        const headers = { 'content-type': 'text/html', 'set-cookie': 'a=b', 'access-control-allow-origin': '*' }
        return { ...(await service(request)), headers }
      },
  })
  const { home, cookie } = await entered(opened)
  const read = (name: string) => get(`${home}/calendar/events/v1/${name}`, { cookie })
  const list = await read('events')
  expect([list.status, list.headers.get('content-type')]).toEqual([200, 'application/json; charset=UTF-8'])
  expect([list.headers.get('set-cookie'), list.headers.get('access-control-allow-origin')]).toEqual([null, null])
  const [failed, moved] = [await read('tags'), await read('venues')]
  expect([failed.status, moved.status]).toEqual([500, 502])
  expect(failed.text + [...failed.headers]).not.toMatch(/stack|x-secret/)
  expect(moved.headers.get('location')).toBeNull()
})
