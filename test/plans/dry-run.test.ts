import { expect, test } from 'vitest'
import type { Plan } from '../../src/changes/plan/plan.ts'
import { stepLines, summaryLines } from '../../src/changes/plan/step-lines.ts'
import type { JournalHeader } from '../../src/changes/run/journal-format.ts'
import type { Request, Transport } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { concert } from '../support/test-service.ts'
import { testTime, worldOf } from '../support/world.ts'

const season = `slug,title,start_date,end_date,venue,organizer,tags,categories,status
jazz,Jazz,2026-12-05 19:00,2026-12-05 21:00,Sala,"Colla, Orfeó","Open air, Swing",Música,publish
opera,Opera,2026-12-06 19:00,2026-12-06 21:00,Sala,Colla,Open air,Música,draft
teatre,Teatre,2026-12-07 19:00,2026-12-07 21:00,Teatre,,,,publish
`

const edited = `slug,title,start_date,end_date,venue,tags,action
jazz,Jazz a la plaça,2026-12-05 19:00,2026-12-05 21:00,Plaça,@clear,
opera,,,,,,trash
dansa,Dansa,2026-12-08 19:00,2026-12-08 21:00,Plaça,"Swing, Ball",
`

const several = `{"resource":"categories","name":"Jazz","parent":"musica"}
{"resource":"categories","name":"Música","slug":"musica"}
{"resource":"events","title":"Gala","start_date":"2026-12-04 19:00","end_date":"2026-12-04 21:00","venue":"sala","categories":["Jazz"]}
{"resource":"venues","venue":"Sala","slug":"sala","city":"Girona"}
{"resource":"tags","name":"Swing","action":"trash"}
`

/** The plan in a journal. */
function planIn([first = '', ...lines]: readonly string[]): Plan {
  const { plan }: JournalHeader = JSON.parse(first)
  const steps = lines.map(line => JSON.parse(line)).flatMap(({ step }) => step ?? [])
  return { ...plan, steps, invalid: [] }
}

const linesOf = (plan: Plan): string => [...stepLines(plan), ...summaryLines(plan)].join('\n')

/** The plan of a dry run, and the plan that the same command then executes. */
async function compareDryRun({ calctl, journals }: ReturnType<typeof calendarWithFiles>, command: string) {
  const { out } = await calctl(`${command} --dry-run --json`)
  expect((await calctl(`${command} --yes`)).status).toBe(0)
  return { shown: linesOf(JSON.parse(out)), done: linesOf(planIn(journals().at(-1) ?? [])) }
}

test.each(['', '--prune --max-trash 9'])('a dry run shows the steps of the real run, with %s', async flags => {
  const shelved = calendarWithFiles()
  const files = [season, edited].map((text, index) => shelved.file(`${index}.csv`, text))
  for (const file of [...files, shelved.file('several.ndjson', several)]) {
    const { shown, done } = await compareDryRun(shelved, `apply ${file} --create-missing ${flags}`)
    expect(shown).toBe(done)
  }
})

test('the dry run of an undo shows the steps of the real undo', async () => {
  const shelved = calendarWithFiles()
  const { calctl, file } = shelved
  await calctl(`apply ${file('season.csv', season)} --create-missing --yes --jobs 1`)
  await calctl(`apply ${file('edited.csv', edited)} --create-missing --yes --jobs 1`)
  await calctl('events delete 1 --yes')
  await calctl('events update dansa --title Ball')
  for (const run of ['7hk', 'q3u']) {
    const { shown, done } = await compareDryRun(shelved, `runs undo ${run}`)
    expect(shown).toBe(done)
  }
})

test('a plan as NDJSON has one step per line', async () => {
  const { calctl, file } = calendarWithFiles()
  const { out } = await calctl(`apply ${file('season.csv', season)} --create-missing --dry-run --json`)
  const lines = out.trimEnd().split('\n')
  const steps = lines.slice(1, -1).map(line => JSON.parse(line.replace(/,$/, '')))
  expect(JSON.parse(out)).toMatchObject({ calctl: 1, steps, same: 0, invalid: [] })
  expect(steps).toHaveLength(10)
})

test('the dry run of an update of two records prints one JSON document', async () => {
  const { calctl, file } = calendarWithFiles()
  await calctl(`apply ${file('season.csv', season)} --create-missing --yes`)
  const { out } = await calctl('tags update 1 2 --description New --dry-run --json')
  expect(JSON.parse(out)).toMatchObject({ steps: [{ id: 1 }, { id: 2 }] })
})

test('a dry run quotes texts and addresses, and no words of a list', async () => {
  const { calctl } = calendarWithFiles()
  await calctl('events create --title Jazz --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"')
  const { out, err } = await calctl('events update 1 --website https://example.org/ --cost 5 --status draft --dry-run')
  expect(out + err).toContain('website (none) → "https://example.org/"')
  expect(out + err).toContain('cost (none) → "5"')
  expect(out + err).toContain('status publish → draft')
})

