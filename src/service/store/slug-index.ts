import type { Language } from '../../contract/languages.ts'
import type { Rows, TableName } from './rows.ts'
import type { RowChange } from './store.ts'

/** The tables whose rows have slugs. */
export type Sluggable = Exclude<TableName, 'images'>

/** Finds rows by language and slug. The index of a table is built when it is first used. */
export interface SlugIndex {
  find(name: Sluggable, language: Language, slug: string): number | undefined
  follow(change: RowChange): void
}

/** Slugs of the rows that `rowsOf` gives. */
export function createSlugIndex(rowsOf: (name: Sluggable) => Iterable<Rows[Sluggable]>): SlugIndex {
  const indexes = new Map<TableName, Map<string, number>>()
  const indexOf = (name: Sluggable) => {
    const known = indexes.get(name)
    if (known) return known
    const index = new Map<string, number>()
    for (const row of rowsOf(name)) add(index, row)
    indexes.set(name, index)
    return index
  }
  return {
    find: (name, language, slug) => indexOf(name).get(keyOf(language, slug)),
    follow({ table, before, after }) {
      const index = indexes.get(table)
      if (!index) return
      if (before && 'slug' in before) remove(index, before)
      if (after && 'slug' in after) add(index, after)
    },
  }
}

const keyOf = (language: Language, slug: string) => `${language}/${slug.toLowerCase()}`

function add(index: Map<string, number>, { id, lang_code, slug }: Rows[Sluggable]): void {
  if (slug !== '') index.set(keyOf(lang_code, slug), id)
}

function remove(index: Map<string, number>, { id, lang_code, slug }: Rows[Sluggable]): void {
  const key = keyOf(lang_code, slug)
  // Two rows may trade slugs within one write: the one that took it keeps it.
  if (index.get(key) === id) index.delete(key)
}
