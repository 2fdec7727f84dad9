import type { Scope } from './manner.ts'
import type { CategoryRow, TermRow } from './store/rows.ts'

export type TermTable = 'categories' | 'tags'

/** The category or tag that a text names in the language of the request: by its name in any case, or by its slug. */
export function findTerm({ store, language }: Scope, of: TermTable, text: string): TermRow | CategoryRow | undefined {
  const name = text.trim().toLowerCase()
  for (const term of store.table(of).values())
    if (term.lang_code === language && term.name.toLowerCase() === name) return term
  return store.bySlug(of, language, name)
}
