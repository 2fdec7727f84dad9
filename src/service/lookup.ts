import { memoizeByObject } from '../base/memoize.ts'
import type { ResourceName } from '../contract/field.ts'
import type { Language } from '../contract/languages.ts'
import { encodeSlug, numberedSlug, slugOf } from '../contract/slug.ts'
import type { Context, RecordRef, RequestContext, Scope } from './dialect.ts'
import type { CategoryRow, Rows, TermRow, TermTable } from './store/rows.ts'
import type { Store } from './store/store.ts'

/** The record for a ref in the language of the request; a slug may be percent-encoded. */
export function findRecord<T extends ResourceName>(context: Context, name: T, ref: RecordRef): Rows[T] {
  const row =
    'id' in ref
      ? context.store.table(name).get(ref.id)
      : (context.store.bySlug(name, context.language, ref.slug) ??
        context.store.bySlug(name, context.language, encodeSlug(ref.slug)))
  if (row?.lang_code !== context.language) throw context.dialect.notFound(context, name, ref, row)
  return row
}

/** The category or tag for a text in the language of the request: by name regardless of case, or by slug. */
export const findTerm = (
  { store, language }: Pick<Scope, 'store' | 'language'>,
  of: TermTable,
  text: string,
): TermRow | CategoryRow | undefined =>
  termsNamed(store, of, language, text.trim()).at(0) ?? store.bySlug(of, language, text.trim())

/** The terms with a name, regardless of case, the oldest first; categories below different parents can share one. */
export const termsNamed = (store: Store, of: TermTable, language: Language, name: string): (TermRow | CategoryRow)[] =>
  [...(indexOf(store).get(keyOf(of, language, name)) ?? [])]
    .toSorted((one, other) => one - other)
    .flatMap(id => store.table(of).get(id) ?? [])

/** Ids by table, language and name. */
type NameIndex = Map<string, Set<number>>

/** Built with the first lookup, and updated with every change. */
const indexOf = memoizeByObject((store: Store): NameIndex => {
  const index: NameIndex = new Map()
  for (const table of ['categories', 'tags'] as const)
    for (const term of store.table(table).values()) add(index, table, term)
  store.onChange(({ table, before, after }) => {
    if (table !== 'categories' && table !== 'tags') return
    if (before) index.get(keyOf(table, before.lang_code, before.name))?.delete(before.id)
    if (after) add(index, table, after)
  })
  return index
})

const keyOf = (of: TermTable, language: Language, name: string) => `${of}/${language}/${name.toLowerCase()}`

function add(index: NameIndex, of: TermTable, { id, lang_code, name }: TermRow | CategoryRow): void {
  const key = keyOf(of, lang_code, name)
  index.set(key, (index.get(key) ?? new Set()).add(id))
}

/** The slug, or one of `slug-2`, `slug-3`, … that no other record of its resource and language has. */
export const freeSlug = (
  store: Store,
  name: ResourceName,
  slug: string,
  own: Pick<Rows[ResourceName], 'id' | 'lang_code'>,
): string =>
  numberedSlug(slug, wanted => {
    const other = store.bySlug(name, own.lang_code, wanted)
    return other !== undefined && other.id !== own.id
  })

/** The slug of a record that is about to be written: its own, otherwise one made from its title, otherwise its ID. */
export const slugFor = ({ store }: RequestContext, of: ResourceName, row: Rows[ResourceName], title: string) =>
  freeSlug(store, of, row.slug || slugOf(title) || String(row.id), row)

/** The slug after a write: unchanged if none was sent; an empty one is made from the title again. */
export const slugToStore = (sent: string | null | undefined, before = ''): string =>
  sent === undefined ? before : slugOf(sent ?? '')
