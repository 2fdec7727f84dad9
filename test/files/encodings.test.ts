import { describe, expect, test } from 'vitest'
import { read } from '../support/record-files.ts'

const text = 'title,cost\nNit d’òpera,"15,50 €"\n'
const expected = { title: 'Nit d’òpera', cost: '15.50 €' }
const windows1252 = Buffer.from(text.replace('’', '\x92').replace('€', '\x80'), 'latin1')
const utf16 = Buffer.from(text, 'utf16le')

describe.each([1, 7, 65_536])('in chunks of %i bytes', chunk => {
  test.each([
    ['UTF-8', Buffer.from(text), []],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`), []],
    ['UTF-16', utf16, ['a.csv: read as UTF-16']],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le'), ['a.csv: read as UTF-16']],
    [
      'UTF-16, big end first, with a byte order mark',
      Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      ['a.csv: read as UTF-16'],
    ],
    ['UTF-16, big end first', Buffer.from(utf16).swap16(), ['a.csv: read as UTF-16']],
    ['Windows-1252', windows1252, ['a.csv: not UTF-8, read as Windows-1252 (Latin-1)']],
  ])('%s', async (_, bytes, expectedNotices) => {
    const { records, notices } = await read(bytes, { name: 'a.csv' }, chunk)
    expect(records).toMatchObject([{ values: expected }])
    expect(notices).toEqual(expectedNotices)
  })
})

test.each([
  ['what begins like a workbook', Buffer.from('PK\x03\x04rest'), 'a.csv is cut off or damaged'],
  ['a PDF', Buffer.from('%PDF-1.7\n'), 'a.csv is a PDF, not text'],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'a.csv is not text'],
  [
    'what is half UTF-8',
    Buffer.concat([Buffer.from('title\nòpera\n'), Buffer.from('\xf2pera\n', 'latin1')]),
    'a.csv is UTF-8, but line 3 is not',
  ],
  [
    'what has one damaged byte',
    Buffer.concat([Buffer.from('title\n\n'), Buffer.from('Caf\xe9\n', 'latin1'), Buffer.from('òpera\ncançó\n')]),
    'a.csv is UTF-8, but line 3 is not',
  ],
])('refuses %s', async (_, bytes, message) => {
  for (const chunk of [1, 8, 65_536])
    await expect(read(bytes, { name: 'a.csv' }, chunk)).rejects.toMatchObject({ kind: 'usage', message })
})

const feed = (summary: string) =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20270106T100000Z\r\nSUMMARY:${summary}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`

test.each([
  ['Cafè i música', Buffer.from(feed('Cafè i música')), []],
  ['Cafè', Buffer.from(Buffer.from(feed('Cafè')).toString('latin1').replace('\xa8', '\r\n \xa8'), 'latin1'), []],
  [
    'Nit 👩‍🎤',
    Buffer.from(Buffer.from(feed('Nit 👩‍🎤')).toString('latin1').replace('\x9f\x91', '\x9f\n\t\x91'), 'latin1'),
    [],
  ],
  ['Cançó', Buffer.from(feed('Cançó'), 'latin1'), ['the input: not UTF-8, read as Windows-1252 (Latin-1)']],
])('a feed with lines folded within a character: %s', async (title, bytes, expectedNotices) => {
  for (const chunk of [1, 65_536]) {
    const { records, notices } = await read(bytes, {}, chunk)
    expect(records).toMatchObject([{ values: { title } }])
    expect(notices).toEqual(expectedNotices)
  }
})

test('a text in 300,000 folded lines is read in seconds', { timeout: 20_000 }, async () => {
  const { records } = await read(feed(`a${'\r\n b'.repeat(300_000)}`))
  expect(records).toMatchObject([{ values: { title: `a${'b'.repeat(300_000)}` } }])
})

test.each(['utf8', 'utf16le'] as const)('a large file of one line is read: %s', async encoding => {
  const line = `\uFEFF[${'{"name":"Jazz"},'.repeat(20_000)}{"name":"Rock"}]`
  const { records } = await read(Buffer.from(line, encoding), { name: 'tags.json', resource: 'tags' })
  expect(records).toHaveLength(20_001)
})
