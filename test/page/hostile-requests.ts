import fc from 'fast-check'

/** What may reach the site: these lists, with these parameters. */
export const lists = ['events', 'venues', 'organizers', 'categories', 'tags']
export const parameters = [
  ...['page', 'per_page', 'lang_code', 'context', 'search', 'status', 'strict_dates'],
  ...['starts_after', 'starts_before', 'ends_after', 'categories', 'tags', 'venue', 'organizer'],
]

const hostileNames = ['_method', '_jsonp', '_envelope', 'rest_route', 'callback', 'action', 'search[]', '__proto__']

/** A name as PHP would still read it: letters in percent signs, dots and spaces for `_`, a space before it, brackets after it. */
const disguised = fc
  .tuple(fc.constantFrom(...hostileNames), fc.infiniteStream(fc.nat(3)), fc.constantFrom('', '%20', '+'), fc.boolean())
  .map(([name, choices, before, isList]) => {
    const letters = [...name].map(letter => {
      const [choice] = choices.take(1)
      if (choice === 1 || /[[\]]/.test(letter)) return `%${letter.charCodeAt(0).toString(16)}`
      if (choice === 2 && letter === '_') return '.'
      return letter
    })
    return before + letters.join('') + (isList ? '[]' : '')
  })

const good: Record<string, string> = {
  ends_after: '2027-01-01',
  starts_before: '2027-05-01',
  search: 'Ball',
  lang_code: 'ca',
  per_page: '50',
  page: '1',
  status: 'draft',
  categories: '3',
  strict_dates: 'true',
  context: 'view',
}
const known = fc.constantFrom(...Object.entries(good)).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
const hostile = fc
  .tuple(
    fc.oneof(disguised, fc.constantFrom(...parameters)),
    fc.constantFrom(
      'DELETE',
      'post',
      'f',
      '1',
      '/wp/v2/users/me/application-passwords',
      '%00',
      '',
      '..%2f',
      '%26_method=PUT',
    ),
  )
  .map(pair => pair.join('='))
const queries = fc.oneof(
  { weight: 2, arbitrary: fc.uniqueArray(known, { maxLength: 4 }).map(parts => parts.join('&')) },
  { weight: 5, arbitrary: fc.array(fc.oneof(known, hostile), { maxLength: 5 }).map(parts => parts.join('&')) },
)

const paths = fc.oneof(
  fc.constantFrom(...lists).map(name => `/calendar/events/v1/${name}`),
  fc.constantFrom(
    ...[
      '/',
      '/__page/plan',
      '/__page/page.js',
      '/__page/changes',
      '/calendar.ics',
      '//events',
      '/event/ball',
      '/__enter',
    ],
    ...[
      '/calendar/events/v1/events/1',
      '/calendar/events/v1/..%2fevents',
      '/calendar/events/v1/events%00',
      '/wp/v2/users',
    ],
    ...[
      '/calendar/events/v1//events',
      '/calendar/events/v1/../v1/events',
      '/calendar/events/v1/events/',
      '/en/calendar/events/v1/events',
    ],
    ...[
      '/calendar/events/v1/%65vents',
      '/calendar/events/v1/doc',
      '/__calctl/requests',
      '/wp-json/',
      '/calendar/events/v1',
    ],
  ),
)
const targets = fc.constantFrom('', '', '', '', 'http://127.0.0.1:PORT', 'http://evil.example', '/..', '/')
const methods = fc.constantFrom(
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
)
const headers = fc.record(
  {
    'x-http-method-override': fc.constantFrom('DELETE', 'post'),
    'X-Http-Method-Override': fc.constantFrom('PUT'),
    authorization: fc.constant('Basic Ym9zczpzZWNyZXQ='),
    accept: fc.constantFrom('text/html', 'application/json', '*/*'),
    origin: fc.constantFrom('http://evil.example', 'null', 'http://127.0.0.1:1'),
    'sec-fetch-site': fc.constantFrom('cross-site', 'same-site', 'same-origin', 'none'),
    host: fc.constantFrom('evil.example', 'localhost', '127.0.0.1'),
  },
  { requiredKeys: [] },
)
/** Requests that try to get something else through than the page asks for; `isInside`: below the secret path. */
export const hostileRequests = fc.record({
  method: methods,
  target: targets,
  path: paths,
  query: queries,
  isInside: fc.boolean(),
  hasCookie: fc.boolean(),
  headers: fc.oneof(fc.constant({}), headers),
})
