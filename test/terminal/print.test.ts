import { expect, test } from 'vitest'
import { sanitize } from '../../src/base/text/escaping.ts'
import { listOf } from '../../src/base/text/sentence-parts.ts'
import { type PrintOptions, printRecords } from '../../src/cli/terminal/print.ts'
import { safeSink } from '../../src/cli/terminal/streams.ts'
import { events } from '../../src/contract/events.ts'
import type { Answer } from '../../src/contract/resource.ts'
import { aRecord, recordCount } from '../../src/contract/resource-words.ts'
import { tags } from '../../src/contract/terms.ts'

const jazz: Answer = {
  id: 1,
  title: 'Jazz a la plaça',
  start_date: '2026-12-05 19:00:00',
  all_day: false,
  venue: { id: 7, venue: 'Teatre Principal', city: 'Girona' },
  organizer: [
    { id: 8, organizer: 'Ajuntament', email: 'cultura@example.org' },
    { id: 9, organizer: 'Ateneu' },
  ],
  categories: [
    { id: 1, name: 'Música' },
    { id: 2, name: 'Jazz' },
  ],
  image: { id: 30, url: 'https://example.org/jazz.jpg' },
  status: 'publish',
}
const fair: Answer = {
  id: 12,
  title: 'Fira\tde\r\ntardor',
  start_date: '2026-12-06 00:00:00',
  all_day: true,
  venue: [],
  categories: [],
  status: 'draft',
}

async function printed(records: PrintOptions['records'], options: Partial<PrintOptions> & { columns?: number } = {}) {
  const chunks: string[] = []
  const write = async (text: string | Uint8Array) => {
    chunks.push(String(text))
  }
  const { columns } = options
  const stdout = safeSink({ write, isTTY: columns !== undefined, columns })
  await printRecords({ shape: events, records, env: {}, stdout, ...options })
  return chunks.join('')
}

async function* arriving(...records: Answer[]) {
  yield* records
}

test('a pipe gets uncut columns, tab-separated, one record per line', async () => {
  expect(await printed([jazz, fair])).toBe(
    '1\t2026-12-05 19:00:00\tJazz a la plaça\tTeatre Principal\tMúsica, Jazz\tpublish\n' +
      '12\t2026-12-06 00:00:00\tFira de tardor\t\t\tdraft\n',
  )
})

test('one record in a pipe is one such line', async () => {
  expect(await printed(fair, { fields: ['id', 'title'] })).toBe('12\tFira de tardor\n')
})

test('JSON is an array for a list, an object for one record', async () => {
  expect(JSON.parse(await printed([jazz, fair], { output: 'json' }))).toEqual([jazz, fair])
  expect(JSON.parse(await printed(jazz, { output: 'json' }))).toEqual(jazz)
  expect(await printed([], { output: 'json' })).toBe('[]\n')
  expect(await printed(arriving({ id: 1 }, { id: 2 }), { output: 'json' })).toBe(
    '[\n  {\n    "id": 1\n  },\n  {\n    "id": 2\n  }\n]\n',
  )
})

test('NDJSON has one record per line', async () => {
  expect(await printed(arriving({ id: 1 }, { id: 2, title: 'a\nb' }), { output: 'ndjson' })).toBe(
    '{"id":1}\n{"id":2,"title":"a\\nb"}\n',
  )
})

test('--fields keeps JSON nested, maps over lists, and prints null for missing values', async () => {
  const fields = ['id', 'venue.city', 'venue.phone', 'organizer.email', 'nothing.here']
  expect(JSON.parse(await printed(jazz, { output: 'ndjson', fields }))).toEqual({
    id: 1,
    venue: { city: 'Girona', phone: null },
    organizer: [{ email: 'cultura@example.org' }, { email: null }],
    nothing: { here: null },
  })
})

test('--fields with an object and one of its keys selects the whole object', async () => {
  expect(JSON.parse(await printed(jazz, { output: 'ndjson', fields: ['venue.city', 'venue'] }))).toEqual({
    venue: { id: 7, venue: 'Teatre Principal', city: 'Girona' },
  })
})

test('CSV has a heading, and quotes where necessary', async () => {
  const records = [{ id: 1, title: 'Jo, "tu"\ni ell', venue: { city: 'Girona' } }, { id: 2 }]
  expect(await printed(records, { output: 'csv', fields: ['id', 'title', 'venue.city'] })).toBe(
    'id,title,venue.city\n1,"Jo, ""tu""\ni ell",Girona\n2,,\n',
  )
  expect(await printed([], { output: 'csv', fields: ['id', 'title'] })).toBe('id,title\n')
})

