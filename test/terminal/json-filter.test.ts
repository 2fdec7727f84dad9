import { spawnSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import { recordsThroughJq, runJq } from '../../src/cli/terminal/json-filter.ts'
import { calendar } from '../support/calendar.ts'
import { skipped } from '../support/skipped.ts'

const seen: string[] = []
const calctl = calendar({ seen })
beforeAll(async () => {
  await calctl(['venues', 'create', '--venue', 'Plaça Major', '--city', 'Girona'])
  for (const [title, day] of [
    ['Jazz', '2026-12-05'],
    ['Joan &amp; "Maria"', '2026-12-06'],
    ['Òpera', '2026-12-07'],
  ])
    await calctl([
      'events',
      'create',
      '--title',
      title ?? '',
      '--start-date',
      day ?? '',
      '--end-date',
      day ?? '',
      '--venue',
      '1',
    ])
})

test('--jq prints texts as they are, and everything else as JSON on a line each', async () => {
  const { status, out } = await calctl([
    'events',
    'list',
    '--jq',
    '.[] | .title, {id, city: .venue.city}, (.id == 2), null',
  ])
  expect(status).toBe(0)
  expect(out.split('\n').slice(0, 4)).toEqual(['Jazz', '{"id":2,"city":"Girona"}', 'true', 'null'])
})

test('--jq sees a list as an array, a record as an object, and what --fields leaves', async () => {
  expect((await calctl(['events', 'list', '--jq', 'length'])).out).toBe('3\n')
  expect((await calctl(['events', 'get', '2', '--jq', 'type'])).out).toBe('object\n')
  expect((await calctl(['events', 'get', '2', '--fields', 'id', '--jq', 'keys'])).out).toBe('["id"]\n')
  expect((await calctl(['events', 'list', '--search', 'nothing', '--jq', '.[].id'])).out).toBe('')
})

test('--jq works with all that prints JSON: documents, exports, dry runs, help', async () => {
  expect((await calctl(['doc', '--jq', '.openapi'])).out).toMatch(/^3\./)
  expect((await calctl(['export', 'venues', '--jq', '.[].venue'])).out).toBe('Plaça Major\n')
  expect((await calctl(['events', 'delete', '2', '--dry-run', '--jq', '.steps[].action'])).out).toBe('trash\n')
  expect((await calctl(['help', 'events', 'get', '--jq', '.usage'])).out).toBe('calctl events get <ref...> [options]\n')
})

const expressions = [
  '.[].title',
  '.[] | select(.start_date > "2026-12-05 23") | .id',
  'map({(.title): .id}) | add',
  'group_by(.venue.city) | map([.[0].venue.city, length])',
  '.[] | [.id, .title] | @csv',
  '.[] | [.id, .title] | @tsv',
  '.[] |= .id',
  '.[] as $event | $event.id',
  '[.[] | .title | ascii_downcase | test("^j")]',
  'try error("no") catch .',
  'reduce .[] as {id: $id} (0; . + $id)',
  'limit(2; .[].id)',
  'input? // "none"',
]
const hasJq = spawnSync('which', ['jq']).status === 0

test.skipIf(!hasJq)(`--jq prints what jq -rc makes of the JSON${skipped(!hasJq, 'jq is not installed')}`, async () => {
  const { out: json } = await calctl('events list --json')
  for (const expression of expressions) {
    const { stdout } = spawnSync('jq', ['-rc', expression], { input: json, encoding: 'utf8' })
    expect({ expression, out: (await calctl(['events', 'list', '--jq', expression])).out }).toEqual({
      expression,
      out: stdout,
    })
  }
})

test('a mistake in an expression is reported with its place before anything is sent', async () => {
  seen.length = 0
  const mistakes = [
    [
      '.[] | foo(',
      'error: --jq: syntax error, unexpected end of file, at column 10\nhint: look at the end of: .[] | foo(\n',
    ],
    ['.[]\n| titel', 'error: --jq: titel/0 is not defined, at line 2, column 3\nhint: look at the end of: | t\n'],
    ['"ç" | $x', 'error: --jq: $x is not defined, at column 8\nhint: look at the end of: "ç" | $'],
  ]
  for (const [expression = '', message = ''] of mistakes) {
    const { status, out, err } = await calctl(['events', 'list', '--jq', expression])
    expect({ status, out }).toEqual({ status: 2, out: '' })
    expect(err).toContain(message)
  }
  expect(seen).toEqual([])
})

test('an expression that does not fit the records says why', async () => {
  expect(await calctl(['events', 'list', '--jq', '.title'])).toMatchObject({
    status: 2,
    err: 'error: --jq: Cannot index array with string ("title")\nhint: see its input with: --json\n',
  })
})

test('an expression that fails after a write does not hide what was written', async () => {
  const calctl = calendar()
  await calctl(['venues', 'create', '--venue', 'Sala'])
  const one = await calctl(['venues', 'update', '1', '--city', 'Olot', '--jq', '.venue + 1'])
  expect(one).toMatchObject({ status: 6, out: '' })
  expect(one.err).toMatch(
    /^Changed venue "Sala" \(1\): city .*\nerror: the write succeeded, but its result could not be printed: --jq: .*\nhint: undo with: calctl undo \w+\n$/,
  )
  const many = await calctl(['venues', 'update', '-', '--city', 'Vic', '--yes', '--jq', '.run + 1'], '1\n')
  expect(many.status).toBe(6)
  expect(many.err).toMatch(
    /Undo: calctl undo \w+\nerror: the write succeeded, but its result could not be printed: --jq: /,
  )
})

test('--jq excludes other forms of output, and has no effect where there is no JSON', async () => {
  expect((await calctl(['events', 'list', '--jq', '.', '-o', 'csv'])).err).toContain(
    '--jq and -o csv cannot be used together',
  )
  expect((await calctl(['profiles', 'use', 'x', '--jq', '.'])).err).toContain('prints no JSON, so --jq has no effect')
})

test('a long list is filtered part by part', async () => {
  const printed: string[] = []
  const stdout = {
    write: async (text: string | Uint8Array) => void printed.push(String(text)),
    isTTY: false,
    columns: undefined,
    rows: undefined,
  }
  const line = (id: number) => `${JSON.stringify({ id, text: 'x'.repeat(1_500_000) })}\n`
  await recordsThroughJq(
    { expression: '.[].id', stop: new AbortController().signal },
    async sink => {
      for (const id of [1, 2, 3, 4, 5]) await sink.write(line(id))
    },
    stdout,
  )
  expect(printed).toEqual(['1\n2\n3\n', '4\n5\n'])
})

test('an expression that needs more memory than there is ends with a sentence', async () => {
  expect(await calendar()(['tags', 'list', '--jq', '"a"*1000000000|length'])).toEqual({
    status: 2,
    out: '',
    err: 'error: --jq: the expression needs more memory than is available\nhint: produce less output at a time, for example: .[] | .title\n',
  })
  expect((await calendar()(['tags', 'list', '--jq', 'length'])).out).toBe('0\n')
})

test('an expression that never ends can be stopped', async () => {
  const stop = new AbortController()
  const running = runJq('[]', 'last(range(1e18))', [], stop.signal)
  setTimeout(() => stop.abort(), 200)
  await expect(running).rejects.toMatchObject({ kind: 'interrupted' })
  expect(await runJq('[1,2]', 'length', [])).toMatchObject({ stdout: '2', exitCode: 0 })
})

test('jq leaves no listener on the signal that stops it', async () => {
  const { signal } = new AbortController()
  await runJq('[1,2]', 'length', [], signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
