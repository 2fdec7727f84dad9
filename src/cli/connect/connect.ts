import { type Failure, usage } from '../../base/failure.ts'
import { once } from '../../base/memoize.ts'
import { phrase } from '../../base/words/phrase.ts'
import { calendarAt, calendarInFile, capabilitiesOf, demoCalendar } from '../../client/calendar.ts'
import type { Calendar, CalendarApi, Client, ConnectionToClient, EditorAccess } from '../../client/client.ts'
import { calendarApi, createClient } from '../../client/create-client.ts'
import type { RetryOptions } from '../../client/http/retry.ts'
import { documentedNamespace } from '../../contract/contract.ts'
import type { Request } from '../../contract/exchange.ts'
import type { Language } from '../../contract/languages.ts'
import type { OpenCalendar } from '../../service/embedded.ts'
import type { Target } from '../profiles/command-target.ts'
import { missingFile, requireFolder } from '../profiles/config.ts'
import { resolveTarget } from '../profiles/resolve.ts'
import {
  forgetNoWordPress,
  imageSourcesIn,
  lacksWordPress,
  pairingsOf,
  rememberNoWordPress,
  uploadsTo,
} from '../profiles/site-notes.ts'
import { dataFile } from '../profiles/user-folders.ts'
import type { Globals, World } from '../world.ts'
import type { HttpContext } from './connection.ts'

/** An open connection to a calendar. */
export interface Connection {
  readonly client: Client
  /** The same calendar as single requests. */
  readonly api: CalendarApi
  /** The failure for a calendar file that does not exist; undefined if there is something to read. */
  missingFile(): Failure | undefined
  readonly profile: string
  readonly isProtected: boolean
  /** The sentence that says which calendar the project file chose; undefined if it chose none. */
  readonly choice: string | undefined
  close(): Promise<void>
}

/** How to connect. */
export interface ConnectContext extends HttpContext {
  /** The notices about settings that were already printed when the command connected before. */
  readonly said?: Set<string>
}

/** Resolves the profile and connects, over HTTP or to the service in this process. Sends nothing before the first request. */
export async function connect(connecting: ConnectContext): Promise<Connection> {
  const { said = new Set(), sending = {} } = connecting
  const context = { ...connecting, said, sending }
  const { world, globals, notice } = context
  const target = await resolveTarget(world, globals)
  const unsaid = target.notices.filter(text => !said.has(text))
  for (const text of unsaid) {
    said.add(text)
    await notice(text)
  }
  const { profile } = target
  const file = chosenFile(world, target)
  if (file !== undefined) requireFolder(file)
  // The secret may come from a command, which is run only once.
  const opened = await open(context, { ...target, credentials: once(target.credentials) })
  const { retry } = opened
  const sent = calendarApi({ ...opened, notice })
  const known = retry ? (await import('../../client/adapters/lost-writes.ts')).withReconciliation(sent, retry) : sent
  const connections = new Map<Language, Promise<Connection>>()
  const connectIn = async (lang: Language): Promise<CalendarApi> => {
    const connection = connections.get(lang) ?? connect({ ...context, globals: { ...globals, lang } })
    connections.set(lang, connection)
    return (await connection).api
  }
  const api = target.sites.length > 0 ? await routedByLanguage(known, target, connectIn) : known
  return {
    api,
    client: createClient(api),
    missingFile: () => (file === undefined ? undefined : missingFile(file)),
    profile,
    isProtected: target.protected,
    choice: choiceIn(target, opened.calendar),
    async close() {
      for (const connection of connections.values()) await (await connection.catch(() => undefined))?.close()
      await opened.close()
    },
  }
}

const choiceIn = ({ chosenBy }: Target, { label }: Calendar): string | undefined =>
  chosenBy &&
  phrase('using {calendar}, chosen by {path} ({settings})', {
    calendar: label,
    path: chosenBy.path,
    settings: chosenBy.settings.join(', '),
  })

/** A calendar to which requests can be sent, and what is known about it. */
interface OpenTarget extends ConnectionToClient {
  /** How to retry a write after its answer was lost; absent if answers cannot be lost. */
  readonly retry?: RetryOptions
  close(): Promise<void>
}

