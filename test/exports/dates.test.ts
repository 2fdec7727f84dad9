import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { startServe } from '../support/start-serve.ts'

const head = 'title,start_date,end_date\n'
const both = `${head}First,2027-10-31T02:30+02:00,2027-10-31 04:00\nSecond,2027-10-31T02:30+01:00,2027-10-31 04:00\n`
const instants = 'events list --all-dates --fields title,start_date,utc_start_date -o csv'

test('an hour that occurs twice is exported with its offset, and is the same instant elsewhere', async () => {
  const [from, to] = [calendar(), calendar({ timezone: 'America/New_York' })]
  await from('apply - --format csv --yes', both)
  const { out } = await from('export events --fields title,start_date,end_date,timezone')
  expect(out).toContain('"start_date":"2027-10-31 02:30:00+02:00","end_date":"2027-10-31 04:00:00"')
  expect(out).toContain('"start_date":"2027-10-31 02:30:00+01:00"')
  await to('apply - --yes', out)
  for (const calctl of [from, to]) {
    expect((await calctl(instants)).out).toBe(
      'title,start_date,utc_start_date\nFirst,2027-10-31 02:30:00,2027-10-31 00:30:00\nSecond,2027-10-31 02:30:00,2027-10-31 01:30:00\n',
    )
    expect(await calctl('diff --exit-code -', out)).toMatchObject({ status: 0 })
  }
})

test('an hour that occurs twice is not ambiguous if the event has it already', async () => {
  const calctl = calendar()
  await calctl('apply - --format csv --yes', both)
  const edited = (start: string) => `id,title,start_date\n1,Opera,${start}\n`
  expect((await calctl('diff --exit-code - --format csv', edited('2027-10-31 02:30'))).out).toContain('~ update 1')
  expect(await calctl('diff --exit-code - --format csv', edited('2027-10-31 02:45'))).toMatchObject({
    status: 2,
    err: expect.stringContaining('start_date: 2027-10-31 02:45 occurs twice in Europe/Madrid'),
  })
  expect((await calctl('diff --exit-code - --format csv', 'id,start_date\n1,2027-10-31T02:30+01:00\n')).status).toBe(1)
})

test('a site that drops offsets is not updated again and again', async () => {
  const site = await startServe(
    '--memory --quirks --open --timezone Europe/Madrid --namespace tribe/events/v1 --port 0',
  )
  if (!('url' in site)) throw new Error(site.err)
  const calctl = calendar()
  const at = `--base-url ${site.url} --namespace tribe/events/v1 --format csv`
  await calctl(`apply - --yes ${at}`, both)
  const { out } = await calctl(`diff --exit-code - ${at}`, both)
  await site.stop()
  expect(out).toContain('~ update 0  - trash 0  = same 2')
})

test('an export has all dates by itself, and takes --all-dates as lists do', async () => {
  const calctl = calendar()
  await calctl('apply - --format csv --yes', `${head}Old,2001-02-03 19:00,2001-02-03 21:00\n`)
  const all = await calctl('export events')
  expect(all.out).toContain('"title":"Old"')
  expect(await calctl('export events --all-dates')).toEqual(all)
  expect(await calctl('export --all-dates --human')).toMatchObject({ status: 0, out: expect.stringContaining('Old') })
  for (const [option, what] of [
    ['--on saturday', '--on'],
    ['--starts-after 2026-12-01', '--starts-after'],
  ])
    for (const form of ['', '--human', '--xliff texts --into es'])
      expect(await calctl(`export events --all-dates ${option} ${form}`)).toMatchObject({
        status: 2,
        err: expect.stringContaining(`--all-dates and ${what} cannot be used together`),
      })
})
