import type { Transport } from '../../src/contract/exchange.ts'
import type { Language } from '../../src/contract/languages.ts'
import { createService } from '../../src/service/service.ts'
import { memoryStore } from '../../src/service/store/memory-store.ts'
import type { ImageRow } from '../../src/service/store/rows.ts'
import { type Setup, testTime, worldOf } from './world.ts'

interface Shape
  extends Pick<Setup, 'now' | 'cwd' | 'terminal' | 'piped' | 'rows' | 'pager' | 'openPage' | 'keys' | 'env' | 'sleep'> {
  language?: Language
  timezone?: string
  quirks?: boolean
  images?: readonly ImageRow[]
  /** Receives every request as a line: `GET /calendar/events/v1/events/1`. */
  seen?: string[]
}

/** A command line with an empty calendar: our service as a function, no socket and no file. `ask` sends it a request, as `POST /events`. */
export function calendar({
  language = 'ca',
  timezone = 'Europe/Madrid',
  quirks = false,
  images = [],
  seen,
  ...world
}: Shape = {}) {
  const service = createService({
    store: memoryStore({ language, timezone, quirks }, { images }),
    now: () => testTime,
    baseUrl: 'http://calendar.test',
    namespace: 'calendar/events/v1',
  })
  const transport: Transport = request => {
    seen?.push(`${request.method} ${request.path}`)
    return service(request)
  }
  const ask = async (line: string, body?: object) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json' }
    await service({ method, path: `/calendar/events/v1${path}`, headers, ...(body && { body: JSON.stringify(body) }) })
  }
  return Object.assign(worldOf({ transport, ...world }), { ask })
}
