import type { Failure } from '../../../base/failure.ts'
import { grouped } from '../../../base/groups.ts'
import { memoize, once } from '../../../base/memoize.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { createAllow } from '../../../client/adapters/allowed-values.ts'
import type { Change, ChangeContext } from '../../../client/change.ts'
import type { Ref, Values } from '../../../client/client.ts'
import type { ListScope } from '../../../client/find/whole-lists.ts'
import type { CreatesMissing, NameLookup } from '../../../client/name-lookup.ts'
import { resolveChange } from '../../../client/resolve-change.ts'
import type { Language } from '../../../contract/languages.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { namedRecord } from '../../../contract/resource-words.ts'
import { askedValues } from '../../../contract/three-way-merge.ts'
import type { Invalid, Plan, Step } from '../plan.ts'
import { SiteReader } from '../site-reader.ts'
import { batches, concat, createSpool } from '../spool.ts'
import { type BuildContext, createPlan, listSizes } from './context.ts'
import { failureOfRecord, invalidRef, missingRecord } from './invalid.ts'
import { createLengthNotes } from './length-notes.ts'
import type { LinkOptions, LinkResolver } from './links.ts'
import { sourceNotes } from './source-notes.ts'
import { removalStep, restoreStep, type StepTarget, updateStep } from './step.ts'

/** A line of input that names a record. */
export interface RefLine {
  readonly ref: Ref
  /** Set only if it differs from the language of the client. */
  readonly language?: Language | undefined
  /** `line 3`; absent for a record that was selected by criteria. */
  readonly place?: string
  /** The record, if it has already been read. */
  readonly record?: Answer
  /** Why it cannot be written. */
  readonly failure?: Failure
}

/** The records that lines of input name. */
export interface NamedLines {
  readonly resource: Resource
  readonly lines: readonly RefLine[]
  /** Whether they were named one by one, so that few are written and what they link to is sent along with them. */
  readonly isNamed?: boolean
}

/** Makes the plan that applies the same change to records. */
export async function planChange(
  context: BuildContext,
  named: NamedLines,
  change: Change | ((language: Language | undefined) => Change),
  createMissing: CreatesMissing = false,
): Promise<Plan> {
  const { lines } = named
  const reader = new SiteReader(context.client)
  const changeIn = typeof change === 'function' ? change : () => change
  const changes = createChangeSteps(context, reader, named, createMissing)
  const languages = [...new Set(lines.map(({ language }) => language))]
  const fields = [...new Set(languages.flatMap(language => fieldsOf(changeIn(language))))]
  const plan = await planEach(context, reader, { ...named, trashed: false, fields }, (target, before) =>
    changes.stepFor(target, before, changeIn(target.language)),
  )
  const among = named.isNamed ? {} : { among: await listSizes(reader, plan.steps) }
  return { ...plan, ...changes.whole(plan.steps), ...among }
}

/** The fields that a change reads or writes, in their stored forms. */
const fieldsOf = ({ values, add, remove }: Change): string[] => Object.keys({ ...values, ...add, ...remove })

const hasLinks = ({ fields }: Resource, values: Values): boolean => Object.keys(values).some(name => fields[name]?.of)

/** A lookup that is only loaded for a change that names something. */
const lateLookup = (load: () => Promise<NameLookup>): NameLookup => ({
  find: async (...asked) => (await load()).find(...asked),
  resolve: async (of, values, ...asked) =>
    hasLinks(of, values) ? (await load()).resolve(of, values, ...asked) : values,
})

