import { Refusal } from '../refusal.ts'
import { isUnpublished } from '../render/manner.ts'
import { slugFor } from '../slug.ts'
import { checkTermName } from '../write/terms.ts'
import type { WritingManner } from '../write/write.ts'
import { schedule } from './dates.ts'
import { postIds, termIds } from './links.ts'
import { twin } from './places.ts'
import { prepare } from './prepare.ts'

/** How The Events Calendar writes. */
export const productionWriting: WritingManner = {
  prepare,
  schedule,
  twin,
  termIds,
  postIds,

  /** It stays where it is. */
  ownAncestor: before => before,

  /** A term may be renamed to another's name; whose name is taken is told three times. */
  checkTermName(context, of, term, old) {
    if (old) return
    try {
      checkTermName(context, of, term)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const id = error.data?.term_id
      throw new Refusal(error.status, error.code, error.message, error.data, { additional_data: [id, id] })
    }
  },

  /** Events that are not published yet have no slug, unless they were given one. */
  slugFor: (context, of, row, title) =>
    'title' in row && row.slug === '' && isUnpublished(row.status) ? '' : slugFor(context, of, row, title),

  /** What was made on the way to a venue or organizer that could not be made stays behind. */
  async commit(store, work) {
    const outcome = await store.write(writing => {
      try {
        return { result: work(writing) }
      } catch (error) {
        if (error instanceof Refusal && error.code.startsWith('could-not-create-')) return { error }
        throw error
      }
    })
    if ('error' in outcome) throw outcome.error
    return outcome.result
  },
}
