import type { Client, Values } from '../client/client.ts'
import { isSimilar } from '../client/compare.ts'
import { findBySlug } from '../client/slug-lookup.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Answer } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { recordKey } from '../plan/current-records.ts'
import type { Step } from '../plan/plan.ts'
import { listOf } from '../text/words.ts'
import { createdMeanwhile, findExisting } from './existing-records.ts'
import { type StepResult, stepLabel } from './result.ts'

/** The records that the run is known to have created. */
export interface CreatedRecords {
  /** By the key of the step. */
  readonly ids: ReadonlyMap<string, number>
  /** By `recordKey`. */
  readonly keys: ReadonlySet<string>
}

/**
 * The result of a create whose record is there several times, since another machine created it as well: all agree on the one with
 * the lowest ID, of those that everybody finds. Which one is this run's own nobody can tell, so that it removes none.
 */
export async function settleDoubles(
  client: Client,
  step: Step,
  values: Values,
  { ids: written, keys }: CreatedRecords,
): Promise<StepResult | undefined> {
  if (step.match === undefined) return undefined
  const existing = (await findExisting(client, [step], key => written.get(key))).get(step.key) ?? []
  // No two records have the same slug: a site numbers those of the others.
  const resource = resourceNamed(step.resource)
  const numbered = existing.length > 0 ? (await findBySlug(client, resource, values)).records : []
  const isForeign = ({ id }: Answer) => !keys.has(recordKey(step.resource, id))
  const found = existing.filter(isForeign)
  const doubled = [...found, ...numbered.filter(record => isForeign(record) && isSimilar(resource, values, record))]
  const result = createdMeanwhile(step, values, found.length > 0 ? found : doubled)
  if (result?.id === undefined) return undefined
  const first = result.id
  const ids = new Set(doubled.map(({ id }) => id))
  const doubles = [...ids].filter(id => id !== first).toSorted((one, other) => one - other)
  if (doubles.length === 0) return undefined
  const failure = new Failure(
    'conflict',
    `${stepLabel(step)} was created ${doubles.length + 1} times: ${listOf([first, ...doubles].map(String))}`,
    {
      hint: `delete the duplicates with: calctl ${resource.name} delete ${doubles.join(' ')}${client.calendar.flags ?? ''}`,
    },
  )
  return { ...result, failure }
}
