import { inEnglish } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field, ResourceName } from '../../contract/field.ts'
import { isFilter } from '../../contract/filter.ts'
import { costText } from '../../contract/kinds/currency.ts'
import { checkValue, expectation } from '../../contract/kinds/kind-values.ts'
import { creationFields, type Resource } from '../../contract/resource.ts'
import { mayEdit } from '../access.ts'
import type { Check, RecordRef, RefusalDialect, RequestContext, Scope, Verdict } from '../dialect.ts'
import { findTerm } from '../lookup.ts'
import { Refusal } from '../refusal.ts'
import { invalidParameters } from '../request/check-parameters.ts'
import type { PostRow, Rows } from '../store/rows.ts'

/** In JSON, texts must be texts; null clears optional fields; linked records must exist. */
export const check: Check = (scope, field, value) => {
  if (value === null && !field.nonEmpty && !isFilter(field)) return { value }
  const isOfKind = field.kind.shape !== 'prose' || typeof value === 'string'
  const checked = isOfKind ? checkValue(field, value) : undefined
  if (!checked?.ok) return wrongValue(field, value)
  const { value: read } = checked
  if (field.kind.shape === 'amount') return { value: costText(read) }
  if (field.kind.isTerms) return checkLinkedTerms(scope, field, read, isFilter(field))
  if (field.kind.shape === 'links') return checkLinkedPlaces(scope, field, read, check)
  const mayBeMissing = isFilter(field) && field.compare === 'include' && field.of === 'events'
  return mayBeMissing ? checked : checkLinkedIds(scope, field, read)
}

const wrongValue = (field: Field, value: unknown): Verdict => {
  const { expected, example } = inEnglish(() => expectation(field))
  const hint = field.choices ? '' : `, such as ${example}`
  return { problem: `Expected ${expected}${hint}; got ${quote(value)}.` }
}

const quote = (value: unknown): string => {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Checks categories or tags: IDs must exist; in filters, names too, since only writes create terms. */
function checkLinkedTerms(scope: Scope, { of }: Field, value: unknown, mustExist: boolean): Verdict {
  const terms = partsOf(value).map(idOrText)
  const isKnown = (term: unknown) =>
    typeof term === 'number' ? isRecord(scope, of, term) : !mustExist || isTermName(scope, of, term)
  const missing = terms.find(term => !isKnown(term))
  if (missing !== undefined) return unknown(of, missing)
  return terms.length === 0 && mustExist ? { problem: 'Expected IDs, slugs or names; got none.' } : { value: terms }
}

/** Checks that IDs exist, if the field names their resource. */
function checkLinkedIds(scope: Scope, { of }: Field, value: unknown): Verdict {
  const missing = of && [value].flat().find(id => !isRecord(scope, of, id))
  return missing === undefined ? { value } : unknown(of, missing)
}

/** Checks linked venues or organizers: IDs, or the fields of new records. An empty link counts as none. */
function checkLinkedPlaces(scope: Scope, { of, multiple }: Field, value: unknown, check: Check): Verdict {
  const links = partsOf(value)
    .map(idOrText)
    .filter(link => !isNothing(link))
  if (multiple === false && links.length > 1)
    return { problem: `Expected one of the ${of} at most; got ${links.length}.` }
  const checked: unknown[] = []
  for (const link of links) {
    const verdict = checkLink(scope, of, link, check)
    if ('problem' in verdict) return verdict
    checked.push(verdict.value)
  }
  return { value: checked }
}

function checkLink(scope: Scope, of: ResourceName | undefined, link: unknown, check: Check): Verdict {
  const record = new Map(typeof link === 'object' && link !== null ? Object.entries(link) : [['id', link]])
  const id = idOrText(record.get('id'))
  if (id !== undefined) return isRecord(scope, of, id) ? { value: id } : unknown(of, id)
  return of ? checkInline(scope, of, record, check) : { problem: 'Expected an ID.' }
}

function checkInline(scope: Scope, of: ResourceName, record: ReadonlyMap<string, unknown>, check: Check): Verdict {
  const resource = resourceNamed(of)
  const missing = resource.required.find(name => !record.has(name))
  if (missing) return { problem: `Expected an ID, or a new ${resource.singular} with its ${missing}.` }
  const checked: [string, unknown][] = []
  for (const [name, field] of creationFields(resource)) {
    if (!record.has(name)) continue
    const verdict = check(scope, field, record.get(name), name)
    if ('problem' in verdict) return { problem: `${name}: ${verdict.problem}` }
    checked.push([name, verdict.value])
  }
  return { value: Object.fromEntries(checked) }
}

/** The parts of a list, or of a comma-separated text, without empty ones. */
const partsOf = (value: unknown): unknown[] =>
  (typeof value === 'string' ? value.split(',') : [value].flat())
    .map(part => (typeof part === 'string' ? part.trim() : part))
    .filter(part => part !== '')

export const idOrText = (part: unknown): unknown =>
  typeof part === 'string' && /^\d+$/.test(part) ? Number(part) : part

const isNothing = (link: unknown): boolean =>
  link === 0 || link === null || (typeof link === 'object' && Object.keys(link).length === 0)

export const isRecord = ({ store, language }: Scope, of: ResourceName | undefined, id: unknown): boolean =>
  of !== undefined && typeof id === 'number' && store.table(of).get(id)?.lang_code === language

const isTermName = (scope: Scope, of: ResourceName | undefined, name: unknown): boolean =>
  (of === 'categories' || of === 'tags') && typeof name === 'string' && findTerm(scope, of, name) !== undefined

const unknown = (of: ResourceName | undefined, what: unknown): Verdict => {
  const { singular, name } = resourceNamed(of ?? 'events')
  const named = typeof what === 'object' ? 'without an ID' : String(what).slice(0, 80)
  return { problem: `Expected ${name} that exist; there is no ${singular} ${named}.` }
}

const wrongCredentials = () => new Refusal(401, 'wrong_credentials', 'The user name or the password is wrong.')

export const refusalDialect: RefusalDialect = {
  invalid: problems => invalidParameters(problems),
  notFound,
  checkRoute: () => ({}),
  wrongCredentials: { name: wrongCredentials, password: wrongCredentials },
  checkMayRead,
}

function notFound(context: RequestContext, name: ResourceName, ref: RecordRef, elsewhere?: Rows[ResourceName]) {
  const { singular } = resourceNamed(name)
  const title = `${singular[0]?.toUpperCase()}${singular.slice(1)}`
  const which = 'id' in ref ? `with ID ${BigInt(ref.id)}` : `with slug "${ref.slug}"`
  const where = elsewhere ? ` in ${context.language}; it is in ${elsewhere.lang_code}` : ''
  const message = `${title} ${which} does not exist${where}.`
  return new Refusal(404, `rest-${singular}-not-found`, message, elsewhere && { lang_code: elsewhere.lang_code })
}

export const notAccessible = (singular: string): Refusal =>
  new Refusal(403, `${singular}-not-accessible`, `The requested ${singular} is not accessible`)

/** Nobody can read the trash; the public can read only what is published, with its password if it has one. */
function checkMayRead(context: RequestContext, { singular }: Resource, row: PostRow): void {
  if (row.status === 'trash')
    throw new Refusal(403, `${singular}-no-longer-available`, `This ${singular} is no longer available`)
  if (mayEdit(context, row)) return
  if (row.status !== 'publish') throw notAccessible(singular)
  if ('post_password' in row && row.post_password !== '' && row.post_password !== context.values.password)
    throw new Refusal(
      403,
      `${singular}-password-protected`,
      `The requested ${singular} is not accessible without a password`,
    )
}
