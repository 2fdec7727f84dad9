import fc from 'fast-check'
import type { Request } from '../src/contract/exchange.ts'
import { type Endpoint, type Route, routes } from '../src/service/routes.ts'

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)

/** What people, scripts and attackers put where a value is expected. */
const texts = oneOf([
  ...[
    '',
    ' ',
    '0',
    '1',
    '2',
    '3',
    '99',
    '-1',
    '1.5',
    '1e999',
    'NaN',
    '00001',
    '99999999999999999999',
    '1,2',
    '1,,x',
    ',',
  ],
  ...[
    'true',
    'false',
    'yes',
    'null',
    'undefined',
    'asc',
    'ca',
    'en',
    'fr',
    'publish',
    'trash',
    'publish,draft',
    'name',
  ],
  ...['2026-12-05', '2026-12-05 19:00', '2026-12-05T19:00:00+01:00', '2027-02-30', '9999-12-31 23:59:59', '0000-00-00'],
  ...['tomorrow', '+1 week', '+999999999 years', 'Europe/Madrid', 'UTC+5:30', 'UTC+99', 'Mars/Olympus', '10 - 20 €'],
  ...['https://example.org/', 'javascript:alert(1)', 'http://', 'info@example.org', '../../etc/passwd', 'a/b', 'a%2Fb'],
  ...[
    '<script>',
    '"',
    "'; DROP TABLE events",
    '{"venue":"Sala"}',
    '[1]',
    '__proto__',
    'constructor',
    '%00',
    '%',
    '%ED%A0%80',
  ],
  ...['\0', '\ud800', '\u202e', 'l·l', '🎷', 'e\u0301', 'x'.repeat(300), 'jazz', 'concert', 'teatre-principal'],
])

const values = fc.oneof(
  { weight: 6, arbitrary: texts },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)) },
  { weight: 2, arbitrary: fc.array(fc.oneof(texts, fc.integer()), { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(oneOf(['venue', 'organizer', 'id', 'name', 'city', '__proto__']), texts, { maxKeys: 3 }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
)

/** What is right for each name, so that some requests get far. */
const right: Readonly<Record<string, unknown>> = {
  title: 'Concert',
  venue: { venue: 'Sala' },
  organizer: { organizer: 'Orfeó' },
  name: 'Jazz',
  start_date: '2026-12-05 19:00',
  end_date: '2026-12-05 21:00',
  categories: [1],
}

const nameIn = ({ args }: Endpoint) =>
  fc.oneof(
    { weight: 9, arbitrary: oneOf([...Object.keys(args), '_method', 'id', 'page']) },
    {
      weight: 1,
      arbitrary: oneOf(['__proto__', 'constructor', 'venue[city]', 'categories[]', 'a[b][c][d][e]', '[', 'toString']),
    },
  )

const parametersOf = (endpoint: Endpoint) =>
  fc
    .tuple(
      fc.subarray(Object.keys(right).filter(name => name in endpoint.args)),
      fc.array(fc.tuple(nameIn(endpoint), values), { maxLength: 4 }),
    )
    .map(([sound, odd]) => new Map<string, unknown>([...sound.map(name => [name, right[name]] as const), ...odd]))

const asQuery = (parameters: ReadonlyMap<string, unknown>) =>
  [...parameters]
    .map(([name, value]) => `${escaped(name)}=${escaped(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&')

/** Half a surrogate pair cannot be escaped. */
const escaped = (text: string) => encodeURIComponent(Buffer.from(text).toString())

const asJson = (parameters: ReadonlyMap<string, unknown>) =>
  `{${[...parameters].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`

const bodiesOf = (endpoint: Endpoint) =>
  fc.oneof(
    { weight: 6, arbitrary: parametersOf(endpoint).map(map => ['application/json', asJson(map)] as const) },
    {
      weight: 2,
      arbitrary: parametersOf(endpoint).map(map => ['application/x-www-form-urlencoded', asQuery(map)] as const),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        oneOf([
          'application/json',
          'application/json; charset=latin1',
          'multipart/form-data; boundary=x',
          'text/plain',
          '',
        ]),
        oneOf([
          '',
          '{',
          '[]',
          'null',
          '"x"',
          '{"title":}',
          '\0',
          '['.repeat(50_000),
          '--x\r\n\r\n--x--',
          `{"a":${'{"a":'.repeat(9000)}`,
        ]),
      ),
    },
  )

const pathOf = ({ path }: Route) =>
  fc
    .tuple(
      oneOf(['', '', '', '/ca', '/en', '/es', '/fr']),
      oneOf(['1', '2', '3', '4', '5', '99', '0', '007', '99999999999999999999', '-1', 'x']),
      texts,
      oneOf(['', '', '', '/', '//', '/x', '%2F']),
    )
    .map(
      ([language, id, slug, end]) =>
        `${language}/calendar/events/v1${path.replace('{id}', id).replace('{slug}', escaped(slug))}${end}`,
    )

/** Any request that someone might make, more or less near to a route of the API. */
export const requests: fc.Arbitrary<Request> = oneOf(routes)
  .chain(route => oneOf(route.endpoints).map(endpoint => ({ route, endpoint })))
  .chain(({ route, endpoint }) =>
    fc.record({
      method: fc.oneof(
        { weight: 8, arbitrary: oneOf(endpoint.methods) },
        { weight: 1, arbitrary: oneOf(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'brew']) },
      ),
      path: fc.oneof(
        { weight: 19, arbitrary: pathOf(route) },
        { weight: 1, arbitrary: texts.map(text => `/${escaped(text)}`) },
      ),
      query: fc.oneof(
        { weight: 9, arbitrary: parametersOf(endpoint).map(asQuery) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii' }) },
      ),
      content: bodiesOf(endpoint),
      authorization: oneOf(['', '', '', 'Basic ZWRpdG9yOnNlY3JldA==', 'Basic ZWRpdG9yOndyb25n', 'Basic !', 'Bearer x']),
    }),
  )
  .map(({ content: [type, body], authorization, ...request }) => ({
    ...request,
    headers: { ...(type && { 'content-type': type }), ...(authorization && { authorization }) },
    body,
  }))
