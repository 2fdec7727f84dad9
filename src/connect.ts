import { capabilitiesOf } from './client/adapters/capabilities.ts'
import { type Calendar, calendarAt, calendarInFile, demoCalendar } from './client/calendar.ts'
import type { Client, EditorAccess, PairingStore } from './client/client.ts'
import { createClient } from './client/create-client.ts'
import { documentedNamespace } from './contract/contract.ts'
import type { Transport } from './contract/exchange.ts'
import type { Language } from './contract/languages.ts'
import { Failure } from './failure.ts'
import type { Globals } from './globals.ts'
import { openHttp } from './open-http.ts'
import { missingFile, requireFolder } from './profiles/config.ts'
import type { Credentials } from './profiles/credentials.ts'
import { refsKey, resolveTarget, type Target } from './profiles/resolve.ts'
import { dataFile } from './profiles/user-folders.ts'
import type { TrafficLog } from './watch-traffic.ts'
import type { OpenCalendar, World } from './world.ts'

/** An open connection to a calendar. */
export interface Connection {
  readonly client: Client
  /** The same client, which throws a `Preview` instead of a write. */
  dryRunClient(): Promise<Client>
  /**
   * To be called before the first request of a command that writes: a calendar file is opened for writing, and so locked, and
   * reads of a site pass by caches.
   */
  prepareToWrite(): void
  /** From now on, waits up to so many ms in a row while the site refuses everything. */
  waitForSite(maxWait: number): Promise<void>
  /** From now on, sends each request to a site once, and fails it when this resolves; undefined ends that. */
  hurry(deadline: Promise<unknown> | undefined): Promise<void>
  /** The failure for a calendar file that does not exist; undefined if there is something to read. */
  missingFile(): Failure | undefined
  /** Under which the records of this calendar are remembered for the Tab key. */
  readonly refsKey: string
  readonly profile: string
  readonly isProtected: boolean
  close(): Promise<void>
}

/**
 * Resolves the profile and connects, over HTTP or to the service in this process. Nothing is sent before the first request; `traffic`
 * is shown what is. `said` has the notices of the settings that a command was given when it connected before.
 */
export async function connect(
  world: World,
  globals: Globals,
  notice: (text: string) => Promise<void>,
  traffic?: TrafficLog,
  said = new Set<string>(),
): Promise<Connection> {
  const target = await resolveTarget(world, globals)
  const unsaid = target.notices.filter(text => !said.has(text))
  for (const text of unsaid) {
    said.add(text)
    await notice(text)
  }
  const { profile, namespace, language, sendLanguage } = target
  const file = chosenFile(world, target)
  if (file !== undefined) requireFolder(file)
  const credentials = onceOnly(target.credentials)
  const { transport, prepareToWrite, reconciling, waitForSite, hurry, close, ...opened } = await open(
    world,
    globals,
    { ...target, credentials },
    notice,
    traffic,
  )
  const calendar = { ...opened.calendar, flags: typedFlags(globals) }
  const images = capabilitiesOf(calendar, namespace).keepsImageUrls
    ? undefined
    : (await import('./profiles/site-notes.ts')).imageSourcesIn(world, calendar.id)
  const uploads =
    target.place.kind === 'demo' ? undefined : (await import('./profiles/site-notes.ts')).uploadsTo(world, calendar.id)
  const pairings = target.place.kind === 'demo' ? undefined : pairingStore(world, target.site ?? calendar.id)
  const access = editorAccess(world, globals, { ...target, credentials }, calendar)
  const clientOver = (transport: Transport) =>
    createClient({
      transport,
      calendar,
      namespace,
      access,
      images,
      uploads,
      pairings,
      download: async url => (await import('./download.ts')).downloadImage({ world, globals, notice, traffic }, url),
      notice,
      ...(language && sendLanguage ? { language } : {}),
    })
  const client = reconciling ? reconciling(clientOver(transport)) : clientOver(transport)
  const connections = new Map<Language, Promise<Connection>>()
  let isWriting = false
  let maxWait: number | undefined
  let deadline: Promise<unknown> | undefined
  const connectIn = async (name: Language): Promise<Client> => {
    const opening = connections.get(name) ?? connect(world, { ...globals, lang: name }, notice, traffic, said)
    connections.set(name, opening)
    const connection = await opening
    if (isWriting) connection.prepareToWrite()
    if (maxWait !== undefined) await connection.waitForSite(maxWait)
    await connection.hurry(deadline)
    return connection.client
  }
  return {
    client: target.sites.length > 0 ? await clientForLanguages(client, target, connectIn) : client,
    dryRunClient: async () => {
      const { dryRun } = await import('./client/dry-run.ts')
      return clientOver(dryRun(transport, calendar))
    },
    prepareToWrite() {
      isWriting = true
      prepareToWrite()
    },
    async waitForSite(ms) {
      maxWait = ms
      waitForSite?.(ms)
      for (const connection of connections.values()) await (await connection).waitForSite(ms)
    },
    async hurry(until) {
      deadline = until
      hurry?.(until)
      for (const connection of connections.values()) await (await connection.catch(() => undefined))?.hurry(until)
    },
    missingFile: () => (file === undefined ? undefined : missingFile(file)),
    refsKey: refsKey(target),
    profile,
    isProtected: target.protected,
    async close() {
      for (const connection of connections.values()) await (await connection.catch(() => undefined))?.close()
      await close()
    },
  }
}

