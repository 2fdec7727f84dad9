import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import type { Difference } from './compare.ts'
import type { Updated } from './safe-update.ts'

/** The service changed what nobody asked for, or did not do what was asked; undefined where all is as it should be. */
export function driftFailure(resource: Resource, { record, drift }: Updated): Failure | undefined {
  const fields = Object.keys(drift)
  if (fields.length === 0) return undefined
  const told = Object.entries(drift).map(([name, difference]) => `${name} ${sentence(difference)}`)
  return new Failure('conflict', `${resource.singular} ${record.id} is not as it should be: ${told.join('; ')}`, {
    hint: `look at it with: calctl ${resource.name} get ${record.id} --fields ${fields.join(',')}`,
    drift,
    record,
  })
}

const sentence = (difference: Difference): string =>
  'asked' in difference
    ? `should be ${JSON.stringify(difference.asked)} and is ${JSON.stringify(difference.after)}`
    : `was ${JSON.stringify(difference.before)} and became ${JSON.stringify(difference.after)}, which nobody asked for`

/** The record of an update that did what was asked and nothing else. */
export function withoutDrift(resource: Resource, updated: Updated): Answer {
  const failure = driftFailure(resource, updated)
  if (failure) throw failure
  return updated.record
}
