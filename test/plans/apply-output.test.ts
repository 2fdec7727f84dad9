import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'

test('apply suggests running the command again if all failures are conflicts', async () => {
  const { calctl, file, path } = calendarWithFiles()
  await calctl(`apply ${file('one.csv', head + row('Jazz'))} --yes`)
  await calctl(`diff ${file('edited.csv', 'id,title\n1,Swing\n')} --resource events --save ${path('plan.json')}`)
  await calctl('events update 1 --title Opera')
  const { status, err } = await calctl(`apply ${path('plan.json')} --yes`)
  expect(status).toBe(7)
  expect(err).toMatch(
    /error: 0 done, 1 failed\nhint: run the command again, or see what differs now with: calctl diff\n$/,
  )
})

test('a dry run reports invalid records and ends with the status of the real run', async () => {
  const { calctl, file } = calendarWithFiles()
  const sheet = file('two.csv', `${head}${row('Jazz')}Opera,soon,later\n`)
  const { status, out, err } = await calctl(`apply ${sheet} --dry-run`)
  expect(out).toMatch(/^\+ "Jazz", Sat 5 Dec 19:00 .*\n\+ create 1 .* ! invalid 1\n$/)
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(/^! row 3: start_date: .*\nerror: 1 record is invalid\nhint: fix it, or add --skip-invalid /),
  ])
  expect((await calctl(`apply ${sheet} --dry-run --skip-invalid`)).status).toBe(0)
})

test('apply -o json prints one document on stdout, and the error as the last line of stderr', async () => {
  const { calctl, file } = calendarWithFiles()
  const sheet = file('one.csv', `slug,${head}jazz,${row('Jazz')}`)
  const sum = { done: 0, failed: 0, unknown: 0, skipped: 0, same: 0, invalid: 0 }
  const applied = await calctl(`apply ${sheet} --yes --json`)
  expect(JSON.parse(applied.out)).toEqual({ ...sum, run: 'q3u', done: 1 })
  expect(JSON.parse((await calctl(`apply ${sheet} --yes --json`)).out)).toEqual({ ...sum, run: null, same: 1 })
  expect(JSON.parse((await calctl(`apply ${sheet} --yes -o ndjson`)).out)).toMatchObject({ run: null, same: 1 })
  expect(JSON.parse((await calctl('runs undo --yes --json')).out)).toMatchObject({ done: 1 })
  expect(JSON.parse((await calctl('runs undo q3u --yes --json')).out)).toEqual({
    ...sum,
    run: null,
    same: 1,
  })
})

test('--json prints an error on a line of its own, also on a terminal where a run was stopped', async () => {
  const { calctl, file } = calendarWithFiles({ terminal: 80 })
  await calctl('tags create --name Jazz')
  const lines = Array.from({ length: 60 }, (_, index) => `{"resource":"tags","name":"Tag ${index}"}\n`).join('')
  const sheet = file('tags.ndjson', `${lines}{"resource":"tags","name":"Jazz","slug":"swing","action":"create"}\n`)
  const { status, out, err } = await calctl(`apply ${sheet} --yes --json`)
  expect([status, JSON.parse(out).failed]).toEqual([6, 1])
  const last = err.trimEnd().split('\n').at(-1) ?? ''
  expect(JSON.parse(last.split('\r\u001b[K').at(-1) ?? '')).toMatchObject({ error: { kind: 'partial' } })
  expect(err).not.toContain(' of 61 (')
})

test('apply refuses to read stdin twice', async () => {
  expect(await calendar()('apply - -', '')).toEqual({
    status: 2,
    out: '',
    err: 'error: stdin can be read only once\nhint: pass - once, or files instead\n',
  })
})
