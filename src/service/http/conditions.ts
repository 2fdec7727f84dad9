import { setTimeout as pause } from 'node:timers/promises'
import { hideHeaders, shownBody, shownParameters } from '../../base/text/secrets.ts'
import type { Request } from '../../contract/exchange.ts'
import { isLanguage } from '../../contract/languages.ts'
import { routes } from '../routes.ts'
import type { Service } from '../service.ts'
import { type Fault, failWith, type Latency, randomFrom, readKind, type ServerOutcome } from './faults.ts'

/** A request that was answered, without secrets. */
export interface LoggedRequest {
  readonly method: string
  /** Below the namespace, with placeholders for IDs and slugs: `POST /events/{id}`. */
  readonly route: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** JSON and forms as values, anything else as text. */
  readonly body: unknown
  /** Undefined if it was not answered. */
  readonly status: number | undefined
  /** When it arrived, by the clock of the calendar. */
  readonly at: Date
  /** How long the answer took, in ms. */
  readonly ms: number
}

/** Selects requests. */
export interface RequestFilter {
  readonly method?: string
  /** With or without its method. */
  readonly route?: string
}

export interface ConditionOptions {
  readonly now: () => Date
  /** The path of the events API, without slashes at its ends. */
  readonly namespace: string
  readonly faults?: readonly Fault[]
  readonly latency?: Latency
  /** With the same seed, the same requests fail. */
  readonly seed?: number
}

/** How many requests are remembered, and how large their bodies may be, in bytes. */
const mostLogged = 1000
const largestLogged = 100_000

/** A request as it arrived; its description is made when somebody asks for it. */
interface Answered {
  readonly request: Pick<Request, 'method' | 'path' | 'query' | 'headers' | 'body'>
  readonly status: number | undefined
  readonly at: Date
  readonly ms: number
}

const noLatency: Latency = { from: 0, to: 0 }

/** A fault, and how many times it will still happen. */
interface Pending {
  readonly fault: Fault
  skip: number
  left: number
}

/**
 * The faults and delays that a server causes on purpose, its clock, and the requests that it got. The command line sets them at the start;
 * tests change them while the server runs, in this process or through `/__calctl/`.
 */
export class Conditions {
  #faults: Pending[] = []
  #latency: Latency
  #frozen: Date | undefined
  #log: Answered[] = []
  readonly #listeners = new Set<(answered: Answered) => void>()
  readonly #random: () => number

  constructor(private readonly options: ConditionOptions) {
    const { faults = [], latency = noLatency, seed = 0 } = options
    for (const fault of faults) this.fail(fault)
    this.#latency = latency
    this.#random = randomFrom(seed)
  }

  /** The clock of the calendar. */
  readonly now = (): Date => this.#frozen ?? this.options.now()

  /** Whether the clock was stopped while the server ran. */
  get isFrozen(): boolean {
    return this.#frozen !== undefined
  }

  /** Stops the clock at this time; without a time, resets it to its state at the start. */
  travelTo(time: Date | undefined): void {
    this.#frozen = time
  }

  fail(fault: Fault): void {
    this.#faults.push({ fault, skip: fault.skip ?? 0, left: fault.times ?? Number.POSITIVE_INFINITY })
  }

  /** Lets all requests succeed. */
  heal(): void {
    this.#faults = []
  }

  delay(latency: Latency): void {
    this.#latency = latency
  }

  /**
   * The faults, the latency and the clock, in the form that `fail`, `latency` and `clock` take; `times` is how many times a fault will
   * still happen.
   */
  get inForce() {
    const { from, to } = this.#latency
    const faults = this.#faults.filter(({ left }) => left > 0)
    return {
      faults: faults.map(({ fault, skip, left }) => fieldsOf(fault, Math.max(0, skip), left)),
      latency: from === to ? `${to}ms` : `${from}ms-${to}ms`,
      now: this.#frozen ?? null,
    }
  }

