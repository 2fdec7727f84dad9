import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createService } from '../src/service/service.ts'
import { memoryStore } from '../src/service/store/memory.ts'
import { head, shelf } from './shelf.ts'
import { storyTime, worldOf } from './world.ts'

test('--errors has what was not sent, and can be applied as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-errors-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => storyTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  let refuses = true
  const calctl = worldOf({
    transport: async request =>
      refuses && request.method === 'POST' && String(request.body).includes('B2')
        ? { status: 403, headers: {}, body: '{"code":"no","message":"No.","data":{"status":403}}' }
        : service(request),
  })
  const errors = join(folder, 'errors.csv')
  for (const name of ['A', 'B', 'C']) await calctl(`tags create --name ${name}`)
  const sheet = 'id,description\n1,A2\n2,B2\n3,C2\n'
  expect(
    (await calctl(`apply - --format csv --resource tags --yes --jobs 1 --stop-after 1 --errors ${errors}`, sheet))
      .status,
  ).toBe(6)
  expect(readFileSync(errors, 'utf8')).toMatch(
    /^resource,id,lang_code,action,description,error,hint\ntags,2,,update,B2,.*\ntags,3,,update,C2,not sent,\n$/,
  )
  refuses = false
  expect(await calctl(`apply ${errors} --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('tags list --no-hide-empty --fields description -o csv')).out).toBe('description\nA2\nB2\nC2\n')
})

test('--errors has the rows that cannot be done also where nothing else is to be done', async () => {
  const { calctl, file, path, text } = shelf()
  const sheet = file('soon.csv', `${head}Jazz,soon,2026-12-05 21:00\n`)
  expect(await calctl(`apply ${sheet} --skip-invalid --errors ${path('errors.csv')}`)).toMatchObject({
    status: 6,
    err: expect.stringMatching(
      /1 record not done: .*errors\.csv\nerror: 0 done, 1 left out\nhint: mend what was left out and do it again\n$/,
    ),
  })
  expect(text('errors.csv')).toMatch(/\nJazz,soon,2026-12-05 21:00,events,"?start_date: expected /)
})

test('--errors keeps rows under the headings of an importer apart from those under ours', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-errors-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => storyTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const refusal = { status: 403, headers: {}, body: '{"code":"no","message":"No.","data":{"status":403}}' }
  let refuses = true
  const calctl = worldOf({
    transport: async request => (refuses && request.method === 'POST' ? refusal : service(request)),
  })
  const sheet = 'Event Name,Event Start Date,Event Start Time\nJazz,2026-12-05,19:00\nOpera,soon,19:00\n'
  const errors = join(folder, 'errors.csv')
  writeFileSync(errors, 'of an earlier run')
  const { err } = await calctl(`apply - --format csv --yes --skip-invalid --errors ${errors}`, sheet)
  expect(err).toContain(`2 records not done: ${folder}/errors-events-as-read.csv, ${folder}/errors-events.csv\nerror: `)
  expect(readFileSync(errors, 'utf8')).toBe('')
  refuses = false
  expect(await calctl(`apply ${join(folder, 'errors-events.csv')} --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nJazz\n')
  expect(readFileSync(join(folder, 'errors-events-as-read.csv'), 'utf8')).toMatch(
    /^Event Name,Event Start Date,Event Start Time,resource,error,hint\nOpera,soon,19:00,events,/,
  )
})

test('what an earlier run left in --errors and --report is gone where nothing failed', async () => {
  const { calctl, folder } = shelf()
  const [errors, report] = ['rows.csv', 'out.ndjson'].map(name => join(folder, name))
  for (const file of [errors, report]) writeFileSync(String(file), 'old')
  const tag = '{"name":"Jazz"}\n'
  expect(await calctl(`tags create --from - --yes --errors ${errors} --report ${report}`, tag)).toMatchObject({
    status: 0,
  })
  expect(readFileSync(String(errors), 'utf8')).toBe('')
  expect(readFileSync(String(report), 'utf8')).toMatch(/^\{"key":"tags Jazz".*"state":"done"\}\n$/)
  await calctl(`apply - --resource tags --yes --report ${report}`, tag)
  expect(readFileSync(String(report), 'utf8')).toBe('')
})

test.skipIf(!existsSync('/dev/full'))('a report that cannot be written on stops no writes, and is told', async () => {
  const { calctl } = shelf()
  const { status, err } = await calctl(
    'tags create --from - --yes --report /dev/full',
    '{"name":"Jazz"}\n{"name":"Rock"}\n',
  )
  expect([status, err]).toEqual([
    3,
    expect.stringMatching(/error: the report \/dev\/full is not whole: .*\nhint: .*runs show\n$/),
  ])
  expect((await calctl('tags list --no-hide-empty -o count')).out).toBe('2\n')
})
