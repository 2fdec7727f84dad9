import type { Request, Response } from '../contract/exchange.ts'
import { isLanguage, type Language } from '../contract/words.ts'
import { callerOf, checkMayWrite, type Users } from './access.ts'
import { headersFor, refusalAnswer, respond } from './answer.ts'
import type { Answer, Ref } from './context.ts'
import type { Context, Dialect } from './dialect.ts'
import { documented } from './documented/dialect.ts'
import { handle } from './handlers.ts'
import { checkParameters } from './parameters.ts'
import { noRoute } from './refusal.ts'
import { type Address, readAddress } from './request/address.ts'
import { type Asked, readRequest } from './request/read.ts'
import { endpointFor, type Found, findRoute, type Verb } from './routes.ts'
import { publishScheduled } from './scheduled.ts'
import { shape } from './shape.ts'
import type { Store } from './store/store.ts'

/** How a calendar is served. Times come from `now`, so that tests can hold the clock. */
export interface ServiceOptions {
  readonly store: Store
  readonly now: () => Date
  /** What stands before the namespace in every URL of an answer: `http://127.0.0.1:8787` and a base path. */
  readonly baseUrl: string
  readonly namespace: string
  /** Records per page when a list asks for none. */
  readonly perPage?: number
  readonly readOnly?: boolean
  readonly quirks?: boolean
  /** None: every caller is an editor. */
  readonly users?: Users
}

/** The API itself: a plain request in, a plain answer out. Rejects for bugs alone, never for what a caller can send. */
export type Service = (request: Request) => Promise<Response>

/** Makes the API over a calendar. */
export const createService =
  (options: ServiceOptions): Service =>
  async request =>
    respond(request, await answer(options, request).catch(refusalAnswer))

/** Finds out where a request leads, for whom, and in which language. */
async function answer(options: ServiceOptions, request: Request): Promise<Answer> {
  const { store, baseUrl, namespace, perPage = 30, readOnly = false, users } = options
  const now = options.now()
  const dialect = await dialectOf(options)
  const caller = await callerOf(request.headers?.authorization, users, dialect)
  const { method, query, parameters } = readRequest(request)
  if (pathOf(request, parameters) === '/' && method === 'GET') return siteIndex(options)
  const address = readAddress(pathOf(request, parameters), namespace)
  const found = address && findRoute(address.path)
  if (!found) throw noRoute()
  const language = languageOf(parameters, address, store.site.language)
  await publishScheduled(store, now)
  const asked = { store, now, baseUrl, namespace, perPage, language, caller, dialect, query, parameters }
  const answered = await act({ ...asked, values: {} }, method, found, readOnly).catch(refusalAnswer)
  const headers = { ...headersFor(found.route, caller, readOnly, users), ...answered.headers }
  return shape({ ...answered, headers }, parameters)
}

/** What WordPress says of a site at the root of its API, as far as it is of use here. */
const siteIndex = ({ store, namespace }: ServiceOptions): Answer => ({
  status: 200,
  body: { name: 'calctl', timezone_string: store.site.timezone, namespaces: [namespace] },
})

/** Does what a method says on a route, once the parameters and the caller's rights are checked. */
async function act(context: Context, method: string, { route, ref: named }: Found, readOnly: boolean): Promise<Answer> {
  const { dialect, parameters, caller } = context
  if (method === 'OPTIONS') return (await import('./discovery.ts')).describe(context, route)
  const endpoint = endpointFor(route, method)
  if (!endpoint) throw noRoute()
  const ref = named && dialect.refOf(named, parameters)
  const problems = route.resource && dialect.checkRoute(context, route.resource, endpoint.verb, ref, parameters)
  const values = await checkParameters(endpoint, parameters, context, dialect, problems)
  if (writes.has(endpoint.verb)) checkMayWrite(caller, readOnly)
  return handle(endpoint.verb, { ...context, values }, route, ref ?? noRef)
}

const dialectOf = async ({ store, quirks = store.site.quirks }: ServiceOptions): Promise<Dialect> =>
  quirks ? (await import('./production/dialect.ts')).production : documented

/** What is passed to handlers of routes that name no record. */
const noRef: Ref = { id: 0 }

const writes = new Set<Verb>(['create', 'update', 'remove'])

/** WordPress also takes the path as a parameter, for sites whose server passes on no other. */
const pathOf = ({ path }: Request, { rest_route }: Asked['parameters']): string =>
  path === '/' && typeof rest_route === 'string' ? rest_route : path

function languageOf({ lang_code }: Asked['parameters'], address: Address, otherwise: Language): Language {
  const given = typeof lang_code === 'string' && lang_code.toLowerCase()
  return isLanguage(given) ? given : (address.language ?? otherwise)
}