async function open(context: ConnectContext, target: Target): Promise<OpenTarget> {
  const { world, globals, notice, traffic } = context
  const { place, namespace, language, sendLanguage } = target
  const opened = place.kind === 'http' ? await openSite(context, target, place.baseUrl) : openFile(context, place)
  const calendar = { ...opened.calendar, flags: typedFlags(globals) }
  const images = capabilitiesOf(calendar, namespace).keepsImageUrls ? undefined : imageSourcesIn(world, calendar.id)
  const isKept = place.kind !== 'demo'
  return {
    ...opened,
    calendar,
    namespace,
    access: editorAccess(world, globals, target, calendar),
    images,
    uploads: isKept ? uploadsTo(world, calendar.id) : undefined,
    pairings: isKept ? pairingsOf(world, target.site ?? calendar.id) : undefined,
    download: async url => (await import('./download.ts')).downloadImage({ world, globals, notice, traffic }, url),
    ...(language && sendLanguage ? { language } : {}),
  }
}

async function openSite(context: ConnectContext, { namespace, credentials }: Target, baseUrl: string) {
  const { openHttp } = await import('./connection.ts')
  const { globals, notice } = context
  // With JSON output, stderr contains only the error, as JSON.
  const silent = globals.json || globals.output === 'json'
  const http = await openHttp({ ...context, notice: silent ? async () => {} : notice }, baseUrl, credentials)
  return { ...http, calendar: calendarAt(baseUrl, namespace) }
}

/** A calendar in this process, which is opened with the first request. */
function openFile({ world, notice, sending }: ConnectContext, place: Exclude<Target['place'], { kind: 'http' }>) {
  let opening: Promise<OpenCalendar> | undefined
  let onlyReads = false
  const openOnce = () => {
    const toWrite = sending?.toWrite === true
    // A client that was opened for reading has a snapshot, in which writes would be lost.
    if (opening && onlyReads && toWrite) throw new Error('the calendar file is open for reading')
    onlyReads = !toWrite
    const calendarPlace = place.kind === 'demo' ? ({ demo: true } as const) : { file: place.file }
    opening ??= world.openCalendar(calendarPlace, onlyReads, text => void notice(text))
    return opening
  }
  return {
    calendar: place.kind === 'demo' ? demoCalendar : calendarInFile(place.file),
    transport: async (request: Request) => (await openOnce()).transport(request),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  }
}

/** Sends requests in a language with a base URL of its own to that URL. */
async function routedByLanguage(
  api: CalendarApi,
  { language, sites, languages: known }: Target,
  connectIn: (language: Language) => Promise<CalendarApi>,
): Promise<CalendarApi> {
  const { routeByLanguage } = await import('../../client/languages/routing.ts')
  const mainLanguage = language ?? known.find(name => !sites.includes(name))
  return routeByLanguage(api, mainLanguage, async name => (known.includes(name) ? connectIn(name) : undefined), known)
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

/**
 * How a client reads and writes as an editor, through `wp/v2`; undefined for a calendar without it. Only WordPress sites have it, and their
 * events API has another namespace than the documented one.
 */
function editorAccess(world: World, globals: Globals, target: Target, calendar: Calendar): EditorAccess | undefined {
  const { via } = globals
  const { place, namespace, credentials } = target
  if (place.kind !== 'http' || namespace === documentedNamespace) {
    if (via === 'wp') throw noWordPress(calendar)
    return undefined
  }
  const key = async () => `${calendar.id} ${userIn(await credentials())}`
  const forgets = via === 'wp'
  return {
    hasCredentials: async () => Object.keys(await credentials()).length > 0,
    lacksWordPress: async () => via === 'events' || (!forgets && lacksWordPress(world, await key())),
    forgetNoWordPress: async () => forgetNoWordPress(world, await key()),
    rememberNoWordPress: async () => rememberNoWordPress(world, await key()),
    requiresWordPress: via === 'wp',
  }
}

const noWordPress = ({ label }: Calendar) =>
  usage(phrase('{label} has no wp/v2', { label }), phrase('leave out --via, or use --via events'))

/** The name in basic credentials; nothing for other credentials. */
const userIn = ({ authorization = '' }: Readonly<Record<string, string>>): string =>
  Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .replace(/:.*/s, '')
