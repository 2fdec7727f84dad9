import { phrase } from '../../../base/words/phrase.ts'
import type { RefLine } from '../../../changes/plan/making/from-refs.ts'
import type { Values } from '../../../client/client.ts'
import { largestPage } from '../../../contract/filter.ts'
import { sameText } from '../../../contract/kinds/kind-values.ts'
import { type Answer, titleOf } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { readCriteria, withAllDates } from './chosen-criteria.ts'
import { typedValues } from './options.ts'
import { filtersOf, type Selecting, type SelectionOptions, withoutTaken } from './refs.ts'

/** The records that a verb writes. */
export interface SelectedRefs {
  readonly lines: RefLine[]
  /** The event whose series they are. */
  readonly seriesOf?: Answer
}

/** The records that the options select, in the order of the list, with a title only those that have it; of days, the events that begin on them. */
export async function selectRefs(
  app: App,
  selecting: Selecting,
  options: SelectionOptions,
  [title]: readonly string[],
): Promise<SelectedRefs> {
  const { resource, trashed = false } = selecting
  const given = withoutTaken(selecting, options)
  const filters = withAllDates(resource, await typedValues(filtersOf(selecting), given), given)
  const client = await app.client({ toPlan: true })
  const criteria = await readCriteria(app, client, {
    resources: [resource],
    filters,
    options: given,
    isForChange: true,
  })
  const { select, selectedPages } = await import('../../../client/selection/criteria.ts')
  const query = (narrowed: Values) => ({ per_page: largestPage, ...narrowed, ...(trashed && { status: 'trash' }) })
  const found: Answer[] = []
  for await (const { records } of selectedPages(client, resource, await select(client, resource, criteria), query))
    found.push(...records.filter(record => title === undefined || sameText(titleOf(resource, record), title)))
  if (found.length === 0) await app.notice(phrase('no {resource} match', { resource: resource.name }))
  const { beginningOn } = await import('../../../changes/plan/making/notes.ts')
  const { begin, leftOut } = beginningOn(criteria.days ?? {}, found, selecting.changes)
  for (const notice of leftOut) await app.notice(notice)
  return { lines: begin.map(({ id }) => ({ ref: { id } })) }
}
