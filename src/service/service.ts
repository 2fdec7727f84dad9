/**
 * The API as a function from a plain request to a plain response, without a socket: `http/` serves it, the embedded calendar and tests call
 * it. A request is read and checked (`request/`), and answered by the handler of its route (`routes.ts`), which reads and writes a store
 * (`store/`). Refusals are thrown as `Refusal`. Where production differs from the documentation, a dialect decides (`dialect.ts`).
 */
import { once } from '../base/memoize.ts'
import type { Request, Response } from '../contract/exchange.ts'
import { isLanguage, type Language } from '../contract/languages.ts'
import { isWrite, obeyedRoute } from '../contract/received-request.ts'
import { authenticate, checkMayWrite, createLogins, type Login, mayEditAll, type Users } from './access.ts'
import type { Context, Dialect, HandlerResult, Operation, RecordRef } from './dialect.ts'
import { documented } from './documented/dialect.ts'
import { type Api, allowOf, endpointFor, findRoute, type Route, type RouteMatch } from './endpoints.ts'
import { createCache, languagesHeader, publishScheduled } from './indexes/indexes.ts'
import { noRoute, Refusal } from './refusal.ts'
import { uploadFolder } from './render/addresses.ts'
import { checkParameters } from './request/check-parameters.ts'
import { type Address, effectiveMethod, type ParsedRequest, readAddress, readRequest } from './request/read-request.ts'
import { asScript } from './request/script-answer.ts'
import { eventsApi, imageApi, wordpressApi } from './routes.ts'
import type { Store } from './store/store.ts'

export interface ServiceOptions {
  readonly store: Store
  /** The clock, which tests can stop. */
  readonly now: () => Date
  /** What comes before the namespace in every URL of an answer: `http://127.0.0.1:8787` and a base path. */
  readonly baseUrl: string
  readonly namespace: string
  /** Records per page if a request does not say. */
  readonly perPage?: number
  readonly readOnly?: boolean
  /** Follow production wherever it contradicts the documentation. */
  readonly quirks?: boolean
  /** Like a site without WordPress's own API, `wp/v2`, which is otherwise a part of the quirks. */
  readonly noWordPress?: boolean
  /** Without users, every caller is an administrator; with an empty list, everybody is the public. */
  readonly users?: Users
  /** Whether the server also has the routes below `/__calctl/`, which the description then names. */
  readonly hasControl?: boolean
  /** Waits after a failed login. */
  readonly pause?: () => Promise<void>
}

/** Rejects only for bugs, never because of what a caller sends. */
export type Service = (request: Request) => Promise<Response>

export function createService(options: ServiceOptions): Service {
  const login = createLogins(options.users ?? new Map(), options.pause)
  const running = { ...options, login, answers: createAnswers(options.store) }
  const respond: Service = async request => toResponse(request, await savedAnswer(running, request))
  return async request => (isQuirky(running) ? asScript(request, respond) : respond(request))
}

type RunningOptions = ServiceOptions & { readonly login: Login; readonly answers: Answers }

/** What a read shows is on disk before it is shown; if the disk has refused a part of it, the read is repeated. */
async function savedAnswer(options: RunningOptions, request: Request): Promise<HandlerResult> {
  for (;;) {
    const result = await answer(options, request).catch(refusalAnswer)
    const saved = isRead(options, request) ? options.store.whenSaved() : undefined
    if (!saved || (await saved)) return result
  }
}

