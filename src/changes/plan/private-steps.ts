import { secretOf, secretsIn } from '../../client/adapters/secret-values.ts'
import type { Client } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { RestoreStep, Step, UpdateStep } from './plan.ts'

/** Whether a calendar drops passwords; the service of calctl keeps them. */
export const dropsPasswords = ({ capabilities }: Client): boolean => capabilities.hasPasswords

/** A step that can change the status of its record. */
export type StatusStep = UpdateStep | RestoreStep

/** Whether a step makes its record private, as far as is known: a patch does not read its record. */
export const becomesPrivate = (step: Step): step is StatusStep =>
  (step.action === 'update' || step.action === 'restore') &&
  step.values.status === 'private' &&
  step.before?.status !== 'private'

/** Whether a record is private after a step. */
export const isPrivate = ({ before, values }: Step): boolean => (values.status ?? before?.status) === 'private'

/** Whether a step sets a password that the site drops at once. */
export const setsInVain = (step: Step): boolean =>
  isPrivate(step) && secretsIn(resourceNamed(step.resource), step.values).length > 0

/** Whether records such as that of a step can have a password. */
const isProtectable = ({ resource }: Step): boolean => secretOf(resourceNamed(resource)) !== undefined

/** Whether the site may drop a password. Checks the steps one by one, because there may be more than fit into memory. */
export function mayDropSome(client: Client, steps: Iterable<Step>): boolean {
  for (const step of dropsPasswords(client) ? steps : [])
    if (isProtectable(step) && (becomesPrivate(step) || setsInVain(step))) return true
  return false
}
