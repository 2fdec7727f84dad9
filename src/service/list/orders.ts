import type { Resource } from '../../contract/resource.ts'
import type { Context } from '../dialect.ts'
import { countOf } from '../render/term.ts'
import type { Row } from './comparisons.ts'
import { byName, fold } from './fold.ts'
import { byText } from './sorted.ts'

type Order = (a: Row, b: Row) => number

/** The order of a list of venues, organizers or terms. */
export const orderOf = (context: Context, resource: Resource): Order =>
  resource.trashable ? newestFirst : byAttribute(context)

const newestFirst: Order = (a, b) => ('date' in a && 'date' in b ? byText(b.date, a.date) || b.id - a.id : b.id - a.id)

const alphabetical: Order = (a, b) => ('name' in a && 'name' in b ? byName(a, b) : a.id - b.id)

/** Terms that do not differ in what they are ordered by stand in the order of their names. */
function byAttribute(context: Context): Order {
  const { orderby = 'name', order } = context.values
  const compare = attributes(context)[String(orderby)] ?? alphabetical
  const sign = order === 'desc' ? -1 : 1
  return (a, b) => sign * compare(a, b) || alphabetical(a, b)
}

const attributes = (context: Context): Readonly<Record<string, Order>> => ({
  id: (a, b) => a.id - b.id,
  name: alphabetical,
  slug: (a, b) => byText(a.slug, b.slug),
  description: (a, b) => byText(fold(a.description), fold(b.description)),
  count: (a, b) => ('name' in a && 'name' in b ? countOf(context, a) - countOf(context, b) : 0),
})
