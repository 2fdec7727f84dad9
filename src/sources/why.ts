import { resourceNamed } from '../contract/contract.ts'
import { comparedWith, knownValue } from '../contract/record.ts'
import type { Answer } from '../contract/resource.ts'
import type { Remembered } from './memory.ts'
import { removalSign } from './word.ts'

const { fields } = resourceNamed('events')

/** Where the value of a field comes from. */
export interface Reason {
  readonly field: string
  readonly source: string
  /** What the source said, and when, as an ISO date. */
  readonly said: unknown
  readonly when: string
  readonly site: unknown
  /** `edited`: somebody changed the field on the site, and that stays. */
  readonly state: 'source' | 'edited' | 'conflict'
}

/** For each field of an event which source said it, and when; `order` has the sources, the earlier of which wins. */
export function reasonsFor(events: readonly Remembered[], live: Answer, order: readonly string[]): Reason[] {
  const sorted = events.toSorted((one, other) => order.indexOf(one.source) - order.indexOf(other.source))
  const names = new Set(sorted.flatMap(({ said, waiting }) => [...Object.keys(said), ...Object.keys(waiting ?? {})]))
  return [...names].flatMap(name => {
    const event = sorted.find(({ said, waiting }) => name in said || (waiting !== undefined && name in waiting))
    const field = fields[name]
    if (!event || !field || name === removalSign) return []
    const isWaiting = event.waiting !== undefined && name in event.waiting
    const isEdited = name in event.left && comparedWith({ name, field, record: live }, event.left[name]) === 'changed'
    return [
      {
        field: name,
        source: event.source,
        said: isWaiting ? event.waiting?.[name] : event.said[name],
        when: event.when[name] ?? '',
        site: knownValue(name, field, live),
        state: stateOf(isWaiting, isEdited),
      },
    ]
  })
}

function stateOf(isWaiting: boolean, isEdited: boolean): Reason['state'] {
  if (isWaiting) return 'conflict'
  return isEdited ? 'edited' : 'source'
}
