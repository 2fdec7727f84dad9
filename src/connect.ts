import { resolve } from 'node:path'
import { type Calendar, calendarAt, calendarInFile, demoCalendar } from './client/calendar.ts'
import type { Client } from './client/client.ts'
import { createClient } from './client/create-client.ts'
import type { Transport } from './contract/exchange.ts'
import { type Language, languages } from './contract/languages.ts'
import type { Failure } from './failure.ts'
import type { Globals } from './globals.ts'
import { missingFile, requireFolder } from './profiles/calendar-file.ts'
import { resolveTarget, type Target } from './profiles/resolve.ts'
import { dataFile } from './profiles/user-folders.ts'
import type { OpenCalendar, World } from './world.ts'

/** An open connection to a calendar. */
export interface Connection {
  readonly client: Client
  /** The same client, which throws a `Preview` instead of a write. */
  dryRunClient(): Promise<Client>
  /** Opens a calendar file for writing, and so locks it; to be called before the first request. */
  lockForWriting(): void
  /** The failure for a calendar file that does not exist; undefined if there is something to read. */
  missingFile(): Failure | undefined
  readonly profile: string
  readonly isProtected: boolean
  close(): Promise<void>
}

/** Resolves the profile and connects, over HTTP or to the service in this process. Nothing is sent before the first request. */
export async function connect(
  world: World,
  globals: Globals,
  notice: (text: string) => Promise<void>,
): Promise<Connection> {
  const target = await resolveTarget(world, globals)
  for (const text of target.notices) await notice(text)
  const { profile, namespace, language, sendLanguage } = target
  const file = chosenFile(world, target)
  if (file !== undefined) requireFolder(file)
  const { transport, lockForWriting, reconciling, close, ...opened } = await open(world, globals, target, notice)
  const calendar = { ...opened.calendar, flags: typedFlags(globals) }
  const clientOver = (transport: Transport) =>
    createClient({ transport, calendar, namespace, notice, ...(language && sendLanguage ? { language } : {}) })
  const client = reconciling ? reconciling(clientOver(transport)) : clientOver(transport)
  const connections = new Map<Language, Promise<Connection>>()
  const connectIn = async (name: Language): Promise<Client> => {
    const connection = connections.get(name) ?? connect(world, { ...globals, lang: name }, notice)
    connections.set(name, connection)
    return (await connection).client
  }
  return {
    client: target.sites.length > 0 ? await clientForLanguages(client, target, connectIn) : client,
    dryRunClient: async () => {
      const { dryRun } = await import('./client/dry-run.ts')
      return clientOver(dryRun(transport, calendar))
    },
    lockForWriting,
    missingFile: () => (file === undefined ? undefined : missingFile(file)),
    profile,
    isProtected: target.protected,
    async close() {
      for (const connection of connections.values()) await (await connection.catch(() => undefined))?.close()
      await close()
    },
  }
}

/** Sends requests in languages with base URLs of their own there. */
async function clientForLanguages(
  client: Client,
  { language, sites }: Target,
  connectIn: (language: Language) => Promise<Client>,
): Promise<Client> {
  const { routeByLanguage } = await import('./client/language-routing.ts')
  // If all languages but one have base URLs of their own, the main base URL has that language.
  const remaining = languages.filter(name => !sites.includes(name))
  const mainLanguage = language ?? (remaining.length === 1 ? remaining[0] : undefined)
  return routeByLanguage(client, mainLanguage, async name => (sites.includes(name) ? connectIn(name) : undefined))
}

/** The options that chose the calendar, as typed, for the commands in hints. */
function typedFlags({ demo, profile, baseUrl, namespace }: Globals): string {
  const flags = [
    demo && '--demo',
    profile && `-p ${profile}`,
    baseUrl && `--base-url ${baseUrl}`,
    namespace && `--namespace ${namespace}`,
  ]
  return flags.map(flag => (flag ? ` ${flag}` : '')).join('')
}

/** The calendar file that the user chose; the embedded calendar is created if it does not exist. */
const chosenFile = (world: World, { place }: Target): string | undefined =>
  place.kind === 'file' && place.file !== dataFile(world) ? place.file : undefined

interface OpenTarget extends OpenCalendar {
  readonly calendar: Calendar
  lockForWriting(): void
  /** Wraps a client over a transport that can lose responses. */
  reconciling?(client: Client): Client
}

async function open(
  world: World,
  globals: Globals,
  { place, namespace, credentials }: Target,
  notice: (text: string) => Promise<void>,
): Promise<OpenTarget> {
  if (place.kind === 'http') {
    const { openResilientHttp } = await import('./client/resilient-http.ts')
    const { baseUrl } = place
    const http = await openResilientHttp({
      baseUrl,
      credentials,
      timeout: globals.timeout,
      env: world.env,
      caFile: globals.caFile && resolve(world.cwd, globals.caFile),
      retries: globals.retries ?? 3,
      stopping: () => world.stopping(),
      now: () => world.now().getTime(),
      // With JSON output, stderr has nothing but the error as JSON.
      notice: globals.json || globals.output === 'json' ? async () => {} : notice,
    })
    // Only HTTP can lose the answer to a write: `http.reconciling` finds out whether it was done.
    return { ...http, calendar: calendarAt(baseUrl, namespace), lockForWriting: () => {} }
  }
  let onlyReads = true
  let opening: Promise<OpenCalendar> | undefined
  const openOnce = () => {
    const calendarPlace = place.kind === 'demo' ? ({ demo: true } as const) : { file: place.file }
    opening ??= world.openCalendar(calendarPlace, onlyReads, text => void notice(text))
    return opening
  }
  return {
    calendar: place.kind === 'demo' ? demoCalendar : calendarInFile(place.file),
    transport: async request => (await openOnce()).transport(request),
    lockForWriting() {
      // What was opened for reading is a snapshot: writes to it would be lost.
      if (opening && onlyReads)
        throw new Error('the calendar file is open for reading: call writer() before any request')
      onlyReads = false
    },
    close: async () => (await opening?.catch(() => undefined))?.close(),
  }
}
