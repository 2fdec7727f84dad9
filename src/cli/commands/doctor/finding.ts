/**
 * `calctl doctor`: a check is one question about the connection to the records of a site; `examine.ts` asks them one after
 * another. Input: the calendar in use, or an address. Output: a line for each check, in the words that failing commands use too
 * (`client/problems/`).
 */

import type { Failure } from '../../../base/failure.ts'
import type { ProblemCode } from '../../../client/http/problems/problem.ts'
import type { Proxies } from '../../../client/http/sender.ts'
import type { TrafficLog } from '../../../client/http/traffic.ts'
import type { App } from '../../app.ts'
import type { Target } from '../../profiles/resolve.ts'
import type { Probe } from './probe.ts'

/** What a check found: that all is well, what is the matter and what to do, or why it was not made. */
export type CheckFinding =
  | { readonly state: 'done'; readonly found: string }
  | {
      readonly state: 'failed'
      readonly found: string
      readonly next: string
      readonly problem?: ProblemCode | undefined
    }
  | { readonly state: 'skipped'; readonly found: string }

/** One question. */
export interface DoctorCheck {
  /** What the line begins with. */
  readonly name: string
  /** The check that must not have failed before. */
  readonly needs?: string
  run(examination: Examination): Promise<CheckFinding>
}

/** What the checks are about, and what they have found out for those after them. */
export interface Examination {
  readonly app: App
  readonly target: Target
  /** The address that was given, which may be that of any page. */
  readonly address: URL | undefined
  readonly write: boolean
  /** In ms. */
  readonly timeout: number
  readonly proxies: Proxies
  readonly trusted: readonly string[] | undefined
  readonly observe: TrafficLog['observe'] | undefined
  readonly probe: Probe
  readonly facts: Facts
}

interface Facts {
  /** Of the API; for an address, where it was found. */
  baseUrl: string
  namespace: string
  /** What the root of the API says. */
  index?: Readonly<Record<string, unknown>>
  frontPage?: string
  /** What WordPress says of the user. */
  user?: Readonly<Record<string, unknown>>
  /** Whether requests have a user name and a password. */
  hasUser?: boolean
  /** The methods that the list of events allows. */
  allowed?: string
  /** The number of all events. */
  total?: number
}

export const done = (found: string): CheckFinding => ({ state: 'done', found })

export const skipped = (found: string): CheckFinding => ({ state: 'skipped', found })

export const failed = (found: string, next: string, problem?: ProblemCode): CheckFinding => ({
  state: 'failed',
  found,
  next,
  problem,
})

/** What a command would say that meets this; with another next step where that would be to run the doctor. */
export const failedAs = ({ message, details }: Failure, next = ''): CheckFinding =>
  failed(message, next || (details.hint ?? ''), details.problem as ProblemCode | undefined)
