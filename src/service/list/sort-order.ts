import type { Resource } from '../../contract/resource.ts'
import { foldCase } from '../../text/similarity.ts'
import type { Context } from '../dialect.ts'
import { indexesOf } from '../indexes/indexes.ts'
import { byText } from '../indexes/sorted-list.ts'
import type { Rows } from '../store/rows.ts'

type Order = (a: Rows[Resource['name']], b: Rows[Resource['name']]) => number

/** The order of a list of venues, organizers or terms; events have only the order of their timeline. */
export const orderOf = (context: Context, resource: Resource): Order =>
  resource.trashable ? newestFirst : byAttribute(context)

const newestFirst: Order = (a, b) => ('date' in a && 'date' in b ? byText(b.date, a.date) || b.id - a.id : b.id - a.id)

const alphabetical: Order = (a, b) => ('name' in a && 'name' in b ? byName(a, b) : a.id - b.id)

/** Terms for which `orderby` makes no difference are in alphabetical order. */
function byAttribute(context: Context): Order {
  const { orderby = 'name', order } = context.values
  const compare = attributes(context)[String(orderby)] ?? alphabetical
  const sign = order === 'desc' ? -1 : 1
  return (a, b) => sign * compare(a, b) || alphabetical(a, b)
}

function attributes({ store }: Context): Readonly<Record<string, Order>> {
  const { countEvents } = indexesOf(store)
  return {
    id: (a, b) => a.id - b.id,
    name: alphabetical,
    slug: (a, b) => byText(a.slug, b.slug),
    description: (a, b) => byText(foldCase(a.description), foldCase(b.description)),
    count: (a, b) => ('name' in a && 'name' in b ? countEvents(a) - countEvents(b) : 0),
  }
}

interface Named {
  readonly id: number
  readonly name: string
}

/** Folded names of rows, which never change: a list of terms compares each many times. */
const foldedNames = new WeakMap<Named, string>()

function foldedName(row: Named): string {
  const cached = foldedNames.get(row)
  if (cached !== undefined) return cached
  const folded = foldCase(row.name)
  foldedNames.set(row, folded)
  return folded
}

/** Alphabetical by name without regard to case and accents, then by ID. */
export const byName = (a: Named, b: Named): number => byText(foldedName(a), foldedName(b)) || a.id - b.id
