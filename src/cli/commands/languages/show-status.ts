import { counted, listOf } from '../../../base/text/similarity.ts'
import { createSetReader, type SetReader } from '../../../care/translations/read-sets.ts'
import {
  countStatuses,
  isComplete,
  type SetStatus,
  selectedSets,
  setStatus,
  statusText,
} from '../../../care/translations/set-status.ts'
import { type ThingOf, type TranslationSet, thingsIn } from '../../../care/translations/translation-set.ts'
import type { Values } from '../../../client/client.ts'
import { possibleLanguages } from '../../../client/languages/known-languages.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { ResourceName } from '../../../contract/field.ts'
import { type Language, languages } from '../../../contract/languages.ts'
import { type Answer, type Resource, titleOf } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { type CriteriaOptions, readCriteria, untilEnded, withAllDates } from '../shared/criteria-options.ts'
import { typedFilters } from '../shared/options.ts'
import { statusShape } from '../shared/output-forms.ts'
import type { TranslationOptions } from '../shared/translation-options.ts'

export interface StatusOptions extends CriteriaOptions, TranslationOptions {
  readonly gaps?: true
}

/** Prints a row for each set of translations, with a column for each language; the status is 1 if something is missing. */
export async function showStatus(app: App, resource: Resource, options: StatusOptions & Values): Promise<void> {
  const filters = withAllDates(resource, await typedFilters([resource], options), options)
  const client = await app.client()
  const { own, all } = await possibleLanguages(client)
  const order = [own, ...all.filter(language => language !== own)]
  const criteria = await readCriteria(app, client, [resource], filters, untilEnded(resource, filters, options))
  const sets = createSetReader({ client, match: options.match })
  const found = await selectedSets({ client, resource, criteria, languages: order, sets })
  const thingOf = await thingsOf(found, resource, sets)
  const rows = found.map(set => ({ set, status: setStatus(resource, set, order, thingOf) }))
  const shown = options.gaps ? rows.filter(({ status }) => !isComplete(status)) : rows
  await app.print(
    statusShape,
    shown.map(({ set, status }) => rowOf(resource, set, status, order)),
  )
  await sayTotals(app, resource, rows, order)
  if (rows.some(({ status }) => [...status.values()].includes(undefined))) app.status = 1
}

async function sayTotals(
  app: App,
  resource: Resource,
  rows: readonly { readonly set: TranslationSet; readonly status: SetStatus }[],
  order: readonly Language[],
): Promise<void> {
  if (rows.length === 0) return app.notice(`no ${resource.name} match`)
  const counts = countStatuses(
    rows.map(({ status }) => status),
    order,
  )
  const total = `${counted(rows.length, resource.singular, resource.name)} in ${listOf(order)}`
  await app.notice(counts.length > 0 ? `${total}; ${counts.join('; ')}` : `${total}: nothing is missing`)
  for (const { set } of rows) {
    const [record] = set.records.values()
    if (record && set.rivals.length > 0)
      await app.notice(
        `not sure which of ${listOf(
          set.rivals.map(({ id }) => String(id)),
          'or',
        )} translates ${record.id}`,
      )
  }
}

function rowOf(resource: Resource, { records }: TranslationSet, status: SetStatus, order: readonly Language[]) {
  const [record] = order.flatMap(language => records.get(language) ?? [])
  return {
    title: titleOf(resource, record),
    start: record?.start_date ?? null,
    slug: record?.slug ?? null,
    ...Object.fromEntries(
      languages.map(language => [language, order.includes(language) ? statusText(status.get(language)) : null]),
    ),
    records: Object.fromEntries(order.map(language => [language, status.get(language) ?? null])),
  }
}

/** What linked records are in any language: by the slugs that events show, and where those differ by the sets of the whole list. */
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

/** Whether records link to others with different slugs, or say no more of them than their IDs. */
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
