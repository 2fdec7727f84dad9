/**
 * Requests of the events API, and what their answers say: a record, a page of a list, or the failure of anything else. Input: a request
 * and the resource that it is about. Output: the answer, once it is certain that it answers this request.
 */

import { Failure } from '../base/failure.ts'
import { isObject } from '../base/text/json.ts'
import { phrase } from '../base/words/phrase.ts'
import type { Request, Response } from '../contract/exchange.ts'
import { isLanguage, type Language } from '../contract/languages.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { namedRecord, recordCount, recordList, theRecord } from '../contract/resource-words.ts'
import { slugOf } from '../contract/slug.ts'
import type { ConnectionToClient, Page, Values } from './client.ts'
import { isReferredTo, isSimilar } from './find/slugs.ts'
import { foundNothing, hasItsRows, withoutSearch, wrongTotals } from './find/whole-lists.ts'
import { pathOf, queryRequest } from './http/request.ts'
import { isPastLastPage, pageIn, parseBody, type RequestInfo, recordIn, withOwnStatus } from './http/response.ts'

/** A calendar, and what its answers have said so far. */
export interface Session
  extends Pick<ConnectionToClient, 'transport' | 'calendar' | 'namespace' | 'language' | 'access'> {
  /** The languages that the calendar has records in; empty as long as nothing speaks of several. */
  languages: readonly Language[]
  /** Whether the service said that an update leaves alone what it does not name. */
  takesPartialUpdates: boolean
  /** Venues, organizers and terms are linked to by their IDs, and people know them by their names: by resource and ID. */
  readonly names: Map<string, string>
  /** Whether the site lets nobody read as an editor. */
  refusesToEdit: boolean
}

/** A read that was answered with another record, or with a list that contradicts itself, is sent again so often. */
const attempts = 3

const emptyPage: Page = { records: [], total: 0, pages: 0 }

/** What failures mean is loaded with the first of them. */
const failures = () => import('./http/problems/response-failure.ts')

/** The parts of an answer that are read. */
interface Reading<T> {
  /** Completes "expected …". */
  readonly expected: string
  valueIn(value: unknown, response: Response): T | undefined
  /** The value of an answer that is not a success, if it has one. */
  fallback?(response: Response): T | undefined
}

async function read<T>(session: Session, info: Omit<RequestInfo, 'calendar'>, reading: Reading<T>): Promise<T> {
  const response = await session.transport(info.request)
  session.languages = languagesIn(response) ?? session.languages
  session.takesPartialUpdates ||= response.headers['x-calendar-updates'] === 'partial'
  const isSuccess = response.status >= 200 && response.status < 300
  const value = isSuccess ? reading.valueIn(parseBody(response), response) : undefined
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

/** The record that a request is for; `newSlug` is the slug that it gets by this request. */
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

const recordReading = (resource: Resource): Reading<Answer> => ({
  expected: theRecord(resource.name),
  valueIn: value => recordIn(resource, value),
})

/** The new record that a create is answered with. */
export async function createdAt(session: Session, request: Request, resource: Resource, sent: Values): Promise<Answer> {
  const created = await read(session, { request, resource }, recordReading(resource))
  if (created[resource.title] === '' || isSimilar(resource, sent, withNameOfSlug(resource, sent, created)))
    return withKnownName(session, resource, created)
  const { otherRecordFailure } = await failures()
  const info = { request, resource, calendar: session.calendar }
  const { kind, message, details } = otherRecordFailure(info, created.id, phrase('the one that was created'))
  throw new Failure(kind, message, { ...details, answeredId: created.id })
}

/**
 * A new record with the name that it was sent with if its slug was made of that: a site may show another name, such as the part of it
 * that is in one of several languages.
 */
const withNameOfSlug = ({ title }: Resource, sent: Values, created: Answer): Answer =>
  created.slug === slugOf(String(sent[title])) ? { ...created, [title]: sent[title] } : created

/** A page of a list, once it has the rows that it counts. */
export async function listAt(session: Session, resource: Resource, filters: Values): Promise<Page> {
  for (let attempt = 1; ; attempt++) {
    const page = await readToEdit(session, resource, filters, values => pageAt(session, resource, values))
    const rows = page.records.length
    if (hasItsRows(rows, page, filters)) return page
    const all = withoutSearch(resource, rows, filters)
    if (all && foundNothing(resource, filters.search, page.total, await listAt(session, resource, all)))
      return emptyPage
    // A record may have come or gone while the site was counting.
    if (attempt === attempts) throw wrongTotals(session.calendar, recordCount(rows, resource.name), page.total)
  }
}

async function pageAt(session: Session, resource: Resource, values: Values): Promise<Page> {
  const request = queryRequest('GET', pathOf(session.namespace, resource), values, session.language)
  const page = await read(
    session,
    { request, resource },
    {
      expected: recordList(resource.name),
      valueIn: (value, { headers }) => pageIn(resource, value, Date.parse(headers.date ?? '')),
      fallback: response => (isPastLastPage(response) ? emptyPage : undefined),
    },
  )
  for (const record of page.records) withKnownName(session, resource, record)
  return page
}

function withKnownName({ names }: Session, resource: Resource, record: Answer): Answer {
  const name = record[resource.title]
  if (resource.name !== 'events' && typeof name === 'string') names.set(`${resource.name} ${record.id}`, name)
  return record
}

/** An object that describes the API, by one of its keys. */
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

/** Reads as an editor does, who sees protected events whole; as everybody else where the site refuses that. */
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

/** Whether records can have a password, behind which only editors see them. */
const isLockable = ({ fields }: Resource): boolean => Object.values(fields).some(({ queryOnly }) => queryOnly)

/** Whether a read may have been refused because it was for editing, and not because of the record. */
const mayRefuseContext = ({ details: { status, code = '' } }: Failure): boolean =>
  code === 'rest_forbidden_context' || (status === 403 && !code.startsWith('event-'))
