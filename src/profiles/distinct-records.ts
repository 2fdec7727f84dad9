import type { ResourceName } from '../contract/field.ts'
import { isObject } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import type { World } from '../world.ts'
import { changeProject, type Project } from './project-file.ts'

/**
 * Records that look like doubles and are none: pairs of IDs by calendar and resource, in the project file, so that everybody who works
 * on the calendar is asked once.
 */
type Distinct = Readonly<Record<string, Readonly<Record<string, readonly (readonly [number, number])[]>>>>

const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every(id => Number.isSafeInteger(id))

const isDistinct = (value: unknown): value is Distinct =>
  isObject(value) &&
  Object.values(value).every(
    calendar =>
      isObject(calendar) && Object.values(calendar).every(pairs => Array.isArray(pairs) && pairs.every(isPair)),
  )

/** The pairs of a resource that somebody said are not the same. */
export function distinctPairs(
  { distinct = {}, source }: Project,
  calendarId: string,
  resource: ResourceName,
): readonly (readonly [number, number])[] {
  if (!isDistinct(distinct))
    throw new Failure('settings', `${source?.path}: distinct: expected pairs of IDs by calendar and resource`, {
      hint: 'fix it, or remove the key "distinct"',
    })
  return distinct[calendarId]?.[resource] ?? []
}

/** Remembers that two records are not the same. */
export const rememberDistinct = (
  world: World,
  calendarId: string,
  resource: ResourceName,
  pair: readonly [number, number],
): Promise<void> =>
  changeProject(world, 'distinct', value => {
    const known = isDistinct(value) ? value : {}
    const ofCalendar = known[calendarId] ?? {}
    return { ...known, [calendarId]: { ...ofCalendar, [resource]: [...(ofCalendar[resource] ?? []), pair] } }
  })
