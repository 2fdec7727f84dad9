import type { Differences } from '../client/compare.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'

/** The service changed what nobody asked for, or did not change what was asked. */
export function drifted(resource: Resource, record: Answer, drift: Differences): Failure {
  const told = Object.entries(drift).map(
    ([name, { before, after }]) => `${name}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
  )
  return new Failure('conflict', `${resource.singular} ${record.id} is not as it should be: ${told.join('; ')}`, {
    hint: `look at it with: calctl ${resource.name} get ${record.id} --fields ${Object.keys(drift).join(',')}`,
    drift,
    record,
  })
}