const isRead = (options: ServiceOptions, request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && !(isQuirky(options) && isWrite(request))

/** Finds out who sends a request, and repeats an earlier answer if it is still valid. */
async function answer(options: RunningOptions, request: Request): Promise<HandlerResult> {
  const { store, users, login, answers } = options
  const changed = store.refresh()
  if (changed) await changed
  const dialect = await dialectOf(options)
  const caller = await authenticate(request, { users, login, dialect })
  const asking = { ...caller, dialect, now: options.now() }
  const { method, path, query } = request
  const isPlain = method === 'GET' && effectiveMethod(request, isQuirky(options)) === 'GET'
  if (!isPlain || isUpload(path)) return workOut(options, request, asking)
  return answers(asking.now, JSON.stringify([path, query, caller]), () => workOut(options, request, asking))
}

/** Returns the earlier answer to a request, or makes it. */
type Answers = (now: Date, request: string, workOut: () => Promise<HandlerResult>) => Promise<HandlerResult>

/** The number of answers that are kept. */
const mostAnswers = 32

/** An answer to a read is valid until the next write, and within the second in which it was made, because times are compared by seconds. */
function createAnswers(store: Store): Answers {
  let kept = { version: -1, site: store.site, second: 0, answers: createCache<Promise<HandlerResult>>(mostAnswers) }
  return (now, request, workOut) => {
    const { version, site } = store
    const second = Math.floor(now.getTime() / 1000)
    if (kept.version !== version || kept.site !== site || kept.second !== second)
      kept = { version, site, second, answers: createCache(mostAnswers) }
    return kept.answers.get(request, workOut)
  }
}

/** Whether a path leads to the files of a site, which are on disk and not in the store. */
const isUpload = (path: string): boolean => path.includes(uploadFolder)

type Asking = Pick<Context, 'caller' | 'user' | 'dialect' | 'now'>

/** Finds the API and the language of a request, and answers it. */
async function workOut(options: RunningOptions, request: Request, asking: Asking): Promise<HandlerResult> {
  const { store, baseUrl, namespace, perPage = 30, readOnly = false, users, hasControl = false } = options
  const quirks = isQuirky(options)
  const { method, query, parameters } = readRequest(request, quirks)
  const path = pathOf(request, quirks)
  const apis = apisOf(options)
  if (path === '/' && method === 'GET') {
    const { siteIndex } = await import('./api-description.ts')
    const namespaces = apis.flatMap(api => (api.isHidden ? [] : api.namespace))
    return applyResponseOptions(siteIndex(store.site, baseUrl, asking.now, namespaces), parameters)
  }
  if (isUpload(path)) {
    const file = await (await import('./wordpress/attachments.ts')).uploadedFile(store, path)
    if (file) return file
  }
  for (const api of apis) {
    const address = readAddress(path, api.namespace)
    if (!address) continue
    const { isAbandoned = () => false, headers = {}, body } = request
    // One literal: copying an object made from several spreads would take half of the time of reading an event.
    const context: Context = {
      store,
      baseUrl,
      namespace,
      perPage,
      readOnly,
      hasControl,
      hasUsers: (users?.size ?? 0) > 0,
      caller: asking.caller,
      user: asking.user,
      dialect: asking.dialect,
      now: asking.now,
      language: languageOf(parameters, address, store.site.language),
      query,
      parameters,
      headers,
      body,
      isAbandoned,
      values: {},
    }
    return applyResponseOptions(await dispatch(api, context, method, address.path), parameters)
  }
  throw noRoute()
}

const apisOf = (options: ServiceOptions): readonly Api[] => [
  { namespace: options.namespace, routes: eventsApi, describe, headers: eventsHeaders },
  ...(options.noWordPress ? [] : [isQuirky(options) ? wordpress : uploads]),
]

const describe: Api['describe'] = async (context, route) =>
  (await import('./api-description.ts')).describeRoute(context, route)

const wordpress: Api = { namespace: 'wp/v2', routes: wordpressApi }

/** The part of WordPress's own API that a calendar without `--quirks` has. */
const uploads: Api = { namespace: 'wp/v2', routes: imageApi, isHidden: true }

const isQuirky = ({ store, quirks = store.site.quirks }: ServiceOptions): boolean => quirks

const production = once(async () => (await import('./production/dialect.ts')).production)

const dialectOf = async (options: ServiceOptions): Promise<Dialect> => (isQuirky(options) ? production() : documented)

/** WordPress also accepts the path as a parameter, for sites whose server passes on no other, and prefers it. */
const pathOf = (request: Request, quirks: boolean): string =>
  (quirks || request.path === '/' ? obeyedRoute(request) : undefined) ?? request.path

function languageOf({ lang_code }: ParsedRequest['parameters'], address: Address, site: Language): Language {
  const requested = typeof lang_code === 'string' && lang_code.toLowerCase()
  if (isLanguage(requested)) return requested
  // The document is for developers, whatever language the calendar is in.
  return address.language ?? (address.path === '/doc' ? 'en' : site)
}

/** Finds the route of a path below the namespace of an API, and also answers refusals. */
async function dispatch(api: Api, context: Context, method: string, path: string): Promise<HandlerResult> {
  const match = findRoute(api, path)
  if (!match) throw noRoute()
  await publishScheduled(context.store, context.now)
  const isQuestion = method === 'OPTIONS' && api.describe
  const answered = isQuestion ? api.describe(context, match.route) : handle(context, method, match)
  const result = await answered.catch(refusalAnswer)
  return api.headers ? { ...result, headers: { ...api.headers(match.route, context), ...result.headers } } : result
}

/** Checks the parameters and the caller's rights, then calls the handler of the endpoint. */
async function handle(context: Context, method: string, { route, ref: pathRef }: RouteMatch): Promise<HandlerResult> {
  const { dialect, parameters } = context
  const { resource } = route
  const endpoint = endpointFor(route, method)
  if (!endpoint) throw noRoute()
  const ref = pathRef && dialect.refOf(pathRef, parameters)
  const problems = resource && dialect.checkRoute(context, resource, endpoint.verb, ref)
  const values = checkParameters(endpoint, context, problems)
  // WordPress's own API refuses the public with a sentence of its own.
  if (writeVerbs.has(endpoint.verb) && (resource || context.readOnly)) checkMayWrite(context)
  return endpoint.answer({ ...context, values }, ref ?? noRef)
}

const writeVerbs = new Set<Operation>(['create', 'update', 'remove'])

/** Passed to the handlers of routes that name no record. */
const noRef: RecordRef = { id: 0 }

/** A refusal as an answer of the API; throws any other error. */
function refusalAnswer(error: unknown): HandlerResult {
  if (!(error instanceof Refusal)) throw error
  const { status, code, message, data, extra, headers } = error
  return { status, headers, body: { code, message, data: data && { status, ...data }, ...extra } }
}

const noCache = { 'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private' }

/** The service's headers about itself, `Allow` for this caller, and the languages. Answers to users must not be cached. */
const eventsHeaders = (route: Route, context: Context): Readonly<Record<string, string>> => ({
  ...context.dialect.headers,
  allow: mayEditAll(context) && !context.readOnly ? allowOf(route) : 'GET',
  ...(context.hasUsers && context.caller !== 'public' ? noCache : {}),
  ...languagesHeader(context.store),
})

/** A HEAD is answered without the body. */
const toResponse = ({ method }: Request, { status, body, headers }: HandlerResult): Response => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: method === 'HEAD' ? '' : encodeBody(body),
})

