/**
 * Links that a site took from events when a run moved their venue or organizer to the trash. Input: the journal of the run. Output: what an
 * undo gives back to events that have no other venue or organizer by now. A redo leaves these links to the site, which takes them again.
 */

import { memoize } from '../../base/memoize.ts'
import type { Client, Values } from '../../client/client.ts'
import { recordKey } from '../../contract/resource.ts'
import { eventsWithLinks, linkedIds, linkField } from '../plan/back-references.ts'
import type { StepReference } from '../plan/plan.ts'
import { isOnRecord } from '../plan/steps.ts'
import type { JournaledRun } from '../run/journal-reader.ts'
import { type Relinks, relinkOf } from './deleted-terms.ts'
import type { DoneStep } from './undo-step.ts'

/** Adds the links that events lost. `returning` has the steps of the undo that restore their records, or their IDs, by `recordKey`. */
export async function addLostLinks(
  client: Client,
  relinks: Relinks,
  { plan, results, attempts }: JournaledRun,
  returning: ReadonlyMap<string, string | number>,
): Promise<void> {
  const eventsOf = memoize(async (language: string) => (await eventsWithLinks(client, language || undefined)) ?? [])
  for (const step of plan.steps) {
    const { lost = [] } = attempts.get(step.key) ?? {}
    if (!isOnRecord(step) || lost.length === 0 || results.get(step.key)?.state !== 'done') continue
    const { resource, lang_code: language } = step
    if (!returning.has(recordKey(resource, step.id))) continue
    const field = linkField(resource)
    // A site may have taken it from fewer events than expected.
    const having = (await eventsOf(language ?? '')).filter(event => linkedIds(event, field).includes(step.id))
    const kept = new Set(having.map(({ id }) => id))
    const reference = (id: number): StepReference | number => {
      const current = returning.get(recordKey(resource, id)) ?? id
      return typeof current === 'string' ? { $ref: current } : current
    }
    for (const { id, links, signs } of lost.filter(event => !kept.has(event.id))) {
      const { references } = relinkOf(relinks, { resource: 'events', id, language, signs })
      // Two organizers may have been taken from the same event.
      if (!references.has(field)) references.set(field, links.map(reference))
    }
  }
}

/** A step without the links that it gave back: if their record is moved to the trash again, the site takes them again. */
export function withoutGivenBack(done: DoneStep): DoneStep {
  const names = done.step.action === 'update' && 'givesBack' in done.step ? (done.step.givesBack ?? []) : []
  const without = (values: Values): Values =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
  if (names.length === 0) return done
  const { step, values, after } = done
  return { ...done, step: { ...step, values: without(step.values) }, values: without(values), after: without(after) }
}
