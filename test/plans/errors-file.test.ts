import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { calendarWithFiles, head, row } from '../support/calendar-with-files.ts'
import { skipped } from '../support/skipped.ts'
import { testTime, worldOf } from '../support/world.ts'

/** A calendar that refuses writes with this text until it is fixed, and a folder. */
function refusing(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-errors-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const refusal = { status: 403, headers: {}, body: '{"code":"no","message":"No.","data":{"status":403}}' }
  let refuses = true
  const calctl = worldOf({
    transport: async request =>
      refuses && request.method === 'POST' && String(request.body).includes(text) ? refusal : service(request),
  })
  const mend = () => {
    refuses = false
  }
  return { calctl, folder, mend }
}

test('--errors has the records that were not sent, and can be applied as it is', async () => {
  const { calctl, folder, mend } = refusing('B2')
  const errors = join(folder, 'errors.csv')
  for (const name of ['A', 'B', 'C']) await calctl(`tags create --name ${name}`)
  const sheet = 'id,description\n1,A2\n2,B2\n3,C2\n'
  expect(
    (await calctl(`apply - --format csv --resource tags --yes --jobs 1 --stop-after 1 --errors ${errors}`, sheet))
      .status,
  ).toBe(6)
  expect(readFileSync(errors, 'utf8')).toMatch(
    /^id,description,row,reason\n2,B2,3,.*\n3,C2,4,"not sent \(apply this file, or resume the run with: calctl runs resume\)"\n$/,
  )
  mend()
  expect(await calctl(`apply ${errors} --resource tags --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('tags list --no-hide-empty --fields description -o csv')).out).toBe('description\nA2\nB2\nC2\n')
})

test('--errors has the invalid rows even if there is nothing else to do', async () => {
  const { calctl, file, path, text } = calendarWithFiles()
  const sheet = file('soon.csv', `${head}Jazz,soon,2026-12-05 21:00\n`)
  expect(await calctl(`apply ${sheet} --skip-invalid --errors ${path('errors.csv')}`)).toMatchObject({
    status: 6,
    err: expect.stringMatching(
      /wrote 1 record that was not applied to .*errors\.csv\nerror: 1 record was left out as invalid\nhint: fix it in (.*errors\.csv), then run: calctl apply \1\n$/,
    ),
  })
  expect(text('errors.csv')).toMatch(/\nJazz,soon,2026-12-05 21:00,2,"?start_date: expected /)
})

test('--errors keeps the headings of the importer, for rows that are invalid and for those that the site refused', async () => {
  const { calctl, folder, mend } = refusing('')
  const sheet = 'Event Name,Event Start Date,Event Start Time\nJazz,2026-12-05,19:00\nOpera,soon,19:00\n'
  const errors = join(folder, 'errors.csv')
  writeFileSync(errors, 'title,error,hint\nBlues,of an earlier run,\n')
  const { err } = await calctl(`apply - --format csv --yes --skip-invalid --errors ${errors}`, sheet)
  expect(err).toContain(`wrote 2 records that were not applied to ${errors}\nerror: `)
  expect(readFileSync(errors, 'utf8')).toMatch(
    /^Event Name,Event Start Date,Event Start Time,row,reason\nJazz,2026-12-05,19:00,2,.*\nOpera,soon,19:00,3,/,
  )
  mend()
  expect(await calctl(`apply ${errors} --yes --skip-invalid`)).toMatchObject({ status: 6 })
  expect((await calctl('events list --fields title -o csv')).out).toBe('title\nJazz\n')
})

test('--errors and --report of an earlier run are emptied if nothing failed', async () => {
  const { calctl, folder } = calendarWithFiles()
  const [errors, report] = ['rows.csv', 'out.ndjson'].map(name => join(folder, name))
  writeFileSync(String(errors), 'name,error,hint\nold,,\n')
  writeFileSync(String(report), '{"key":"old","action":"create","resource":"tags","id":1,"state":"done"}\n')
  const tag = '{"name":"Jazz"}\n'
  expect(await calctl(`tags create --from - --yes --errors ${errors} --report ${report}`, tag)).toMatchObject({
    status: 0,
  })
  expect(readFileSync(String(errors), 'utf8')).toBe('')
  expect(readFileSync(String(report), 'utf8')).toMatch(/^\{"key":"tags Jazz".*"state":"done"\}\n$/)
  await calctl(`apply - --resource tags --yes --report ${report}`, tag)
  expect(readFileSync(String(report), 'utf8')).toBe('')
})

const why = skipped(!existsSync('/dev/full'), 'no /dev/full')

test.skipIf(why !== '')(`a report that cannot be written stops no writes, and is mentioned${why}`, async () => {
  const { calctl } = calendarWithFiles()
  const { status, err } = await calctl(
    'tags create --from - --yes --report /dev/full',
    '{"name":"Jazz"}\n{"name":"Rock"}\n',
  )
  expect([status, err]).toEqual([
    3,
    expect.stringMatching(/error: the report \/dev\/full is incomplete: .*\nhint: .*runs show\n$/),
  ])
  expect((await calctl('tags list --no-hide-empty -o count')).out).toBe('2\n')
})

test('a fixed row of --errors means the same without the other rows and the separator of its file', async () => {
  const { calctl, file, path, text } = calendarWithFiles()
  const heads =
    'Event Name;Event Start Date;Event Start Time;Event Cost;Event Currency Symbol;Event Currency Position\n'
  const sheet = `${heads}Jazz;05/12/2026;19:00;12,50;€;suffix\nOpera;13/12/2026;at seven;1.250;€;suffix\nRock;04/12/2026;at nine;1.250,50;€;suffix\n`
  const fixed = (text: string) => text.replace('at seven', '19:00').replace('at nine', '21:00')
  const list = 'events list --all --fields title,start_date,cost -o csv'
  await calctl(`apply ${file('sheet.csv', sheet)} --yes --skip-invalid --errors ${path('errors.csv')}`)
  expect(await calctl(`apply ${file('mended.csv', fixed(text('errors.csv')))} --yes`)).toMatchObject({ status: 0 })
  const { out } = await calctl(list)
  expect(out).toBe(
    'title,start_date,cost\nRock,2026-12-04 21:00:00,1250.50 €\nJazz,2026-12-05 19:00:00,12.50 €\nOpera,2026-12-13 19:00:00,1250 €\n',
  )
  const { calctl: direct, file: otherFile } = calendarWithFiles()
  await direct(`apply ${otherFile('sheet.csv', fixed(sheet))} --yes`)
  expect((await direct(list)).out).toBe(out)
})

test('a row of --errors empties the same fields and refers to the same records', async () => {
  const { calctl, file, path, text } = calendarWithFiles()
  await calctl('tags create --name "Open air, late"')
  await calctl(`apply ${file('one.csv', `cost,${head}12,${row('Jazz')}`)} --yes`)
  const sheet = 'id,cost,tags,venue\n1,@clear,"""Open air, late""",Nowhere\n'
  await calctl(`apply ${file('sheet.csv', sheet)} --resource events --skip-invalid --errors ${path('errors.csv')}`)
  const fixed = text('errors.csv').replace('Nowhere', '')
  expect(await calctl(`apply ${file('mended.csv', fixed)} --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('events list --fields cost,tags.name -o csv')).out).toBe('cost,tags.name\n,"Open air, late"\n')
})

