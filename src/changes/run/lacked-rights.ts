import { ignoreFailure } from '../../base/attempt.ts'
import { Failure, refused } from '../../base/failure.ts'
import { once } from '../../base/memoize.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client, SiteUser } from '../../client/client.ts'
import type { Step } from '../plan/plan.ts'

/** What a user lacks who was refused a write. */
export interface LackedRight {
  /** Whether a step would be refused as well. */
  isNeededBy(step: Step): boolean
  /** The refusal, with what the user may do. */
  explain(failure: Failure): Failure
}

/**
 * The right that the refusal of a step shows to be missing; undefined if only this record was refused. One request, which a run makes once,
 * so that it does not send what cannot succeed.
 */
export async function lackedRight({ user }: Client, { action }: Step): Promise<LackedRight | undefined> {
  const known = await user().catch(ignoreFailure)
  if (!known) return undefined
  const { may } = known
  const isNew = action === 'create'
  if (isNew ? may.write : may.editOthers) return undefined
  return {
    isNeededBy: step => (may.write ? step.action !== 'create' && !isOwn(known, step) : true),
    explain: ({ kind, message, details }) =>
      new Failure(kind, mayNot(known, message), { ...details, hint: askAnEditor() }),
  }
}

/**
 * A check that throws what the first write would be refused for, before it is sent: an undo also changes records of others, to give them
 * their links back. One request for all steps.
 */
export function createRightsCheck({ user }: Client): (step: Step, problem: string) => Promise<void> {
  const known = once(() => user().catch(ignoreFailure))
  return async (step, problem) => {
    const asked = await known()
    if (asked && !asked.may.editOthers && !isOwn(asked, step)) throw refused(mayNot(asked, problem), askAnEditor())
  }
}

const isOwn = ({ id }: SiteUser, { before }: Step): boolean => id !== undefined && Number(before?.author) === id

function mayNot({ name = phrase('this user'), may }: SiteUser, problem: string): string {
  return may.write
    ? phrase('{problem}: {user} may change only their own records', { problem, user: name })
    : phrase('{problem}: {user} may not write here', { problem, user: name })
}

const askAnEditor = (): string => phrase('log in as an editor, or ask one to do it')
