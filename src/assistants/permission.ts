import { createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from '../base/text/same-secret.ts'
import { phrase } from '../base/words/phrase.ts'
import { leaveOut } from '../changes/plan/leave-out.ts'
import type { Plan } from '../changes/plan/plan.ts'
import { contentSum } from '../changes/plan/plan-file.ts'
import { plannedChanges } from '../changes/plan/plan-question.ts'

/** For how long after the page was opened a press is a permission, in ms. */
export const validTime = 600_000

/** What is asked about a plan of which steps are left out. */
interface Question {
  readonly question: string
  /** The numbers of all steps that are left out, with those that depend on others. */
  readonly leftOut: readonly number[]
  /** Of the plan, and of what is left out of it. */
  readonly checksum: string
}

/** What the page sends for a press. */
export interface Press {
  readonly token: string
  readonly checksum: string
  readonly leftOut: readonly number[]
}

/**
 * The permission to carry out a plan: for what was asked last in one page, for ten minutes, once. Input: presses. Output: the plan that was
 * approved, or the sentence why a press is none.
 */
export function createPermission(plan: Plan) {
  const keys = Array.from(plan.steps, ({ key }) => key)
  const sum = contentSum(plan)
  let token: string | undefined
  let openedAt: number | undefined
  let isSettled = false
  const without = (numbers: readonly number[]) => {
    const rest = leaveOut(plan, new Set(numbers.map(number => keys[number] ?? '')))
    const kept = new Set(Array.from(rest.steps, ({ key }) => key))
    const leftOut = [...keys.keys()].filter(number => !kept.has(keys[number] ?? ''))
    return { rest, leftOut, checksum: createHash('sha256').update(`${sum}\n${leftOut}`).digest('hex') }
  }
  /** How long a press is a permission, in ms, whatever becomes of the clock of the machine. */
  const left = (): number => validTime - (openedAt === undefined ? 0 : performance.now() - openedAt)
  const settled = (): string => phrase('this plan is settled already')
  const problemOf = (given: string): string | undefined => {
    if (isSettled) return settled()
    if (openedAt === undefined || left() < 0)
      return phrase('the page was open for more than ten minutes; run the command again')
    if (token === undefined || !isSameSecret(given, token))
      return phrase('another window shows this plan; load this page again to decide here')
    return undefined
  }
  return {
    settled,
    /** The page was opened or loaded again: an earlier window cannot approve any more. The time does not begin anew. Undefined if the plan is settled. */
    open(): string | undefined {
      if (isSettled) return undefined
      openedAt ??= performance.now()
      token = randomBytes(32).toString('base64url')
      return token
    },
    left,
    ask(numbers: readonly number[]): Question {
      const { rest, leftOut, checksum } = without(numbers)
      return { question: rest.steps.length === 0 ? '' : plannedChanges(rest), leftOut, checksum }
    },
    /** Takes a press, which no other can follow. */
    approve({ token: given, checksum, leftOut }: Press): Plan | string {
      const { rest, checksum: expected } = without(leftOut)
      const problem = problemOf(given)
      if (problem !== undefined) return problem
      if (!isSameSecret(checksum, expected)) return phrase('this is not what the page asked; load the page again')
      if (rest.steps.length === 0) return phrase('nothing is left of the plan')
      isSettled = true
      return rest
    },
    refuse(given: string): string | undefined {
      const problem = problemOf(given)
      isSettled ||= problem === undefined
      return problem
    },
    /** Whether it ended before anybody decided. */
    expire(): boolean {
      if (isSettled) return false
      isSettled = true
      return true
    },
  }
}
