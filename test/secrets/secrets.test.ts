import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { sendRaw } from '../support/raw-http.ts'
import { spellings } from '../support/spellings.ts'
import { startServe } from '../support/start-serve.ts'
import { worldOf } from '../support/world.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'calctl-secrets-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

async function serve(line: string, setup: Parameters<typeof startServe>[1] = {}) {
  const server = await startServe(`--memory --port 0 ${line}`, setup)
  if (!('url' in server)) throw new Error(server.err)
  let ended: Promise<number> | undefined
  const stop = () => {
    ended ??= server.stop()
    return ended
  }
  onTestFinished(async () => void (await stop()))
  return { ...server, stop, events: `${server.url}/calendar/events/v1/events` }
}

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const values = { title: 'Concert', start_date: '2030-12-05 19:00:00', end_date: '2030-12-05 21:00:00', status: 'draft' }
const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(values),
  })

test('the password of a record is in no line of serve --log, however it is written', async () => {
  const { events, err } = await serve('--quirks --open --log --namespace calendar/events/v1')
  for (const name of ['password', 'p%61ssword']) await fetch(`${events}/1?a=1&${name}=sesame&b=2`)
  await expect.poll(err).toContain('GET /calendar/events/v1/events/1?a=1&p%61ssword=***&b=2 404')
  expect(err()).not.toContain('sesame')
})

test('no spelling of a secret parameter is shown by serve --log or remembered by the server, in a URL, a form or JSON', async () => {
  const { url, events, err } = await serve('--quirks --open --log --namespace calendar/events/v1 --token t')
  const nested = fc.letrec(tie => ({
    value: fc.oneof(
      fc.constant('sesame'),
      tie('value').map(value => [value]),
      tie('value').map(value => ({ a: value })),
    ),
  })).value
  const parameter = fc
    .tuple(fc.oneof(spellings('password'), spellings('post_password')), fc.constantFrom('', '[]', '%5B%5D', '[a][]'))
    // After an unclosed bracket, another one makes another name.
    .map(([name, brackets]) => (/\[|%5b|%00/i.test(name) ? name : name + brackets))
  const send = (target: string, type: string, body: string) =>
    fetch(target, { method: 'POST', headers: { 'content-type': type, connection: 'close' }, body })
  await fc.assert(
    fc.asyncProperty(parameter, nested, async (name, value) => {
      await fetch(`${events}/1?${name}=sesame`, { headers: { connection: 'close' } })
      await send(`${events}/1`, 'application/x-www-form-urlencoded', `a=1&${name}=sesame`)
      await send(`${events}/1`, 'application/json', JSON.stringify({ a: [{ password: value }] }))
    }),
    { numRuns: 40 },
  )
  const deep = '{"a":'.repeat(20_000)
  const head = '--x\r\nContent-Disposition: form-data; name="post_password"\r\n\r\n'
  for (const [type, body] of [
    ['application/json', '{"pass\\u0077ord":"sesame",}'],
    ['application/json', `${deep}{"password":"sesame"}${'}'.repeat(20_000)}`],
    ['multipart/form-data; boundary=x', `${head}sesame\r\n--x--`],
    ['text/plain', 'password=sesame'],
  ] as const)
    await send(`${events}/1`, type, body)
  const seen = await fetch(`${url}/__calctl/requests`, { headers: { 'x-calctl-token': 't', connection: 'close' } })
  expect(seen.status).toBe(200)
  expect(await seen.text()).not.toContain('sesame')
  await expect.poll(err).toContain('/__calctl/requests')
  expect(err()).not.toContain('sesame')
})

test('serve --log shows no credentials before a host', async () => {
  const { events, err } = await serve('--log')
  await sendRaw(
    Number(new URL(events).port),
    'GET http://ada:sesame@x/y HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  )
  await expect.poll(err).toContain('GET http://***@x/y ')
})

test('serve --log has no byte of a URL that a terminal obeys: Node refuses such requests', async () => {
  const { events, err } = await serve('--log')
  const port = Number(new URL(events).port)
  const request = (url: Buffer) =>
    sendRaw(
      port,
      Buffer.concat([Buffer.from('GET '), url, Buffer.from(' HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')]),
    )
  const bytes = [0x00, 0x07, 0x09, 0x0c, 0x1b, 0x7f, 0x9b, 0xc2, 0xff]
  for (const byte of bytes) expect(await request(Buffer.from([0x2f, byte, 0x61]))).toMatch(/^HTTP\/1.1 400 /)
  await request(Buffer.from('/last'))
  await expect.poll(err).toContain('GET /last ')
  expect(err()).not.toMatch(/[^\n -~]/)
})

test.each([
  ['a site that answers', '', /"url":"[^"]*password=\*\*\*/],
  ['a site that redirects', 'https://elsewhere.example/', /"url":"[^"]*password=\*\*\*/],
  ['a site that is gone', 'gone', /"url":"[^"]*events\/1"/],
])('the password of a record is in no report of an error of %s', async (_, location, expected) => {
  const { createServer } = await import('node:http')
  const site = createServer(({ socket }, response) => {
    if (location === 'gone') socket.destroy()
    else if (location === '') response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    else response.writeHead(302, { location }).end()
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void site.close())
  const address = site.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const calctl = worldOf({ env: { CALCTL_BASE_URL: `http://127.0.0.1:${address.port}` } })
  const { status, out, err } = await calctl('events get 1 --password sesame --retries 0 --json')
  expect(status).not.toBe(0)
  expect(out + err).not.toContain('sesame')
  expect(err).toMatch(expected)
})

test('a wrong name and a wrong password are answered alike, and late', async () => {
  const waits: number[] = []
  const { events } = await serve('--user ada:sesame', { sleep: async ms => void waits.push(ms) })
  const answers = await Promise.all(
    ['ada:wrong', 'bob:sesame'].map(async who => {
      const answer = await fetch(events, { headers: basic(who) })
      return [answer.status, await answer.text()]
    }),
  )
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]).toEqual([401, expect.stringContaining('The user name or the password is wrong.')])
  expect(waits).toEqual([500, 500])
  expect((await fetch(events, { headers: basic('ada:sesame') })).status).toBe(200)
  expect(waits).toEqual([500, 500])
})

