import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileYaml } from '../soak/hostile-values.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const rounds = Number(process.env.SOAK_ROUNDS ?? 40)

const dates = 'start_date: 2026-12-05 19:00:00\nend_date: 2026-12-05 21:00:00\n'

/** What `diff` says of a YAML file. */
async function read(text: string) {
  const { calctl, file } = calendarWithFiles()
  return calctl(['diff', '--resource', 'events', file('a.yaml', text)])
}

test.each([
  [
    'title: *Festa',
    'line 1, column 8: malformed YAML: *Festa has no anchor before it; if it is a text, put it in quotes',
  ],
  ['<<: *x', 'line 1, column 5: malformed YAML: *x has no anchor before it; if it is a text, put it in quotes'],
  ['title: !!binary aGVsbG8=', 'line 1, column 17: malformed YAML: '],
  ['title: !!timestamp 2026-12-05', 'line 1, column 20: malformed YAML: '],
  ['tags: !!set {a, b}', 'line 1, column 13: malformed YAML: '],
  ['tags: !!omap [a: 1]', 'line 1, column 14: malformed YAML: '],
  ['title: !!js/function "x"', 'line 1, column 8: malformed YAML: Unresolved tag: '],
  ['? [a, b]\n: 1', 'line 1, column 3: malformed YAML: this key cannot be sent'],
  ['title: a\ntitle: b', 'line 2, column 1: malformed YAML: Map keys must be unique'],
  ['title:\n\t- a', 'line 2, column '],
  ['tags: &a [*a]', 'line 1, column 11: malformed YAML: *a has no anchor before it'],
])('a message says where a text is no value: %s', async (yaml, message) => {
  const { status, err } = await read(`${yaml}\nid: 1\n`)
  expect([status, err]).toEqual([2, expect.stringContaining(message)])
})

test('an alias bomb is refused', async () => {
  const { status, err } = await read(hostileYaml.laughs as string)
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(/a\.yaml: line \d+, column \d+: malformed YAML: Excessive alias count/),
  ])
})

test('anchors, aliases and merge keys are read in apply', async () => {
  const { calctl, file } = calendarWithFiles()
  const path = file(
    'a.yaml',
    `%YAML 1.1\n---\n- &fira\n  title: Fira\n  start_date: "2026-12-05 19:00"\n  end_date: "2026-12-05 21:00"\n- <<: *fira\n  title: Mercat\n`,
  )
  expect(await calctl(['apply', '--yes', path])).toMatchObject({ status: 0, err: expect.stringContaining('2 done') })
})

/** Values that are texts, numbers and lists, and values that are none. */
const special = fc.constantFrom(
  ...['*Festa', '&a x', '*a', '&b [*b]', '.inf', '-.inf', '.nan', '1e999', '9007199254740993', '-0', '0x1f', '~', ''],
  ...['!!binary aGk=', '!!timestamp 2026-12-05', '!!set {a, b}', '!!omap [a: 1]', '!!js/function "x"', '!own x'],
  ...['!!int 5', '!!float 1.5', '!!str 5', '{? [a] : b}', '{: x}', '{<<: 5}', '"\\0"', '\0', '\t- a', '"', '[', '|'],
  ...['2026-12-05', '{__proto__: 1}', '!!merge <<', '[[[[]]]]', '%', '@', '`', '"\\ud800"', '- - - a'],
)
const value = fc.oneof({ arbitrary: special, weight: 5 }, { arbitrary: fc.string({ maxLength: 8 }), weight: 1 })
const key = fc.constantFrom('title', 'venue', 'cost', 'tags', 'description', '<<', 'id', '*a', '? [a]\n', '&a title')
const field = fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`)
const line = fc.oneof(
  { arbitrary: field, weight: 6 },
  { arbitrary: fc.constantFrom('---', '...', '%YAML 1.1\n---', '%TAG ! tag:x,2000:\n---', '\ufeff', '# x'), weight: 1 },
)
const document = fc.array(line, { minLength: 1, maxLength: 3 }).map(lines => lines.join('\n'))

test('no YAML ends apply with a stack, or sends what JSON cannot say', { timeout: 600_000 }, async () => {
  const { calctl, file } = calendarWithFiles()
  await fc.assert(
    fc.asyncProperty(document, async text => {
      const { status, err } = await calctl(['diff', '--resource', 'events', file('a.yaml', `${dates}${text}\n`)])
      expect([0, 2, 3, 4, 7], err).toContain(status)
      expect(err).not.toMatch(/\n\s+at |ReferenceError|\bNaN\b|Infinity/)
    }),
    { numRuns: rounds },
  )
})
