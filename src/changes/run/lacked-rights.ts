import { Failure, ignoreFailure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import type { Step } from '../plan/plan.ts'

/** What a user lacks who was refused a write. */
export interface LackedRight {
  /** Whether a step would be refused as well. */
  isNeededBy(step: Step): boolean
  /** The refusal, with what the user may do. */
  explain(failure: Failure): Failure
}

/** Whether a write was refused because the user may not make it. */
export const isForbidden = (failure: Failure | undefined): failure is Failure => failure?.details.problem === 'no-right'

/**
 * The right that the refusal of a step shows to be missing; undefined if only this record was refused. One request, which a run makes once,
 * so that it does not send what cannot succeed.
 */
export async function lackedRight({ user }: Client, { action }: Step): Promise<LackedRight | undefined> {
  const known = await user().catch(ignoreFailure)
  if (!known) return undefined
  const { id, name = phrase('this user'), may } = known
  const isNew = action === 'create'
  if (isNew ? may.write : may.editOthers) return undefined
  const isOwn = ({ before }: Step) => id !== undefined && Number(before?.author) === id
  return {
    isNeededBy: step => (may.write ? step.action !== 'create' && !isOwn(step) : true),
    explain: ({ kind, message: problem, details }) =>
      new Failure(
        kind,
        may.write
          ? phrase('{problem}: {user} may change only their own records', { problem, user: name })
          : phrase('{problem}: {user} may not write here', { problem, user: name }),
        { ...details, hint: phrase('log in as an editor, or ask one to do it') },
      ),
  }
}
