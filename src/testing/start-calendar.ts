/**
 * `calctl/testing`: the stand-in as a library, for the tests of programs that use a calendar. Input: the initial records, and how the
 * calendar answers. Output: a calendar on a port of its own; a test can change its state, clock and faults, and see the requests that it
 * got. Several calendars in a process are independent. Its types are in `testing.d.ts`.
 */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { badSettings, Failure, usage } from '../base/failure.ts'
import { isZone } from '../base/time/zone.ts'
import { unknownName, withCalendarErrors } from '../client/library/calendar-error.ts'
import { documentedNamespace } from '../contract/contract.ts'
import { isLanguage } from '../contract/languages.ts'
import type { Users } from '../service/access.ts'
import { roles } from '../service/dialect.ts'
import { Conditions } from '../service/http/conditions.ts'
import { createControl } from '../service/http/control.ts'
import { createGateway } from '../service/http/gateway.ts'
import { createHostCheck } from '../service/http/origins.ts'
import { listen } from '../service/http/server.ts'
import { welcome } from '../service/http/welcome.ts'
import { createService } from '../service/service.ts'
import type { Site } from '../service/store/rows.ts'
import type { Store } from '../service/store/store.ts'
import { readMoment } from './moment.ts'
import { createRecords } from './seed-records.ts'
import { testCalendar } from './test-calendar.ts'
import type { StartOptions, TestCalendar } from './testing.d.ts'

export { CalendarError } from '../client/library/calendar-error.ts'

/** Starts a calendar; it stops with `close()`, and keeps no process alive. */
export const startCalendar = (options: StartOptions = {}): Promise<TestCalendar> =>
  withCalendarErrors(() => start(options))

async function start(options: StartOptions): Promise<TestCalendar> {
  checkOptions(options)
  const { quirks = false, port: wanted = 0, seed = 0 } = options
  const frozen = options.now === undefined ? undefined : readMoment(options.now)
  const now = () => frozen ?? new Date()
  const { namespace = quirks ? 'tribe/events/v1' : documentedNamespace } = options
  const basePath = quirks ? '/wp-json' : ''
  const store = await openStore(options, now)
  const server = await listen({ host: '127.0.0.1', port: wanted, keepsAlive: false }).catch(error => {
    throw portInUse(error, wanted)
  })
  const url = `${server.origin}${basePath}`
  const conditions = new Conditions({ now, namespace, seed })
  const users = usersIn(options)
  const settings = { store, now: conditions.now, baseUrl: url, namespace, quirks, hasControl: true }
  // Its first records are nobody's: they are made before anybody has to log in.
  await createRecords(createService(settings), namespace, options.records ?? {})
  const service = createService({ ...settings, users })
  const answer = conditions.apply(service)
  const token = randomBytes(9).toString('base64url')
  server.begin(
    createGateway({
      basePath,
      service: answer,
      welcome: () => welcome({ baseUrl: url, namespace, hasUsers: users !== undefined }),
      control: createControl(store, conditions, token),
      isOwnHost: createHostCheck('127.0.0.1', server.port, []),
      cors: { origins: new Set(['localhost']), quirks },
      now: () => (frozen || conditions.isFrozen ? conditions.now() : undefined),
    }),
  )
  return testCalendar({ store, conditions, server, answer, url, basePath, namespace, token })
}

const optionNames: Readonly<Record<keyof StartOptions, true>> = {
  demo: true,
  file: true,
  records: true,
  quirks: true,
  now: true,
  namespace: true,
  language: true,
  timezone: true,
  users: true,
  port: true,
  seed: true,
}

function checkOptions(options: StartOptions): void {
  const { demo, file, records, language, timezone } = options
  const unknown = Object.keys(options).find(name => !Object.hasOwn(optionNames, name))
  if (unknown !== undefined)
    throw unknownName(`startCalendar has no option "${unknown}"`, unknown, Object.keys(optionNames))
  const sources = [demo && 'demo', file !== undefined && 'file', records && 'records'].filter(name => name)
  if (sources.length > 1) throw usage(`${sources.join(' and ')} cannot be used together`, 'leave one of them out')
  if (language !== undefined && !isLanguage(language))
    throw new Failure('usage', `language: expected ca, en or es, got ${JSON.stringify(language)}`)
  if (timezone !== undefined && !isZone(timezone))
    throw usage(`timezone: expected a time zone, got ${JSON.stringify(timezone)}`, 'for example: Europe/Madrid')
}

async function openStore(
  { demo, file, quirks = false, language, timezone }: StartOptions,
  now: () => Date,
): Promise<Store> {
  const { memoryStore, withSettings } = await import('../service/store/memory-store.ts')
  const settings: Partial<Site> = {
    ...(language !== undefined && isLanguage(language) && { language }),
    ...(timezone !== undefined && { timezone }),
    quirks,
  }
  if (demo) {
    const { demoRows } = await import('../service/demo/demo.ts')
    const { site, rows, files } = demoRows(now())
    return memoryStore({ ...site, ...settings }, rows, files)
  }
  const fresh: Site = { language: 'en', timezone: 'UTC', quirks, ...settings }
  if (file === undefined) return memoryStore(fresh)
  const { openStore: open } = await import('../service/store/open-calendar-file.ts')
  return withSettings(await open({ file: resolve(file), now, create: true, site: fresh, wait: 0 }), settings)
}

function usersIn({ users }: StartOptions): Users | undefined {
  if (users === undefined) return undefined
  const unknown = users.find(({ role }) => role !== undefined && !roles.includes(role))
  if (unknown) throw new Failure('usage', `users: expected one of ${roles.join(', ')} as a role, got "${unknown.role}"`)
  return new Map(users.map(({ name, password, role = 'administrator' }) => [name, { password, role }]))
}

const portInUse = (error: unknown, port: number): unknown =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? badSettings(`port ${port} is in use`, 'leave out port for any free one')
    : error
