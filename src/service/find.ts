import { resourceNamed } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { encodeSlug } from '../contract/slug.ts'
import type { Context, Ref } from './context.ts'
import { Refusal } from './refusal.ts'
import type { Rows } from './store/rows.ts'

/** The record that a path names, in the language of the request. What is not ASCII in its slug may be percent-encoded or not. */
export function find<T extends ResourceName>(context: Context, name: T, ref: Ref): Rows[T] {
  const row =
    'id' in ref
      ? context.store.table(name).get(ref.id)
      : (context.store.bySlug(name, context.language, ref.slug) ??
        context.store.bySlug(name, context.language, encodeSlug(ref.slug)))
  if (row?.lang_code !== context.language) throw context.manner.notFound(context, name, ref, row)
  return row
}

/** What is said of a record that is not there. */
export function notFound(context: Context, name: ResourceName, ref: Ref, elsewhere?: Rows[ResourceName]): Refusal {
  const { singular } = resourceNamed(name)
  const called = `${singular[0]?.toUpperCase()}${singular.slice(1)}`
  const which = 'id' in ref ? `with ID ${BigInt(ref.id)}` : `with slug "${ref.slug}"`
  const where = elsewhere ? ` in ${context.language}; it is in ${elsewhere.lang_code}` : ''
  const message = `${called} ${which} does not exist${where}.`
  return new Refusal(404, `rest-${singular}-not-found`, message, elsewhere && { lang_code: elsewhere.lang_code })
}