/** Makes the steps of changes, together with those that create what they name. */
function createChangeSteps(
  context: BuildContext,
  reader: SiteReader,
  { resource, isNamed = false }: Pick<NamedLines, 'resource' | 'isNamed'>,
  createMissing: CreatesMissing,
) {
  const { client } = context
  let links: LinkResolver | undefined
  const namesFor = async (options: LinkOptions) => {
    links ??= (await import('./links.ts')).createLinksOfChanges(client, reader, { isSingle: isNamed })
    return links.namesFor(options)
  }
  const allow = createAllow(client)
  let lengths: ReturnType<typeof createLengthNotes> | undefined
  const noticeOnce = memoize(context.notice)
  const marks = once(async () =>
    (await import('../../../client/adapters/event-marks.ts')).createMarks(client, {
      notice: noticeOnce,
      createMissing,
    }),
  )
  return {
    /** The step that changes a record; undefined if nothing changes. */
    async stepFor(target: StepTarget, before: Answer, change: Change): Promise<Step | undefined> {
      const { language } = target
      const linkOptions = { language, createsMissing: createMissing, isForeign: false, care: context.care }
      const changeContext: ChangeContext = {
        ...context,
        allow,
        marks: async (...marked) => (await marks())(...marked),
        known: client,
        endsInWallTime: !client.capabilities.keepsOffsets,
        notice: noticeOnce,
        names: lateLookup(() => namesFor(linkOptions)),
      }
      const resolved = await resolveChange(resource, before, change, changeContext)
      const values = askedValues(resource, before, resolved, change.values)
      if (Object.keys(values).length === 0) return undefined
      const step = updateStep(target, before, values)
      if (values.start_date !== undefined) {
        lengths ??= createLengthNotes({ isFile: false })
        lengths.add(step, resolved)
      }
      return step
    },
    /** All steps, with notes about them. */
    whole(steps: Plan['steps']): Pick<Plan, 'steps' | 'notes'> {
      const notes = [
        ...(links?.notes ?? []),
        ...(isNamed ? [] : sourceNotes(client, steps)),
        ...(lengths?.notes() ?? []),
      ]
      return { steps: concat(links?.steps ?? [], steps), ...(notes.length > 0 && { notes }) }
    },
  }
}

/**
 * The values to write to a record, which was read with the stored forms of the fields that may be written; undefined for a record that
 * stays as it is.
 */
export type ValuesToWrite = (before: Answer) => { readonly before: Answer; readonly values: Values } | undefined

/** Makes the steps that give each of many records values of its own, which are sent as they are. */
export async function planUpdates(
  context: BuildContext,
  { resource, lines }: NamedLines,
  fields: readonly string[],
  valuesOf: ValuesToWrite,
): Promise<Plan> {
  const reader = new SiteReader(context.client)
  const allow = createAllow(context.client)
  return planEach(context, reader, { resource, lines, trashed: false, fields }, async (target, record) => {
    const update = valuesOf(record)
    if (!update) return undefined
    return updateStep(target, update.before, await allow(resource, update.values, update.before))
  })
}

/** Makes the plan that trashes or deletes records; `values` unlock them. */
export async function planRemoval(context: BuildContext, named: NamedLines, values: Values = {}): Promise<Plan> {
  const reader = new SiteReader(context.client)
  const plan = await planEach(context, reader, { ...named, trashed: false }, async (target, before) =>
    removalStep(target, before, values),
  )
  return named.isNamed ? plan : { ...plan, among: await listSizes(reader, plan.steps) }
}

/** Makes the plan that restores records from the trash. */
export const planRestoration = (context: BuildContext, named: NamedLines, status: string | undefined): Promise<Plan> =>
  planEach(context, new SiteReader(context.client), { ...named, trashed: true, fields: [] }, async (target, before) =>
    restoreStep(target, before, { status }),
  )

type ListOfRefs = ListScope & Required<Pick<RefList, 'trashed'>> & { readonly language: Language | undefined }

interface RefList extends NamedLines {
  /** Whether the records are in the trash. */
  readonly trashed: boolean
  /** The fields that will be written, if any. */
  readonly fields?: readonly string[]
}

/** How often a long look-up says how far it is, in ms. */
const progressInterval = 10_000

