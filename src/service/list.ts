import { largestPage } from '../contract/filter.ts'
import type { Resource } from '../contract/resource.ts'
import type { Context, PageLinks, Problem } from './dialect.ts'
import { findRecords } from './list/find-records.ts'
import { Refusal } from './refusal.ts'
import { addRecords } from './render/render-record.ts'
import type { HandlerResult } from './request-context.ts'

/** GET on a collection. */
export function list(context: Context, resource: Resource): HandlerResult {
  checkFilters(context, resource)
  const { values, dialect } = context
  const page = numberOr(values.page, 1)
  // A larger page is cut without an error, as in production.
  const perPage = Math.min(numberOr(values.per_page, context.perPage), largestPage)
  const matches = findRecords(context, resource)
  const total = dialect.total(matches.total(), context, resource, () => countWithoutSearch(context, resource))
  const pages = Math.ceil(total / perPage)
  const rows = matches.slice((page - 1) * perPage, page * perPage)
  if (rows.length === 0 && page > 1 && resource.trashable) throw pastLastPage(resource)
  const links = dialect.links(context, resource, { page, perPage, pages })
  return {
    status: 200,
    headers: { 'x-tec-total': String(total), 'x-tec-totalpages': String(pages) },
    body: listBody(context, resource, rows, links, { total, total_pages: pages }),
  }
}

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback)

function countWithoutSearch(context: Context, resource: Resource): number {
  const { search, ...values } = context.values
  return findRecords({ ...context, values }, resource).total()
}

const pastLastPage = ({ singular }: Resource): Refusal =>
  new Refusal(404, `${singular}-archive-page-not-found`, `The requested ${singular} archive page does not exist`)

/** What the check of single parameters cannot see: a filter that requires another, and statuses only editors may ask for. */
function checkFilters({ values, caller, dialect }: Context, { filters }: Resource): void {
  const problems: Record<string, Problem> = {}
  for (const [name, filter] of Object.entries(filters))
    if (filter.requires && (values[name] === undefined) !== (values[filter.requires] === undefined))
      problems[name] = { problem: `Expected ${name} and ${filter.requires} together.` }
  const statuses = values.status === undefined ? [] : [values.status].flat()
  if (caller === 'public' && statuses.some(status => status !== 'publish'))
    problems.status = { problem: 'Expected publish: other statuses are for editors.' }
  if (Object.keys(problems).length > 0) throw dialect.invalid(problems)
}

interface Totals {
  readonly total: number
  readonly total_pages: number
}

/** Joins the rendered records, with keys in production's order: in lists of terms, the records precede only the page links. */
function listBody(
  context: Context,
  { name, trashable }: Resource,
  rows: Parameters<typeof addRecords>[2],
  { rest_url, ...otherPages }: PageLinks,
  totals: Totals,
): Uint8Array {
  const head = memberText(trashable ? {} : { rest_url, ...totals })
  const tail = memberText(trashable ? { rest_url, ...otherPages, ...totals } : otherPages)
  const pieces = [Buffer.from(`{${head && `${head},`}"${name}":[`)]
  addRecords(pieces, context, rows)
  pieces.push(Buffer.from(`]${tail && `,${tail}`}}`))
  return Buffer.concat(pieces)
}

/** The members of an object as JSON, without its braces. */
const memberText = (object: object): string => JSON.stringify(object).slice(1, -1)
