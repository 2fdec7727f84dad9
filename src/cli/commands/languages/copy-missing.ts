import { excluding, Failure } from '../../../base/failure.ts'
import { nounFor } from '../../../base/text/similarity.ts'
import type { ExistingTranslation } from '../../../care/translations/copies.ts'
import { createSetReader, type SetReader } from '../../../care/translations/read-sets.ts'
import type { Client, Reads, Ref, Values } from '../../../client/client.ts'
import { chosenLanguages } from '../../../client/languages/known-languages.ts'
import { inLanguage } from '../../../client/languages/routing.ts'
import { resourceNamed, resources } from '../../../contract/contract.ts'
import type { Language } from '../../../contract/languages.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { applyPlan } from '../shared/apply-plan.ts'
import {
  type CriteriaOptions,
  criteriaGiven,
  readCriteria,
  untilEnded,
  withAllDates,
} from '../shared/criteria-options.ts'
import { flagName, readRef, typedFilters } from '../shared/options.ts'
import { buildContext } from '../shared/plan-from-files.ts'
import type { PlanOptions } from '../shared/plan-options.ts'
import { areOnStdin, readRefs } from '../shared/refs.ts'

export interface CopyOptions extends PlanOptions, Omit<CriteriaOptions, 'from' | 'to'> {
  readonly from?: string
  readonly to?: readonly string[]
  readonly createMissing?: true
  readonly match?: readonly string[]
  readonly bySlug?: true
}

/** calctl languages copy: gives records the translations that they lack, as drafts. */
export async function copyMissing(app: App, words: readonly string[], options: CopyOptions & Values): Promise<void> {
  const { from: _, to: __, ...selecting } = options
  const [first, ...others] = words
  const named = resources.find(({ name }) => name === first)
  const texts = named ? others : words
  const resource = named ?? resourceNamed('events')
  const filters = withAllDates(resource, await typedFilters([resource], selecting), selecting)
  const [given] = [...criteriaGiven(selecting), ...Object.keys(filters).map(flagName)]
  if (given && texts.length > 0) throw excluding(given, areOnStdin(texts) ? '-' : 'IDs or slugs')
  const context = await buildContext(app)
  const { client } = context
  const { from, to } = await chosenLanguages(client, options)
  const sets = createSetReader({ client, match: options.match })
  const source = inLanguage(client, from)
  const records =
    texts.length > 0
      ? await namedRecords(sets, source, resource, await refsIn(app, resource, texts, options.bySlug))
      : await selectedRecords(app, source, from, resource, filters, untilEnded(resource, filters, selecting))
  const { planCopies } = await import('../../../care/translations/copies.ts')
  const { plan, existing } = await planCopies(context, {
    from,
    to,
    records: new Map([[resource, records]]),
    createMissing: options.createMissing === true,
    sets,
  })
  if (texts.length > 0) {
    if (plan.steps.length === 0 && plan.invalid.length === 0) throw allExist(client, existing)
    for (const text of existsTexts(existing)) await app.notice(text)
  }
  await applyPlan(app, { ...plan, same: plan.same + (texts.length > 0 ? 0 : existing.length) }, options)
}

const refsIn = async (app: App, resource: Resource, texts: readonly string[], bySlug?: boolean): Promise<Ref[]> =>
  areOnStdin(texts)
    ? (await readRefs(app, resource, texts, bySlug)).map(({ ref }) => ref)
    : texts.map(text => readRef(resource, text, bySlug))

/** The records that are named; throws if one of them does not exist in the language. */
async function namedRecords(
  { reader }: SetReader,
  source: Reads,
  resource: Resource,
  refs: readonly Ref[],
): Promise<Answer[]> {
  const scope = { resource, language: source.language }
  const slugs = refs.flatMap(ref => ('slug' in ref ? ref.slug : []))
  const byId = await reader.readByIds(
    scope,
    refs.flatMap(ref => ('id' in ref ? ref.id : [])),
  )
  const bySlug = slugs.length > 0 ? await reader.readBySlugs(scope, slugs, slugs.length) : () => undefined
  const records = new Map<number, Answer>()
  for (const ref of refs) {
    const record = ('id' in ref ? byId.get(ref.id) : bySlug(ref.slug)) ?? (await source.get(resource, ref))
    records.set(record.id, record)
  }
  return [...records.values()]
}

async function selectedRecords(
  app: App,
  source: Reads,
  from: Language,
  resource: Resource,
  filters: Values,
  options: CriteriaOptions,
): Promise<Answer[]> {
  const { selectedRecordsIn } = await import('../../../care/translations/set-status.ts')
  const criteria = await readCriteria(app, source, [resource], filters, options)
  return selectedRecordsIn(source, resource, criteria, from, from)
}

/** A line for each record: `event 57 has translations: en 92, es 91`. */
const existsTexts = (existing: readonly ExistingTranslation[]): string[] => {
  const names = new Map<string, string[]>()
  for (const { resource, record, language, id } of existing) {
    const label = `${resource.singular} ${record.id}`
    names.set(label, [...(names.get(label) ?? []), `${language} ${id}`])
  }
  return Array.from(
    names,
    ([record, all]) => `${record} has ${nounFor(all.length, 'a translation', 'translations')}: ${all.join(', ')}`,
  )
}

function allExist({ calendar: { flags = '' } }: Client, existing: readonly ExistingTranslation[]): Failure {
  const [first] = existing
  return new Failure('refused', existsTexts(existing).join('; '), {
    hint: first
      ? `change it with: calctl ${first.resource.name} update ${first.id} --lang ${first.language}${flags}`
      : 'name the records to copy',
  })
}
