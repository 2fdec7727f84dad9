import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileYaml } from '../soak/hostile-values.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const rounds = Number(process.env.SOAK_ROUNDS ?? 40)

const dates = 'start_date: 2026-12-05 19:00:00\nend_date: 2026-12-05 21:00:00\n'

/** A calendar with event 1, whose text somebody replaces in the editor. */
async function edited(text: (shown: string) => string) {
  const bodies: string[] = []
  const site = calendarWithFiles({ seen: bodies, editor: text })
  await site.calctl('events create --title Jazz --start-date 2026-12-05T19:00 --end-date 2026-12-05T21:00')
  const before = (await site.calctl('events get 1 -o json')).out
  const outcome = await site.calctl('events edit 1')
  return { ...outcome, before, after: (await site.calctl('events get 1 -o json')).out }
}

/** The file that a failure names, with what was typed. */
const keptText = (err: string): string => {
  const [, file = ''] = /your changes are in (\S+)\n$/.exec(err) ?? []
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

test.each([
  ['title: *Festa', 'line 1, column 8: *Festa has no anchor before it; if it is a text, put it in quotes'],
  ['<<: *x', 'line 1, column 5: *x has no anchor before it; if it is a text, put it in quotes'],
  ['title: !!binary aGVsbG8=', 'line 1, column 17: '],
  ['title: !!timestamp 2026-12-05', 'line 1, column 20: '],
  ['tags: !!set {a, b}', 'line 1, column 13: '],
  ['tags: !!omap [a: 1]', 'line 1, column 14: '],
  ['title: !!js/function "x"', 'line 1, column 8: Unresolved tag: '],
  ['? [a, b]\n: 1', 'line 1, column 3: this key cannot be sent'],
  ['title: a\ntitle: b', 'line 2, column 1: Map keys must be unique'],
  ['title:\n\t- a', 'line 2, column '],
  ['tags: &a [*a]', 'line 1, column 11: *a has no anchor before it'],
])('edit says where a text is no value, and keeps it: %s', async (yaml, message) => {
  const { status, err, before, after } = await edited(() => `${yaml}\nid: 1\n`)
  expect(err).toContain(message)
  expect(status).toBe(2)
  expect(keptText(err)).toContain(yaml)
  expect(after).toBe(before)
})

const laughs = hostileYaml.laughs as string

test('an alias bomb is refused in edit and apply', async () => {
  const { status, err } = await edited(() => `id: 1\n${laughs}\n`)
  expect([status, err]).toEqual([2, expect.stringMatching(/^error: line \d+, column \d+: Excessive alias count/)])
  expect(keptText(err)).toContain(laughs)
  const { calctl, file } = calendarWithFiles()
  expect(await calctl(['apply', '--yes', file('bomb.yaml', laughs)])).toMatchObject({
    status: 2,
    err: expect.stringMatching(/bomb\.yaml: line \d+, column \d+: malformed YAML: Excessive alias count/),
  })
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

test('no YAML ends edit or apply with a stack, or sends what JSON cannot say', { timeout: 600_000 }, async () => {
  const bodies: string[] = []
  let typed = ''
  const site = calendarWithFiles({ editor: () => typed, seen: bodies })
  await site.calctl('events create --title Jazz --start-date 2026-12-05T19:00 --end-date 2026-12-05T21:00')
  await fc.assert(
    fc.asyncProperty(document, async text => {
      const before = (await site.calctl('events get 1 -o json')).out
      typed = `id: 1\n${text}\n`
      const outcomes = [
        await site.calctl('events edit 1 --dry-run'),
        await site.calctl(['diff', '--resource', 'events', site.file('a.yaml', `${dates}${text}\n`)]),
      ]
      for (const { status, err } of outcomes) {
        expect([0, 2, 3, 4, 7], err).toContain(status)
        expect(err).not.toMatch(/\n\s+at |ReferenceError|\bNaN\b|Infinity/)
      }
      const [edit] = outcomes
      if (edit?.status !== 0 && edit?.err.includes('your changes are in')) expect(keptText(edit.err)).toContain(text)
      expect((await site.calctl('events get 1 -o json')).out).toBe(before)
    }),
    { numRuns: rounds },
  )
})
