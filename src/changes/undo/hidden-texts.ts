/**
 * Keeps hidden texts hidden: those of events that have a password, are private or drafts, or are in the trash. If an event that lost its
 * password when it became private is published again, its text becomes public. So an undo or redo publishes it only if the password is given
 * again, and a text that was never public is never published. Input: the journals of a run and of later ones. Output: the values that an
 * undo may write.
 */

import { phrase } from '../../base/words/phrase.ts'
import { wordsIn } from '../../client/adapters/new-record-result.ts'
import { secretOf } from '../../client/adapters/secret-values.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isUnpublished } from '../../contract/post-status.ts'
import { formsOf, storedValue } from '../../contract/record.ts'
import { type Answer, type Resource, recordKey } from '../../contract/resource.ts'
import { fieldList, stepLabel } from '../plan/names.ts'
import type { Step } from '../plan/plan.ts'
import { becomesPrivate, dropsPasswords, isPrivate } from '../plan/private-steps.ts'
import type { JournaledRun } from '../run/journal-reader.ts'

/**
 * The records that had a password before the first of these runs (in order) and have none now, because one of the runs dropped or removed
 * it. A password that may exist counts as one.
 */
export function lostPasswords(client: Client, runs: Iterable<JournaledRun>): ReadonlySet<string> {
  const passwords = new Map<string, PasswordState>()
  for (const run of dropsPasswords(client) ? runs : [])
    for (const change of passwordChanges(run)) passwords.set(change.key, stateAfter(change, passwords.get(change.key)))
  return new Set([...passwords].flatMap(([key, state]) => (state === 'lost' ? key : [])))
}

type PasswordState = 'never' | 'there' | 'lost'

interface PasswordChange {
  /** The key of the record. */
  readonly key: string
  readonly isLoss: boolean
  readonly isSet: boolean
  readonly hadNone: boolean
}

function stateAfter({ isLoss, isSet, hadNone }: PasswordChange, before?: PasswordState): PasswordState {
  if (before === 'never' || (before === undefined && hadNone)) return 'never'
  if (before !== undefined && hadNone && !isSet) return before
  return isLoss ? 'lost' : 'there'
}

/** The changes of passwords by the steps of a run that are done. */
function* passwordChanges({ plan, results, omittedFields }: JournaledRun): Generator<PasswordChange> {
  for (const step of plan.steps) {
    const secret = secretOf(resourceNamed(step.resource))
    const { state, isPartDone, id = step.id } = results.get(step.key) ?? {}
    if (secret === undefined || id === undefined || (state !== 'done' && !isPartDone)) continue
    const isLoss = becomesPrivate(step) || step.values[secret] === ''
    const isSet = !isPrivate(step) && omittedFields.get(step.key)?.includes(secret) === true
    if (isLoss || isSet)
      yield { key: recordKey(step.resource, id), isLoss, isSet, hadNone: hadNoPassword(step, secret) }
  }
}

const hadNoPassword = (step: Step, secret: string): boolean =>
  (becomesPrivate(step) && step.dropsPassword === false) ||
  (step.before !== undefined && storedValue(secret, step.before) === '')

/** What an undo knows about lost passwords. */
export interface LostPasswords {
  /** By `recordKey`. */
  readonly lost: ReadonlySet<string>
  /** The password to set again, empty for none; undefined if the user has not said. */
  readonly given: string | undefined
}

/** The values that an undo may write, and notes about those that it leaves out. */
interface KeptPrivate {
  readonly values: Values
  readonly notes: readonly string[]
}

/**
 * The values of an undo, without those that would publish a text whose password is lost or that was never public, with notes about these.
 * Adds a password that was given. Without the lost password, a private event stays private, and an event restored from the trash becomes
 * private.
 */
