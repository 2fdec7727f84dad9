import type { Client, Values } from '../client/client.ts'
import { differences, wasApplied } from '../client/compare.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Answer } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { effectOf, type Plan, resolveReferences, type Step } from '../plan/plan.ts'
import { recordFingerprint, trimRecord, valuesAfterStep } from '../plan/record-state.ts'
import { createSiteReader, type RecordLocation, readCurrentRecords, recordKey } from '../plan/site-reader.ts'
import { batches, createSpool } from '../plan/spool.ts'
import { nameOf, type Result } from './result.ts'

/** A plan whose records have just been read again, and what is known of its steps by that. */
export interface Refreshed {
  readonly plan: Plan
  readonly settled: Map<string, Result>
}

/** What an earlier session did of a plan. */
interface Earlier {
  /** Whether a step is done, so that its record is of no interest. */
  isDone(step: Step): boolean
  wasSent(step: Step): boolean
  /** Of the record that a step made; undefined where none is known. */
  idOf(key: string): number | undefined
}

const nothing: Earlier = { isDone: () => false, wasSent: () => false, idOf: () => undefined }

/**
 * Reads the records of a plan again, by pages. A step whose record has moved since the plan was made is a conflict; one that
 * was sent before, and whose record is as the step wants it, is done.
 */
export async function refresh(client: Client, plan: Plan, earlier = nothing): Promise<Refreshed> {
  const settled = new Map<string, Result>()
  const steps = createSpool<Step>()
  const reader = createSiteReader(client)
  for (const some of batches(plan.steps)) {
    const known = await readCurrentRecords(reader, some.filter(step => !earlier.isDone(step)).flatMap(wantedBy))
    for (const step of some) {
      const { before, id } = step
      const current = id === undefined ? undefined : known.get(recordKey(step.resource, id))
      const isRead = before !== undefined && id !== undefined && !earlier.isDone(step)
      const values = resolveReferences(step.values, earlier.idOf) as Values
      const result = isRead && settledBy(client, { ...step, before, id, values }, current, earlier.wasSent(step))
      if (result) settled.set(step.key, result)
      steps.add(
        isRead && !result && current ? { ...step, before: trimRecord(resourceNamed(step.resource), current) } : step,
      )
    }
  }
  return { plan: { ...plan, steps }, settled }
}

/** What is known of a step by its record as it is now; undefined where it is still to be done. */
function settledBy(
  client: Client,
  step: Step & Required<Pick<Step, 'before' | 'id'>>,
  current: Answer | undefined,
  wasSent: boolean,
): Result | undefined {
  if (wasSent && isAsked(step, current))
    return { state: 'done', id: step.id, ...(current && { left: valuesAfterStep(step, current) }) }
  if (current && isAsBefore(step, current)) return undefined
  return { state: 'failed', failure: moved(client, step, step.before, current) }
}

/** The record of a step, where the step expects it: in the trash for a restore. */
const wantedBy = ({ resource, id, language, action }: Step): RecordLocation[] =>
  id === undefined ? [] : [{ resource, id, language, trashed: action === 'restore' }]

function isAsBefore({ resource, before, fingerprint }: Step, current: Answer): boolean {
  const of = resourceNamed(resource)
  return (fingerprint ?? (before && recordFingerprint(of, before))) === recordFingerprint(of, current)
}

/** Whether a record is as a step wants it; without a record, as one that takes it from where it was. */
function isAsked(step: Step, current: Answer | undefined): boolean {
  const isMoved = effectOf(step) !== 'update'
  if (!current || isMoved) return !current && isMoved
  const { fields } = resourceNamed(step.resource)
  return Object.entries(step.values).every(([name, asked]) => {
    const field = fields[name]
    return !field || field.queryOnly || wasApplied(name, field, asked, current)
  })
}

function moved({ site }: Client, step: Step, before: Answer, current: Answer | undefined): Failure {
  if (!current)
    return new Failure('conflict', `${nameOf(step)} is not where it was at ${site}: moved to the trash, or gone`, {
      hint: 'plan anew',
    })
  const changed = differences(resourceNamed(step.resource), before, current)
  const names = Object.keys(changed)
  return new Failure('conflict', `${nameOf(step)} has changed since the plan was made: ${names.join(', ')}`, {
    hint: 'plan anew',
    drift: changed,
  })
}
