import { realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../base/failure.ts'
import { writeAtomically } from '../../base/fs.ts'
import { isObject } from '../../base/text/json.ts'
import { exportOrigin } from '../../client/calendar-origin.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { World } from '../world.ts'
import { changeFile, findProjectFile, type Project, readProject } from './config.ts'
import { trustFile, trustProblem } from './project-trust.ts'

/**
 * Records that look like duplicates and are none: pairs of IDs by calendar and resource, in the project file, so that everybody who works
 * on the calendar is asked once. A calendar file is named by a hash of its path from the folder of the project file: the folder is
 * shared, and stands elsewhere for others. Earlier versions wrote the whole path, or its hash; their pairs are still read, and the next
 * change moves them.
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
  return (source && pairsOfCalendar(distinct, keysOf(calendarId, dirname(source.path)))[resource]) ?? []
}

/** The name of a calendar in a project file of this folder, and its name in earlier versions. */
function keysOf(id: string, folder: string): [current: string, ...earlier: string[]] {
  if (!id.startsWith('file:')) return [id]
  const path = relative(realPath(folder), realPath(fileURLToPath(id))).replaceAll(sep, '/')
  return [exportOrigin({ id: `file:${path}` }), exportOrigin({ id }), id]
}

/** A path without links; as it is where nothing is there. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The pairs of a calendar, by resource, whichever of these names it has. */
function pairsOfCalendar(distinct: Distinct, keys: readonly string[]): Distinct[string] {
  const pairs: Record<string, (readonly [number, number])[]> = {}
  for (const key of keys.toReversed())
    for (const [name, own] of Object.entries(distinct[key] ?? {})) pairs[name] = [...(pairs[name] ?? []), ...own]
  return pairs
}

/** Remembers that two records are not the same. */
export const rememberDistinct = (
  world: World,
  calendarId: string,
  resource: ResourceName,
  pair: readonly [number, number],
): Promise<void> =>
  changeDistinct(world, (value, folder) => {
    const distinct = isDistinct(value) ? value : {}
    const keys = keysOf(calendarId, folder)
    const others = Object.entries(distinct).filter(([key]) => !keys.includes(key))
    const pairs = pairsOfCalendar(distinct, keys)
    return { ...Object.fromEntries(others), [keys[0]]: { ...pairs, [resource]: [...(pairs[resource] ?? []), pair] } }
  })

/**
 * Changes the pairs in this folder's project file, which is created if there is none; all others stay as they are. A file that was trusted
 * stays so: what calctl writes itself is no surprise.
 */
async function changeDistinct(world: World, change: (value: unknown, folder: string) => Distinct): Promise<void> {
  const path = findProjectFile(world.cwd) ?? join(world.cwd, '.calctl.json')
  const addPair = async () => {
    const { source } = readProject(world.cwd)
    const content = source ? (JSON.parse(source.text) as Record<string, unknown>) : {}
    const text = `${JSON.stringify({ ...content, distinct: change(content.distinct, dirname(path)) }, null, 2)}\n`
    const isTrusted = source !== undefined && trustProblem(world, source, []) === undefined
    await writeAtomically(path, text)
    if (isTrusted) await trustFile(world, { path, text })
  }
  await changeFile(path, addPair, 'check that you may write to the folder')
}
