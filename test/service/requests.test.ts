import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
const multipart = [
  '--XX\r\nContent-Disposition: form-data; name="title"\r\n\r\nConcert\r\n',
  '--XX\r\nContent-Disposition: form-data; name="start_date"\r\n\r\n2026-12-05 19:00:00\r\n',
  '--XX\r\nContent-Disposition: form-data; name="end_date"\r\n\r\n2026-12-05 21:00:00\r\n',
  '--XX\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\nPNG\r\n--XX--\r\n',
].join('')
const dates = 'start_date=2026-12-05 19:00&end_date=2026-12-05 21:00'

test.each([
  ['JSON', json, JSON.stringify(concert)],
  ['JSON of a vendor', { 'content-type': 'application/vnd.api+json; charset=utf-8' }, JSON.stringify(concert)],
  ['JSON as bytes', json, Buffer.from(JSON.stringify(concert))],
  ['a form', form, `title=Concert&${dates}`],
  ['multipart', { 'content-type': 'multipart/form-data; boundary=XX' }, multipart],
])('an event can be created with %s', async (_name, headers, body) => {
  const { ask } = testService()
  expect(await ask('POST /events', { headers, body })).toMatchObject({ status: 201, body: concert })
})

test('writes accept parameters in the query, and the body overrides them', async () => {
  const { ask } = testService()
  const created = await ask(`POST /events?title=Asked&excerpt=Short&${encodeURI(dates)}`, { json: { title: 'Sent' } })
  expect(created.body).toMatchObject({ title: 'Sent', excerpt: 'Short' })
})

test('forms can have lists and records, nested as in PHP', async () => {
  const { ask, store } = testService()
  const body = `title=Concert&${dates}&tags[]=river&tags[]=night&venue[venue]=Sala&venue[city]=Girona&excerpt=a&excerpt=b`
  expect((await ask('POST /events', { headers: form, body })).body).toMatchObject({ excerpt: 'b' })
  expect([...store.table('tags').values()].map(({ name }) => name)).toEqual(['river', 'night'])
  expect([...store.table('venues').values()]).toMatchObject([{ venue: 'Sala', city: 'Girona' }])
})

test.each([
  [
    'PUT',
    { 'content-type': 'multipart/form-data; boundary=X' },
    '--X\r\nContent-Disposition: form-data; name="title"\r\n\r\nA\r\n--X--',
  ],
  ['POST', { 'content-type': 'text/plain' }, '{"title":"A"}'],
  ['POST', json, '["title"]'],
  ['POST', json, 'null'],
  ['POST', json, '"title"'],
  ['POST', json, ''],
  ['POST', json, '{"id":7,"url":"http://x.test","unheard_of":1,"__proto__":{"title":"A"}}'],
])('%s with %o and %s sets no field', async (method, headers, body) => {
  const { ask } = testService()
  await ask('POST /events', { json: concert })
  expect(await ask(`${method} /events/1`, { headers, body })).toMatchObject({
    status: 200,
    body: { id: 1, ...concert },
  })
})

test.each([
  ['{', 4, 'Syntax error'],
  [Buffer.from('7b2261223a22ff227d', 'hex'), 5, 'Malformed UTF-8 characters, possibly incorrectly encoded'],
])('malformed JSON is refused: %o', async (body, json_error_code, json_error_message) => {
  const { ask } = testService()
  expect(await ask('POST /events', { headers: json, body })).toMatchObject({
    status: 400,
    body: {
      code: 'rest_invalid_json',
      message: 'Invalid JSON body passed.',
      data: { status: 400, json_error_code, json_error_message },
    },
  })
})

