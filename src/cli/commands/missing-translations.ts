import { excluding, type Failure, refused } from '../../base/failure.ts'
import { asOption, listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { ExistingTranslation } from '../../care/translations/copies.ts'
import { SetReader } from '../../care/translations/read-sets.ts'
import {
  countStatuses,
  isComplete,
  type SetStatus,
  selectedSets,
  setStatus,
  statusText,
} from '../../care/translations/set-status.ts'
import { type ThingOf, type TranslationSet, thingsIn } from '../../care/translations/sets.ts'
import type { SetWithStatus } from '../../care/translations/text-gaps.ts'
import type { PlanOptions } from '../../changes/carry-out/front.ts'
import type { RefLine } from '../../changes/plan/making/from-refs.ts'
import type { Client, Reads, Values } from '../../client/client.ts'
import { chosenLanguages, possibleLanguages } from '../../client/languages/known-languages.ts'
import { inLanguage } from '../../client/languages/routing.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { dateFilterNames } from '../../contract/filter.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { type Answer, type Resource, titleOf } from '../../contract/resource.ts'
import { languageName, namedRecord, recordCount, recordsNoun } from '../../contract/resource-words.ts'
import type { App } from '../app.ts'
import { askedSheetForm, writeGaps } from './gaps-sheet.ts'
import { applyPlan } from './shared/apply-plan.ts'
import { buildContext } from './shared/build-context.ts'
import { readCriteria, typedFilters, withAllDates } from './shared/chosen-criteria.ts'
import { type CriteriaOptions, criteriaGiven } from './shared/criteria-options.ts'
import type { TranslationOptions } from './shared/language-options.ts'
import { daysGiven } from './shared/options.ts'
import { statusShape } from './shared/output-shapes.ts'
import { areOnStdin, readRefs } from './shared/refs.ts'

export interface StatusOptions extends CriteriaOptions, TranslationOptions {
  readonly gaps?: true
}

/**
 * Prints a row for each set of translations, with a column for each language. The exit status is 1 if something is missing, and 0 once a
 * sheet of it is written.
 */
export async function showStatus(app: App, resource: Resource, options: StatusOptions & Values): Promise<void> {
  const filters = withAllDates(resource, await typedFilters([resource], options), options)
  const sheet = options.gaps ? askedSheetForm(app) : undefined
  const client = await app.client()
  const { own, all } = await possibleLanguages(client)
  const order = [own, ...all.filter(language => language !== own)]
  const criteria = await readCriteria(app, client, {
    resources: [resource],
    filters,
    options: untilEnded(resource, filters, options),
  })
  const sets = new SetReader({ client, match: options.match })
  const found = await selectedSets({ client, resource, criteria, languages: order, sets })
  const thingOf = await thingsOf(found, resource, sets)
  const rows = found.map(set => ({ set, status: setStatus(resource, set, order, thingOf) }))
  const shown = options.gaps ? rows.filter(({ status }) => !isComplete(status, resource)) : rows
  if (sheet) await writeGaps(app, client, sheet, { resource, found: shown, languages: order, sets })
  else
    await app.print(
      statusShape,
      shown.map(({ set, status }) => rowOf(resource, set, status, order)),
    )
  await sayTotals(app, resource, rows, order)
  const isMissing = rows.some(({ status }) => [...status.values()].includes(undefined))
  if (isMissing && !sheet) app.status = 1
}

async function sayTotals(app: App, resource: Resource, rows: readonly SetWithStatus[], order: readonly Language[]) {
  if (rows.length === 0) return app.notice(phrase('no {records} match', { records: recordsNoun(resource.name) }))
  const counts = countStatuses(
    rows.map(({ status }) => status),
    order,
  )
  const places = { records: recordCount(rows.length, resource.name), languages: listOf(order.map(languageName)) }
  await app.notice(
    counts.length > 0
      ? phrase('{records} in {languages}; {counts}', { ...places, counts: counts.join('; ') })
      : phrase('{records} in {languages}: nothing is missing', places),
  )
  for (const { set } of rows) {
    const [record] = set.records.values()
    if (record && set.rivals.length > 0)
      await app.notice(
        phrase('not sure which of {list} translates {id}', {
          list: listOf(
            set.rivals.map(({ id }) => String(id)),
            'or',
          ),
          id: record.id,
        }),
      )
  }
}

function rowOf(resource: Resource, { records }: TranslationSet, status: SetStatus, order: readonly Language[]) {
  const [record] = order.flatMap(language => records.get(language) ?? [])
  return {
    title: titleOf(resource, record),
    start_date: record?.start_date ?? null,
    slug: record?.slug ?? null,
    ...Object.fromEntries(
      languages.map(language => [
        language,
        order.includes(language) ? statusText(status.get(language), resource) : null,
      ]),
    ),
    records: Object.fromEntries(order.map(language => [language, status.get(language) ?? null])),
  }
}

/** What linked records are in any language: by the slugs that events show and, if these differ, by the sets of the whole list. */
async function thingsOf(found: readonly TranslationSet[], { fields }: Resource, sets: SetReader): Promise<ThingOf> {
  const all = new Map<ResourceName, TranslationSet[]>()
  const slugs = new Map<string, unknown>()
  for (const [name, { of }] of Object.entries(fields)) {
    if (!of) continue
    const records = found.map(set => [...set.records.values()])
    if (records.some(ofSet => differ(ofSet, name))) all.set(of, await sets.allSets(resourceNamed(of)))
    for (const { id, slug } of records.flat().flatMap(record => linksIn(record, name))) slugs.set(`${of} ${id}`, slug)
  }
  const inSet = thingsIn(all)
  return (of, id) => (all.has(of) ? inSet(of, id) : (slugs.get(`${of} ${id}`) ?? id))
}

const linksIn = (record: Answer, name: string): Answer[] =>
  [record[name]]
    .flat()
    .filter((linked): linked is Answer => typeof linked === 'object' && linked !== null && 'id' in linked)

/** Whether records link to others with different slugs, or name them only by ID. */
function differ(records: readonly Answer[], name: string): boolean {
  const slugs = records.map(record => {
    const plain = [record[name]].flat().some(value => typeof value === 'number' && value > 0)
    return plain
      ? `ID ${record.id}`
      : JSON.stringify(
          linksIn(record, name)
            .map(({ slug }) => slug)
            .toSorted(),
        )
  })
  return new Set(slugs).size > 1
}

export interface CopyOptions extends PlanOptions, Omit<CriteriaOptions, 'from' | 'to'> {
  readonly from?: string
  readonly to?: readonly string[]
  readonly createMissing?: true
  readonly match?: readonly string[]
  readonly bySlug?: true
}

/** calctl languages copy: creates the missing translations of records, as drafts. */
export async function copyMissing(app: App, words: readonly string[], options: CopyOptions & Values): Promise<void> {
  const { from: _, to: __, ...selecting } = options
  const [first, ...others] = words
  const named = resources.find(({ name }) => name === first)
  const texts = named ? others : words
  const resource = named ?? resourceNamed('events')
  const filters = withAllDates(resource, await typedFilters([resource], selecting), selecting)
  const [given] = [...criteriaGiven(selecting), ...Object.keys(filters).map(asOption)]
  if (given && texts.length > 0) throw excluding(given, areOnStdin(texts) ? '-' : phrase('IDs or slugs'))
  const context = await buildContext(app)
  const { client } = context
  const { from, to } = await chosenLanguages(client, options)
  const sets = new SetReader({ client, match: options.match })
  const source = inLanguage(client, from)
  const records =
    texts.length > 0
      ? await namedRecords(sets, source, resource, await readRefs(app, resource, texts, options.bySlug))
      : await selectedRecords(app, source, { resource, filters, options: selecting }, from)
  const { planCopies } = await import('../../care/translations/copies.ts')
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

/** The named records; throws if one of them does not exist in the language. */
async function namedRecords({ reader }: SetReader, source: Reads, resource: Resource, lines: readonly RefLine[]) {
  const { readNamedRecords } = await import('../../changes/plan/making/from-refs.ts')
  const slugCount = lines.filter(({ ref }) => 'slug' in ref).length
  const find = await readNamedRecords(reader, { resource, language: source.language }, lines, slugCount)
  const records = new Map<number, Answer>()
  for (const { ref } of lines) {
    const record = find(ref) ?? (await source.get(resource, ref))
    records.set(record.id, record)
  }
  return [...records.values()]
}

async function selectedRecords(
  app: App,
  source: Reads,
  { resource, filters, options }: { resource: Resource; filters: Values; options: CriteriaOptions },
  from: Language,
): Promise<Answer[]> {
  const { selectedRecordsIn } = await import('../../care/translations/set-status.ts')
  const chosen = untilEnded(resource, filters, options)
  const criteria = await readCriteria(app, source, { resources: [resource], filters, options: chosen })
  return selectedRecordsIn(source, { resource, criteria }, from, from)
}

/** A line for each record: `event 57 has translations: en 92, es 91`. */
const existsTexts = (existing: readonly ExistingTranslation[]): string[] => {
  const names = new Map<string, string[]>()
  for (const { resource, record, language, id } of existing) {
    const label = namedRecord(resource.name, record.id)
    names.set(label, [...(names.get(label) ?? []), `${language} ${id}`])
  }
  return Array.from(names, ([record, all]) =>
    phrase('{record} has {count, plural, one {a translation} other {translations}}: {list}', {
      record,
      count: all.length,
      list: all.join(', '),
    }),
  )
}

function allExist({ calendar: { flags = '' } }: Client, existing: readonly ExistingTranslation[]): Failure {
  const [first] = existing
  return refused(
    existsTexts(existing).join('; '),
    first
      ? phrase('change it with: calctl {name} update {id} --lang {language}{flags}', {
          name: first.resource.name,
          id: first.id,
          language: first.language,
          flags,
        })
      : phrase('name the records to copy'),
  )
}

/** The same options for everything that has not ended, if they name no days: lists leave out events that have already begun. */
function untilEnded<T extends CriteriaOptions>(resource: Resource, filters: Values, options: T): T {
  const dates = dateFilterNames(resource.filters)
  const isDated = options.allDates || daysGiven(options).length > 0 || filters.include !== undefined
  if (dates.length === 0 || isDated || dates.some(name => filters[name] !== undefined)) return options
  return { ...options, from: 'today' }
}