export function keepPrivate(step: Step, current: Answer, values: Values, passwords: LostPasswords): KeptPrivate {
  const unseen = unseenBy(step, current, values)
  if (unseen) return unseen
  const { status: _, ...others } = values
  const record = stepLabel(step)
  const status = String(values.status ?? current.status)
  const staysHidden = hidden.has(status) || (isUnpublished(status) && current.status !== 'private')
  if (!isPasswordLost(step, current, passwords) || staysHidden || Object.keys(values).length === 0)
    return { values, notes: [] }
  const secret = secretOf(resourceNamed(step.resource))
  if (secret !== undefined && passwords.given !== undefined)
    return { values: passwords.given === '' ? values : { ...values, [secret]: passwords.given }, notes: [] }
  if (values.status === undefined)
    return {
      values: {},
      notes: [
        phrase(
          'kept {record}: its password is lost, and its earlier text would be public; to set a new password, add: --post-password',
          { record },
        ),
      ],
    }
  const note = phrase(
    'kept status of {record}: its password is lost, and publishing it would make its text public; to set a new password, add: --post-password',
    { record },
  )
  return { values: current.status === 'trash' ? { ...others, status: 'private' } : others, notes: [note] }
}

/**
 * The values of an undo that may be written, if others would publish a text that was never public, because the record had or got it while
 * it was hidden. Undefined if all of them may be written.
 */
function unseenBy(step: Step, current: Answer, values: Values): KeptPrivate | undefined {
  const { before } = step
  const resource = resourceNamed(step.resource)
  const record = stepLabel(step)
  const secret = secretOf(resource)
  if (!before || !isPublic(values.status ?? current.status)) return undefined
  const without = (names: readonly string[]): Values =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
  if (!isPublic(before.status)) {
    const names = Object.keys(values).filter(name => isText(resource, name) || name === secret)
    const fields = fieldList(names, step.resource)
    const note = phrase('kept {fields} of {record}: the earlier values were never public', { fields, record })
    return names.length === 0 ? undefined : { values: without(names), notes: [note] }
  }
  if (isPublic(current.status) && (secret === undefined || values[secret] !== '')) return undefined
  const edited = Object.keys(resource.fields).filter(
    name => isText(resource, name) && !(name in values) && !saysTheSame(name, resource, [before, current]),
  )
  if (edited.length === 0) return undefined
  const restored = current.status === 'trash' ? { status: 'private' } : {}
  const places = { record, fields: fieldList(edited, step.resource) }
  const command = `calctl ${step.resource} update ${current.id}`
  const note = isPublic(current.status)
    ? phrase('kept password of {record}: {fields} changed while it was not public; to publish it: {command}', {
        ...places,
        command: `${command} --clear post_password`,
      })
    : phrase('kept status of {record}: {fields} changed while it was not public; to publish it: {command}', {
        ...places,
        command: `${command} --status ${values.status}`,
      })
  return { values: { ...without(['status', secret ?? '']), ...restored }, notes: [note] }
}

/** Whether a field has a text for readers. The slug does not count, because it follows the status. */
const isText = ({ fields }: Resource, name: string): boolean =>
  fields[name]?.kind.shape === 'prose' && !fields[name].queryOnly && name !== 'slug'

/**
 * Whether a text has the same words in two records, comparing all known forms: in the trash, part of the description may be shown in place
 * of an empty excerpt.
 */
function saysTheSame(name: string, { fields }: Resource, records: readonly [Answer, Answer]): boolean {
  const field = fields[name]
  const [one = [], other = []] = records.map(record =>
    field ? formsOf(name, field, record).map(form => wordsIn(String(form ?? ''))) : [],
  )
  return one.length === 0 || other.length === 0 || one.some(words => other.includes(words))
}

const isPublic = (status: unknown): boolean => status === 'publish' || status === 'future'

export const isPasswordLost = ({ resource }: Step, { id }: Answer, { lost }: LostPasswords): boolean =>
  lost.has(recordKey(resource, id))

const hidden: ReadonlySet<string> = new Set(['private', 'trash'])
