import { ignoreFailure } from '../../base/attempt.ts'
import { Failure, refused, usage } from '../../base/failure.ts'
import { phoneDigits } from '../../base/text/compared-names.ts'
import { foldText } from '../../base/text/folding.ts'
import { phrase } from '../../base/words/phrase.ts'
import { linkedIds, linkField } from '../../changes/plan/back-references.ts'
import { type BuildContext, createPlan, listSizes } from '../../changes/plan/making/context.ts'
import { removalStep, type StepTarget, updateStep } from '../../changes/plan/making/step.ts'
import { fieldList } from '../../changes/plan/names.ts'
import type { Plan, Step } from '../../changes/plan/plan.ts'
import { SiteReader } from '../../changes/plan/site-reader.ts'
import { createSpool } from '../../changes/plan/spool.ts'
import type { Client, Ref, Values } from '../../client/client.ts'
import { languageOf } from '../../client/languages/known-languages.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { Field } from '../../contract/field.ts'
import { equal } from '../../contract/kinds/kind-values.ts'
import { isLanguage, type Language, languages } from '../../contract/languages.ts'
import { statusLabel } from '../../contract/post-status.ts'
import { comparableValues, isEmptyIn, writableValues } from '../../contract/record.ts'
import { type Answer, type Resource, shownFields } from '../../contract/resource.ts'
import { aRecord, namedRecord, recordsNoun, theRecord } from '../../contract/resource-words.ts'
import { changedValues } from '../../contract/three-way-merge.ts'
import { recordName } from '../../files/print/record-names.ts'
import type { SetReader } from '../translations/read-sets.ts'
import { type Links, readLinks } from './links-to-doubles.ts'

const events = resourceNamed('events')

/** Records of one resource and language for the same thing: which of them stays, and what it takes over. */
export interface Merge {
  /** Set only if it differs from the language of the client. */
  readonly language?: Language | undefined
  readonly survivor: Answer
  readonly others: readonly Answer[]
  /** The fields that the survivor takes over; by default those that it lacks and another one has. */
  readonly sources?: FieldSources
}

/**
 * Makes the plan that merges records: each survivor gets what it lacks, everything that links to the others is moved to it, and the others
 * are removed, unless something still links to them.
 */
