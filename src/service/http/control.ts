import { createHash, timingSafeEqual } from 'node:crypto'
import type { Response } from '../../contract/exchange.ts'
import type { Snapshot, Store } from '../store/store.ts'
import { errorAnswer } from './error.ts'
import { isLoopback } from './hosts.ts'

/** Who asks for something below `/__calctl/`. */
export interface ControlRequest {
  readonly method: string
  /** After `/__calctl/`. */
  readonly action: string
  readonly token: string | undefined
  readonly remoteAddress: string | undefined
}

/** Where test suites put the calendar back: `POST /__calctl/reset`, `snapshot` and `restore`. */
export function createControl(store: Pick<Store, 'snapshot' | 'restore'>, token: string) {
  const start = store.snapshot()
  let kept: Snapshot | undefined
  const actions: Readonly<Record<string, () => Promise<Response>>> = {
    async reset() {
      await store.restore(start)
      return done('reset')
    },
    async snapshot() {
      kept = store.snapshot()
      return done('snapshot')
    },
    async restore() {
      if (kept === undefined) return errorAnswer(409, 'calctl_no_snapshot', 'POST /__calctl/snapshot first.')
      await store.restore(kept)
      return done('restore')
    },
  }
  return async ({ method, action, token: given = '', remoteAddress = '' }: ControlRequest): Promise<Response> => {
    if (!isLoopback(remoteAddress)) return errorAnswer(403, 'calctl_loopback_only', 'Only this machine may do that.')
    if (!equal(given, token))
      return errorAnswer(
        403,
        'calctl_token',
        'Send the token that calctl serve was given or printed, as X-Calctl-Token.',
      )
    const act = method === 'POST' && Object.hasOwn(actions, action) ? actions[action] : undefined
    return act ? act() : errorAnswer(404, 'rest_no_route', 'POST reset, snapshot or restore.')
  }
}

const done = (action: string): Response => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: JSON.stringify({ done: action }),
})

const digest = (text: string) => createHash('sha256').update(text).digest()
const equal = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
