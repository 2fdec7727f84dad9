import type { ResourceName } from '../contract/field.ts'
import type { Language } from '../contract/languages.ts'
import { numberedSlug, slugOf } from '../contract/slug.ts'
import type { RequestContext } from './request-context.ts'
import type { Rows } from './store/rows.ts'
import type { Store } from './store/store.ts'

/** The slug, or one of `slug-2`, `slug-3`, … that no other record of its resource and language has. */
export const freeSlug = (store: Store, name: ResourceName, language: Language, slug: string, own?: number): string =>
  numberedSlug(slug, wanted => {
    const other = store.bySlug(name, language, wanted)
    return other !== undefined && other.id !== own
  })

/** The slug of a record that is about to be written: its own, else one made of its title, else its id. */
export const slugFor = (
  { store }: RequestContext,
  of: ResourceName,
  { id, lang_code, slug }: Rows[ResourceName],
  title: string,
) => freeSlug(store, of, lang_code, slug || slugOf(title) || String(id), id)

/** The slug after a write: unchanged if none was sent; an empty one is made again from the title. */
export const slugToStore = (sent: string | null | undefined, before = ''): string =>
  sent === undefined ? before : slugOf(sent ?? '')