export async function planMerges(context: BuildContext, resource: Resource, merges: readonly Merge[]): Promise<Plan> {
  const { client } = context
  const reader = new SiteReader(client)
  const steps = createSpool<Step>()
  const notes: string[] = []
  for (const language of new Set(merges.map(({ language }) => language))) {
    const ofLanguage = merges.filter(merge => merge.language === language)
    const survivorOf = new Map(ofLanguage.flatMap(({ survivor, others }) => others.map(({ id }) => [id, survivor.id])))
    const links = await readLinks(client, reader, { resource, language, ids: [...survivorOf.keys()] })
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
  /** The IDs of the records that are kept, by the IDs of the removed ones. */
  readonly survivorOf: ReadonlyMap<number, number>
  readonly links: Links
}

/** The steps of the merges in one language, in order; adds notes to print before them. */
async function* mergeSteps(scope: MergeScope, merges: readonly Merge[], notes: string[]): AsyncGenerator<Step> {
  const { reader, resource, language, survivorOf, links } = scope
  const parents = resource.name === 'categories' ? movedParents(links.categories, survivorOf) : new Map()
  const survivors = new Set(merges.map(({ survivor }) => survivor.id))
  for (const merge of merges) {
    const { survivor, others } = await withStoredTexts(reader, resource, language, merge)
    const sources = merge.sources ?? fieldsToFill(resource, survivor, others)
    const parent = parents.has(survivor.id) ? { parent: parents.get(survivor.id) } : {}
    const values = { ...changedValues(resource, survivor, valuesFromSources(resource, others, sources)), ...parent }
    notes.push(...notesOn(resource, { survivor, others }, values))
    if (Object.keys(values).length > 0) yield updateStep(targetOf(scope, resource, survivor.id), survivor, values)
  }
  for (const category of links.categories) {
    const parent = parents.get(category.id)
    if (parent === undefined || survivors.has(category.id) || survivorOf.has(category.id)) continue
    yield updateStep(targetOf(scope, resource, category.id), category, { parent })
  }
  yield* linkSteps(scope)
  for (const { survivor, others } of merges)
    for (const other of others) yield { ...removalStep(targetOf(scope, resource, other.id), other), into: survivor.id }
}

const targetOf = (scope: MergeScope, resource: Resource, id: number, language = scope.language): StepTarget => ({
  resource,
  key: `${resource.name} ${id}`,
  ...(language && language !== scope.client.language && { language }),
})

/** The steps that move what links to a duplicate to its survivor. */
function* linkSteps(scope: MergeScope): Generator<Step> {
  const { resource, survivorOf, links } = scope
  const field = linkField(resource.name)
  for (const { record, language: own, isTrashed } of links.events) {
    const ids = [...new Set(linkedIds(record, field).map(id => survivorOf.get(id) ?? id))]
    const value = events.fields[field]?.multiple === false ? ids[0] : ids
    const step = updateStep(targetOf(scope, events, record.id, own), record, { [field]: value })
    yield isTrashed ? { ...step, trashed: true as const } : step
  }
}

/** Records with their texts as they are stored, because the rendered form must not be written. */
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
 * The new parents of categories below those that are merged, by ID: the survivor. What is above the survivor cannot be below it at the same
 * time, so those categories move up to the next one that stays.
 */
function movedParents(children: readonly Answer[], survivorOf: ReadonlyMap<number, number>) {
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

/** Notes about what a merge drops, and about records that the public cannot see, because both are easily overlooked. */
function* notesOn(resource: Resource, { survivor, others }: Merge, values: Values): Generator<string> {
  const nameOf = (record: Answer) => recordName(resource, { record })
  for (const other of others) {
    const dropped = differingFields(resource, survivor, other).filter(name => !(name in values))
    if (dropped.length > 0)
      yield phrase('{record} keeps its own {fields}, not that of {other}', {
        record: nameOf(survivor),
        fields: fieldList(dropped, resource.name),
        other: other.id,
      })
    if (other.status === 'publish' && survivor.status !== 'publish' && survivor.status !== undefined)
      yield phrase('{record} is {status}, and {other} is public', {
        record: nameOf(survivor),
        status: statusLabel(String(survivor.status)),
        other: other.id,
      })
  }
}

/** The fields that a survivor takes over, each with the ID of the duplicate from which it comes. */
export type FieldSources = Readonly<Record<string, number>>

/** Whether a field identifies its record, so that a merge does not take it over: its title or slug. */
const isOwn = ({ title }: Resource, name: string): boolean => name === title || name === 'slug'

/** The fields that a record can take over from its duplicate. Flags, dates and the like always have their own value. */
export function mergeableFields(resource: Resource): readonly [string, Field][] {
  const known = mergeable.get(resource)
  if (known) return known
  const fields = shownFields(resource).filter(([name, { kind }]) => !kind.isFilledIn && !isOwn(resource, name))
  mergeable.set(resource, fields)
  return fields
}

const mergeable = new WeakMap<Resource, readonly [string, Field][]>()

/** The fields that are empty in the survivor and have a value in one of the others. */
export function fieldsToFill(resource: Resource, survivor: Answer, others: readonly Answer[]): FieldSources {
  const sources: Record<string, number> = {}
  for (const [name, field] of mergeableFields(resource)) {
    // A state next to a province of its own would be a mixture.
    const related = (field.affects ?? []).filter(one => one in resource.fields)
    const isMixed = related.some(one => one in sources || !isEmptyIn(one, resource.fields[one] as Field, survivor))
    if (isMixed || !isEmptyIn(name, field, survivor)) continue
    const duplicate = others.find(other => !isEmptyIn(name, field, other))
    if (duplicate) sources[name] = duplicate.id
  }
  return sources
}

/** The values that a survivor takes over, in the form in which they are written. */
function valuesFromSources(resource: Resource, others: readonly Answer[], sources: FieldSources): Values {
  const values: Record<string, unknown> = {}
  for (const [name, id] of Object.entries(sources)) {
    const duplicate = others.find(other => other.id === id)
    if (duplicate) Object.assign(values, writableValues(resource, duplicate, [name]))
  }
  return values
}

/** The fields in which two records have different values, not just other spellings. */
export const differingFields = (resource: Resource, one: Answer, other: Answer): string[] =>
  mergeableFields(resource)
    .filter(([name, field]) => !isEmptyIn(name, field, one) && !isEmptyIn(name, field, other))
    .filter(([name, field]) => {
      const values = comparableValues(name, field, [one, other])
      const [text, otherText] = values.map(value => (name === 'phone' ? phoneDigits(String(value)) : folded(value)))
      return !equal(text, otherText)
    })
    .map(([name]) => name)

const folded = (value: unknown): unknown => (typeof value === 'string' ? foldText(value) : value)

/** Records, with the one to keep first: the preferred one or, of several, the oldest. */
export const preferredFirst = (resource: Resource, records: readonly Answer[]): Answer[] =>
  records.toSorted((one, other) => preferenceOf(resource, other) - preferenceOf(resource, one) || one.id - other.id)

/** No record has more fields. */
const ofPublic = 1000

/** How much speaks for keeping a record: that the public can see it, then the number of its fields with a value. */
export function preferenceOf(resource: Resource, record: Answer): number {
  const filled = mergeableFields(resource).filter(([name, field]) => !isEmptyIn(name, field, record)).length
  return filled + (record.status === undefined || record.status === 'publish' ? ofPublic : 0)
}

/** Reads the records of a merge, the survivor first; throws if they cannot be merged with one another. */
export async function readMerged(client: Client, resource: Resource, refs: readonly Ref[]): Promise<Answer[]> {
  const records: Answer[] = []
  for (const ref of refs) records.push(await readOne(client, resource, ref, records))
  const { name } = resource
  for (const [index, { id, status }] of records.entries()) {
    const earlier = records.findIndex(other => other.id === id)
    if (earlier < index)
      throw usage(
        earlier === 0
          ? phrase('cannot merge {record} with itself', { record: namedRecord(name, id) })
          : phrase('{record} is given twice', { record: namedRecord(name, id) }),
        phrase('name {record} that stays first, then the others: {command}', {
          record: theRecord(name),
          command: `calctl ${name} merge ${id} OTHER…`,
        }),
      )
    if (status === 'trash') throw trashed(client, resource, id)
  }
  return records
}

const trashed = ({ calendar }: Client, { name }: Resource, id: number) =>
  refused(
    phrase('{record} is in the trash of {calendar}', { record: namedRecord(name, id), calendar: calendar.label }),
    phrase('restore it first with: {command}', {
      command: `calctl ${name} restore ${id}${calendar.flags ?? ''}`,
    }),
  )

async function readOne(client: Client, resource: Resource, ref: Ref, earlier: readonly Answer[]): Promise<Answer> {
  try {
    return await client.get(resource, ref)
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind !== 'missing' && error.kind !== 'refused')) throw error
    const [first] = earlier
    const { language } = error.details
    if (first && isLanguage(language)) throw otherLanguage(resource, ref, language, first)
    throw (await otherResource(client, resource, ref)) ?? error
  }
}

