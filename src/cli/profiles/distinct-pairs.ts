import { realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ignoreErrors } from '../../base/attempt.ts'
import { badSettings } from '../../base/failure.ts'
import { writeAtomically } from '../../base/fs.ts'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import { exportOrigin } from '../../client/site-discovery.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { World } from '../world.ts'
import { changeFile } from './change-file.ts'
import { findProjectFile, readProject } from './project-file.ts'
import type { Project } from './project-settings.ts'
import { trustFile, trustProblem } from './trust.ts'

/**
 * Records that look like duplicates but are not: pairs of IDs by calendar and resource, in the project file, so that everybody who works on
 * the calendar is asked once. A calendar file is named by a hash of its path relative to the project file, because others have the shared
 * folder elsewhere. Earlier versions wrote the whole path or its hash; their pairs can still be read, and the next change moves them.
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
    throw badSettings(
      phrase('{path}: distinct: expected pairs of IDs by calendar and resource', { path: source?.path ?? '' }),
      phrase('fix it, or remove the key "distinct"'),
    )
  return (source && pairsOfCalendar(distinct, keysOf(calendarId, dirname(source.path)))[resource]) ?? []
}

/** The name of a calendar in a project file of this folder, and its name in earlier versions. */
function keysOf(id: string, folder: string): [current: string, ...earlier: string[]] {
  if (!id.startsWith('file:')) return [id]
  const path = relative(realPath(folder), realPath(fileURLToPath(id))).replaceAll(sep, '/')
  return [exportOrigin({ id: `file:${path}` }), exportOrigin({ id }), id]
}

/** A path with its links resolved; as it is if nothing exists there. */
const realPath = (path: string): string => ignoreErrors(() => realpathSync(path)) ?? path

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
 * Changes the pairs in this folder's project file, which is created if there is none; everything else in it stays. A trusted file stays
 * trusted, because calctl itself has written the change.
 */
async function changeDistinct(world: World, change: (value: unknown, folder: string) => Distinct): Promise<void> {
  const path = findProjectFile(world.cwd) ?? join(world.cwd, '.calctl.json')
  const addPair = async () => {
    const { source } = readProject(world.cwd)
    const content = source ? (JSON.parse(source.text) as Record<string, unknown>) : {}
    const text = `${JSON.stringify({ ...content, distinct: change(content.distinct, dirname(path)) }, null, 2)}\n`
    const isTrusted = source !== undefined && trustProblem(world, source, '') === undefined
    await writeAtomically(path, text)
    if (isTrusted) await trustFile(world, { path, text })
  }
  await changeFile(path, addPair, phrase('check that you may write to the folder'))
}
