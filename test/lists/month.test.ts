import { expect, test } from 'vitest'
import { town } from './town.ts'

test('a month is a grid with today marked, and bars for events of many days', async () => {
  const { calctl } = await town()
  expect(await calctl('month')).toEqual({
    status: 0,
    err: '',
    out: `                               November 2026

Mon        Tue        Wed        Thu        Fri        Sat        Sun
──────────┼──────────┼──────────┼──────────┼──────────┼──────────┼──────────
          │          │          │          │          │          │        1
──────────┼──────────┼──────────┼──────────┼──────────┼──────────┼──────────
        2 │        3 │        4 │        5 │        6 │        7 │        8
          │          │          │├ 10:00 Exhibition ────────────────────────
──────────┼──────────┼──────────┼──────────┼──────────┼──────────┼──────────
        9 │       10 │       11 │       12 │       13 │       14 │       15
─ Exhibition ───────────────────────────────────────────────────────────────
──────────┼──────────┼──────────┼──────────┼──────────┼──────────┼──────────
       16 │       17 │       18 │       19 │       20 │      [21]│       22
─ Exhibition ───────────────────────────────────────────────────────────────
          │          │          │          │├ Fair ────────────────────────┤
          │          │          │          │          │08:00     │18:00
          │          │          │          │          │Market    │日本語の音
          │          │          │          │          │22:30 Late│楽祭り 🎉
          │          │          │          │          │session   │20:00
          │          │          │          │          │          │(draft)
          │          │          │          │          │          │Rehearsal
──────────┼──────────┼──────────┼──────────┼──────────┼──────────┼──────────
       23 │       24 │       25 │       26 │       27 │       28 │       29
─ Exhib… ┤│          │          │          │          │          │
──────────┼──────────┼──────────┼──────────┼──────────┼──────────┼──────────
       30 │          │          │          │          │          │
`,
  })
})

test('a month can be named, and filtered', async () => {
  const { calctl } = await town()
  for (const name of ['2026-12', 'december', '"next month"'])
    expect((await calctl(`month ${name} -o ids`)).out, name).toBe('8\n')
  expect((await calctl('month --categories 2 --fields title')).out).toBe('Fair\nMarket\n')
  expect(await calctl('month sometime')).toMatchObject({ status: 2, out: '' })
})

test('a wide terminal shows full titles', async () => {
  const { calctl } = await town({ terminal: 200, env: { NO_COLOR: '1' } })
  const { out } = await calctl('month')
  expect(out).toContain('Monday                      Tuesday')
  expect(out).toContain('│18:00 日本語の音楽祭り 🎉')
})

test('a narrow terminal shows a small month, and an agenda below it', async () => {
  const { calctl } = await town({ terminal: 20, env: { NO_COLOR: '1' } })
  expect((await calctl('month --categories 2')).out).toBe(`November 2026
Mo Tu We Th Fr Sa Su
                   1
 2  3  4  5  6  7  8
 9 10 11 12 13 14 15
16 17 18 19 20 21 22
23 24 25 26 27 28 29
30

Friday 20 November
all day (4)
  Fair (until Sun 22
  Nov)

Sat 21 Nov · today
08:00–14:00 (2)
  Market
`)
  const roomy = await town({ terminal: 28, env: { NO_COLOR: '1' } })
  expect((await roomy.calctl('month --categories 2')).out).toContain(' 16  17  18  19  20•[21] 22•\n')
})

test('a week begins as the user has it, if that is in the language of the content', async () => {
  const { calctl } = await town({ env: { LANG: 'en_US.UTF-8' } })
  expect((await calctl('month')).out).toContain('Sun        Mon        Tue')
  const other = await town({ env: { LANG: 'en_US.UTF-8' }, language: 'ca' })
  expect((await other.calctl('month')).out).toContain('dl.        dt.')
})

test('a night that began in the month before has the hour at which it ends', async () => {
  const { calctl } = await town()
  await calctl('events create --title Party --start-date "2026-12-31 23:00" --end-date "2027-01-01 05:30"')
  const { out } = await calctl('month 2027-01')
  expect(out).toContain('│→ 05:30   │')
  expect(out).not.toContain('23:00')
  expect((await calctl('month 2026-12')).out).toContain('│23:00     │')
  expect((await calctl('month 2027-01 --html -')).out).toContain('<time>→ 05:30</time> <b>Party</b>')
})

test('a month of several words needs no quotes', async () => {
  const { calctl } = await town()
  const { out } = await calctl('month 2026-12')
  for (const line of ['month desembre del 2026', 'month 12/2026', 'month next month', 'month next'])
    expect(await calctl(line)).toMatchObject({ status: 0, out })
})

test('the last month there is has an end', async () => {
  const { calctl } = await town()
  expect(await calctl('month 9999-12')).toMatchObject({
    status: 0,
    err: 'no events from Wed 1 Dec 9999 to Fri 31 Dec 9999\n',
  })
})