/** A calendar with this number of events, and the requests sent to it. */
async function recording(events: number, env: Readonly<Record<string, string>> = {}) {
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const post = { method: 'POST', path: '/calendar/events/v1/events', headers: { 'content-type': 'application/json' } }
  for (let number = 1; number <= events; number++)
    await service({ ...post, body: JSON.stringify({ ...concert, title: `Concert ${number}`, slug: `c-${number}` }) })
  const requests: Request[] = []
  const transport: Transport = request => {
    requests.push(request)
    return service(request)
  }
  return { calctl: worldOf({ transport, env }), requests }
}

const lines = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join('')

test('an update of 200 of 1,000 events by ID takes 200 requests and one for each 25', async () => {
  const { calctl, requests } = await recording(1000)
  const ids = lines(200, number => String(5 * number))
  expect(await calctl('events update - --status draft --add-tags Jazz --create-missing --yes', ids)).toMatchObject({
    status: 0,
  })
  const reads = requests.filter(({ method }) => method === 'GET')
  const writes = requests.filter(({ method }) => method !== 'GET')
  expect(writes.length).toBe(201)
  expect(reads.length).toBeLessThanOrEqual(200 / 25 + 5)
})

test('a file with the slugs of all events reads the list by pages, however little it changes', async () => {
  const { calctl, requests } = await recording(300)
  const records = lines(300, number =>
    JSON.stringify({ slug: `c-${number}`, status: number > 10 ? 'publish' : 'draft' }),
  )
  expect(await calctl('apply - --resource events --yes', records)).toMatchObject({ status: 0 })
  expect(requests.filter(({ method }) => method === 'GET').length).toBe(8)
  expect(requests.filter(({ method }) => method !== 'GET').length).toBe(10)
})

test('a calendar in this process, to which nobody else writes, is not read again between the steps of a plan', async () => {
  const { calctl, requests } = await recording(300)
  const day = (number: number) => `2027-03-${String(1 + (number % 28)).padStart(2, '0')}`
  const rows = lines(200, number => `New ${number},${day(number)} 19:00,${day(number)} 21:00`)
  expect(
    await calctl('apply - --format csv --resource events --yes', `title,start_date,end_date\n${rows}`),
  ).toMatchObject({ status: 0 })
  const methods = requests.map(({ method }) => method)
  expect(methods.filter(method => method === 'POST').length).toBe(200)
  expect(methods.lastIndexOf('GET')).toBeLessThan(methods.indexOf('POST'))
})

test('a few slugs among many records are read one by one', async () => {
  const { calctl, requests } = await recording(300)
  const records = ['c-7', 'c-8', 'c-400']
    .map(slug => JSON.stringify({ ...concert, title: slug, slug, status: 'draft' }))
    .join('\n')
  expect(await calctl('apply - --resource events --yes --jobs 1', records)).toMatchObject({ status: 0 })
  expect(requests.map(({ method, path }) => `${method} ${path.replace(/.*v1/, '')}`)).toEqual([
    'GET /',
    'GET /events',
    'GET /events/by-slug/c-7',
    'GET /events/by-slug/c-8',
    'GET /events/by-slug/c-400',
    'GET /events',
    'POST /events/7',
    'POST /events/8',
    'POST /events',
  ])
})

test('a sheet without IDs and slugs reads the events of its days only', async () => {
  const { calctl, requests } = await recording(300)
  const far = `title,start_date,end_date\nGala,2027-12-04 19:00,2027-12-04 21:00\n`
  expect(await calctl('apply - --format csv --yes', far)).toMatchObject({ status: 0 })
  expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET', 'GET', 'POST'])
  requests.length = 0
  expect(await calctl('diff --exit-code - --format csv', far)).toMatchObject({ status: 0 })
  expect(requests.map(({ method, path }) => `${method} ${path.replace(/.*v1/, '')}`)).toEqual(['GET /', 'GET /events'])
})

test('an undo of 200 deletes takes 200 requests and one for each 25', async () => {
  const { folder } = calendarWithFiles()
  const { calctl, requests } = await recording(200, { XDG_STATE_HOME: folder })
  await calctl('events delete - --yes --max-trash 200', lines(200, String))
  requests.length = 0
  expect(await calctl('runs undo --yes')).toMatchObject({ status: 0 })
  expect(requests.filter(({ method }) => method !== 'GET').length).toBe(200)
  expect(requests.filter(({ method }) => method === 'GET').length).toBeLessThanOrEqual(200 / 25 + 5)
})

test('a dry run sends no writes', async () => {
  const { calctl, requests } = await recording(3)
  await calctl('events delete - --dry-run', '1\n2\n3\n')
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
})
