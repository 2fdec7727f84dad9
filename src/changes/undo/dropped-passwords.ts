import { storedValue } from '../../contract/record.ts'
/**
 * What becomes of the password of an event whose status changes. Sites drop it when the event becomes private, through either API,
 * and nobody can read it back: published again, the text would be public. So calctl says it before it makes such an event private,
 * and no undo or redo makes an event public whose password is gone since, unless it is given again. Input: steps that are to be
 * written, and the journals of a run and of those after it. Output: the steps with what is known of their passwords, a sentence, and
 * what an undo leaves as it is.
 */

import { listOfFirst } from '../../base/text/similarity.ts'
import { readPasswords, secretOf, secretsIn } from '../../client/adapters/secret-values.ts'
import type { Client, Values } from '../../client/client.ts'
import type { ListScope } from '../../client/find/whole-lists.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isUnpublished } from '../../contract/post-status.ts'
import { type Answer, recordKey } from '../../contract/resource.ts'
import type { RestoreStep, Step, UpdateStep } from '../plan/plan.ts'
import { batches, createSpool, type ReadonlyList } from '../plan/spool.ts'
import type { JournaledRun } from '../run/journal-reader.ts'
import { stepLabel } from '../run/result.ts'

/** Whether a calendar drops passwords: our own keeps them. */
const dropsPasswords = ({ capabilities }: Client): boolean => capabilities.hasPasswords

type StatusStep = UpdateStep | RestoreStep

/** Whether a step makes its record private, which it was not. */
const becomesPrivate = (step: Step): step is StatusStep =>
  (step.action === 'update' || step.action === 'restore') &&
  step.values.status === 'private' &&
  step.before !== undefined &&
  step.before.status !== 'private'

/** Whether a record is private after a step. */
const isPrivate = ({ before, values }: Step): boolean => (values.status ?? before?.status) === 'private'

/** Whether a step sets a password that the site drops at once. */
const setsInVain = (step: Step): boolean =>
  isPrivate(step) && secretsIn(resourceNamed(step.resource), step.values).length > 0

/** The steps with `dropsPassword`, as far as the site shows it, and what is to be said before they are written. */
export async function withDroppedPasswords(
  client: Client,
  steps: ReadonlyList<Step>,
): Promise<{ readonly steps: ReadonlyList<Step>; readonly note?: string }> {
  if (!dropsPasswords(client) || !mayDropSome(steps)) return { steps }
  const marked = createSpool<Step>()
  const losing: Step[] = []
  for (const batch of batches(steps)) {
    const passwords = await passwordsOf(client, batch.filter(becomesPrivate))
    for (const step of batch) {
      const dropsPassword = becomesPrivate(step) ? passwords.get(recordKey(step.resource, step.id)) : undefined
      marked.add(becomesPrivate(step) && dropsPassword !== undefined ? { ...step, dropsPassword } : step)
      if (dropsPassword || setsInVain(step)) losing.push(step)
    }
  }
  return losing.length === 0 ? { steps: marked } : { steps: marked, note: droppedNote(client, losing) }
}

/** There may be more steps than fit into memory. */
function mayDropSome(steps: Iterable<Step>): boolean {
  for (const step of steps)
    if (secretOf(resourceNamed(step.resource)) && (becomesPrivate(step) || setsInVain(step))) return true
  return false
}

/** Whether the records of steps have a password, by `recordKey`. */
async function passwordsOf(client: Client, steps: readonly StatusStep[]): Promise<Map<string, boolean>> {
  const known = new Map<string, boolean>()
  const lists = new Map<string, { readonly scope: ListScope; readonly records: Answer[] }>()
  for (const { resource, language, action, before } of steps) {
    const scope = { resource: resourceNamed(resource), language, trashed: action === 'restore' }
    const key = `${resource} ${language} ${action}`
    const list = lists.get(key) ?? { scope, records: [] as Answer[] }
    lists.set(key, list)
    list.records.push(before)
  }
  for (const { scope, records } of lists.values())
    for (const [id, hasOne] of await readPasswords(client, scope, records))
      known.set(recordKey(scope.resource.name, id), hasOne)
  return known
}

const mostNamed = 5

const droppedNote = ({ calendar }: Client, steps: readonly Step[]): string => {
  const [subject, verb] = [listOfFirst(steps.map(stepLabel), mostNamed), steps.length === 1 ? 'has' : 'have']
  return `${calendar.label} drops the password of an event that is private: ${subject} ${verb} one; to undo this, give it again with --post-password`
}

/**
 * The records that had a password before the first of these runs, which stand in their order, and have none now because one of them
 * dropped it or took it off. What is not known of a password is taken for one.
 */
export function lostPasswords(client: Client, runs: Iterable<JournaledRun>): ReadonlySet<string> {
  const passwords = new Map<string, 'never' | 'there' | 'lost'>()
  for (const { plan, results, omittedFields } of dropsPasswords(client) ? runs : [])
    for (const step of plan.steps) {
      const secret = secretOf(resourceNamed(step.resource))
      const { state, isPartDone, id = step.id } = results.get(step.key) ?? {}
      if (secret === undefined || id === undefined || (state !== 'done' && !isPartDone)) continue
      const isLoss = becomesPrivate(step) || step.values[secret] === ''
      const isSet = !isPrivate(step) && omittedFields.get(step.key)?.includes(secret) === true
      const key = recordKey(step.resource, id)
      if ((!isLoss && !isSet) || passwords.get(key) === 'never') continue
      const hadNone =
        (becomesPrivate(step) && step.dropsPassword === false) ||
        (step.before && storedValue(secret, step.before) === '')
      if (!passwords.has(key) && hadNone) passwords.set(key, 'never')
      else if (!hadNone || isSet) passwords.set(key, isLoss ? 'lost' : 'there')
    }
  return new Set([...passwords].flatMap(([key, state]) => (state === 'lost' ? key : [])))
}

/** What an undo knows of passwords that are gone. */
export interface LostPasswords {
  /** By `recordKey`. */
  readonly lost: ReadonlySet<string>
  /** The password to set again, empty for none; undefined if none was given. */
  readonly given: string | undefined
}

/**
 * The values of an undo without those that would make a text public whose password is gone, and what is to be said about them; with
 * the password if it was given. What became private stays private, and what comes back from the trash comes back private.
 */
export function keepPrivate(
  step: Step,
  current: Answer,
  values: Values,
  passwords: LostPasswords,
): { readonly values: Values; readonly notes: readonly string[] } {
  const { status: _, ...others } = values
  const status = String(values.status ?? current.status)
  const staysHidden = hidden.has(status) || (isUnpublished(status) && current.status !== 'private')
  if (!isPasswordLost(step, current, passwords) || staysHidden || Object.keys(values).length === 0)
    return { values, notes: [] }
  const secret = secretOf(resourceNamed(step.resource))
  if (secret !== undefined && passwords.given !== undefined)
    return { values: passwords.given === '' ? values : { ...values, [secret]: passwords.given }, notes: [] }
  const label = stepLabel(step)
  if (values.status === undefined)
    return { values: {}, notes: [`kept ${label}: its earlier text would be public: ${wayOut}`] }
  const note = `kept status of ${label}: publishing it again would make its text public: ${wayOut}`
  return { values: current.status === 'trash' ? { ...others, status: 'private' } : others, notes: [note] }
}

export const isPasswordLost = ({ resource }: Step, { id }: Answer, { lost }: LostPasswords): boolean =>
  lost.has(recordKey(resource, id))

const hidden: ReadonlySet<string> = new Set(['private', 'trash'])

const wayOut = 'the password is gone; to set one with the undo, add: --post-password'