  requests(filter: RequestFilter = {}): LoggedRequest[] {
    return this.#log
      .slice(-mostLogged)
      .map(answered => this.#shown(answered))
      .filter(logged => isAskedFor(filter, logged))
  }

  /** Calls the listener with the remembered requests and with each later one; returns a function that ends that. */
  onRequest(filter: RequestFilter, listener: (logged: LoggedRequest) => void): () => void {
    for (const logged of this.requests(filter)) listener(logged)
    const tell = (answered: Answered) => {
      const logged = this.#shown(answered)
      if (isAskedFor(filter, logged)) listener(logged)
    }
    this.#listeners.add(tell)
    return () => this.#listeners.delete(tell)
  }

  /** Resets everything to its state at the start. */
  reset(): void {
    this.heal()
    for (const fault of this.options.faults ?? []) this.fail(fault)
    this.#latency = this.options.latency ?? noLatency
    this.#frozen = undefined
    this.#log = []
  }

  /** Answers requests under these conditions. */
  apply(service: Service): (request: Request) => Promise<ServerOutcome> {
    return async request => {
      // Every request draws three numbers, so that its outcome depends only on its place in the order.
      const [delay, luck, moment] = [this.#random(), this.#random(), this.#random()]
      const { from, to } = this.#latency
      const at = this.now()
      const start = performance.now()
      const fault = this.#faultFor(request, luck)
      if (to > 0) await pause(from + delay * (to - from))
      const outcome = fault ? await failWith(service, request, fault, moment) : await service(request)
      const ms = Math.round(performance.now() - start)
      this.#remember(request, { status: typeof outcome === 'string' ? undefined : outcome.status, at, ms })
      return outcome
    }
  }

  #faultFor(request: Request, luck: number): Fault | undefined {
    if (this.#faults.length === 0) return undefined
    const asked = this.#routeOf(request)
    let below = 0
    for (const pending of this.#faults) {
      const { fault } = pending
      if (pending.left === 0 || (fault.route !== undefined && !matches(fault.route, asked))) continue
      if (pending.skip-- > 0) continue
      below += fault.percent ?? 100
      if (luck * 100 >= below) continue
      pending.left--
      return fault
    }
    return undefined
  }

  #routeOf({ method, path }: Pick<Request, 'method' | 'path'>): Pick<LoggedRequest, 'method' | 'route'> {
    const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(path) ?? []
    const below = isLanguage(first.toLowerCase()) ? rest : path
    const own = `/${this.options.namespace}`
    return { method, route: `${method} ${asPattern(below.startsWith(own) ? below.slice(own.length) : below)}` }
  }

  #remember({ method, path, query, headers, body }: Request, end: Omit<Answered, 'request'>): void {
    const isLong = body !== undefined && body.length > largestLogged
    const request = {
      method,
      path,
      query,
      headers,
      body: isLong ? `(${body.length} bytes)` : body,
    } as Answered['request']
    const answered = { request, ...end }
    this.#log.push(answered)
    for (const tell of this.#listeners) tell(answered)
    if (this.#log.length > 2 * mostLogged) this.#log = this.#log.slice(-mostLogged)
  }

  #shown({ request, status, at, ms }: Answered): LoggedRequest {
    const { path, query = '', headers = {} } = request
    return {
      ...this.#routeOf(request),
      path,
      query: shownParameters(query),
      headers: hideHeaders(headers),
      body: bodyOf(request),
      status,
      at,
      ms,
    }
  }
}

const isAskedFor = ({ method, route }: RequestFilter, logged: LoggedRequest): boolean =>
  (method === undefined || logged.method === method.toUpperCase()) && (route === undefined || matches(route, logged))

/** `/events/12` as `/events/{id}`, `/events/by-slug/ball` as `/events/by-slug/{slug}`. */
const asPattern = (path: string): string =>
  path.replace(/\/\d+(?=\/|$)/g, '/{id}').replace(/\/by-slug\/[^/]+/, '/by-slug/{slug}') || '/'

/** Whether a request matches a route, with or without a method: `POST /events`, `/events`, `POST`. */
function matches(route: string, { method, route: asked }: Pick<LoggedRequest, 'method' | 'route'>): boolean {
  if (/^[A-Z]+$/.test(route)) return route === method
  return route === asked || `${method} ${route}` === asked
}

/** Why a route cannot be one of this server; undefined if it can. Routes of WordPress's own API begin with `/wp/v2`. */
export function routeProblem(route: string): string | undefined {
  const [, , path] = /^(?:([A-Z]+) )?(\/\S*)$/.exec(route) ?? []
  if (path === undefined) return /^[A-Z]+$/.test(route) ? undefined : `"${route}" is no route`
  const isKnown = path.startsWith('/wp/v2/') || path === '/' || routes.some(known => known.path === path)
  return isKnown ? undefined : `there is no route "${path}"`
}

const bodyOf = ({ body, headers = {} }: Answered['request']): unknown =>
  body && shownBody(typeof body === 'string' ? body : Buffer.from(body).toString(), headers['content-type'])

/** A fault in the form for programs. */
export interface FaultFields extends Pick<Fault, 'route' | 'times' | 'skip' | 'retryAfter' | 'moment'> {
  /** The share of requests that fail, from 0 to 1. */
  readonly share?: number
  readonly status?: number
  /** `reset`, `timeout`, `unlisted`, `notice`, `comment`, `html`, `empty` or `accepted`, in place of a status. */
  readonly fault?: string
}

/** The fields of a fault that will still happen. */
const fieldsOf = ({ with: kind, percent, ...others }: Fault, skip: number, left: number): FaultFields => ({
  ...others,
  ...(skip > 0 && { skip }),
  ...(Number.isFinite(left) && { times: left }),
  ...(percent !== undefined && { share: percent / 100 }),
  ...(typeof kind === 'number' ? { status: kind } : { fault: kind }),
})

/** The mistake in the fields of a fault; undefined if it is valid. */
export function faultProblem(fields: Readonly<Record<string, unknown>>): string | undefined {
  const known = ['route', 'times', 'skip', 'share', 'status', 'retryAfter', 'fault', 'moment']
  const unknown = Object.keys(fields).find(name => !known.includes(name))
  if (unknown !== undefined) return `A fault has no "${unknown}"; it has ${known.join(', ')}.`
  const { route, times, skip, share, status, fault, moment } = fields
  if (route !== undefined && routeProblem(String(route)))
    return `${routeProblem(String(route))}; for example: POST /events`
  if ((status === undefined) === (fault === undefined)) return 'A fault needs a status or a fault, and not both.'
  if (readKind(String(status ?? fault)) === undefined)
    return `Expected a status from 400 to 599 or a kind of fault, got "${status ?? fault}".`
  const isCount = (value: unknown) => value === undefined || (Number.isInteger(value) && Number(value) >= 0)
  if (!isCount(times) || !isCount(skip)) return 'times and skip are whole numbers.'
  if (share !== undefined && !(Number(share) >= 0 && Number(share) <= 1)) return 'share is a number from 0 to 1.'
  if (moment !== undefined && moment !== 'before' && moment !== 'after') return 'moment is "before" or "after".'
  return undefined
}

/** A fault from its fields, which have been checked. */
export function faultOf({ share, status, fault, ...others }: FaultFields): Fault {
  const kind = readKind(String(status ?? fault))
  if (kind === undefined) throw new Error(`no fault: ${status ?? fault}`)
  return { ...others, with: kind, ...(share !== undefined && { percent: 100 * share }) }
}
