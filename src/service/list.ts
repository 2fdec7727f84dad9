import { largestPage } from '../contract/filter.ts'
import type { Resource } from '../contract/resource.ts'
import type { Answer } from './context.ts'
import type { Context, PageLinks } from './dialect.ts'
import { findRecords } from './list/find.ts'
import { Refusal } from './refusal.ts'
import { addRecords } from './render/record.ts'

/** GET on a collection. */
export function list(context: Context, resource: Resource): Answer {
  checkAsked(context, resource)
  const { values, dialect } = context
  const page = numberOr(values.page, 1)
  // Larger pages are cut in silence.
  const perPage = Math.min(numberOr(values.per_page, context.perPage), largestPage)
  const found = findRecords(context, resource)
  const total = dialect.total(found.total(), context, resource, () => withoutSearch(context, resource))
  const pages = Math.ceil(total / perPage)
  const rows = found.slice((page - 1) * perPage, page * perPage)
  if (rows.length === 0 && page > 1 && resource.trashable) throw pastTheEnd(resource)
  const links = dialect.links(context, resource, { page, perPage, pages })
  return {
    status: 200,
    headers: { 'x-tec-total': String(total), 'x-tec-totalpages': String(pages) },
    body: enclosed(context, resource, rows, links, { total, total_pages: pages }),
  }
}

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

function withoutSearch(context: Context, resource: Resource): number {
  const { search, ...values } = context.values
  return findRecords({ ...context, values }, resource).total()
}

const pastTheEnd = ({ singular }: Resource): Refusal =>
  new Refusal(404, `${singular}-archive-page-not-found`, `The requested ${singular} archive page does not exist`)

/** What single parameters cannot show: one that needs another, and a status that is not for everyone. */
function checkAsked({ values, caller, dialect }: Context, { filters }: Resource): void {
  const problems: Record<string, string> = {}
  for (const [name, filter] of Object.entries(filters))
    if (filter.requires && (values[name] === undefined) !== (values[filter.requires] === undefined))
      problems[name] = `Expected ${name} and ${filter.requires} together.`
  if (caller === 'public' && values.status !== undefined && [values.status].flat().some(asked => asked !== 'publish'))
    problems.status = 'Expected publish: other statuses are for editors.'
  if (Object.keys(problems).length > 0) throw dialect.invalid(problems)
}

interface Totals {
  readonly total: number
  readonly total_pages: number
}

/** Puts the answer together from the texts of its records, in the order that production has: terms come last but for links. */
function enclosed(
  context: Context,
  { name, trashable }: Resource,
  rows: Parameters<typeof addRecords>[2],
  { rest_url, ...beside }: PageLinks,
  totals: Totals,
): Uint8Array {
  const head = trashable ? {} : { rest_url, ...totals }
  const tail = trashable ? { rest_url, ...beside, ...totals } : beside
  const pieces = [Buffer.from(`{${fieldsOf(head, after)}"${name}":[`)]
  addRecords(pieces, context, rows)
  pieces.push(Buffer.from(`]${fieldsOf(tail, before)}}`))
  return Buffer.concat(pieces)
}

const after = (fields: string) => `${fields},`
const before = (fields: string) => `,${fields}`

const fieldsOf = (object: object, join: (fields: string) => string): string => {
  const fields = JSON.stringify(object).slice(1, -1)
  return fields === '' ? '' : join(fields)
}
