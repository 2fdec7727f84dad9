import { createHash, timingSafeEqual } from 'node:crypto'
import type { Response } from '../../contract/exchange.ts'
import { errorResponse, Refusal } from '../refusal.ts'
import type { Snapshot, Store } from '../store/store.ts'
import { isLoopback } from './origins.ts'

/** A request below `/__calctl/`. */
export interface ControlRequest {
  readonly method: string
  /** The path after `/__calctl/`. */
  readonly action: string
  readonly token: string | undefined
  readonly remoteAddress: string | undefined
}

/**
 * Lets test suites restore the calendar: `POST /__calctl/reset`, `snapshot` and `restore`. A file that another program changed
 * is a new start: reset takes back what was written here, not what somebody else did.
 */
export function createControl(
  store: Pick<Store, 'snapshot' | 'restore' | 'refresh' | 'onReread' | 'whenSaved'>,
  token: string,
) {
  let initial = store.snapshot()
  store.onReread(() => {
    initial = store.snapshot()
  })
  let latest: Snapshot | undefined
  const actions: Readonly<Record<string, () => Promise<Response>>> = {
    async reset() {
      await store.restore(initial)
      return done('reset')
    },
    async snapshot() {
      do latest = store.snapshot()
      while ((await store.whenSaved()) === false)
      return done('snapshot')
    },
    async restore() {
      if (latest === undefined)
        return errorResponse(409, 'calctl_no_snapshot', 'There is no snapshot. POST to /__calctl/snapshot first.')
      await store.restore(latest)
      return done('restore')
    },
  }
  return async ({ method, action, token: sent = '', remoteAddress = '' }: ControlRequest): Promise<Response> => {
    if (!isLoopback(remoteAddress))
      return errorResponse(403, 'calctl_loopback_only', 'Only requests from this machine are accepted.')
    if (!isSame(sent, token))
      return errorResponse(
        403,
        'calctl_token',
        'Send the token of calctl serve (--token, or the one that it printed) as X-Calctl-Token.',
      )
    const run = method === 'POST' && Object.hasOwn(actions, action) ? actions[action] : undefined
    if (run) await store.refresh()
    return run ? run().catch(refused) : errorResponse(404, 'rest_no_route', 'POST to reset, snapshot or restore.')
  }
}

function refused(error: unknown): Response {
  if (!(error instanceof Refusal)) throw error
  const { status, code, message, headers } = error
  return errorResponse(status, code, message, headers)
}

const done = (action: string): Response => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: JSON.stringify({ done: action }),
})

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares in constant time. */
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