test('a login that has been made before does not wait for those that fail', async () => {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  let waiting = 0
  const { events } = await serve('--user ada:sesame', {
    sleep: () => {
      waiting += 1
      return held
    },
  })
  const right = () => fetch(events, { headers: basic('ada:sesame') }).then(({ status }) => status)
  expect(await right()).toBe(200)
  const guesses = [1, 2, 3].map(number => fetch(events, { headers: basic(`ada:${number}`) }))
  await expect.poll(() => waiting).toBe(1)
  expect(await right()).toBe(200)
  expect(waiting).toBe(1)
  release()
  for (const { status } of await Promise.all(guesses)) expect(status).toBe(401)
})

test('the passwords of a users file are hashed in it, and work as before', async () => {
  const cwd = folder()
  const file = join(cwd, 'users')
  writeFileSync(file, 'ada:sesame\n\nbob:open:sesame\n', { mode: 0o640 })
  for (const turn of [1, 2]) {
    const { events, err, stop } = await serve('--users-file users', { cwd })
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain('sesame')
    expect(text).toMatch(/^ada:scrypt:\S+\n\nbob:scrypt:\S+\n$/)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(err().includes('hashed 2 passwords in users')).toBe(turn === 1)
    expect((await post(events, basic('ada:sesame'))).status).toBe(201)
    expect((await post(events, basic('bob:open:sesame'))).status).toBe(201)
    expect((await post(events, basic('bob:sesame'))).status).toBe(401)
    const [, hash = ''] = /^ada:(.*)$/m.exec(text) ?? []
    expect((await post(events, basic(`ada:${hash}`))).status).toBe(401)
    await stop()
  }
})

test('with quirks and without users, pages of other sites see what the public sees', async () => {
  const { events } = await serve('--quirks --open --namespace calendar/events/v1')
  const { id } = (await (await post(events)).json()) as { id: number }
  const read = (headers: Record<string, string>) => fetch(`${events}/${id}`, { headers }).then(({ status }) => status)
  expect(await read({})).toBe(200)
  expect(await read({ origin: 'https://evil.example' })).toBe(403)
  expect(await read({ origin: new URL(events).origin })).toBe(200)
  const listed = await fetch(`${events}?status=draft`, { headers: { origin: 'https://evil.example' } })
  expect(await listed.text()).not.toContain('Concert')
})
