import { createService, type ServiceOptions } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import type { Rows, Site, TableName } from '../../src/service/store/rows.ts'

type Options = Partial<ServiceOptions> & {
  readonly site?: Partial<Site>
  readonly rows?: { readonly [T in TableName]?: readonly Rows[T][] }
}

interface RequestParts {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is; `json` is serialized first. */
  readonly body?: string | Uint8Array
  readonly json?: unknown
}

/** A new calendar with its service, called as over HTTP: `ask('POST /events?lang_code=en', { json })`. */
export function testService({ site, rows, ...options }: Options = {}) {
  const store = memoryStore({ language: 'ca', timezone: 'Europe/Madrid', quirks: false, ...site }, rows)
  const service = createService({
    store,
    now: () => new Date('2026-11-21T02:00:00Z'),
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
    ...options,
  })
  const send = async (line: string, { headers = {}, body, json }: RequestParts = {}) => {
    const [, method = '', prefix = '', path = '', query = ''] =
      /^(\S+) ((?:\/\w\w(?=\/))?)([^?]*)\??(.*)$/.exec(line) ?? []
    const content = json === undefined ? body : JSON.stringify(json)
    return service({
      method,
      path: `${prefix}/calendar/events/v1${path}`,
      query,
      headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(content === undefined ? {} : { body: content }),
    })
  }
  const ask = async (line: string, parts?: RequestParts) => {
    const { status, headers, body } = await send(line, parts)
    return { status, headers, body: body.length === 0 ? undefined : JSON.parse(String(body)) }
  }
  return { ask, send, service, store }
}

/** The required fields of an event. */
export const concert = {
  title: 'Concert',
  start_date: '2026-12-05 19:00:00',
  end_date: '2026-12-05 21:00:00',
}
