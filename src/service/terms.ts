import type { Language } from '../contract/words.ts'
import type { Scope } from './context.ts'
import type { CategoryRow, TermRow, TermTable } from './store/rows.ts'
import type { Store } from './store/store.ts'

/** The category or tag that a text names in the language of the request: by its name in any case, or by its slug. */
export const findTerm = (
  { store, language }: Pick<Scope, 'store' | 'language'>,
  of: TermTable,
  text: string,
): TermRow | CategoryRow | undefined =>
  termsNamed(store, of, language, text.trim()).at(0) ?? store.bySlug(of, language, text.trim())

/** The terms of this name in any case, the oldest first: categories can share one below different parents. */
export const termsNamed = (store: Store, of: TermTable, language: Language, name: string): (TermRow | CategoryRow)[] =>
  [...(indexOf(store).get(keyOf(of, language, name)) ?? [])]
    .toSorted((one, other) => one - other)
    .flatMap(id => store.table(of).get(id) ?? [])

/** Ids by table, language and name. */
type NameIndex = Map<string, Set<number>>

const kept = new WeakMap<Store, NameIndex>()

/** Made when a name is first looked for, and kept in step from then on. */
function indexOf(store: Store): NameIndex {
  const known = kept.get(store)
  if (known) return known
  const index: NameIndex = new Map()
  kept.set(store, index)
  for (const table of ['categories', 'tags'] as const)
    for (const term of store.table(table).values()) add(index, table, term)
  store.onChange(({ table, before, after }) => {
    if (table !== 'categories' && table !== 'tags') return
    if (before) index.get(keyOf(table, before.lang_code, before.name))?.delete(before.id)
    if (after) add(index, table, after)
  })
  return index
}

const keyOf = (of: TermTable, language: Language, name: string) => `${of}/${language}/${name.toLowerCase()}`

function add(index: NameIndex, of: TermTable, { id, lang_code, name }: TermRow | CategoryRow): void {
  const key = keyOf(of, lang_code, name)
  index.set(key, (index.get(key) ?? new Set()).add(id))
}
