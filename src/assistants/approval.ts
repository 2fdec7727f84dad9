/**
 * What lets a program propose and a person approve: a page on which a plan is approved by a press. `permission.ts` is what a press permits,
 * `plan-page.ts` the page. Input: a plan, and how to carry it out. Output: the address of the page, and what became of the plan.
 * `conversation.ts` has the programs that propose by the Model Context Protocol: `tools.ts` says what they may ask, `desk.ts` what answers,
 * `asked-plans.ts` keeps their plans, and `short-answers.ts` makes answers small. `entrance.ts` is the way into the page, for its user alone.
 */

import { ignoreErrors } from '../base/attempt.ts'
import { asFailure, type Failure, renderFailure } from '../base/failure.ts'
import { isObject } from '../base/text/json.ts'
import { parseStrictJson } from '../base/text/strict-json.ts'
import type { Plan } from '../changes/plan/plan.ts'
import type { Response } from '../contract/exchange.ts'
import { errorResponse } from '../service/refusal.ts'
import { createPermission, type Press, validTime } from './permission.ts'
import { openPlanPage, type PlanPage } from './plan-page.ts'

/** How far a run is, which the page shows. */
interface ApprovedRun {
  done: number
  total: number
}

export interface Approving extends Omit<PlanPage, 'decide'> {
  /** Carries out what was approved if its records are as they were shown, and asks nothing; returns what was done and how to undo it, and throws a `Failure` otherwise. */
  carryOut(approved: Plan, run: ApprovedRun): Promise<{ readonly said: string; readonly run?: string | undefined }>
  /** Keeps that a person refused the plan. */
  refuse(): void
}

/** What became of a plan that a person was shown. */
export type Decided =
  | {
      readonly state: 'approved'
      readonly run?: string | undefined
      readonly said: string
      /** Set if not all of it was done. */
      readonly failure?: Failure
    }
  /** `at`: when it was refused before, in ISO format. */
  | { readonly state: 'refused' | 'expired'; readonly at?: string }

export interface Approval {
  /** For a browser that cannot be opened from here; works once. */
  readonly address: string
  /** A file that only the user can read, and that leads a browser to the address. */
  readonly file: string
  readonly settled: Promise<Decided>
  /** Waits no longer for a decision; a run that has begun is not stopped. */
  withdraw(): void
  close(): Promise<void>
}

/** Shows a plan on a page of this machine, where a person approves it, leaves out parts of it, or refuses it. */
export async function openApproval(approving: Approving): Promise<Approval> {
  const permission = createPermission(approving.plan)
  const decision = createDecision(permission)
  const run: ApprovedRun = { done: 0, total: 0 }
  const refusal = (problem: string): Response => {
    if (permission.left() <= 0) decision.expire()
    return errorResponse(409, 'calctl_approval', problem)
  }
  const routes: Readonly<Record<string, (given: Press) => Promise<Response> | Response>> = {
    'POST /__page/opened': () => {
      const token = permission.open()
      if (token === undefined) return refusal(permission.settled())
      decision.wait()
      return json({ token, ...permission.ask([]) })
    },
    'POST /__page/question': ({ leftOut }) => json(permission.ask(leftOut)),
    'POST /__page/refuse': ({ token }) => {
      const problem = permission.refuse(token)
      if (problem !== undefined) return refusal(problem)
      approving.refuse()
      decision.settle({ state: 'refused' })
      return json({})
    },
    'POST /__page/approve': async given => {
      const approved = permission.approve(given)
      if (typeof approved === 'string') return refusal(approved)
      run.total = approved.steps.length
      const outcome = await approving.carryOut(approved, run).catch(failedRun)
      decision.settle({ state: 'approved', ...outcome })
      return json({ said: outcome.said, isWhole: !('failure' in outcome) })
    },
    'GET /__page/progress': () => json(run),
  }
  const entrance = await openPlanPage({
    ...approving,
    async decide(path, { method, body }) {
      const route = routes[`${method} ${path}`]
      if (!route) return undefined
      const press = method === 'POST' ? readPress(await body()) : noPress
      return press ? route(press) : errorResponse(400, 'calctl_approval', 'The page sends no such request.')
    },
  })
  return {
    address: entrance.address,
    file: entrance.file,
    settled: decision.settled,
    withdraw: decision.expire,
    async close() {
      decision.end()
      await entrance.close()
    },
  }
}

/** What a person decides; that nobody did, if the time of the permission passes. */
function createDecision(permission: ReturnType<typeof createPermission>) {
  let settle = (_: Decided) => {}
  const settled = new Promise<Decided>(resolve => {
    settle = resolve
  })
  const expire = () => {
    if (permission.expire()) settle({ state: 'expired' })
  }
  let timer = setTimeout(expire, validTime)
  return {
    settled,
    settle,
    expire,
    wait() {
      clearTimeout(timer)
      timer = setTimeout(expire, permission.left())
    },
    end() {
      clearTimeout(timer)
      expire()
    },
  }
}

function failedRun(error: unknown) {
  const failure = asFailure(error)
  return { said: renderFailure(failure, false).trim(), failure }
}

const noPress: Press = { token: '', checksum: '', leftOut: [] }

/** What the page sent; undefined if it is not what the page sends. */
function readPress(text: string): Press | undefined {
  const sent = ignoreErrors(() => parseStrictJson(text))
  if (!isObject(sent)) return undefined
  const { token, checksum, leftOut } = { ...noPress, ...sent }
  const areNumbers = Array.isArray(leftOut) && leftOut.every(Number.isSafeInteger)
  return typeof token === 'string' && typeof checksum === 'string' && areNumbers
    ? { token, checksum, leftOut }
    : undefined
}

const json = (value: object): Response => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: JSON.stringify(value),
})