test('TSV has a heading too', async () => {
  expect(await printed(arriving(jazz), { output: 'tsv', fields: ['id', 'organizer.organizer', 'image'] })).toBe(
    'id\torganizer.organizer\timage\n1\tAjuntament, Ateneu\thttps://example.org/jazz.jpg\n',
  )
})

test('TSV has one record per line: line breaks and tabs become spaces, control characters are removed', async () => {
  const record = { id: 1, title: 'Jo, "tu"\n\ti \u001b[31mell\u001b[0m\u0007' }
  expect(await printed([record], { output: 'tsv', fields: ['id', 'title'] })).toBe('id\ttitle\n1\tJo, "tu" i ell\n')
  expect(await printed([record], { fields: ['title'] })).toBe('Jo, "tu" i ell\n')
})

test.each([
  ['a\u001b[31mb\u0007c', 'abc'],
  ['a\u001b]0;owned\u0007b', 'ab'],
  ['a\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\b', 'alinkb'],
  ['a\u001b]never ends', 'anever ends'],
  ['a\u009b1mb\u0085c', 'abc'],
  ['a\u001b(Bb\u001bcc', 'abc'],
])('removing control sequences removes no text: %j', (text, cleaned) => {
  expect(sanitize(text)).toBe(cleaned)
})

test('YAML is a mapping for one record, a sequence for several', async () => {
  const fields = ['id', 'venue.city']
  expect(await printed(jazz, { output: 'yaml', fields })).toBe('id: 1\nvenue:\n  city: Girona\n')
  expect(await printed(arriving({ id: 1 }, { id: 2 }), { output: 'yaml' })).toBe('- id: 1\n- id: 2\n')
  expect(await printed([], { output: 'yaml' })).toBe('[]\n')
})

test('-o ids prints one ID per line', async () => {
  expect(await printed(arriving(jazz, fair), { output: 'ids' })).toBe('1\n12\n')
})

test('-o count prints the total of the service, or else counts the records', async () => {
  expect(await printed([jazz, fair], { output: 'count', total: 412 })).toBe('412\n')
  expect(await printed([jazz, fair], { output: 'count' })).toBe('2\n')
})

test('-o count reads only the first record if the service tells the total', async () => {
  let read = 0
  async function* many() {
    for (; read < 1000; read++) yield jazz
  }
  expect(await printed(many(), { output: 'count', total: () => 1000 })).toBe('1000\n')
  expect(read).toBe(0)
})

test('a stream is written in chunks', async () => {
  async function* many() {
    for (let id = 1; id <= 10_000; id++) yield { id, title: 'Concert de Nadal al Teatre Principal' }
  }
  const lengths: number[] = []
  const write = async (text: string | Uint8Array) => {
    lengths.push(text.length)
  }
  const stdout = { write, isTTY: false, columns: undefined }
  await printRecords({ shape: events, records: many(), output: 'ndjson', env: {}, stdout })
  expect(Math.max(...lengths)).toBeLessThan(66_000)
  expect(lengths.length).toBeLessThan(20)
})

test('records read before a failure are written', async () => {
  async function* failing() {
    yield { id: 1 }
    throw new Error('gone')
  }
  const chunks: string[] = []
  const write = async (text: string | Uint8Array) => {
    chunks.push(String(text))
  }
  const stdout = { write, isTTY: false, columns: undefined }
  const printing = printRecords({ shape: tags, records: failing(), output: 'ids', env: {}, stdout })
  await expect(printing).rejects.toThrow('gone')
  expect(chunks).toEqual(['1\n'])
})

test('on a terminal, JSON escapes control characters and YAML omits them', async () => {
  const record = { id: 1, title: 'A\u001b]0;owned\u0007B\u202eC\u009b31mD' }
  const json = await printed(record, { output: 'ndjson', columns: 80 })
  expect(json).toBe('{"id":1,"title":"A\\u001b]0;owned\\u0007B\\u202eC\\u009b31mD"}\n')
  expect(JSON.parse(json)).toEqual(record)
  expect(await printed(record, { output: 'csv', fields: ['title'], columns: 80 })).toBe('title\nABCD\n')
})

test('a count agrees with its noun', () => {
  expect([0, 1, 2].map(count => recordCount(count, 'events'))).toEqual(['0 events', '1 event', '2 events'])
  expect([1, 3].map(count => recordCount(count, 'categories'))).toEqual(['1 category', '3 categories'])
})

test('a list has commas and a conjunction', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(words => listOf(words))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ])
  expect(listOf(['a', 'b'], 'or')).toBe('a or b')
})

test('an article agrees with its word', () => {
  expect((['events', 'venues', 'organizers', 'tags'] as const).map(aRecord)).toEqual([
    'an event',
    'a venue',
    'an organizer',
    'a tag',
  ])
})
