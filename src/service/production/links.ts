import type { Values } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { findTerm, type TermTable } from '../terms.ts'
import { postIds as createdOrLinked } from '../write/places.ts'
import { writeTerm } from '../write/terms.ts'
import type { PlaceTable, Write } from '../write/write.ts'
import { couldNotCreate } from './places.ts'
import { newPlace } from './prepare.ts'
import { withoutTags } from './text.ts'

/** What a link looks like that passes as a parameter and fails when it is followed: a list of venues, a bare organizer. */
export const unusable = Symbol('unusable')

/** The ids of linked venues or organizers. */
export function postIds(write: Write, of: PlaceTable, given: readonly (number | Values | symbol)[]): number[] {
  const links = given.filter(link => typeof link !== 'symbol')
  if (links.length < given.length) throw couldNotCreate(of)
  return createdOrLinked(
    write,
    of,
    links.map(link => (typeof link === 'number' ? link : newPlace(write.context, of, link))),
  )
}

/** What WordPress says when its code fails; objects as terms make it. */
const criticalError =
  '<p>There has been a critical error on this website.</p><p><a href="https://wordpress.org/documentation/article/faq-troubleshooting/">Learn more about troubleshooting WordPress.</a></p>'

/**
 * The ids of linked categories or tags. Unknown ids are passed over, unknown names become new terms. The id of a tag that was
 * found by name is taken for a name in its turn, which is nobody's as a rule: a tag named `12` appears.
 */
export function termIds(write: Write, of: TermTable, given: readonly (number | string | symbol)[]): number[] {
  const { context } = write
  const terms = given.filter(term => typeof term !== 'symbol')
  if (terms.length < given.length)
    throw new Refusal(500, 'internal_server_error', criticalError, {}, { additional_errors: [] })
  const known = (id: number) => context.store.table(of).get(id)?.lang_code === context.language
  const linked = (name: string): number =>
    (findTerm(context, of, name) ?? writeTerm(write, of, { name: withoutTags(name) })).id
  const ids = terms.flatMap(term => {
    if (typeof term === 'number') return known(term) ? [term] : []
    const found = findTerm(context, of, term)
    return [of === 'tags' && found ? linked(String(found.id)) : linked(term)]
  })
  return [...new Set(ids)]
}
