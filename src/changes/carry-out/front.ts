/**
 * Carrying out plans: the one way by which anything is written. `carry-out.ts` takes a plan, shows and asks, executes it with a journal and
 * reports what was done; `front.ts` is what it needs of whoever looks on (the command line), and the policy that a command chooses.
 * Input: a plan. Output: the writes, and on the front the outcome with the command that takes it back.
 */

import type { Client } from '../../client/client.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Briefly } from '../plan/making/notes.ts'
import type { Plan, Step } from '../plan/plan.ts'
import type { ExecuteOptions } from '../run/execute.ts'
import type { Journal } from '../run/journal-writer.ts'
import type { EarlierSessions, RunOutcome, StepResult } from '../run/result.ts'
import type { Progress } from './progress.ts'

/** How fast a run writes, when it stops, and where its results go. */
export interface RunOptions {
  readonly jobs?: number
  readonly rate?: string
  readonly stopAfter?: number
  /** In ms. */
  readonly maxWait?: number
  /** How long to wait for another run on the same calendar, in ms. */
  readonly wait?: number
}

/** What a plan may do, and whether it is only shown. */
export interface PlanOptions extends RunOptions {
  readonly dryRun?: true
  readonly save?: string
  readonly skipInvalid?: true
  readonly allowInvalid?: true
  readonly maxTrash?: number
}

/** Records that were named one by one, in that order: the key of the step of each, or the record if it already is as it should be. */
export interface NamedRecords {
  readonly resource: Resource
  readonly items: readonly (string | Answer)[]
}

/** How a plan is carried out, by where it comes from. */
export interface Policy {
  /** Set if its records were named one by one: they are written in that order without a question, and printed. */
  readonly named?: NamedRecords | undefined
  /** A saved plan is refused if a run has applied it already. */
  readonly isSaved?: boolean
  /** Whether the user has confirmed it already. */
  readonly isConfirmed?: boolean
  /** Asks in place of the usual question, and says the notes of the plan. Returns the plan, which the answer may change; throws `declined` after a no. */
  readonly ask?: ((plan: Plan, notes: readonly string[]) => Promise<Plan>) | undefined
  /** Whether that question names the records, so that they are not shown before it. */
  readonly namesRecords?: boolean
  /** The sentence about a named record that already is as it should be; by default, that it has these values. */
  already?(record: Answer): string | undefined
}

/** A policy, and what is said about a plan but does not belong to it. */
export interface Warned {
  readonly policy: Policy
  readonly warnings: readonly string[]
}

/** A plan to execute, from its beginning or from where a run stopped. */
export interface Task extends Partial<EarlierSessions>, Pick<ExecuteOptions, 'client' | 'readAt' | 'isSaved'> {
  readonly plan: Plan
  /** How many steps remain. */
  readonly total: number
  readonly named?: NamedRecords | undefined
  /** Opens the journal; the demo has none, because it is gone when the command ends. */
  journal(): Promise<Journal | undefined>
}

/** What is printed of a run: the outcome, or the answers of records that were named. */
export interface Written {
  readonly plan: Plan
  readonly outcome: RunOutcome
  /** The name of the run, if it has a journal. */
  readonly run?: string | undefined
  readonly named?: NamedRecords | undefined
  readonly answers: ReadonlyMap<string, StepResult>
}

/** Who looks on while a plan is carried out, and answers the questions. */
export interface Front {
  readonly options: PlanOptions
  /** Whether a program reads what is printed on standard error. */
  readonly isJson: boolean
  readonly isQuiet: boolean
  /** Whether questions were answered with yes beforehand. */
  readonly isConfirmed: boolean
  now(): Date
  sleep(ms: number): Promise<void>
  /** Aborted when the user wants to stop. */
  stopping(): AbortSignal
  /** The folder with the journals of runs; undefined for the demo, which keeps none. */
  readonly runs: string | undefined
  /** Files that a run writes beside its journal; throws `usage` if one cannot be written, or would overwrite somebody's file. */
  readonly files: { check(): Promise<void> }
  client(): Promise<Client>
  writer(): Promise<Client>
  /** Waits from now on for at most this many ms in a row while the site refuses everything. */
  waitForSite(maxWait: number): void
  /** Reads what only a note depends on, for a short time; absent if nobody reads the notes. */
  briefly?: Briefly
  notice(text: string): Promise<void>
  save(plan: Plan): Promise<void>
  /** Shows what a dry run would do. */
  show(plan: Plan, policy: Policy): Promise<void>
  showInvalid(plan: Plan): Promise<void>
  /** Shows the first steps of a plan about which will be asked. */
  showFirst(plan: Plan, policy: Policy): Promise<void>
  /** Asks about a plan; throws `declined` after a no. */
  ask(client: Client, plan: Plan, warned: Warned): Promise<Plan>
  openJournal(plan: Plan, policy: Policy): Promise<Journal | undefined>
  /** A result whose record has the records to which it links, for people. */
  withLinkedRecords(step: Step, result: StepResult): Promise<StepResult>
  progress(total: number): Progress | undefined
  print(written: Written): Promise<void>
}