test('a body over 8 MiB is refused, and deeply nested or unusual ones are answered', async () => {
  const { ask } = testService()
  expect((await ask('POST /events', { headers: json, body: ' '.repeat(8 * 1024 * 1024 + 1) })).status).toBe(413)
  const deep = `{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  // PHP reads no more than 512 levels.
  expect((await ask('POST /tags', { headers: json, body: deep })).body).toMatchObject({
    code: 'rest_invalid_json',
    data: { status: 400, json_error_message: 'Maximum stack depth exceeded' },
  })
  for (const name of ['a\\u0000b', '\\ud800'])
    expect(await ask('POST /tags', { headers: json, body: `{"name":"${name}"}` })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    })
})

test('missing parameters are reported all at once, before wrong ones', async () => {
  const { ask } = testService()
  expect(await ask('POST /events', { json: { end_date: 'never' } })).toMatchObject({
    status: 400,
    body: {
      code: 'rest_missing_callback_param',
      message: 'Missing parameter(s): title, start_date',
      data: { status: 400, params: ['title', 'start_date'] },
    },
  })
})

test('wrong parameters are reported all at once, each with what is expected', async () => {
  const { ask } = testService()
  const json = {
    ...{
      title: ' ',
      start_date: '2027-02-30',
      end_date: 1796464800,
      author: 0,
      status: 'bogus',
      timezone: 'Mars/Olympus',
    },
    ...{ all_day: 'yes', image: 'photo', website: 'javascript:alert(1)', description: 7, categories: [99], venue: 99 },
    organizer: [{ email: 'a@example.org' }],
  }
  expect(await ask('POST /events', { json })).toMatchObject({
    status: 400,
    body: {
      code: 'rest_invalid_param',
      message:
        'Invalid parameter(s): title, start_date, end_date, author, description, status, timezone, all_day, image, website, ' +
        'categories, venue, organizer',
      data: {
        status: 400,
        params: {
          title: 'Expected text that is not blank, such as Concert; got " ".',
          start_date: 'Expected a date and time, such as 2026-12-05 19:00; got "2027-02-30".',
          end_date: 'Expected a date and time, such as 2026-12-05 19:00; got 1796464800.',
          author: 'Expected a whole number above 0, such as 7; got 0.',
          description: 'Expected text, such as Concert; got 7.',
          status: 'Expected one of publish, draft, pending, private, future, trash; got "bogus".',
          timezone: 'Expected a time zone, such as Europe/Madrid; got "Mars/Olympus".',
          all_day: 'Expected true or false, such as true; got "yes".',
          categories: 'Expected categories that exist; there is no category 99.',
          venue: 'Expected venues that exist; there is no venue 99.',
          organizer: 'Expected an ID, or a new organizer with its organizer.',
        },
      },
    },
  })
})

test.each(['per_page=0', 'per_page=-1', 'page=abc', 'page=1.5', 'page=', 'start_date=', 'search=', 'status=any'])(
  'a list with %s is refused',
  async query => {
    const { ask } = testService()
    const [name = ''] = query.split('=')
    expect(await ask(`GET /events?${query}`)).toMatchObject({
      status: 400,
      body: { data: { params: { [name]: expect.stringMatching(/^Expected .+; got .+/) } } },
    })
  },
)

test.each([
  'per_page=5.0',
  'per_page=5e0',
  'per_page=%2B5',
  'page=01',
  'start_date=tomorrow',
  'starts_after=%2B1 week',
])('a list with %s is answered', async query => {
  const { send } = testService()
  expect((await send(`GET /events?${query}`)).status).toBe(200)
})

test.each([
  ['events', 'categories=99'],
  ['events', 'categories=jazz'],
  ['events', 'venue=99'],
  ['events', 'organizer=99'],
  ['events', 'post_parent=99'],
  ['tags', 'include=99'],
  ['categories', 'exclude=99'],
  ['categories', 'parent=99'],
  ['venues', 'event=99'],
])('a list of %s filtered by an unknown record is refused: %s', async (resource, query) => {
  const { ask } = testService()
  expect((await ask(`GET /${resource}?${query}`)).body).toMatchObject({ code: 'rest_invalid_param' })
})
