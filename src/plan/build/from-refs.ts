import type { Ref } from '../../client/client.ts'
import { createNameLookup } from '../../client/name-lookup.ts'
import { type Change, resolveChange } from '../../client/resolve-change.ts'
import type { ListScope } from '../../client/whole-list.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import { changedValues } from '../diff.ts'
import type { Invalid, Plan, Step } from '../plan.ts'
import { createSiteReader, type SiteReader } from '../site-reader.ts'
import { batches, concat, createSpool } from '../spool.ts'
import { missingRecord } from './absent.ts'
import { type BuildContext, createPlan, listSizes } from './context.ts'
import { createLinkResolver } from './links.ts'
import { removalStep, restoreStep, type StepTarget, updateStep } from './step.ts'

/** A record that a line names. */
export interface RefLine {
  readonly ref: Ref
  /** Where it is not the client's. */
  readonly language?: Language | undefined
  /** `line 3` */
  readonly place: string
}

/** The plan that makes the same change to each of many records. */
export async function planChange(
  making: BuildContext,
  resource: Resource,
  refs: readonly RefLine[],
  asked: Change,
  createMissing = false,
): Promise<Plan> {
  const reader = createSiteReader(making.client)
  const names = createNameLookup(making.client, 'refuse')
  // The same few names in every record: looking for them takes less than reading all there is.
  const links = createLinkResolver({ ...reader, findByName: (of, _, name) => names.find(of, name) })
  const said = new Set<string>()
  const notice = async (text: string) => {
    if (said.has(text)) return
    said.add(text)
    await making.notice(text)
  }
  const around = (language: Language | undefined) => ({
    ...making,
    notice,
    names: links.namesFor({ language, makesMissing: createMissing, isForeign: false }),
  })
  const plan = await planEach(making, reader, resource, refs, false, async (about, before) => {
    const language = about.language ?? making.client.language
    const values = changedValues(resource, before, await resolveChange(resource, before, asked, around(language)))
    return Object.keys(values).length > 0 ? updateStep(about, before, values) : undefined
  })
  return { ...plan, steps: concat(links.steps, plan.steps), among: await listSizes(reader, plan.steps) }
}

/** The plan that takes many records away. */
export async function planRemoval(making: BuildContext, resource: Resource, refs: readonly RefLine[]): Promise<Plan> {
  const reader = createSiteReader(making.client)
  const plan = await planEach(making, reader, resource, refs, false, async (about, before) =>
    removalStep(about, before),
  )
  return { ...plan, among: await listSizes(reader, plan.steps) }
}

/** The plan that brings many records back from the trash. */
export const planRestoration = (
  making: BuildContext,
  resource: Resource,
  refs: readonly RefLine[],
  status: string | undefined,
): Promise<Plan> =>
  planEach(making, createSiteReader(making.client), resource, refs, true, async (about, before) =>
    restoreStep(about, before, { status }),
  )

/** A step for each record that is named, once; what is not there is told. */
async function planEach(
  making: BuildContext,
  reader: SiteReader,
  resource: Resource,
  refs: readonly RefLine[],
  trashed: boolean,
  stepOf: (about: StepTarget, before: Answer) => Promise<Step | undefined>,
): Promise<Plan> {
  const { client } = making
  const steps = createSpool<Step>()
  const seen = new Set<string>()
  const invalid: Invalid[] = []
  let same = 0
  for (const [language, named] of byLanguage(refs)) {
    const find = finder(reader, { resource, language, trashed }, named)
    const other = language === client.language ? undefined : language
    for (const some of batches(named)) {
      const found = await find(some)
      for (const { ref, place } of some)
        try {
          const before = found(ref)
          if (!before) throw await missingRecord(client, { resource, ref, language, trashed })
          const key = `${resource.name} ${before.id}`
          if (seen.has(key)) continue
          seen.add(key)
          const step = await stepOf({ resource, language: other, key, record: { place } }, before)
          if (step) steps.add(step)
          else same += 1
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          invalid.push(unfounded(resource, ref, place, error))
        }
    }
  }
  return createPlan(making, { steps, same, invalid })
}

const unfounded = ({ name }: Resource, ref: Ref, place: string, { message, details }: Failure): Invalid => ({
  at: place,
  message,
  ...(details.hint && { hint: details.hint }),
  resource: name,
  source: { ...ref },
})

const byLanguage = (refs: readonly RefLine[]): Map<Language | undefined, RefLine[]> => {
  const groups = new Map<Language | undefined, RefLine[]>()
  for (const one of refs) {
    const group = groups.get(one.language)
    if (group) group.push(one)
    else groups.set(one.language, [one])
  }
  return groups
}

/** Makes what reads the records that refs name, some after some. */
function finder(reader: SiteReader, place: ListScope, refs: readonly RefLine[]) {
  const { length: all } = refs.filter(({ ref }) => 'slug' in ref)
  return async (some: readonly RefLine[]): Promise<(ref: Ref) => Answer | undefined> => {
    const slugs = some.flatMap(({ ref }) => ('slug' in ref ? ref.slug : []))
    const ids = some.flatMap(({ ref }) => ('id' in ref ? ref.id : []))
    const withSlug = slugs.length > 0 ? await reader.readBySlugs(place, slugs, all) : () => undefined
    const withIds = await reader.readByIds(place, ids)
    return ref => {
      if ('id' in ref) return withIds.get(ref.id)
      return withSlug(ref.slug) ?? (place.trashed ? withSlug(`${ref.slug}__trashed`) : undefined)
    }
  }
}
