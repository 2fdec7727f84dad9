import { isObject } from '../../base/text/json.ts'
import { isSameSecret } from '../../base/text/same-secret.ts'
import type { Response } from '../../contract/exchange.ts'
import { errorResponse, Refusal } from '../refusal.ts'
import type { Snapshot, Store } from '../store/store.ts'
import { type Conditions, type FaultFields, faultOf, faultProblem } from './conditions.ts'
import { streamOf } from './event-stream.ts'
import { type Fault, readLatency } from './faults.ts'
import { isLoopback } from './origins.ts'

/** A request below `/__calctl/`. */
export interface ControlRequest {
  readonly method: string
  /** The path after `/__calctl/`. */
  readonly action: string
  readonly query: string
  readonly body: string
  readonly token: string | undefined
  /** Whether it asks for server-sent events. */
  readonly wantsStream?: boolean
  readonly remoteAddress: string | undefined
}

type ControlledStore = Pick<Store, 'snapshot' | 'restore' | 'refresh' | 'onReread' | 'whenSaved'>

/** An action gets the fields of a JSON body, or of a query. */
type Action = (fields: Readonly<Record<string, unknown>>, wantsStream: boolean) => Promise<Response>

/**
 * Lets test suites restore the calendar (`POST /__calctl/reset`, `snapshot` and `restore`) and change the faults, delays and clock of the
 * server (`fail`, `heal`, `latency`, `clock`). `GET /__calctl/conditions` answers the current ones, and `requests` the requests that it
 * got.
 */
export function createControl(store: ControlledStore, conditions: Conditions, token: string) {
  const states = statesOf(store, conditions)
  const actions: Readonly<Record<string, Action>> = {
    ...states,
    'POST fail': async fields => {
      conditions.fail(readFaultFields(fields))
      return done('fail')
    },
    'POST heal': async () => {
      conditions.heal()
      return done('heal')
    },
    'POST latency': async ({ latency }) => {
      const range = readLatency(String(latency))
      if (!range) return wrongField('latency', 'a duration or a range of durations, such as 50-400ms')
      conditions.delay(range)
      return done('latency')
    },
    'POST clock': async ({ now }) => {
      const time = now === null ? undefined : new Date(String(now))
      if (time && Number.isNaN(time.getTime()))
        return wrongField('now', 'a time such as 2026-12-05T09:00:00Z, or null for the real one')
      conditions.travelTo(time)
      return done('clock')
    },
    'GET conditions': async () => answer(conditions.inForce),
    'GET requests': async (filter, wantsStream) =>
      wantsStream
        ? streamOf(send => conditions.onRequest(filter, logged => send('request', logged)))
        : answer({ requests: conditions.requests(filter) }),
  }
  return async ({
    method,
    action,
    query,
    body,
    token: sent = '',
    wantsStream = false,
    remoteAddress = '',
  }: ControlRequest): Promise<Response> => {
    if (!isLoopback(remoteAddress))
      return errorResponse(403, 'calctl_loopback_only', 'Only requests from this machine are accepted.')
    if (!isSameSecret(sent, token))
      return errorResponse(
        403,
        'calctl_token',
        'Send the token of calctl serve (--token, or the one that it printed) as X-Calctl-Token.',
      )
    const name = `${method} ${action}`
    const run = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!run) return errorResponse(404, 'rest_no_route', `Use one of: ${Object.keys(actions).join(', ')}.`)
    await store.refresh()
    return fieldsOf(query, body)
      .then(fields => run(fields, wantsStream))
      .catch(refused)
  }
}

/**
 * Restores the calendar. If another program changes the file, that is a new beginning: a reset reverts what was written here, not what
 * somebody else did.
 */
function statesOf(store: ControlledStore, conditions: Conditions): Readonly<Record<string, Action>> {
  let initial = store.snapshot()
  store.onReread(() => {
    initial = store.snapshot()
  })
  let latest: Snapshot | undefined
  return {
    'POST reset': async () => {
      await store.restore(initial)
      conditions.reset()
      return done('reset')
    },
    'POST snapshot': async () => {
      do latest = store.snapshot()
      while ((await store.whenSaved()) === false)
      return done('snapshot')
    },
    'POST restore': async () => {
      if (latest === undefined)
        return errorResponse(409, 'calctl_no_snapshot', 'There is no snapshot. POST to /__calctl/snapshot first.')
      await store.restore(latest)
      return done('restore')
    },
  }
}

async function fieldsOf(query: string, body: string): Promise<Readonly<Record<string, unknown>>> {
  if (body === '') return Object.fromEntries(new URLSearchParams(query))
  try {
    const fields: unknown = JSON.parse(body)
    if (isObject(fields)) return fields
  } catch {
    // Refused below, like any other JSON.
  }
  throw new Refusal(400, 'calctl_invalid_json', 'Expected a JSON object.')
}

/** A fault in the form for tests: `{"route": "POST /events", "status": 503, "times": 2}`. */
function readFaultFields(fields: Readonly<Record<string, unknown>>): Fault {
  const problem = faultProblem(fields)
  if (problem !== undefined) throw new Refusal(400, 'calctl_invalid_fault', problem)
  return faultOf(fields as FaultFields)
}

const wrongField = (name: string, expected: string): Response =>
  errorResponse(400, 'calctl_invalid_field', `${name}: expected ${expected}.`)

function refused(error: unknown): Response {
  if (!(error instanceof Refusal)) throw error
  const { status, code, message, headers } = error
  return errorResponse(status, code, message, headers)
}

const answer = (body: object): Response => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: JSON.stringify(body),
})

const done = (action: string): Response => answer({ done: action })
