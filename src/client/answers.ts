/**
 * Requests to the events API and what their answers mean: a record, or a failure. Input: a request and its resource. Output: the value of
 * the answer, once it certainly belongs to this request. `list-answers.ts` reads pages of lists, `created-records.ts` new records.
 */

import { Failure } from '../base/failure.ts'
import { isObject } from '../base/text/json.ts'
import { type MatchKey, sameKey } from '../base/text/match-key.ts'
import { resourceNamed } from '../contract/contract.ts'
import { isWholeAnswer, type Request, type Response } from '../contract/exchange.ts'
import { normalizeSlug } from '../contract/kinds/text-kinds.ts'
import { isLanguage, type Language } from '../contract/languages.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { namedRecord, theRecord } from '../contract/resource-words.ts'
import { slugKey } from '../contract/slug.ts'
import type { ConnectionToClient, Ref, Values } from './client.ts'
import { withOwnStatus } from './http/api-error.ts'
import { parseBody, type RequestInfo, recordIn } from './http/response.ts'

/** A calendar, and what its answers have told so far. */
export interface Session
  extends Pick<ConnectionToClient, 'transport' | 'calendar' | 'namespace' | 'language' | 'access'> {
  /** The languages that the calendar has records in; empty as long as no answer has shown more than one. */
  languages: readonly Language[]
  /** Whether the service has said that an update leaves alone what it does not name. */
  takesPartialUpdates: boolean
  /** The names of venues, organizers and terms, which are linked by ID, for messages: by resource and ID. */
  readonly names: Map<string, string>
  /** Whether the site refuses `context=edit` to this user. */
  refusesToEdit: boolean
}

/** How often a read is sent whose answer is another record, or a list that contradicts itself. */
export const attempts = 3

/** The explanations of failures are loaded with the first failure. */
export const failures = () => import('./http/problems/response-failure.ts')

/** How the value of an answer is read. */
interface Reading<T> {
  /** Completes "expected …". */
  readonly expected: string
  valueIn(value: unknown, response: Response): T | undefined
  /** The value of an answer without success, if it has one. */
  fallback?(response: Response): T | undefined
}

/** The value of the answer to a request; throws the failure that the answer means. */
export async function read<T>(session: Session, info: Omit<RequestInfo, 'calendar'>, reading: Reading<T>): Promise<T> {
  const response = await session.transport(info.request)
  session.languages = languagesIn(response) ?? session.languages
  session.takesPartialUpdates ||= response.headers['x-calendar-updates'] === 'partial'
  const value = isWholeAnswer(response) ? reading.valueIn(parseBody(response), response) : undefined
  if (value !== undefined) return value
  const failed = withOwnStatus(response)
  const other = reading.fallback?.(failed)
  if (other !== undefined) return other
  const { responseFailure } = await failures()
  throw responseFailure({ ...info, calendar: session.calendar }, failed, reading.expected)
}

function languagesIn({ headers }: Response): Language[] | undefined {
  const names = headers['x-calendar-languages']?.split(',').map(name => name.trim())
  return names?.filter(isLanguage)
}

/** The record that a request is for; `newSlug` is the slug that this request gives it. */
export async function recordAt(
  session: Session,
  info: Required<Omit<RequestInfo, 'calendar'>>,
  newSlug?: unknown,
): Promise<Answer> {
  const { request, resource, ref } = info
  for (let attempt = 1; ; attempt++) {
    const answer = await read(session, info, recordReading(resource))
    if (isReferredTo(ref, answer) || (newSlug !== undefined && 'slug' in ref))
      return withKnownName(session, resource, answer)
    if (request.method === 'GET' && attempt < attempts) continue
    const { otherRecordFailure } = await failures()
    const key = 'id' in ref ? ref.id : ref.slug
    const answered = 'id' in ref ? answer.id : answer.slug
    throw otherRecordFailure({ ...info, calendar: session.calendar }, answered, namedRecord(resource.name, key))
  }
}

/** Reads a record of a resource. */
export const recordReading = (resource: Resource): Reading<Answer> => ({
  expected: theRecord(resource.name),
  valueIn: value => recordIn(resource, value),
})

/** Remembers the name of a record that others link to, or the names of those that an event embeds. */
export function withKnownName(session: Session, resource: Resource, record: Answer): Answer {
  const name = record[resource.title]
  if (resource.name !== 'events' && typeof name === 'string') session.names.set(`${resource.name} ${record.id}`, name)
  for (const [field, { of }] of resource.name === 'events' ? Object.entries(resource.fields) : [])
    for (const item of of ? [record[field]].flat() : [])
      if (of && isObject(item)) withKnownName(session, resourceNamed(of), item as Answer)
  return record
}

/** A description of the API: an object that has a certain key. */
export const descriptionAt = (session: Session, request: Request, expected: string, ...keys: string[]) =>
  read(
    session,
    { request },
    {
      expected,
      valueIn: value => (isObject(value) && keys.some(key => key in value) ? value : undefined),
    },
  )

/** Whether records of a resource are read as editors see them. */
export const readsAsEditor = async ({ access, refusesToEdit }: Session, resource: Resource): Promise<boolean> =>
  !refusesToEdit && isLockable(resource) && (await access?.hasCredentials()) === true

/** Reads as an editor, who sees protected events whole; without `context=edit` where the site refuses that. */
export async function readToEdit<T>(
  session: Session,
  resource: Resource,
  values: Values,
  send: (values: Values) => Promise<T>,
): Promise<T> {
  if (values.context !== undefined || !(await readsAsEditor(session, resource))) return send(values)
  try {
    return await send({ ...values, context: 'edit' })
  } catch (error) {
    if (!(error instanceof Failure) || !mayRefuseContext(error)) throw error
    const answer = await send(values)
    session.refusesToEdit = true
    return answer
  }
}

/** Whether records of a resource can have a password, behind which only editors can read them. */
const isLockable = ({ fields }: Resource): boolean => Object.values(fields).some(({ queryOnly }) => queryOnly)

/** Whether a read may have been refused because of `context=edit`, and not because of the record. */
const mayRefuseContext = ({ details: { status, code = '' } }: Failure): boolean =>
  code === 'rest_forbidden_context' || (status === 403 && !code.startsWith('event-'))

/** Whether a record is the one that was asked for. */
export function isReferredTo(ref: Ref, record: Answer): boolean {
  if ('id' in ref) return record.id === ref.id
  return sameKey(normalizedKey(String(record.slug ?? ref.slug)), normalizedKey(ref.slug))
}

const normalizedKey = (slug: string): MatchKey | undefined => slugKey(normalizeSlug(slugKey(slug) ?? ''))
