import type { Updated } from '../client/safe-update.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'

/** The record of an update; throws `conflict` where the service changed what nobody asked for, or did not change what was asked. */
export function withoutDrift(resource: Resource, { record, drift }: Updated): Answer {
  if (Object.keys(drift).length === 0) return record
  const told = Object.entries(drift).map(
    ([name, { before, after }]) => `${name}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
  )
  throw new Failure('conflict', `${resource.singular} ${record.id} is not as it should be: ${told.join('; ')}`, {
    hint: `look at it with: calctl ${resource.name} get ${record.id} --fields ${Object.keys(drift).join(',')}`,
    drift,
    record,
  })
}
