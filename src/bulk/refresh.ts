import type { Client } from '../client/client.ts'
import { differences, took } from '../client/compare.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Answer } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { readRecords, recordKey, type Wanted } from './known.ts'
import type { Plan, Step } from './plan.ts'
import { essence, fingerprintOf, leftBy } from './record.ts'
import { nameOf, type Result } from './result.ts'

/** A plan whose records have just been read again, and what is known of its steps by that. */
export interface Refreshed {
  readonly plan: Plan
  readonly settled: Map<string, Result>
}

/**
 * Reads the records of a plan again, by pages. A step whose record has moved since the plan was made is a conflict; one that
 * was sent before, and whose record is as the step wants it, is done.
 */
export async function refresh(
  client: Client,
  plan: Plan,
  wasSent: (step: Step) => boolean = () => false,
): Promise<Refreshed> {
  const settled = new Map<string, Result>()
  const known = await readRecords(client, plan.steps.flatMap(wantedBy))
  const steps = plan.steps.map(step => {
    const { before, id } = step
    if (step.action === 'create' || before === undefined || id === undefined) return step
    const current = known.get(recordKey(step.resource, id))
    if (wasSent(step) && isDone(step, current))
      settled.set(step.key, { state: 'done', id, ...(current && { left: leftBy(step, current) }) })
    else if (!current || !isAsBefore(step, current))
      settled.set(step.key, { state: 'failed', failure: moved(client, step, before, current) })
    else return { ...step, before: essence(resourceNamed(step.resource), current) }
    return step
  })
  return { plan: { ...plan, steps }, settled }
}

/** The record of a step, where the step expects it: in the trash for a restore. */
const wantedBy = ({ resource, id, language, action }: Step): Wanted[] =>
  id === undefined ? [] : [{ resource, id, language, trashed: action === 'restore' }]

function isAsBefore({ resource, before, fingerprint }: Step, current: Answer): boolean {
  const of = resourceNamed(resource)
  return (fingerprint ?? (before && fingerprintOf(of, before))) === fingerprintOf(of, current)
}

/** Whether a record is as a step wants it; without a record, as one that takes it from where it was. */
function isDone(step: Step, current: Answer | undefined): boolean {
  if (!current || step.action !== 'update') return current === undefined && step.action !== 'update'
  const { fields } = resourceNamed(step.resource)
  return Object.entries(step.values).every(([name, asked]) => {
    const field = fields[name]
    return !field || field.itemOnly || took(name, field, asked, current)
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
