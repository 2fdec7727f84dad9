import type { Answer, Resource } from '../../contract/resource.ts'
import type { Page, Reads, Values } from '../client.ts'
import { unknownField } from './condition.ts'
import type { Selection } from './criteria.ts'
import { hasPath } from './matcher.ts'

/** Reads the pages of a selection, with the records that match. `query` completes its filters. */
export async function* selectedPages(
  client: Reads,
  resource: Resource,
  { unknown = [], matches, filters }: Selection,
  query: (filters: Values) => Values = filters => filters,
  wanted?: number,
): AsyncGenerator<Page> {
  const pages = client.pages(resource, query(filters), matches ? undefined : wanted)
  let isFirst = true
  for await (const page of pages) {
    if (isFirst) checkKnown(page.records)
    isFirst = false
    yield matches ? { ...page, records: page.records.filter(matches) } : page
  }
  if (isFirst) checkKnown([])

  function checkKnown(records: readonly Answer[]): void {
    const missing = unknown.find(({ path }) => !records.some(record => hasPath(record, path.split('.'))))
    if (missing) throw unknownField(missing, [resource])
  }
}
