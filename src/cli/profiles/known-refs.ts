import { realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { ignoreErrors } from '../../base/attempt.ts'
import { badSettings } from '../../base/failure.ts'
import { makeFolder, readSettingsFile, writeAtomically } from '../../base/fs.ts'
import { decodeEntities, sanitizeLine } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import { exportOrigin } from '../../client/site-discovery.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { isOne, type Row, type RowSource, type Shape } from '../../files/print/printed-rows.ts'
import type { World } from '../world.ts'
import { changeFile } from './change-file.ts'
import { findProjectFile, readProject } from './project-file.ts'
import type { Project } from './project-settings.ts'
import { trustFile, trustProblem } from './trust.ts'
import { refsFile } from './user-folders.ts'

/** What the Tab key needs to know about a record: only how to name it. */
export interface KnownRef {
  readonly id: number
  readonly slug?: string
  readonly title: string
  /** The day on which an event starts. */
  readonly day?: string
}

/** The records that were last seen in a calendar and language, the latest first. */
export type KnownRefs = Readonly<Partial<Record<ResourceName, readonly KnownRef[]>>>

/** The most records to remember of each resource. */
const mostRefs = 200
const longestTitle = 80

/** The records that were seen; none if the file is missing or damaged. */
export function knownRefs(world: World, key: string): KnownRefs {
  const content: unknown = ignoreErrors(() => JSON.parse(readSettingsFile(refsFile(world, hashOf(key)))))
  if (!isObject(content)) return {}
  return Object.fromEntries(
    resources.map(({ name }) => [name, [content[name]].flat().filter(isRef).slice(0, mostRefs)]),
  )
}

/** Remembers records that were read anyway, and those to which they link. If the file cannot be written, nothing fails. */
async function rememberRefs(world: World, key: string, resource: Resource, answers: readonly Answer[]): Promise<void> {
  if (answers.length === 0) return
  const seen = new Map<ResourceName, KnownRef[]>()
  for (const answer of answers) collect(seen, resource, answer)
  const before = knownRefs(world, key)
  const after = Object.fromEntries(
    resources.map(({ name }) => [name, latest([...(seen.get(name) ?? []), ...(before[name] ?? [])])]),
  )
  if (JSON.stringify(after) === JSON.stringify(before)) return
  try {
    const file = refsFile(world, hashOf(key))
    makeFolder(dirname(file), 0o700)
    await writeAtomically(file, JSON.stringify(after), 0o600)
  } catch {}
}

function collect(seen: Map<ResourceName, KnownRef[]>, resource: Resource, answer: Answer): void {
  const { name, title, fields } = resource
  const refs = seen.get(name) ?? []
  seen.set(name, refs)
  const { id, slug, start_date: start } = answer
  const text = sanitizeLine(decodeEntities(String(answer[title] ?? ''))).slice(0, longestTitle)
  refs.push({
    id,
    ...(typeof slug === 'string' && slug !== '' && { slug }),
    title: text,
    ...(typeof start === 'string' && { day: start.slice(0, 10) }),
  })
  for (const [field, { of }] of Object.entries(fields)) {
    if (of === undefined || of === name) continue
    for (const linked of [answer[field]].flat())
      if (isObject(linked) && typeof linked.id === 'number') collect(seen, resourceNamed(of), linked as Answer)
  }
}

const latest = (refs: readonly KnownRef[]): KnownRef[] => {
  const byId = new Map<number, KnownRef>()
  for (const ref of refs) if (!byId.has(ref.id)) byId.set(ref.id, ref)
  return [...byId.values()].slice(0, mostRefs)
}

const isRef = (value: unknown): value is KnownRef =>
  isObject(value) && typeof value.id === 'number' && typeof value.title === 'string'

/** Not a hash of node:crypto, which takes 2 ms to load: if Tab offered records of another calendar, that would do no harm. */
const hashOf = (key: string): string => crc32(key).toString(16).padStart(8, '0')

/** Remembers the first records that are printed, for Tab completion; anything else passes through. */
export function noteRecords(world: World, key: string, shape: Shape, records: Row | RowSource) {
  const resource = resources.find(one => one === shape)
  if (!resource) return { records, remember: async () => {} }
  const seen: Answer[] = []
  async function* noting(all: RowSource): AsyncGenerator<Row> {
    for await (const record of all) {
      if (seen.length < mostRefs) seen.push(record as Answer)
      yield record
    }
  }
  if (isOne(records)) seen.push(records as Answer)
  return {
    records: isOne(records) ? records : noting(records),
    remember: () => rememberRefs(world, key, resource, seen),
  }
}

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