function otherLanguage({ name }: Resource, ref: Ref, language: string, first: Answer): Failure {
  const message = phrase('{record} is in {language}, and {other} in {otherLanguage}', {
    record: namedRecord(name, textOf(ref)),
    language,
    other: first.id,
    otherLanguage: first.lang_code ?? phrase('another language'),
  })
  return usage(
    message,
    phrase('translations are not duplicates; merge the {records} of each language with: {command}', {
      records: recordsNoun(name),
      command: `calctl ${name} merge REF REF --lang ${language}`,
    }),
  )
}

/** Posts share one sequence of IDs: an ID that is no venue may be an organizer. */
async function otherResource(client: Client, { name, trashable }: Resource, ref: Ref): Promise<Failure | undefined> {
  if (!('id' in ref) || !trashable) return undefined
  for (const other of resources.filter(other => other.trashable && other.name !== name)) {
    const record = await client.get(other, ref).catch(ignoreFailure)
    if (record)
      return usage(
        phrase('{id} is {record}, and only {records} can be merged here', {
          id: ref.id,
          record: aRecord(other.name),
          records: recordsNoun(name),
        }),
        phrase('merge {records} with: {command}', {
          records: recordsNoun(other.name),
          command: `calctl ${other.name} merge REF REF`,
        }),
      )
  }
  return undefined
}

const textOf = (ref: Ref): string => String('id' in ref ? ref.id : ref.slug)

/** How the translations of a merge are found. */
interface MergeTranslation {
  readonly sets: SetReader
  readonly resource: Resource
  readonly onlyQuick: boolean
}

/**
 * The same merge in the other languages: of the translations of its records, in languages that have at least two of them. The translation
 * of the survivor stays; a language without one keeps that of the first of the others.
 */
export async function translatedMerges(
  client: Client,
  { sets, resource, onlyQuick }: MergeTranslation,
  { survivor, others }: Merge,
): Promise<(Merge & { readonly language: Language })[]> {
  const own = languageOf(client, survivor)
  if (own === undefined) return []
  const records = [survivor, ...others]
  const setOf = await sets.setsOf({ resource, language: own, records, onlyQuick })
  return languages.flatMap(language => {
    if (language === own) return []
    const all = records.flatMap(({ id }) => setOf.get(id)?.records.get(language) ?? [])
    const [first, ...rest] = new Map(all.map((record): [number, Answer] => [record.id, record])).values()
    return first && rest.length > 0 ? [{ language, survivor: first, others: rest }] : []
  })
}
