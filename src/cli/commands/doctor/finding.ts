/**
 * `calctl doctor`: a check is one question about what lies between calctl and the records of a site; `examine.ts` makes one check after
 * another. Input: the current calendar, or an address. Output: a line for each check, with the sentences that failing commands use, too
 * (`client/http/problems/`).
 */

import type { Failure } from '../../../base/failure.ts'
import type { ProblemCode } from '../../../client/http/problems/unavailable.ts'
import type { Proxies } from '../../../client/http/sender.ts'
import type { App } from '../../app.ts'
import type { Target } from '../../profiles/command-target.ts'
import type { Probe, ProbeOptions } from './probe.ts'

/** The result of a check: all is well, what is wrong and what to do, or why it was not made. */
export type CheckFinding =
  | { readonly state: 'done'; readonly found: string }
  | {
      readonly state: 'failed'
      readonly found: string
      readonly hint: string
      readonly problem?: ProblemCode | undefined
    }
  | { readonly state: 'skipped'; readonly found: string }

/** One question. */
export interface DoctorCheck {
  /** The beginning of its line. */
  readonly name: string
  /** An earlier check that must not have failed. */
  readonly needs?: string
  run(examination: Examination): Promise<CheckFinding>
}

/** The calendar that is checked, and what earlier checks have found out about it. */
export interface Examination extends Pick<ProbeOptions, 'timeout' | 'trusted' | 'observe'> {
  readonly app: App
  readonly target: Target
  /** The given address, which may be that of any page. */
  readonly address: URL | undefined
  readonly proxies: Proxies
  readonly probe: Probe
  readonly facts: Facts
}

interface Facts {
  /** Of the API; if an address was given, where the API was found. */
  baseUrl: string
  namespace: string
  /** The answer at the root of the API. */
  index?: Readonly<Record<string, unknown>>
  frontPage?: string
  /** What WordPress says about the user. */
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

export const failed = (found: string, hint: string, problem?: ProblemCode): CheckFinding => ({
  state: 'failed',
  found,
  hint,
  problem,
})

/** The sentence of a failing command; with another next step if that was to run the doctor. */
export const failedAs = ({ message, details }: Failure, hint = ''): CheckFinding =>
  failed(message, hint || (details.hint ?? ''), details.problem as ProblemCode | undefined)
