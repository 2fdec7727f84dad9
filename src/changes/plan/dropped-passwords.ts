/**
 * Sites drop the password of an event that becomes private, and it cannot be read back. Input: the steps of a plan, if `private-steps.ts`
 * says that this may happen. Output: the steps with what is known about passwords, and what to say before they are sent. What an undo does
 * about it is in `undo/hidden-texts.ts`.
 */

import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { readPasswords } from '../../client/adapters/record-passwords.ts'
import type { Client } from '../../client/client.ts'
import type { ListScope } from '../../client/find/whole-lists.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { type Answer, recordKey } from '../../contract/resource.ts'
import { stepLabel } from './names.ts'
import type { Step } from './plan.ts'
import { becomesPrivate, type StatusStep, setsInVain } from './private-steps.ts'
import { batches, createSpool, type ReadonlyList } from './spool.ts'

/** The steps with `dropsPassword`, as far as the site shows it, and the notices to print before they are sent. */
export async function withDroppedPasswords(
  client: Client,
  steps: ReadonlyList<Step>,
): Promise<{ readonly steps: ReadonlyList<Step>; readonly note?: string }> {
  const marked = createSpool<Step>()
  const losing: Step[] = []
  for (const batch of batches(steps)) {
    const passwords = await passwordsOf(client, batch.filter(becomesPrivate))
    for (const step of batch) {
      const dropsPassword = becomesPrivate(step) ? passwords.get(recordKey(step.resource, step.id)) : undefined
      marked.add(withPassword(step, dropsPassword))
      if (dropsPassword || setsInVain(step)) losing.push(step)
    }
  }
  return { steps: marked, ...(losing.length > 0 && { note: droppedNote(client, losing) }) }
}

const withPassword = (step: Step, dropsPassword: boolean | undefined): Step =>
  dropsPassword === undefined ? step : ({ ...step, dropsPassword } as StatusStep)

/** Whether the records of steps have a password, by `recordKey`. */
async function passwordsOf(client: Client, steps: readonly StatusStep[]): Promise<Map<string, boolean>> {
  const known = new Map<string, boolean>()
  const lists = new Map<string, { readonly scope: ListScope; readonly records: Answer[] }>()
  for (const { resource, lang_code: language, action, before } of steps) {
    if (!before) continue
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

const droppedNote = (client: Client, steps: readonly Step[]): string =>
  phrase(
    '{calendar} drops the password of an event that is private: {events} {count, plural, one {has} other {have}} one; to undo this, give it again with --post-password',
    {
      calendar: client.calendar.label,
      events: listOfFirst(steps.map(stepLabel), mostNamed),
      count: steps.length,
    },
  )