/** Loaded when it is used. */
function pairingStore(world: World, site: string): PairingStore {
  let opening: Promise<PairingStore> | undefined
  const open = () => {
    opening ??= import('./profiles/site-notes.ts').then(({ pairingsOf }) => pairingsOf(world, site))
    return opening
  }
  return {
    of: async resource => (await open()).of(resource),
    remember: async (resource, pairing) => (await open()).remember(resource, pairing),
  }
}

/** The credentials, whose secret may come from a command, are read once. */
function onceOnly(credentials: Credentials): Credentials {
  let read: ReturnType<Credentials> | undefined
  return () => {
    read ??= credentials()
    return read
  }
}

/** Sends requests in languages with base URLs of their own there. */
async function clientForLanguages(
  client: Client,
  { language, sites, languages: known }: Target,
  connectIn: (language: Language) => Promise<Client>,
): Promise<Client> {
  const { routeByLanguage } = await import('./client/language-routing.ts')
  const mainLanguage = language ?? known.find(name => !sites.includes(name))
  return routeByLanguage(
    client,
    mainLanguage,
    async name => (known.includes(name) ? connectIn(name) : undefined),
    known,
  )
}

/** The options that chose the calendar, as typed, for the commands in hints. */
function typedFlags({ demo, profile, baseUrl, namespace, via, follow = [] }: Globals): string {
  const flags = [
    demo && '--demo',
    profile && `-p ${profile}`,
    baseUrl && `--base-url ${baseUrl}`,
    namespace && `--namespace ${namespace}`,
    via && `--via ${via}`,
    ...follow.map(origin => `--follow ${origin}`),
  ]
  return flags.map(flag => (flag ? ` ${flag}` : '')).join('')
}

/** The calendar file that the user chose; the embedded calendar is created if it does not exist. */
const chosenFile = (world: World, { place }: Target): string | undefined =>
  place.kind === 'file' && place.file !== dataFile(world) ? place.file : undefined

interface OpenTarget extends OpenCalendar {
  readonly calendar: Calendar
  prepareToWrite(): void
  waitForSite?(maxWait: number): void
  hurry?(deadline: Promise<unknown> | undefined): void
  /** Wraps a client over a transport that can lose responses. */
  reconciling?(client: Client): Client
}

async function open(
  world: World,
  globals: Globals,
  { place, namespace, credentials }: Target,
  notice: (text: string) => Promise<void>,
  traffic: TrafficLog | undefined,
): Promise<OpenTarget> {
  if (place.kind === 'http') {
    const { baseUrl } = place
    // With JSON output, stderr has nothing but the error as JSON.
    const silent = globals.json || globals.output === 'json'
    const context = { world, globals, traffic, notice: silent ? async () => {} : notice }
    const http = await openHttp(context, baseUrl, credentials)
    // Only HTTP can lose the answer to a write: `http.reconciling` finds out whether it was done.
    return { ...http, calendar: calendarAt(baseUrl, namespace) }
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
    prepareToWrite() {
      // What was opened for reading is a snapshot: writes to it would be lost.
      if (opening && onlyReads)
        throw new Error('the calendar file is open for reading: call prepareToWrite() before any request')
      onlyReads = false
    },
    close: async () => (await opening?.catch(() => undefined))?.close(),
  }
}

/**
 * How a client reads and writes as an editor, through `wp/v2`; undefined for a calendar without it. Only sites of WordPress have it, and
 * their events API has a namespace of its own.
 */
function editorAccess(
  world: World,
  { via }: Globals,
  { place, namespace, credentials }: Target,
  calendar: Calendar,
): EditorAccess | undefined {
  if (place.kind !== 'http' || namespace === documentedNamespace) {
    if (via === 'wp') throw noWordPress(calendar)
    return undefined
  }
  const siteCache = () => import('./profiles/site-notes.ts')
  const key = async () => `${calendar.id} ${userIn(await credentials())}`
  const forgets = via === 'wp'
  return {
    hasCredentials: async () => Object.keys(await credentials()).length > 0,
    lacksWordPress: async () =>
      via === 'events' || (!forgets && (await siteCache()).lacksWordPress(world, await key())),
    forgetNoWordPress: async () => (await siteCache()).forgetNoWordPress(world, await key()),
    rememberNoWordPress: async () => (await siteCache()).rememberNoWordPress(world, await key()),
    requiresWordPress: via === 'wp',
  }
}

const noWordPress = ({ label }: Calendar) =>
  new Failure('usage', `${label} has no wp/v2`, { hint: 'leave out --via, or use --via events' })

/** The name in basic credentials; nothing for others. */
const userIn = ({ authorization = '' }: Readonly<Record<string, string>>): string =>
  Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .replace(/:.*/s, '')