const encodeBody = (body: HandlerResult['body']): string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)

type Parameters = Readonly<Record<string, unknown>>

/** Which keys to keep, each whole or in part. */
type KeySelection = Map<string, KeySelection>

/** Applies WordPress's own parameters to a response: `_fields=id,venue.city` unless it is a refusal, `_envelope`, `_pretty`. */
function applyResponseOptions(result: HandlerResult, parameters: Parameters): HandlerResult {
  const _fields = result.status < 400 ? parameters._fields : undefined
  const isEnveloped = '_envelope' in parameters
  const isPretty = '_pretty' in parameters
  if (_fields === undefined && !isEnveloped && !isPretty) return result
  const whole = contentOf(result)
  const picked = typeof _fields === 'string' && _fields !== '' ? pickAll(whole, parseSelection(_fields)) : whole
  const { status, headers = {} } = result
  const content = isEnveloped ? { body: picked, status, headers: withHeaderCase(headers) } : picked
  return { status: isEnveloped ? 200 : status, headers, body: JSON.stringify(content, null, isPretty ? 4 : 0) }
}

/** Names of headers as people write them: `X-TEC-Total`. WordPress sends what it says about caches outside of an envelope. */
const withHeaderCase = ({ 'cache-control': _, ...headers }: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [capitalise(name), value]))

const capitalise = (name: string): string =>
  name
    .replace('tec', 'TEC')
    .replace('pages', 'Pages')
    .replace(/(?<=^|-)[a-z]/g, letter => letter.toUpperCase())

const contentOf = ({ body }: HandlerResult): unknown =>
  typeof body === 'string' || body instanceof Uint8Array ? JSON.parse(Buffer.from(body).toString()) : body

function parseSelection(fields: string): KeySelection {
  const top: KeySelection = new Map()
  for (const path of fields.split(',')) {
    let at = top
    for (const key of path.trim().split('.')) {
      const below: KeySelection = at.get(key) ?? new Map()
      at.set(key, below)
      at = below
    }
  }
  return top
}

/** If the answer is a list of records, keys are selected in each of them. */
const pickAll = (value: unknown, selection: KeySelection): unknown =>
  Array.isArray(value) ? value.map(one => pick(one, selection)) : pick(value, selection)

/** Items of a list have no keys, so selecting keys from a list gives an empty list. */
function pick(value: unknown, selection: KeySelection): unknown {
  if (selection.size === 0) return value
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const below = selection.get(key)
      return below ? [[key, pick(inner, below)]] : []
    }),
  )
}
