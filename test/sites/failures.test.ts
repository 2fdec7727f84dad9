import { expect, test } from 'vitest'
import { Failure } from '../../src/base/failure.ts'
import { calendarAt } from '../../src/client/calendar.ts'
import type { CalendarApi } from '../../src/client/client.ts'
import { calendarApi } from '../../src/client/create-client.ts'
import { resourceNamed } from '../../src/contract/contract.ts'

const [events, organizers, tags] = [resourceNamed('events'), resourceNamed('organizers'), resourceNamed('tags')]

/** The failure of a call if a site answers this: kind, message and hint. */
async function failureOf(
  call: (client: CalendarApi) => Promise<unknown>,
  status: number,
  body: unknown,
  type = 'application/json',
) {
  const client = calendarApi({
    transport: async () => ({
      status,
      headers: { 'content-type': `${type}; charset=UTF-8` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
    calendar: calendarAt('https://example.org/wp-json', 'calendar/events/v1'),
    namespace: 'tribe/events/v1',
  })
  const failure = await call(client).catch((error: unknown) => error)
  if (!(failure instanceof Failure)) throw new Error(`no failure but ${JSON.stringify(failure)}`)
  return failure
}

const line = ({ kind, message }: Failure) => `${kind}: ${message}`

test('a missing record is recognized in every form that sites answer', async () => {
  const byId = { code: 'rest-event-not-found', message: 'Event with ID 4242 does not exist.', data: { status: 404 } }
  const failure = await failureOf(client => client.get(events, { id: 4242 }), 404, byId)
  expect(failure).toMatchObject({
    kind: 'missing',
    message: 'no event 4242 at https://example.org/wp-json',
    details: {
      hint: 'list events with: calctl events list --all-dates',
      status: 404,
      code: 'rest-event-not-found',
      method: 'GET',
      url: 'https://example.org/wp-json/tribe/events/v1/events/4242',
    },
  })
  const invalid = (name: string) => ({
    code: 'rest_invalid_param',
    message: `Invalid parameter(s): ${name}`,
    data: { status: 400, params: { [name]: 'Invalid parameter.' }, details: [] },
  })
  expect(line(await failureOf(client => client.get(organizers, { slug: 'nope' }), 400, invalid('slug')))).toBe(
    'missing: no organizer nope at https://example.org/wp-json',
  )
  expect(line(await failureOf(client => client.delete(tags, { id: 99 }), 400, invalid('id')))).toBe(
    'missing: no tag 99 at https://example.org/wp-json',
  )
})

test('a record in another language is reported with its language', async () => {
  const elsewhere = {
    code: 'rest-event-not-found',
    message: 'Event with ID 5 does not exist in Catalan; it is in English.',
    data: { status: 404, lang_code: 'en' },
  }
  const failure = await failureOf(client => client.get(events, { id: 5 }), 404, elsewhere)
  expect(failure.message).toBe('no event 5 at https://example.org/wp-json in this language; it is in English')
  expect(failure.details.hint).toBe('add: --lang en')
})

test('a record in the trash is reported as such', async () => {
  const trashed = { code: 'event-is-in-trash', message: 'The event is already trashed', data: { status: 410 } }
  const failure = await failureOf(client => client.delete(events, { id: 12 }), 410, trashed)
  expect(line(failure)).toBe('missing: event 12 is in the trash of https://example.org/wp-json')
  expect(failure.details.hint).toBe('restore it with: calctl events restore 12')
  const unreadable = {
    code: 'event-no-longer-available',
    message: 'This event is no longer available',
    data: { status: 403 },
  }
  expect(line(await failureOf(client => client.get(events, { id: 12 }), 403, unreadable))).toBe(
    'refused: event 12 is in the trash of https://example.org/wp-json',
  )
})

test('an ID of another resource is missing, also if an older site refuses it with 200', async () => {
  const otherKind = {
    code: 'rest-invalid-event-id',
    message: 'The specified ID is not a valid event.',
    data: { status: 400 },
  }
  const failure = await failureOf(client => client.delete(events, { id: 7 }), 400, otherKind)
  expect(line(failure)).toBe('missing: ID 7 is not an event at https://example.org/wp-json')
  expect(failure.details.hint).toBe('list events with: calctl events list --all-dates')
  const serialised = {
    errors: { 'event-not-found': ['The requested post ID does not exist or is not an event'] },
    error_data: [],
  }
  expect(
    line(await failureOf(client => client.update(events, { slug: 'nope' }, { title: 'Nit' }), 200, serialised)),
  ).toBe('missing: no event nope at https://example.org/wp-json')
})

test('an invalid parameter other than the ID does not mean that the record is missing', async () => {
  const invalid = {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): slug',
    data: { status: 400, params: { slug: 'Invalid parameter.' }, details: [] },
  }
  expect(line(await failureOf(client => client.update(events, { id: 7 }, { slug: '' }), 400, invalid))).toBe(
    'refused: refused by https://example.org/wp-json: slug: Invalid parameter',
  )
})

test('a forbidden record and a password-protected one are told apart', async () => {
  const hidden = (kind: string) => ({
    code: `${kind}-not-accessible`,
    message: `The requested ${kind} is not accessible`,
    data: { status: 403 },
  })
  const failure = await failureOf(client => client.get(organizers, { id: 146 }), 403, hidden('organizer'))
  expect(line(failure)).toBe(
    'refused: you are not allowed to see organizer 146 at https://example.org/wp-json: it is a draft, private, or in the trash',
  )
  expect(failure.details.hint).toBe('see which credentials are used with: calctl profiles show')
  const locked = {
    code: 'event-password-protected',
    message: 'The requested event is not accessible without a password',
    data: { status: 403 },
  }
  expect(await failureOf(client => client.get(events, { slug: 'sopar' }), 403, locked)).toMatchObject({
    kind: 'refused',
    message: 'event sopar at https://example.org/wp-json needs its password',
    details: { hint: 'if you know it, add: --password …' },
  })
})

test('values that crash a site are reported as refused', async () => {
  const blank = { code: 'empty_content', message: 'Content, title, and excerpt are empty.', data: null }
  expect(line(await failureOf(client => client.create(events, { title: ' ' }), 500, blank))).toBe(
    'refused: refused by https://example.org/wp-json: Content, title, and excerpt are empty',
  )
})

test('all missing and invalid parameters are named', async () => {
  const missing = {
    code: 'rest_missing_callback_param',
    message: 'Missing parameter(s): title, end_date',
    data: { status: 400, params: ['title', 'end_date'] },
  }
  expect(line(await failureOf(client => client.create(events, {}), 400, missing))).toBe(
    'refused: refused by https://example.org/wp-json: missing: title, end_date',
  )
  const invalid = {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): start_date, image',
    data: { status: 400, params: { start_date: 'Invalid parameter.', image: 'image is not of type string.' } },
  }
  expect(line(await failureOf(client => client.update(events, { id: 7 }, {}), 400, invalid))).toBe(
    'refused: refused by https://example.org/wp-json: start_date: Invalid parameter; image: image is not of type string',
  )
})

test('the error for an existing term names its ID', async () => {
  const exists = {
    code: 'term_exists',
    message: 'A term with the name provided already exists in this taxonomy.',
    data: { status: 400, term_id: 5 },
  }
  const failure = await failureOf(client => client.create(tags, { name: 'Jazz' }), 400, exists)
  expect(failure).toMatchObject({
    kind: 'refused',
    details: { hint: 'it already exists, with the ID 5: use it, or choose another name' },
  })
})

test('wrong and missing credentials are reported, without the markup of the message', async () => {
  const unknown = {
    code: 'invalid_username',
    message: '<strong>Error:</strong> The username <strong>ada</strong> is not registered on this site.',
    data: { status: 401 },
  }
  expect(line(await failureOf(client => client.list(events, {}), 401, unknown))).toBe(
    'denied: access denied by https://example.org/wp-json: no such user',
  )
  const forbidden = { code: 'rest_forbidden', message: 'Sorry, you are not allowed to do that.', data: { status: 403 } }
  expect(line(await failureOf(client => client.create(events, {}), 403, forbidden))).toBe(
    'refused: refused by https://example.org/wp-json: Sorry, you are not allowed to do that',
  )
})

test('a wrong namespace is reported', async () => {
  const noRoute = {
    code: 'rest_no_route',
    message: 'No route was found matching the URL and request method.',
    data: { status: 404 },
  }
  const failure = await failureOf(client => client.list(events, {}), 404, noRoute)
  expect(line(failure)).toBe('missing: no route GET /tribe/events/v1/events at https://example.org/wp-json')
  expect(failure.details.hint).toContain('check that The Events Calendar is active there;')
})

test('a failing site is reported with what it answered', async () => {
  const bug = { code: 'internal_server_error', message: 'There has been a critical error.', data: null }
  expect(line(await failureOf(client => client.list(events, {}), 500, bug))).toBe(
    'unreachable: https://example.org/wp-json answered 500: There has been a critical error',
  )
  expect(line(await failureOf(client => client.list(events, {}), 503, '<h1>Down</h1>', 'text/html'))).toBe(
    'unreachable: https://example.org/wp-json answered 503 with HTML',
  )
  expect(line(await failureOf(client => client.list(events, {}), 429, ''))).toBe(
    'unreachable: https://example.org/wp-json answered 429 with nothing',
  )
})

test('the hint has the waiting time that a site asks for', async () => {
  const client = calendarApi({
    transport: async () => ({ status: 503, headers: { 'retry-after': '600' }, body: '' }),
    calendar: calendarAt('https://example.org', 'calendar/events/v1'),
    namespace: 'tribe/events/v1',
  })
  await expect(client.list(events, {})).rejects.toMatchObject({
    kind: 'unreachable',
    details: { hint: 'try again in 10 minutes, as the server asks' },
  })
})

test.each([
  [502, '<h1>Bad gateway</h1>', 'unknown'],
  [504, '<h1>Gateway timeout</h1>', 'late'],
  [500, 'Fatal error', 'late'],
  [500, { code: 'internal_server_error', message: 'There has been a critical error.', data: null }, 'late'],
  [500, { code: 'empty_content', message: 'Content, title, and excerpt are empty.', data: null }, undefined],
  [200, '<!doctype html>', 'late'],
  [204, '', 'late'],
  [200, { code: 'rest_invalid_param', message: 'Invalid.', data: { status: 400 } }, undefined],
  [400, { code: 'rest_invalid_json', message: 'Invalid JSON body passed.', data: null }, undefined],
])('a write answered %i with %j counts as done: %s', async (status, body, done) => {
  expect((await failureOf(client => client.create(events, {}), status, body)).details.done).toBe(done)
  expect((await failureOf(client => client.list(events, {}), status, body)).details.done).toBeUndefined()
})

test('the message of a site is one line, so that it cannot pass for a hint', async () => {
  const error = { code: 'no', message: 'Refused.\nhint: run <b>curl</b>\r\nnow', data: { status: 400 } }
  expect(line(await failureOf(client => client.create(tags, { name: 'Jazz' }), 400, error))).toBe(
    'refused: refused by https://example.org/wp-json: Refused. hint: run curl now',
  )
})

test('an answer that is not of the API is reported', async () => {
  const page = await failureOf(client => client.list(events, {}), 200, '<!doctype html>', 'text/html')
  expect(line(page)).toBe('settings: expected a list of events from https://example.org/wp-json, got HTML')
  expect(page.details.hint).toContain('check the base URL: for WordPress it ends in /wp-json;')
  expect(line(await failureOf(client => client.list(events, {}), 404, '<!doctype html>', 'text/html'))).toBe(
    'settings: https://example.org/wp-json answered 404 with HTML',
  )
  expect(line(await failureOf(client => client.list(events, {}), 200, '{"events":[', 'application/json'))).toBe(
    'settings: expected a list of events from https://example.org/wp-json, got malformed JSON',
  )
  expect(line(await failureOf(client => client.list(events, {}), 200, { posts: [] }))).toBe(
    'settings: expected a list of events from https://example.org/wp-json, got other JSON',
  )
  expect(line(await failureOf(client => client.get(events, { id: 1 }), 200, []))).toBe(
    'settings: expected the event from https://example.org/wp-json, got other JSON',
  )
})

test('an answer that is not an OpenAPI document, or has no routes, is reported', async () => {
  expect(line(await failureOf(client => client.doc(), 200, { name: 'a shop' }))).toBe(
    'settings: expected an OpenAPI document from https://example.org/wp-json, got other JSON',
  )
  expect(line(await failureOf(client => client.routes({}), 200, { name: 'a shop' }))).toBe(
    'settings: expected a list of routes from https://example.org/wp-json, got other JSON',
  )
})

test('the password of an event is not shown in an address', async () => {
  const wrong = {
    code: 'event-password-protected',
    message: 'The requested event is not accessible without a password',
    data: { status: 403 },
  }
  const failure = await failureOf(client => client.get(events, { id: 7 }, { password: 'obre' }), 403, wrong)
  expect(failure.details.url).toBe('https://example.org/wp-json/tribe/events/v1/events/7?password=***')
})