test('--errors has the tags and the new venue that an invalid record names', async () => {
  const { calctl, file, path, text } = calendarWithFiles()
  const event = { title: 'Jazz', start_date: 'soon', duration: '2h', venue: { venue: 'Sala', city: 'Girona' } }
  const tagged = { title: 'Opera', start_date: 'soon', duration: '2h', tags: ['Jazz', 'Open air'] }
  await calctl(`apply ${file('two.json', JSON.stringify([tagged]))} --skip-invalid --errors ${path('two.csv')}`)
  expect(text('two.csv')).toContain(',"Jazz, Open air",')
  await calctl(`apply ${file('one.json', JSON.stringify([event]))} --skip-invalid --errors ${path('errors.csv')}`)
  const fixed = text('errors.csv').replace(',soon,', ',2026-12-05 19:00,')
  expect(await calctl(`apply ${file('fixed.csv', fixed)} --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('venues list --fields venue,city -o csv')).out).toBe('venue,city\nSala,Girona\n')
})

test('--errors has the invalid records of a dry run too', async () => {
  const { calctl, file, path, text } = calendarWithFiles()
  const sheet = file('two.csv', `${head}${row('Jazz')}Opera,soon,2026-12-05 21:00\n`)
  const command = `apply ${sheet} --dry-run --errors ${path('errors.csv')}`
  expect(await calctl(command)).toMatchObject({
    status: 2,
    err: expect.stringMatching(
      /error: 1 record is invalid\nhint: add --skip-invalid to apply the others; fix it in (.*errors\.csv), then run: calctl apply \1\n$/,
    ),
  })
  expect(text('errors.csv')).toMatch(/^title,.*\nOpera,soon,.*\n$/)
  expect(await calctl(`${command} --skip-invalid`)).toMatchObject({
    status: 0,
    err: expect.stringMatching(`\nwrote 1 record that was not applied to ${path('errors.csv')}\n$`),
  })
  expect((await calctl('events list -o count')).out).toBe('0\n')
})

test('--errors has the order of dates only if one of its rows has a date that depends on it', async () => {
  for (const [day, expected] of [
    ['05/12/2026', true],
    ['2026-12-05', false],
  ] as const) {
    const { calctl, file, path, text } = calendarWithFiles()
    const sheet = `title,start_date,duration\nJazz,25/12/2026 19:00,2h\nOpera,${day} 19:00,soon\n`
    await calctl(
      `apply ${file('sheet.csv', sheet)} --resource events --yes --skip-invalid --errors ${path('errors.csv')}`,
    )
    expect([day, /dmy/.test(text('errors.csv'))]).toEqual([day, expected])
  }
})
