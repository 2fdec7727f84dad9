import type { ResourceName } from '../contract/field.ts'
import { encodeSlug } from '../contract/slug.ts'
import type { Ref } from './context.ts'
import type { Context } from './dialect.ts'
import type { Rows } from './store/rows.ts'

/** The record that a ref names in the language of the request; a slug may be percent-encoded or not. */
export function find<T extends ResourceName>(context: Context, name: T, ref: Ref): Rows[T] {
  const row =
    'id' in ref
      ? context.store.table(name).get(ref.id)
      : (context.store.bySlug(name, context.language, ref.slug) ??
        context.store.bySlug(name, context.language, encodeSlug(ref.slug)))
  if (row?.lang_code !== context.language) throw context.dialect.notFound(context, name, ref, row)
  return row
}