/** Builds one step for each record, even if it is named several times; records that cannot be found are invalid. */
export async function planEach(
  context: BuildContext,
  reader: SiteReader,
  { resource, lines, trashed, fields, isNamed }: RefList,
  buildStep: (target: StepTarget, before: Answer) => Promise<Step | undefined>,
): Promise<Plan> {
  const { client } = context
  const steps = createSpool<Step>()
  const seen = new Set<string>()
  const invalid: Invalid[] = []
  let same = 0
  const progress = createLookupProgress(context, lines.length)
  const stepOf = async ({ ref, place, failure }: RefLine, scope: ListOfRefs, before: Answer | undefined) => {
    if (failure) throw failure
    if (!before) throw await missingRecord(client, { ...scope, ref })
    const key = `${resource.name} ${before.id}`
    if (seen.has(key)) return
    seen.add(key)
    const language = scope.language === client.language ? undefined : scope.language
    const target = { resource, language, key, ...(place !== undefined && { record: { place } }) }
    const step = await buildStep(target, before)
    if (step) steps.add(step)
    else same += 1
  }
  const addStep = async (line: RefLine, scope: ListOfRefs, before: Answer | undefined) => {
    try {
      await stepOf(line, scope, before)
    } catch (error) {
      if (isNamed && lines.length === 1) throw error
      invalid.push(invalidRef(resource, line.ref, line.place ?? refText(resource, line.ref), failureOfRecord(error)))
    }
  }
  for (const [lineLanguage, ofLanguage] of grouped(lines, ({ language }) => language)) {
    const scope = { resource, language: lineLanguage, trashed }
    for await (const [batch, find] of recordsOfLines(reader, scope, ofLanguage, fields)) {
      for (const line of batch) await addStep(line, scope, find(line.ref))
      await progress(batch.length)
    }
  }
  return createPlan(context, { steps, same, invalid })
}

/** Reads the records that lines name, a batch at a time, with the stored values of the fields that will be written. */
async function* recordsOfLines(
  reader: SiteReader,
  scope: ListOfRefs,
  lines: readonly RefLine[],
  fields: readonly string[] | undefined,
): AsyncGenerator<[batch: readonly RefLine[], find: (ref: Ref) => Answer | undefined]> {
  const slugCount = lines.filter(({ ref }) => 'slug' in ref).length
  for (const batch of batches(lines)) {
    const named = await readNamedRecords(reader, scope, batch, slugCount)
    const found = new Map(batch.flatMap(({ ref }) => named(ref) ?? []).map(record => [record.id, record]))
    if (fields)
      for (const record of await reader.withRawValues(scope, [...found.values()], fields)) found.set(record.id, record)
    yield [batch, ref => found.get(named(ref)?.id ?? 0)]
  }
}

/** Says how many lines were looked up, if it takes long. */
function createLookupProgress({ notice }: BuildContext, total: number): (count: number) => Promise<void> {
  let looked = 0
  let said = performance.now()
  return async count => {
    looked += count
    if (performance.now() - said < progressInterval) return
    said = performance.now()
    await notice(phrase('looked up {count} of {total}', { count: looked, total }))
  }
}

/** Reads the records that a batch of lines names. */
export async function readNamedRecords(
  reader: SiteReader,
  scope: ListScope,
  lines: readonly RefLine[],
  slugCount: number,
): Promise<(ref: Ref) => Answer | undefined> {
  const known = new Map(lines.flatMap(({ ref, record }) => (record ? [[ref, record]] : [])))
  const unknown = lines.filter(({ record, failure }) => !record && !failure)
  const slugs = unknown.flatMap(({ ref }) => ('slug' in ref ? ref.slug : []))
  const ids = unknown.flatMap(({ ref }) => ('id' in ref ? ref.id : []))
  const bySlug = slugs.length > 0 ? await reader.readBySlugs(scope, slugs, slugCount) : () => undefined
  const byId = await reader.readByIds(scope, ids)
  return ref => {
    const record = known.get(ref)
    if (record) return record
    if ('id' in ref) return byId.get(ref.id)
    // Sites append `__trashed` to the slug of a post in the trash.
    return bySlug(ref.slug) ?? (scope.trashed ? bySlug(`${ref.slug}__trashed`) : undefined)
  }
}

const refText = ({ name }: Resource, ref: Ref): string => namedRecord(name, 'id' in ref ? ref.id : ref.slug)
