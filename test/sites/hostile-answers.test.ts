import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import { hostileJson } from '../soak/hostile-values.ts'
import { told } from '../soak/told.ts'
import { worldOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'calctl-hostile-answers-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'tags.csv'), 'resource,name,description\ntags,Jazz,More\n')

const date = '2026-12-05 19:00:00'

/** Answers in which one value, or all, is hostile; the record is a tag and an event at once. */
const shapes: Readonly<Record<string, (json: string, request: Request) => string>> = {
  'as a whole': json => json,
  'in a list': json =>
    `{"tags":[{"id":1,"name":"Jazz","slug":"jazz","description":${json}}],"events":[{"id":1,"title":"Jazz","start_date":"${date}","end_date":"${date}","venue":${json},"cost":${json},"image":${json},"more":${json}}],"total":1,"total_pages":1,"id":1,"name":"Jazz","title":"Jazz","description":${json}}`,
  'as an ID': json =>
    `{"tags":[{"id":${json},"name":"Jazz"}],"events":[{"id":${json},"title":"Jazz"}],"total":${json},"total_pages":${json},"id":${json},"name":"Jazz","title":"Jazz"}`,
  'in texts': json =>
    `{"tags":[{"id":1,"name":${json},"slug":${json}}],"events":[{"id":1,"title":${json},"start_date":${json},"end_date":${json},"timezone":${json},"status":${json},"categories":${json},"organizer":${json}}],"total":1,"total_pages":1,"id":1,"name":${json},"title":${json},"start_date":${json},"slug":${json}}`,
}

const errors: Readonly<Record<string, (json: string) => string>> = {
  'as an error': json =>
    `{"code":"rest_invalid_param","message":"no","data":{"status":400,"params":${json},"details":${json}}}`,
  'as the code': json => `{"code":${json},"message":${json},"data":${json}}`,
  'as errors': json => `{"errors":${json}}`,
}

/** Parsing these takes a tenth of a second, whenever an answer is looked at: `npm run soak` does it for all shapes and lines. */
const deep = new Set(['lists', 'objects', 'venues', 'unclosedLists', 'unclosedObjects', 'long'])

const isSoak = process.env.SOAK_ROUNDS !== undefined

const lines = [
  'tags list --json',
  'tags list --all -o csv',
  'events list',
  'events list -o yaml --fields id,title,venue.city,more.a',
  'events list -o ics',
  'events get 1 -o table',
  'events get 1 --json --plain',
  'tags update 1 --name Folk',
  'events update 1 --title Ball --cost 5',
  'tags create --name Folk',
  'events delete 1 --yes',
  'tags delete 1 --yes',
  'export -o json',
  'export events -o csv',
  'diff --exit-code tags.csv',
  'apply tags.csv --yes',
  'doc',
]

/** The lines that get a value in a shape. */
function linesFor(name: string, shape: string): readonly string[] {
  if (isSoak || !deep.has(name)) return lines
  if (shape === 'as a whole') return lines.slice(0, 1)
  return shape === 'in a list' && name === 'lists' ? lines.slice(0, 1) : []
}

for (const [shape, bodyOf] of [...Object.entries(shapes), ...Object.entries(errors)])
  test(`hostile JSON ${shape} of an answer ends no command with a stack trace`, { timeout: 120_000 }, async () => {
    const status = shape in errors ? 400 : 200
    const bugs: string[] = []
    for (const [name, json] of Object.entries(hostileJson)) {
      const transport = async (request: Request): Promise<Response> => ({
        status,
        headers: { 'content-type': 'application/json' },
        body: bodyOf(json, request),
      })
      const run = worldOf({
        transport,
        cwd: folder,
        env: { XDG_STATE_HOME: join(folder, name) },
      })
      for (const line of linesFor(name, shape)) {
        const outcome = await run(line).catch((error: Error) => ({ status: -1, err: error.stack }))
        if (!told.includes(outcome.status)) bugs.push(`${line}, ${name}: ${outcome.err}`)
      }
    }
    expect(bugs).toEqual([])
  })

test.each([{}, { quirks: true }])('a service refuses hostile values, and never answers 500 (%j)', async quirks => {
  const service = createService({
    store: memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false }),
    now: () => new Date('2026-11-21T02:00:00Z'),
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
    ...quirks,
  })
  const event = '"title":"a","start_date":"2026-12-05","end_date":"2026-12-05"'
  const send = (path: string, body: string) =>
    service({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body })
  expect((await send('/calendar/events/v1/events', `{${event}}`)).status).toBe(201)
  const names = [
    'cost',
    'venue',
    'organizer',
    'categories',
    'image',
    'title',
    'start_date',
    'status',
    'all_day',
    'more',
  ]
  const bugs: string[] = []
  for (const [key, json] of Object.entries(hostileJson))
    for (const name of isSoak || !deep.has(key) ? names : names.slice(0, 2))
      for (const [path, body] of [
        ['/calendar/events/v1/events', `{${event.replace(`"${name}"`, '"x"')},"${name}":${json}}`],
        ['/calendar/events/v1/events/1', `{"${name}":${json}}`],
        ['/wp/v2/tribe_events/1', `{"${name}":${json},"meta":{"_EventCost":${json}}}`],
      ] as const) {
        const { status } = await send(path, body)
        // What makes a plugin of production fail makes --quirks answer so.
        if (status >= 500 && !('quirks' in quirks)) bugs.push(`${path} ${name} ${key} ${status}`)
      }
  expect(bugs).toEqual([])
  const nested = await send('/calendar/events/v1/events', `{${event},"cost":{"a":{"b":[1,{"c":2}]}}}`)
  expect(nested.status).toBe(400)
})
