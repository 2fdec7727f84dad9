import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { worldOf } from '../support/world.ts'

const body = JSON.stringify({ tags: [], total: 0, total_pages: 0, id: 1, name: 'Jazz', slug: 'jazz' })

const answer = (start: string, headers = '', content = body) =>
  `HTTP/1.1 ${start}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${content.length}\r\n\r\n${content}`

const withHead = (head: string, content: string | Uint8Array = body) =>
  Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), Buffer.from(content)])

/** Answers that are no HTTP, or contradict themselves. */
const malformed: Readonly<Record<string, string | Uint8Array>> = {
  ...Object.fromEntries(['000', '001', '099', '1', '2000', '-20', 'abc', '20x'].map(one => [one, answer(`${one} X`)])),
  'bad name': answer('200 OK', 'Bad Name: x\r\n'),
  'control character in a name': answer('200 OK', 'Bad\x01: x\r\n'),
  'empty name': answer('200 OK', ': x\r\n'),
  'no colon': answer('200 OK', 'nothing\r\n'),
  'NUL in a header': answer('200 OK', 'X: a\0b\r\n'),
  'long header': answer('200 OK', `X: ${'a'.repeat(200_000)}\r\n`),
  'many headers': answer('200 OK', 'X: a\r\n'.repeat(20_000)),
  'folded header': answer('200 OK', 'X: a\r\n b\r\n'),
  'only NULs': '\0'.repeat(100),
  'NUL before': `\0${answer('200 OK')}`,
  'size of a chunk': withHead('Transfer-Encoding: chunked', 'zz\r\nabc\r\n0\r\n\r\n'),
  'huge chunk': withHead('Transfer-Encoding: chunked', 'ffffffffffffffffffff\r\nabc\r\n0\r\n\r\n'),
  'short chunk': withHead('Transfer-Encoding: chunked', '5\r\nabcdefgh\r\n0\r\n\r\n'),
  'two lengths': withHead(`Content-Length: 5\r\nContent-Length: ${body.length}`),
  'negative length': withHead('Content-Length: -5'),
  'length and chunks': withHead('Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n'),
  'HTTP/0.9': body,
  'HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/2 frame': Buffer.from('000006040000000000000400100000', 'hex'),
  'HTTP/3.7': 'HTTP/3.7 200 OK\r\nContent-Length: 0\r\n\r\n',
  'a request': 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'line feeds alone': answer('200 OK').replaceAll('\r\n', '\n'),
  'TLS alert': Buffer.from('15030100020228', 'hex'),
  'no gzip': withHead('Content-Encoding: gzip\r\nContent-Length: 20', 'x'.repeat(20)),
  'half a gzip': withHead('Content-Encoding: gzip\r\nContent-Length: 20', gzipSync(body).subarray(0, 20)),
}

/** Answers that end too early, or before they began. */
const lost: Readonly<Record<string, string>> = {
  nothing: '',
  'too few bytes': withHead('Content-Length: 9999').toString(),
  '101': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  'many of 102': 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000),
}

/** Answers with the body of a success, whose status says that it is not the whole of one. */
const partial = ['202', '203', '205', '206', '207', '226', '299']

const otherwise = ['204', '300', '304', '305', '306', '399', '600', '999']

async function serverOf(bytes: string | Uint8Array): Promise<string> {
  const server = createServer(socket => {
    socket.on('error', () => {}).once('data', () => socket.end(bytes))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const sentences = {
  en: { malformed: 'the answer of URL is not well-formed HTTP', partial: 'URL answered STATUS instead of 200' },
  ca: { malformed: 'la resposta de URL no és HTTP ben format', partial: 'URL ha respost STATUS en lloc de 200' },
  es: { malformed: 'la respuesta de URL no es HTTP bien formado', partial: 'URL ha respondido STATUS en lugar de 200' },
} as const

type Language = keyof typeof sentences

/** What `tags list` says of an answer: its status, its first line, and the number of lines. */
async function read(bytes: string | Uint8Array, language: Language = 'en', line = 'tags list') {
  const url = await serverOf(bytes)
  const calctl = worldOf({})
  const { status, out, err } = await calctl(`${line} --retries 0 --ui ${language} --base-url ${url}`)
  const [said = '', hint = '', ...more] = err
    .replaceAll(url, 'URL')
    .replace(/^(pista|suggeriment|consell|sugerencia): /m, 'hint: ')
    .trimEnd()
    .split('\n')
  return { status, out, said, hint, more }
}

const languages = Object.keys(sentences) as Language[]

describe.each(languages)('%s', language => {
  test.each(Object.keys(malformed))('an answer that is not HTTP: %s', async name => {
    const { hint, ...found } = await read(malformed[name] ?? '', language)
    expect(found).toEqual({ status: 5, out: '', said: `error: ${sentences[language].malformed}`, more: [] })
    expect(hint).toMatch(/^hint: /)
  })

  test.each(partial)('status %s is not the whole of a list', async code => {
    const { hint, ...found } = await read(answer(`${code} X`), language)
    const said = `error: ${sentences[language].partial.replace('STATUS', code)}`
    expect(found).toEqual({ status: 5, out: '', said, more: [] })
    expect(hint).toMatch(/^hint: /)
  })
})

test.each(Object.keys(lost))('an answer that does not arrive whole: %s', async name => {
  const { status, said, more } = await read(lost[name] ?? '')
  expect([status, said, more]).toEqual([5, 'error: the connection to URL was lost', []])
})

test.each(otherwise)('status %s is a failure with a sentence', async code => {
  const { status, out, said, hint, more } = await read(
    answer(`${code} X`, '', code === '204' || code === '304' ? '' : body),
  )
  expect([3, 5]).toContain(status)
  expect([out, more]).toEqual(['', []])
  expect(said).toMatch(new RegExp(`^error: URL answered ${code} `))
  expect(hint).toMatch(/^hint: /)
})

test.each(['200 OK', '200', '200 ', '201 Created'])('status "%s" is the whole of a list', async start => {
  expect(await read(answer(start))).toMatchObject({ status: 0 })
})

test('after 103 Early Hints comes the answer', async () => {
  expect(await read(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${answer('200 OK')}`)).toMatchObject({ status: 0 })
})

test.each([...partial, '000'])('a create that is answered with %s may have been done', async code => {
  const { status, said, more } = await read(answer(`${code} X`), 'en', 'tags create --name Jazz --json')
  const { error } = JSON.parse(said)
  expect([status, error.kind, more]).toEqual([5, 'unreachable', []])
})
