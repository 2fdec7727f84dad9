import { setTimeout as pause } from 'node:timers/promises'
import { usage } from '../../base/failure.ts'
import { documentedNamespace } from '../../contract/contract.ts'
import type { Request, Response, Transport } from '../../contract/exchange.ts'
import { isLanguage } from '../../contract/languages.ts'
import { calendarAt, capabilitiesOf } from '../calendar.ts'
import type { ChangeContext } from '../change.ts'
import type { Client, EditorAccess, ImageSources } from '../client.ts'
import { calendarApi, createClient } from '../create-client.ts'
import { addressOf, basicCredentials } from '../http/request.ts'
import type { RetryOptions, Sending } from '../http/retry.ts'
import { defaultTimeout } from '../http/sender.ts'
import type { ClientOptions } from './client.d.ts'

/** A client, and what all of its calls share. */
export interface OpenClient {
  readonly client: Client
  readonly sending: Sending
  /** The context in which the values of a write are resolved. */
  context(): Promise<ChangeContext>
  close(): Promise<void>
}

const noNotice = async (): Promise<void> => {}

/** Opens a client; throws `usage` for wrong options, and `settings` for a URL at which there is no calendar. */
export async function openClient(options: ClientOptions): Promise<OpenClient> {
  checkOptions(options)
  const { baseUrl, namespace } = await siteOf(options)
  const sending: Sending = {}
  const { transport, retry, close } = await connectionTo(baseUrl, options, sending)
  const calendar = calendarAt(baseUrl, namespace)
  const access = namespace === documentedNamespace ? undefined : editorAccess(options)
  const images = capabilitiesOf(calendar, namespace).keepsImageUrls ? undefined : rememberedImages()
  const { language } = options
  const sent = calendarApi({
    transport,
    calendar,
    namespace,
    access,
    images,
    ...(language !== undefined && isLanguage(language) && { language }),
  })
  const { withReconciliation } = await import('../adapters/lost-writes.ts')
  const client = createClient(withReconciliation(sent, retry))
  return { client, sending, context: () => contextOf(client), close }
}

function checkOptions({ url, language, user, password, token }: ClientOptions): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usage(`url: expected the address of a site, got ${JSON.stringify(url)}`, 'for example: https://town.example')
  if (language !== undefined && !isLanguage(language))
    throw usage(`language: expected ca, en or es, got ${JSON.stringify(language)}`, 'leave it out for all languages')
  if ((user === undefined) !== (password === undefined))
    throw usage('user and password belong together', 'give both, or a token')
  if (user !== undefined && token !== undefined)
    throw usage('user and token cannot be used together', 'leave one of them out')
}

/** Where the API of a site is: the site is asked once, unless a namespace says that the URL is that of the API. */
async function siteOf(options: ClientOptions): Promise<{ readonly baseUrl: string; readonly namespace: string }> {
  const { url, namespace } = options
  if (namespace !== undefined) return { baseUrl: url.replace(/\/+$/, ''), namespace }
  const { findSite } = await import('../site-discovery.ts')
  if (options.fetch) return findSite(new URL(url), pagesBy(options.fetch))
  const { createPageReader } = await import('../http/page-reader.ts')
  const { read, close } = createPageReader({ timeout: options.timeout ?? defaultTimeout })
  try {
    return await findSite(new URL(url), read)
  } finally {
    await close()
  }
}

async function connectionTo(baseUrl: string, options: ClientOptions, sending: Sending) {
  const credentials = async () => credentialsOf(options)
  const { timeout = defaultTimeout, retries = 3 } = options
  const shared = { retries, notice: noNotice, now: Date.now }
  if (options.fetch) {
    const retry: RetryOptions = { ...shared, random: Math.random, pause: ms => pause(ms) }
    return { transport: transportBy(options.fetch, baseUrl, credentials), retry, close: async () => {} }
  }
  const { openSite } = await import('../http/open-site.ts')
  const stopSignal = new AbortController().signal
  return openSite({ ...shared, baseUrl, credentials, timeout, sending, stopSignal, sleep: ms => pause(ms) })
}

function credentialsOf({ user, password, token }: ClientOptions): Readonly<Record<string, string>> {
  if (user !== undefined && password !== undefined) return { authorization: basicCredentials(user, password) }
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** A transport over a function like `fetch`. */
const transportBy =
  (send: typeof fetch, baseUrl: string, credentials: () => Promise<Readonly<Record<string, string>>>): Transport =>
  async ({ method, path, query, headers, body, wantsBytes }: Request): Promise<Response> => {
    const own = await credentials()
    const response = await send(addressOf(baseUrl, { path, ...(query !== undefined && { query }) }), {
      method,
      headers: { ...headers, ...own },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: wantsBytes ? new Uint8Array(await response.arrayBuffer()) : await response.text(),
      ...(own.authorization !== undefined && { withCredentials: true }),
    }
  }

/** Reads pages by a function like `fetch`. */
const pagesBy =
  (send: typeof fetch) =>
  async (url: URL, accept = 'text/html, */*;q=0.8') => {
    const { status, headers, body } = await transportBy(send, url.origin, async () => ({}))({
      method: 'GET',
      path: url.pathname,
      query: url.search.slice(1),
      headers: { accept },
    })
    return { url, status, headers, body: String(body) }
  }

/** Remembers whether the site has `wp/v2`, as long as the client lives. */
function editorAccess(options: ClientOptions): EditorAccess {
  let lacksWordPress = false
  return {
    hasCredentials: async () => Object.keys(credentialsOf(options)).length > 0,
    lacksWordPress: async () => lacksWordPress,
    rememberNoWordPress: async () => {
      lacksWordPress = true
    },
    forgetNoWordPress: async () => {
      lacksWordPress = false
    },
    requiresWordPress: false,
  }
}

/** Remembers where images were downloaded from, as long as the client lives. */
function rememberedImages(): ImageSources {
  const sources = new Map<number, string>()
  return {
    sourceOf: async id => sources.get(id),
    remember: async (id, source) => void sources.set(id, source),
  }
}

async function contextOf(client: Client): Promise<ChangeContext> {
  const { createNameLookup } = await import('../name-lookup.ts')
  const { createNameSearch } = await import('../find/name-search.ts')
  const { createAllow } = await import('../adapters/allowed-values.ts')
  const { createMarks } = await import('../adapters/event-marks.ts')
  return {
    now: new Date(),
    // A program must not depend on the time zone of the machine.
    zone: (await client.timezone()) ?? 'UTC',
    siteZone: client.timezone,
    names: createNameLookup(createNameSearch(client)),
    notice: noNotice,
    known: client,
    allow: createAllow(client),
    marks: createMarks(client, { notice: noNotice }),
  }
}
