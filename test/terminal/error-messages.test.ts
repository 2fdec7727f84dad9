import { describe, expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'
import { worldOf } from '../support/world.ts'

/** Command line, exit status, error and hint. Nothing is sent and nothing changes. */
const mistakes: [line: string, status: number, error: string, hint: string][] = [
  ['evnts list', 2, "unknown command 'evnts'", 'did you mean events?'],
  ['events lst', 2, "unknown command 'lst'", 'did you mean list?'],
  ['events lst --search get', 2, "unknown command 'lst'", 'did you mean list?'],
  ['events list --titel x', 2, "unknown option '--titel'", 'see the usage with: calctl events list --help'],
  ['events list --starts-aftr 2026-01-01', 2, "unknown option '--starts-aftr'", 'did you mean --starts-after?'],
  ['events list --sort', 2, "option '--sort <fields>' argument missing", 'calctl events list --help'],
  ['events get', 2, "missing required argument 'ref'", 'calctl events get --help'],
  ['whoami me', 2, "too many arguments for 'whoami'. Expected 0 arguments but got 1", 'calctl whoami --help'],
  [
    'lint evnts',
    2,
    'resource: expected one of events, venues, organizers, categories, tags, got "evnts"',
    'lint --help',
  ],
  ['events list --page zero', 2, '--page: expected a whole number above 0, got "zero"', 'for example: --page 7'],
  [
    'events list --starts-after tomorow',
    2,
    '--starts-after: expected a date, got "tomorow"',
    'for example: 2026-12-05, today, saturday, tomorrow 19:00 or +3d',
  ],
  ['events list --geoloc-lat 41.9', 2, '--geoloc-lat requires --geoloc-lng', 'add: --geoloc-lng'],
  ['events list --limit 0', 2, '--limit: expected a whole number above 0, got "0"', 'for example: --limit 5'],
  ['events list --limit -1', 2, '--limit: expected a whole number above 0, got "-1"', 'for example: --limit 5'],
  ['events list --limit 5 --all', 2, '--limit and --all cannot be used together', 'leave one of them out'],
  ['events list --page 2 --all', 2, '--page and --all cannot be used together', 'leave one of them out'],
  ['events list --featured --no-featured', 2, '--featured and --no-featured cannot be used together', ''],
  ['events list --fields ,', 2, '--fields: expected comma-separated names, got ","', 'id,title,venue.city'],
  ['events list --fields a..b', 2, '--fields: expected comma-separated names, got "a..b"', 'id,title,venue.city'],
  ['doc -o csv', 2, 'calctl doc cannot print csv', 'use -o json, ndjson or yaml'],
  ['doc -o ids', 2, 'calctl doc cannot print ids', 'use -o json, ndjson or yaml'],
  [
    'export -o ics',
    2,
    'calctl export cannot print ics',
    'write a feed of events with: calctl events list --all -o ics',
  ],
  ['export tags -o ids', 2, 'calctl export cannot print ids', 'use -o ndjson, json, yaml, csv, tsv or xlsx'],
  [
    'export tags --excel --format yaml',
    2,
    '--excel and --format yaml cannot be used together',
    'leave one of them out',
  ],
  ['venues create --venue ""', 2, '--venue: expected text that is not blank, got ""', "--venue 'Teatre Principal'"],
  ['tags create --name ""', 2, '--name: expected text that is not blank, got ""', 'for example: --name Jazz'],
  [
    'events list --all-dates --start-date 2026-01-01',
    2,
    '--all-dates and --start-date cannot be used together',
    'leave one of them out',
  ],
  ['events create --title Concert', 2, 'missing --start-date and --end-date', ''],
  ['events create --data {bad', 2, '--data: malformed JSON', ''],
  ['events create --data []', 2, '--data: expected one JSON object', ''],
  ['events create --data @nowhere.json', 2, '--data: cannot read nowhere.json: no such file', ''],
  [`events create --data '{"titel":"Concert"}'`, 2, '--data: events have no field "titel"', 'did you mean title?'],
  ['events get ""', 2, 'expected an ID or a slug, got an empty string', 'calctl events list'],
  ['events update 1', 2, 'nothing to change', ''],
  ['events update 1 --clear titl', 2, '--clear: events have no field "titl"', 'did you mean title?'],
  ['events update 1 --clear title', 2, '--clear: title cannot be empty', 'set a new value with --title'],
  [
    'events update 1 --clear venue --venue 7',
    2,
    '--clear venue and --venue cannot be used together',
    'leave one of them out',
  ],
  ['events update 1 --venue {bad', 2, '--venue: malformed JSON', ''],
  ['events get 42', 4, 'no event 42 in ', 'calctl events list --all-dates'],
  [
    'events get 99999999999999999999',
    2,
    '99999999999999999999 is too large for an ID',
    'if it is a slug, add --by-slug',
  ],
  ['events get no-such', 4, 'no event no-such in ', 'calctl events list --all-dates'],
  ['events list --lang fr', 2, '--lang: expected one of ca, en, es, all, got "fr"', 'for example: --lang ca'],
  [
    'events list -o xml',
    2,
    '--output: expected one of table, json, ndjson, csv, tsv, yaml, count, ids, ics, got "xml"',
    'for example: --output table',
  ],
  [
    'lint -o xml',
    2,
    '--output: expected one of table, json, ndjson, csv, tsv, yaml, count, ids, got "xml"',
    'for example: --output table',
  ],
  ['profiles use site -o xml', 2, 'calctl profiles use prints no data, so -o xml has no effect', 'leave out -o xml'],
  [
    'venues create --if-exists no',
    2,
    '--if-exists: expected one of error, reuse, create, got "no"',
    '--if-exists error',
  ],
  [
    'events create --title Ball --start-date 2027-01-01T10:00 --duration 999999999999d',
    2,
    '--duration: expected how long the event lasts, got "999999999999d"',
    'for example: --duration 2h',
  ],
  [
    'events update 1 --shift -999999999999d',
    2,
    '--shift: expected a duration, got "-999999999999d"',
    'for example: --shift +7d',
  ],
  ['events list --timeout soon', 2, '--timeout: expected a duration, got "soon"', 'for example: --timeout 30s'],
  ['events list -p nowhere', 3, 'no profile "nowhere"', ''],
  ['events list --base-url ftp://example.org', 2, '', ''],
]

describe('an error has a message and a hint:', () => {
  for (const [line, status, error, hint] of mistakes)
    test(`calctl ${line}`, async () => {
      const outcome = await calendar()(line)
      expect(outcome).toMatchObject({ status, out: '' })
      expect(outcome.err).toMatch(/^error: .+\nhint: .+\n$/)
      expect(outcome.err).toContain(`error: ${error}`)
      expect(outcome.err).toContain(hint)
    })
})

test('several invalid values are reported at once', async () => {
  const { status, err } = await calendar()('events list --page x --per-page -3')
  expect(status).toBe(2)
  expect(err).toContain(
    '--page: expected a whole number above 0, got "x"; --per-page: expected a whole number above 0, got "-3"',
  )
})

test('a resource without a command shows its help and ends with 2', async () => {
  const { status, out, err } = await calendar()('events')
  expect({ status, out }).toEqual({ status: 2, out: '' })
  expect(err).toContain('Usage: calctl events')
})

test('with --json an error is one JSON object on stderr', async () => {
  const { status, out, err } = await calendar()('events get 42 --json')
  expect({ status, out }).toEqual({ status: 4, out: '' })
  expect(JSON.parse(err)).toEqual({
    error: {
      kind: 'missing',
      message: expect.stringContaining('no event 42 in '),
      hint: expect.any(String),
      status: 404,
      code: 'rest-event-not-found',
      method: 'GET',
      url: expect.stringContaining('/calendar/events/v1/events/42'),
    },
  })
})

test('control characters in an error of a site do not reach the terminal', async () => {
  const refusal = { code: 'refused', message: 'not \u001b[2J\u009b31mthis\u202e', data: { status: 400 } }
  const transport = async () => ({ status: 400, headers: {}, body: JSON.stringify(refusal) })
  const { err } = await worldOf({ transport, terminal: 80 })('events get 42')
  expect(err).toMatch(/not this\n/)
  const { err: json } = await worldOf({ transport, terminal: 80 })('events get 42 --json')
  expect(json).not.toMatch(/[\u009b\u202e]/)
  expect(JSON.parse(json).error.message).toContain(refusal.message)
})

test('control characters in the description of a site do not reach the terminal', async () => {
  const transport = async () => ({
    status: 200,
    headers: {},
    body: JSON.stringify({ openapi: '3.1.0', title: '\u009b31mRed\u202e' }),
  })
  for (const form of ['json', 'yaml']) {
    const { out } = await worldOf({ transport, terminal: 80 })(`doc -o ${form}`)
    expect(out).toContain('Red')
    expect(out).not.toMatch(/[\u009b\u202e]/)
  }
})

test('--json prints usage errors as JSON too', async () => {
  const { status, err } = await calendar()('events list --json --nonsense')
  expect(status).toBe(2)
  expect(JSON.parse(err)).toMatchObject({ error: { kind: 'usage', status: null } })
})

test('a refusal of the calendar is reported with a hint', async () => {
  const concert = 'events create --title Concert --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00"'
  expect(await calendar()(`${concert} --venue 99`)).toMatchObject({
    status: 4,
    err: expect.stringMatching(/^error: refused.*: venue: .*99\nhint: list venues with: calctl venues list\n$/),
  })
})

test('incompatible output forms are refused before anything is written', async () => {
  const calctl = calendar()
  expect(await calctl('tags create --name jazz --json -o yaml')).toMatchObject({ status: 2, out: '' })
  expect(await calctl('tags list --no-hide-empty -o count')).toMatchObject({ out: '0\n' })
})
