import fc from 'fast-check'
import { resources } from '../../src/contract/contract.ts'
import type { Request } from '../../src/contract/exchange.ts'
import type { Endpoint, Route } from '../../src/service/endpoints.ts'
import { routes } from '../../src/service/routes.ts'

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)

/** The first in nine of ten cases, otherwise the second. */
const mostly = <T>(first: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: first }, { weight: 1, arbitrary: other })

/** Values that people, scripts and attackers send. */
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

const anything = fc.oneof(
  { weight: 4, arbitrary: texts },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)) },
  { weight: 1, arbitrary: fc.array(fc.oneof(texts, fc.integer()), { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(oneOf(['venue', 'organizer', 'id', 'name', '__proto__']), texts, { maxKeys: 3 }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
)

/** Valid values by kind of field, so that many requests pass validation. */
const sensible: Readonly<Record<string, readonly unknown[]>> = {
  text: ['Concert', 'Jazz at the river', 'l·lusió <b>& més</b>', '🎷', 'concert', ''],
  integer: [1, 2, '3', 0],
  number: [41.98, '2.82'],
  boolean: [true, false, 'true', '0', 1],
  mark: ['canceled', 'postponed', ''],
  choice: ['asc', 'desc', 'name', 'id', 'ca', 'en', 'publish', 'draft', 'trash'],
  choices: ['publish', 'publish,draft', 'trash'],
  dateTime: ['2026-12-05 19:00', '2026-12-05 21:00', '2026-12-05T19:00:00Z', '2026-12-06', '9999-12-31', 'tomorrow'],
  timeZone: ['Europe/Madrid', 'UTC+5:30', 'America/New_York', ''],
  url: ['https://example.org/', ''],
  email: ['info@example.org', ''],
  image: ['https://example.org/poster.jpg', 7, ''],
  cost: ['15 €', 0, '10 - 20', [5, 10]],
  ids: [[1, 2], '1,2', 3],
  terms: [[1], ['jazz', 'New'], 'jazz,99', []],
  posts: [1, [2], { venue: 'Sala' }, { organizer: 'Cor' }, [{ organizer: 'Cor' }, 2], [], null],
}

const oddNames = oneOf([
  '__proto__',
  'constructor',
  'venue[city]',
  'categories[]',
  'a[b][c][d][e]',
  '[',
  '_method',
  'id',
])

type Parameter = readonly [name: string, value: unknown]

/** A value for a parameter of this name, mostly a valid one. */
const parameterNamed = ({ args }: Endpoint, name: string): fc.Arbitrary<Parameter> =>
  mostly<unknown>(oneOf(sensible[args[name]?.kind.name ?? 'text'] ?? []), anything).map(value => [name, value])

const parameterOf = (endpoint: Endpoint): fc.Arbitrary<Parameter> =>
  mostly(
    oneOf(Object.keys(endpoint.args)).chain(name => parameterNamed(endpoint, name)),
    fc.tuple(oddNames, anything),
  )

/** Mostly the required parameters of the endpoint, and a few more. */
const parametersOf = (endpoint: Endpoint): fc.Arbitrary<readonly Parameter[]> =>
  fc
    .tuple(
      mostly(fc.tuple(...endpoint.required.map(name => parameterNamed(endpoint, name))), fc.constant<Parameter[]>([])),
      fc.array(parameterOf(endpoint), { maxLength: 3 }),
    )
    .map(([required, more]) => [...required, ...more])

const asQuery = (parameters: readonly Parameter[]) =>
  parameters
    .map(([name, value]) => `${escaped(name)}=${escaped(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&')

/** encodeURIComponent throws on half a surrogate pair. */
const escaped = (text: string) => encodeURIComponent(Buffer.from(text).toString())

const asJson = (parameters: readonly Parameter[]) =>
  `{${parameters.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`

const oddBodies = fc.tuple(
  oneOf(['application/json', 'application/json; charset=latin1', 'multipart/form-data; boundary=x', 'text/plain', '']),
  oneOf([
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"title":}',
    '\0',
    '['.repeat(50_000),
    `{"a":${'{"a":'.repeat(9000)}`,
    '--x\r\n\r\n--x--',
  ]),
)

const bodiesOf = (endpoint: Endpoint) =>
  fc.oneof(
    { weight: 12, arbitrary: parametersOf(endpoint).map(list => ['application/json', asJson(list)]) },
    { weight: 4, arbitrary: parametersOf(endpoint).map(list => ['application/x-www-form-urlencoded', asQuery(list)]) },
    { weight: 1, arbitrary: oddBodies },
  )

const pathOf = ({ path }: Route) =>
  fc
    .tuple(
      mostly(fc.constant(''), oneOf(['/ca', '/en', '/es', '/fr'])),
      mostly(oneOf(['1', '2', '3', '4']), oneOf(['99', '0', '007', '99999999999999999999', '-1', 'x'])),
      mostly(oneOf(['concert', 'teatre-principal', 'orfeo']), texts),
      mostly(fc.constant(''), oneOf(['/', '//', '/x', '%2F'])),
    )
    .map(
      ([language, id, slug, end]) =>
        `${language}/calendar/events/v1${path.replace('{id}', id).replace('{slug}', escaped(slug))}${end}`,
    )

const wordpressKeys = resources.flatMap(({ fields }) =>
  Object.values(fields).flatMap(({ site, kind }) => (site?.key ? [{ key: site.key, kind: kind.name }] : [])),
)

/** A patch of one to four keys, mostly with valid values. */
const patches = fc
  .array(
    oneOf([...wordpressKeys, { key: 'meta._EventEndDateUTC', kind: 'dateTime' }]).chain(({ key, kind }) =>
      mostly<unknown>(oneOf(sensible[kind] ?? []), anything).map(value => [key, value] as const),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map(pairs => {
    const [meta, own] = [true, false].map(inMeta =>
      Object.fromEntries(
        pairs
          .filter(([key]) => key.startsWith('meta.') === inMeta)
          .map(([key, value]) => [key.replace('meta.', ''), value]),
      ),
    )
    return JSON.stringify({ ...own, ...(Object.keys(meta ?? {}).length > 0 && { meta }) })
  })

/** Random requests to WordPress's own API. */
export const wordpressRequests: fc.Arbitrary<Request> = fc
  .record({
    method: mostly<string>(oneOf(['GET', 'POST', 'PUT', 'PATCH']), oneOf(['DELETE', 'HEAD', 'brew'])),
    collection: mostly(
      oneOf(resources.map(({ wordpress }) => wordpress)),
      oneOf(['types', 'users', 'media', '__proto__']),
    ),
    item: mostly(oneOf(['/1', '/2', '/3', '/4', '']), oneOf(['/me', '/99', '/x', '/1/2', '/99999999999999999999'])),
    query: fc
      .array(
        fc.tuple(
          oneOf(['context', 'status', 'include', 'exclude', 'slug', 'per_page', 'page', 'order', 'orderby', 'force']),
          mostly(oneOf(['edit', 'any', '1,2', '100', 'id', 'asc', 'true']), texts),
        ),
        { maxLength: 3 },
      )
      .map(asQuery),
    body: mostly(
      patches,
      fc.jsonValue().map(value => JSON.stringify(value)),
    ),
  })
  .map(({ collection, item, body, ...request }) => ({
    ...request,
    path: `/wp/v2/${collection}${item}`,
    headers: { 'content-type': 'application/json' },
    body,
  }))

/** Random requests, most of them similar to a route of the API. */
export const requests: fc.Arbitrary<Request> = oneOf(routes)
  .chain(route => oneOf(route.endpoints).map(endpoint => ({ route, endpoint })))
  .chain(({ route, endpoint }) =>
    fc.record({
      method: mostly<string>(
        oneOf(endpoint.methods),
        oneOf(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'brew']),
      ),
      path: mostly(
        pathOf(route),
        texts.map(text => `/${escaped(text)}`),
      ),
      query: mostly(
        endpoint.methods.includes('GET') ? parametersOf(endpoint).map(asQuery) : fc.constant(''),
        fc.oneof(parametersOf(endpoint).map(asQuery), fc.string({ unit: 'binary-ascii' })),
      ),
      content: bodiesOf(endpoint),
      authorization: mostly(
        fc.constant('Basic ZWRpdG9yOnNlY3JldA=='),
        oneOf(['', 'Basic ZWRpdG9yOndyb25n', 'Basic !', 'Bearer x']),
      ),
    }),
  )
  .map(({ content: [type, body], authorization, ...request }) => ({
    ...request,
    headers: { ...(type && { 'content-type': type }), ...(authorization && { authorization }) },
    ...(body !== undefined && { body }),
  }))
