import { isObject } from '../base/text/json.ts'
import type { Resource } from '../contract/resource.ts'
import { recordCount, recordList } from '../contract/resource-words.ts'
import { attempts, read, readToEdit, type Session, withKnownName } from './answers.ts'
import type { Page, Values } from './client.ts'
import { foundNothing, hasItsRows, withoutSearch, wrongTotals } from './find/whole-lists.ts'
import { isPastLastPage } from './http/api-error.ts'
import { pathOf, queryRequest } from './http/request.ts'
import { isAnsweredRecord } from './http/response.ts'

const emptyPage: Page = { records: [], total: 0, pages: 0 }

/** A page of a list that has as many rows as it counts. */
export async function listAt(session: Session, resource: Resource, filters: Values): Promise<Page> {
  for (let attempt = 1; ; attempt++) {
    const page = await readToEdit(session, resource, filters, values => pageAt(session, resource, values))
    const rows = page.records.length
    if (hasItsRows(rows, page, filters)) return page
    const all = withoutSearch(resource, rows, filters)
    if (all && foundNothing(resource, filters.search, page.total, await listAt(session, resource, all)))
      return emptyPage
    // A record may have been added or removed while the site was counting.
    if (attempt === attempts) throw wrongTotals(session.calendar, recordCount(rows, resource.name), page.total)
  }
}

async function pageAt(session: Session, resource: Resource, values: Values): Promise<Page> {
  const request = queryRequest('GET', pathOf(session.namespace, resource), values, session.language)
  const page = await read(
    session,
    { request, resource },
    {
      expected: recordList(resource.name),
      valueIn: (value, { headers }) => pageIn(resource, value, Date.parse(headers.date ?? '')),
      fallback: response => (isPastLastPage(response) ? emptyPage : undefined),
    },
  )
  for (const record of page.records) withKnownName(session, resource, record)
  return page
}

/** The page of a list in a body; undefined if there is none. `siteTime` is the time of the response, in ms. */
function pageIn(resource: Resource, value: unknown, siteTime: number): Page | undefined {
  const records = isObject(value) ? value[resource.name] : undefined
  if (!isObject(value) || !Array.isArray(records) || !records.every(isAnsweredRecord)) return undefined
  const totals = { total: Number(value.total ?? records.length), pages: Number(value.total_pages ?? 1) }
  return { records, ...totals, ...(!Number.isNaN(siteTime) && { siteTime }) }
}
