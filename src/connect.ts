import { resolve } from 'node:path'
import { type Calendar, calendarAt, calendarInFile, demoCalendar } from './client/calendar.ts'
import type { Client } from './client/client.ts'
import { createClient } from './client/create-client.ts'
import type { Transport } from './contract/exchange.ts'
import { type Language, languages } from './contract/words.ts'
import type { Failure } from './failure.ts'
import type { Globals } from './globals.ts'
import { absence, checkFolder } from './profiles/calendar-file.ts'
import { resolveTarget, type Target } from './profiles/resolve.ts'
import { dataFile } from './profiles/user-folders.ts'
import type { OpenCalendar, World } from './world.ts'

/** A client that is talking to somewhere. */
export interface Connection {
  readonly client: Client
  /** The same client, which stops short of writing. */
  rehearsing(): Promise<Client>
  /** Keeps a calendar in a file from others until the end, before it is read for the first time. */
  hold(): void
  /** Why there is nothing to read; undefined where there may be. */
  absence(): Failure | undefined
  readonly profile: string
  readonly isProtected: boolean
  close(): Promise<void>
}

/** Finds out where to talk and opens the way there. */
export async function connect(
  world: World,
  globals: Globals,
  notice: (text: string) => Promise<void>,
): Promise<Connection> {
  const target = await resolveTarget(world, globals)
  for (const text of target.notices) await notice(text)
  const { profile, namespace, language, sendLanguage } = target
  const named = namedFile(world, target)
  if (named !== undefined) checkFolder(named)
  const { calendar, transport, hold, close, reconciling } = await open(world, globals, target, notice)
  const clientOver = (way: Transport) =>
    createClient({ transport: way, calendar, namespace, notice, ...(language && sendLanguage ? { language } : {}) })
  const own = reconciling ? reconciling(clientOver(transport)) : clientOver(transport)
  const others = new Map<Language, Promise<Connection>>()
  return {
    client: target.sites.length > 0 ? await acrossSites(own, target, others, world, globals, notice) : own,
    rehearsing: async () => {
      const { dryRun } = await import('./client/dry-run.ts')
      return clientOver(dryRun(transport, calendar))
    },
    hold,
    absence: () => (named === undefined ? undefined : absence(named)),
    profile,
    isProtected: target.protected,
    async close() {
      for (const other of others.values()) await (await other.catch(() => undefined))?.close()
      await close()
    },
  }
}

/** Opens the sites of other languages as they are needed. */
async function acrossSites(
  own: Client,
  { language, sites }: Target,
  others: Map<Language, Promise<Connection>>,
  world: World,
  globals: Globals,
  notice: (text: string) => Promise<void>,
): Promise<Client> {
  const { routeByLanguage } = await import('./client/language-routing.ts')
  const [rest, ...more] = languages.filter(name => !sites.includes(name))
  const spoken = language ?? (more.length === 0 ? rest : undefined)
  return routeByLanguage(own, spoken, async name => {
    if (!sites.includes(name)) return undefined
    const other = others.get(name) ?? connect(world, { ...globals, lang: name }, notice)
    others.set(name, other)
    return (await other).client
  })
}

/** The calendar file that somebody named; the embedded calendar is made without a word. */
const namedFile = (world: World, { place }: Target): string | undefined =>
  place.kind === 'file' && place.file !== dataFile(world) ? place.file : undefined

interface Way extends OpenCalendar {
  readonly calendar: Calendar
  hold(): void
  /** Makes a client that can lose an answer on this way find out what became of the write. */
  reconciling?(client: Client): Client
}

async function open(
  world: World,
  globals: Globals,
  { place, namespace, credentials }: Target,
  notice: (text: string) => Promise<void>,
): Promise<Way> {
  if (place.kind === 'http') {
    const { openResilientHttp } = await import('./client/resilient-http.ts')
    const { baseUrl } = place
    const way = await openResilientHttp({
      baseUrl,
      credentials,
      timeout: globals.timeout,
      env: world.env,
      caFile: globals.caFile && resolve(world.cwd, globals.caFile),
      retries: globals.retries ?? 3,
      stopping: () => world.stopping(),
      now: () => world.now().getTime(),
      // Whoever takes JSON takes an error as JSON, and no sentences before it.
      notice: globals.json || globals.output === 'json' ? async () => {} : notice,
    })
    return { ...way, calendar: calendarAt(baseUrl, namespace), hold: () => {} }
  }
  let onlyReads = true
  let opening: Promise<OpenCalendar> | undefined
  const opened = () => {
    opening ??= world.openCalendar(place.kind === 'demo' ? { demo: true } : { file: place.file }, onlyReads)
    return opening
  }
  return {
    calendar: place.kind === 'demo' ? demoCalendar : calendarInFile(place.file),
    transport: async request => (await opened()).transport(request),
    hold() {
      onlyReads = false
    },
    close: async () => (await opening?.catch(() => undefined))?.close(),
  }
}
