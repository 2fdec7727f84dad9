import { expect, test } from 'vitest'
import { town } from './town.ts'

const agenda = `Saturday 21 November · today
  →            Exhibition (until Mon 23 Nov)  Teatre Principal  (5)
  all day      Fair (until Sun 22 Nov)                          (4)
  08:00–14:00  Market                                           (2)
  22:30–02:00  Late session                   Teatre Principal  (3)

Sunday 22 November
  18:00–19:00  日本語の音楽祭り 🎉                              (6)
  20:00        Rehearsal (draft)                                (7)
`

test('an agenda has the events of the next week, each on its first day with its last one', async () => {
  const { calctl } = await town()
  expect(await calctl('agenda')).toEqual({ status: 0, out: agenda, err: '' })
})

test('an agenda takes the days and filters of a list, and its forms of output', async () => {
  const { calctl } = await town()
  expect((await calctl('agenda --on 2026-11-22 --categories 1 -o ids')).out).toBe('3\n6\n')
  expect((await calctl('agenda --to 2026-11-21 --fields title')).out).toBe('Exhibition\nFair\nMarket\nLate session\n')
  expect((await calctl('agenda --to 2026-11-06 --fields title')).out).toBe('Exhibition\n')
  expect((await calctl('agenda --from 2026-12-01')).out).toBe(
    'Wednesday 23 December\n  19:00–20:00  Carols  Teatre Principal  (8)\n',
  )
  const listed = await calctl('events list --from 2026-11-21 --to 2026-11-27 --json')
  expect((await calctl('agenda --json')).out).toBe(listed.out)
})

test('an agenda takes days in words, as --on does', async () => {
  const { calctl } = await town()
  for (const words of ['sunday', '22 november', 'diumenge'])
    expect(await calctl(`agenda ${words}`), words).toEqual(await calctl('agenda --on 2026-11-22'))
  expect((await calctl('agenda december -o ids')).out).toBe('8\n')
  expect(await calctl('agenda sunday --today')).toMatchObject({ status: 2, out: '' })
})

test('a night that began before the first day only says when it ends', async () => {
  const { calctl } = await town()
  expect((await calctl('agenda --on 2026-11-22 --categories 1')).out).toBe(
    'Sunday 22 November\n  → 02:00      Late session         Teatre Principal  (3)\n  18:00–19:00  日本語の音楽祭り 🎉                    (6)\n',
  )
})

test('days without events say so, and on a terminal which event is next', async () => {
  const none = { status: 0, out: '', err: 'no events on Mon 30 Nov\n' }
  expect(await (await town()).calctl('agenda --on 2026-11-30')).toEqual(none)
  const { calctl, seen } = await town({ terminal: 80 })
  expect(await calctl('agenda --on 2026-11-30')).toEqual({
    ...none,
    err: 'no events on Mon 30 Nov; the next is "Carols", Wed 23 Dec 19:00, Teatre\n  Principal (8)\n',
  })
  expect(seen.filter(line => line !== 'GET /')).toHaveLength(2)
  expect(await calctl('agenda --on 2027-11-30 -q')).toEqual({ ...none, err: '' })
})

test('the next event is one of those that were asked for', async () => {
  const { calctl } = await town({ terminal: 80 })
  expect((await calctl('agenda --on 2026-11-30 --venue "Teatre Principal"')).err).toBe(
    'no events on Mon 30 Nov; the next is "Carols", Wed 23 Dec 19:00, Teatre\n  Principal (8)\n',
  )
  expect((await calctl('agenda --on 2026-11-30 --where title~market')).err).toBe('no events on Mon 30 Nov\n')
})

test('in 20 columns what belongs to an event stands below each other', async () => {
  const { calctl } = await town({ terminal: 20, env: { NO_COLOR: '1' } })
  expect((await calctl('agenda --on 2026-11-22')).out).toBe(`Sunday 22 November
→ (5)
  Exhibition (until
  Mon 23 Nov)
  Teatre Principal
all day (4)
  Fair
→ 02:00 (3)
  Late session
  Teatre Principal
18:00–19:00 (6)
  日本語の音楽祭り
  🎉
20:00 (7)
  Rehearsal (draft)
`)
})

test('titles wrap, and nothing is cut', async () => {
  const { calctl } = await town({ terminal: 60, env: { NO_COLOR: '1' } })
  const long = `${'A long title of an event '.repeat(4)}that goes on`
  await calctl(
    `events create --title "${long}" --start-date "2026-11-25 09:00" --end-date "2026-11-25 10:00" --venue 1`,
  )
  const { out } = await calctl('agenda --on 2026-11-25')
  expect(out.split('\n').every(line => line.length <= 60)).toBe(true)
  expect(out).toBe(`Wednesday 25 November
  09:00–10:00  A long title of an event   Teatre         (9)
               A long title of an event   Principal
               A long title of an event
               A long title of an event
               that goes on
`)
})

test('a terminal has colours by category, with a legend, and today marked', async () => {
  const { calctl } = await town({ terminal: 80 })
  const { out } = await calctl('agenda --today --categories 2')
  expect(out).toBe(
    '\u001b[1m\u001b[7mSaturday 21 November · today\u001b[27m\u001b[22m\n' +
      '  all day      \u001b[32mFair (until Sun 22 Nov)\u001b[39m  \u001b[2m(4)\u001b[22m\n' +
      '  08:00–14:00  \u001b[32mMarket\u001b[39m                   \u001b[2m(2)\u001b[22m\n' +
      '\n\u001b[32m■ Fairs\u001b[39m\n',
  )
})

test('headings are in the language of the content', async () => {
  const { calctl } = await town({ language: 'ca' })
  expect((await calctl('agenda --today --categories 2')).out).toBe(
    'Dissabte, 21 de novembre · avui\n  tot el dia   Fair (fins dg. 22 nov.)  (4)\n  08:00–14:00  Market                   (2)\n',
  )
})

test('an event in another time zone says in which', async () => {
  const { calctl } = await town()
  await calctl(
    'events create --title Call --start-date "2026-11-25 09:00" --end-date "2026-11-25 10:00" --timezone Europe/London',
  )
  expect((await calctl('agenda --on 2026-11-25')).out).toBe('Wednesday 25 November\n  09:00–10:00 GMT  Call  (9)\n')
})

test('titles of a site cannot colour or move anything', async () => {
  const { calctl } = await town({ terminal: 80 })
  const title = 'A\u001b[31m\u001b[2J\u009b1mB\u202eC'
  await calctl(['events', 'create', '--title', title, '--start-date', '2026-11-25', '--end-date', '2026-11-25'])
  const { out } = await calctl('agenda --on 2026-11-25 --no-color')
  expect(out).toContain('  ABC  (9)')
})
