/**
 * Links that a site took from events when a run moved their venue or organizer to the trash. Input: the journal of the run. Output: what an
 * undo gives back to events that have no other venue or organizer by now. A redo leaves these links to the site, which takes them again.
 */

import { linkedRecords } from '../../client/adapters/stored-records.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { recordKey } from '../../contract/resource.ts'
import { linkedIds, linkField } from '../plan/back-references.ts'
import { isOnRecord, type StepOnRecord, type StepReference } from '../plan/plan.ts'
import type { JournaledRun } from '../run/journal-reader.ts'
import type { Relinks } from './deleted-terms.ts'
import type { DoneStep } from './undo-step.ts'

/** Adds the links that events lost. `returning` has the steps of the undo that restore their records, by `recordKey`. */
export async function addLostLinks(
  client: Client,
  relinks: Relinks,
  { plan, results, attempts }: JournaledRun,
  returning: ReadonlyMap<string, string | number>,
): Promise<void> {
  for (const step of plan.steps) {
    const { lost = [] } = attempts.get(step.key) ?? {}
    if (!isOnRecord(step) || lost.length === 0 || results.get(step.key)?.state !== 'done') continue
    const { resource, language } = step
    const field = linkField(resource)
    const kept = await keptLinks(client, step)
    const reference = (id: number): StepReference | number => {
      const current = returning.get(recordKey(resource, id)) ?? id
      return typeof current === 'string' ? { $ref: current } : current
    }
    for (const { id, links } of lost.filter(event => !kept.has(event.id))) {
      const key = recordKey('events', id)
      const relink = relinks.get(key) ?? {
        resource: 'events',
        id,
        ...(language && { language }),
        references: new Map(),
      }
      // Two organizers may have been taken from the same event.
      if (!relink.references.has(field)) relink.references.set(field, links.map(reference))
      relinks.set(key, relink)
    }
  }
}

/** The events that still have a link to the record of a step: a site may have taken it from fewer events than expected. */
async function keptLinks(client: Client, { resource, id, language }: StepOnRecord): Promise<ReadonlySet<number>> {
  const field = linkField(resource)
  const events = await linkedRecords(client, resourceNamed('events'), { field, ids: [id], language })
  return new Set(events.flatMap(event => (linkedIds(event, field).includes(id) ? event.id : [])))
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
