import { type Language, languages } from '../contract/languages.ts'
import type { TableName } from './store/rows.ts'
import type { Store } from './store/store.ts'

/** The tables whose rows have a language. */
const tables = ['events', 'venues', 'organizers', 'categories', 'tags'] as const satisfies readonly TableName[]

type Counts = Map<Language, number>

const countsByStore = new WeakMap<Store, () => Counts>()

/** The header that says in which languages a calendar has records, where there are several. */
export function languagesHeader(store: Store): Readonly<Record<string, string>> {
  const counts = countsOf(store)
  const used = languages.filter(language => (counts.get(language) ?? 0) > 0)
  return used.length > 1 ? { 'x-calendar-languages': used.join(', ') } : {}
}

/** Counted once, and then with every change. */
function countsOf(store: Store): Counts {
  const known = countsByStore.get(store)
  if (known) return known()
  let counts: Counts | undefined
  const add = (row: object | undefined, number: number) => {
    if (!counts || !row || !('lang_code' in row)) return
    const language = row.lang_code as Language
    counts.set(language, (counts.get(language) ?? 0) + number)
  }
  store.onChange(({ before, after }) => {
    add(before, -1)
    add(after, 1)
  })
  store.onReread(() => {
    counts = undefined
  })
  const count = () => {
    if (counts) return counts
    counts = new Map()
    for (const name of tables) for (const row of store.table(name).values()) add(row, 1)
    return counts
  }
  countsByStore.set(store, count)
  return count()
}
