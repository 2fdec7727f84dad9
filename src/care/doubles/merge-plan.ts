import { listOf } from '../../base/text/words.ts'
import { linkedIds, linkField } from '../../changes/plan/back-references.ts'
import { type BuildContext, listSizes } from '../../changes/plan/build/context.ts'
import { removalStep, type StepTarget, updateStep } from '../../changes/plan/build/step.ts'
import { createPlan, type Plan, type Step } from '../../changes/plan/plan.ts'
import { SiteReader } from '../../changes/plan/site-reader.ts'
import { createSpool } from '../../changes/plan/spool.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { changedValues } from '../../contract/three-way-merge.ts'
import { recordName } from '../../files/print/readable.ts'
import { type Links, readLinks } from './links-to-doubles.ts'
import {
  differingFields,
  type FieldSources,
  mergeableFields,
  missingFields,
  valuesFromSources,
} from './merge-values.ts'

const events = resourceNamed('events')

/** Records of one resource and language that are one thing: which of them stays, and what it gets. */
export interface Merge {
  /** Set only if it differs from the client's language. */
  readonly language?: Language | undefined
  readonly survivor: Answer
  readonly others: readonly Answer[]
  /** Which fields the survivor takes over; unset: what it lacks and the others have. */
  readonly sources?: FieldSources
}

/**
 * The plan that merges records: each survivor gets what it lacks, everything that links to the others is moved to it, and the others
 * are removed as long as nothing links to them any more.
 */
export async function planMerges(context: BuildContext, resource: Resource, merges: readonly Merge[]): Promise<Plan> {
  const { client } = context
  const reader = new SiteReader(client)
  const steps = createSpool<Step>()
  const notes: string[] = []
  for (const language of new Set(merges.map(({ language }) => language))) {
    const ofLanguage = merges.filter(merge => merge.language === language)
    const survivorOf = new Map(ofLanguage.flatMap(({ survivor, others }) => others.map(({ id }) => [id, survivor.id])))
    const links = await readLinks(client, reader, resource, language, [...survivorOf.keys()])
    const scope = { client, reader, resource, language, survivorOf, links }
    for await (const step of mergeSteps(scope, ofLanguage, notes)) steps.add(step)
    notes.push(...links.notes)
  }
  return createPlan(context, { steps, same: 0, invalid: [], among: await listSizes(reader, steps), notes })
}

/** The merges of one language. */
interface MergeScope {
  readonly client: Client
  readonly reader: SiteReader
  readonly resource: Resource
  readonly language: Language | undefined
  /** The IDs of the records that are kept, by the IDs of the records that are removed. */
  readonly survivorOf: ReadonlyMap<number, number>
  readonly links: Links
}

/** The steps of the merges of one language, in their order; adds what is to be said before. */
async function* mergeSteps(scope: MergeScope, merges: readonly Merge[], notes: string[]): AsyncGenerator<Step> {
  const { client, reader, resource, language, survivorOf, links } = scope
  const targetOf = (of: Resource, id: number, own = language): StepTarget => ({
    resource: of,
    key: `${of.name} ${id}`,
    ...(own && own !== client.language && { language: own }),
  })
  const parents = resource.name === 'categories' ? movedParents(links.categories, survivorOf) : new Map()
  const survivors = new Set(merges.map(({ survivor }) => survivor.id))
  for (const merge of merges) {
    const { survivor, others } = await withStoredTexts(reader, resource, language, merge)
    const sources = merge.sources ?? missingFields(resource, survivor, others)
    const parent = parents.has(survivor.id) ? { parent: parents.get(survivor.id) } : {}
    const values = { ...changedValues(resource, survivor, valuesFromSources(resource, others, sources)), ...parent }
    notes.push(...notesOn(resource, { survivor, others }, values))
    if (Object.keys(values).length > 0) yield updateStep(targetOf(resource, survivor.id), survivor, values)
  }
  for (const category of links.categories) {
    const parent = parents.get(category.id)
    if (parent === undefined || survivors.has(category.id) || survivorOf.has(category.id)) continue
    yield updateStep(targetOf(resource, category.id), category, { parent })
  }
  const field = linkField(resource.name)
  for (const { record, language: own, isTrashed } of links.events) {
    const ids = [...new Set(linkedIds(record, field).map(id => survivorOf.get(id) ?? id))]
    const value = events.fields[field]?.multiple === false ? ids[0] : ids
    const step = updateStep(targetOf(events, record.id, own), record, { [field]: value })
    yield isTrashed ? { ...step, trashed: true as const } : step
  }
  for (const { survivor, others } of merges)
    for (const other of others) yield { ...removalStep(targetOf(resource, other.id), other), into: survivor.id }
}

/** Records with their texts as they are stored: what the site renders of a text is not what is to be written. */
async function withStoredTexts(
  reader: SiteReader,
  resource: Resource,
  language: Language | undefined,
  { survivor, others }: Merge,
): Promise<Merge> {
  const names = mergeableFields(resource).map(([name]) => name)
  const [first = survivor, ...rest] = await reader.withRawValues({ resource, language }, [survivor, ...others], names)
  return { survivor: first, others: rest }
}

/**
 * The new parents of categories below those that are merged, by their IDs: the survivor, but above it nothing can stand that is below
 * it, so that what leads down to it moves up to the next category that stays.
 */
function movedParents(
  children: readonly Answer[],
  survivorOf: ReadonlyMap<number, number>,
): Map<number, number | null> {
  const parentOf = new Map(children.map(({ id, parent }) => [id, Number(parent) || 0]))
  const parents = new Map<number, number | null>()
  for (const [id, parent] of parentOf) {
    let next = survivorOf.get(parent)
    if (next === undefined) continue
    if (next === id || leadsTo(next, id, parentOf)) {
      next = parent
      while (survivorOf.has(next)) next = parentOf.get(next) ?? 0
    }
    // Null moves it to the top.
    parents.set(id, next || null)
  }
  return parents
}

function leadsTo(from: number, ancestor: number, parentOf: ReadonlyMap<number, number>): boolean {
  const seen = new Set<number>()
  for (let id = from; id > 0 && !seen.has(id); id = parentOf.get(id) ?? 0) {
    if (id === ancestor) return true
    seen.add(id)
  }
  return false
}

/** What a merge drops, and whom the public does not see: said before, because it is easily missed. */
function* notesOn(resource: Resource, { survivor, others }: Merge, values: Values): Generator<string> {
  const nameOf = (record: Answer) => recordName(resource, { record })
  for (const other of others) {
    const dropped = differingFields(resource, survivor, other).filter(name => !(name in values))
    if (dropped.length > 0)
      yield `${nameOf(survivor)} keeps its own ${listOf(dropped.map(name => name.replaceAll('_', ' ')))}, not that of ${other.id}`
    if (other.status === 'publish' && survivor.status !== 'publish' && survivor.status !== undefined)
      yield `${nameOf(survivor)} is ${survivor.status}, and ${other.id} is public`
  }
}
