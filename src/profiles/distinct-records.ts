import { join } from 'node:path'
import { exportOrigin } from '../client/calendar-origin.ts'
import type { ResourceName } from '../contract/field.ts'
import { isObject } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { reason, writeAtomically } from '../fs.ts'
import type { World } from '../world.ts'
import { changeFile } from './change-file.ts'
import { findProjectFile, type Project, readProject } from './project-file.ts'
import { trustFile, trustProblem } from './project-trust.ts'

/**
 * Records that look like duplicates and are none: pairs of IDs by calendar and resource, in the project file, so that everybody who works
 * on the calendar is asked once. A calendar is named as in exports, which are shared as well: the path of a calendar file is hashed.
 * Earlier versions wrote the path; its pairs are still read, and the next change hashes it.
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
  return pairsOfCalendar(distinct, calendarId)[resource] ?? []
}

const keyOf = (calendarId: string): string => exportOrigin({ id: calendarId })

/** The pairs of a calendar, by resource. */
function pairsOfCalendar(distinct: Distinct, calendarId: string): Distinct[string] {
  const key = keyOf(calendarId)
  const { [key]: current = {}, [calendarId]: earlier = {} } = distinct
  if (key === calendarId) return current
  const names = new Set([...Object.keys(earlier), ...Object.keys(current)])
  return Object.fromEntries(Array.from(names, name => [name, [...(earlier[name] ?? []), ...(current[name] ?? [])]]))
}

/** Remembers that two records are not the same. */
export const rememberDistinct = (
  world: World,
  calendarId: string,
  resource: ResourceName,
  pair: readonly [number, number],
): Promise<void> =>
  changeDistinct(world, value => {
    const distinct = isDistinct(value) ? value : {}
    const { [calendarId]: _, ...others } = distinct
    const pairs = pairsOfCalendar(distinct, calendarId)
    return { ...others, [keyOf(calendarId)]: { ...pairs, [resource]: [...(pairs[resource] ?? []), pair] } }
  })

/**
 * Changes the pairs in this folder's project file, which is created if there is none; all others stay as they are. A file that was trusted
 * stays so: what calctl writes itself is no surprise.
 */
async function changeDistinct(world: World, change: (value: unknown) => Distinct): Promise<void> {
  const path = findProjectFile(world.cwd) ?? join(world.cwd, '.calctl.json')
  try {
    await changeFile(path, async () => {
      const { source } = readProject(world.cwd)
      const content = source ? (JSON.parse(source.text) as Record<string, unknown>) : {}
      const text = `${JSON.stringify({ ...content, distinct: change(content.distinct) }, null, 2)}\n`
      const isTrusted = source !== undefined && trustProblem(world, source, []) === undefined
      await writeAtomically(path, text)
      if (isTrusted) await trustFile(world, { path, text })
    })
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('settings', `cannot write ${path}: ${reason(error as Error)}`, {
      hint: 'check that you may write to the folder',
    })
  }
}
