import { Failure } from '../../../base/failure.ts'
import { isObject } from '../../../base/text/json.ts'
import { hidePassword } from '../../../base/text/secrets.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { isWholeAnswer, type Response } from '../../../contract/exchange.ts'
import type { Resource } from '../../../contract/resource.ts'
import { namedRecord, recordsNoun } from '../../../contract/resource-words.ts'
import { placeOf } from '../../calendar.ts'
import { type ApiError, apiErrorIn, plainSentence } from '../api-error.ts'
import { addressOf } from '../request.ts'
import { type Explanation, parseBody, type RequestInfo } from '../response.ts'
import { answeredError, answeredOther, answerProblem, contentOf, findTheApi, tryAgain } from './answer-problems.ts'
import { credentialsHint, explainUnavailable, keyText, listAllHint } from './unavailable.ts'

/** The failure for an unexpected answer; its error code counts for more than its status. */
export function responseFailure(info: RequestInfo, response: Response, expected: string): Failure {
  const { status } = response
  const { method } = info.request
  const apiError = apiErrorIn(response)
  const problem = answerProblem(response, info.calendar, info.request)
  const isOpen = method !== 'GET' && status < 300 && apiError === undefined && !problem?.isInFront
  const explanation: Explanation = problem ?? explain(info, response, apiError, expected)
  const { kind, message, hint, language } = isOpen ? openWrite(explanation) : explanation
  return new Failure(kind, message, {
    hint,
    problem: problem?.code,
    passes: problem?.passes,
    status,
    code: apiError?.code,
    method,
    url: urlOf(info),
    ...(language && { language }),
    ...(method !== 'GET' && !problem?.isInFront && doneAfter(response, apiError)),
  })
}

/** The failure for an answer with another record than was asked for, which comes from a faulty proxy or cache. */
export function otherRecordFailure(
  info: RequestInfo & { resource: Resource },
  name: unknown,
  expected: string,
): Failure {
  const { calendar, request, resource } = info
  return new Failure(
    'unreachable',
    phrase('{calendar} answered with {record} instead of {expected}', {
      calendar: calendar.label,
      record: namedRecord(resource.name, String(name)),
      expected,
    }),
    {
      hint: phrase(
        'try again; if it happens again, a cache, a proxy or a translation plugin of the site mixes up records',
      ),
      method: request.method,
      url: urlOf(info),
      ...(request.method !== 'GET' && { done: 'late' }),
    },
  )
}

function explain(info: RequestInfo, response: Response, apiError: ApiError | undefined, expected: string): Explanation {
  if (apiError) return explainApiError(info, response, apiError)
  if (response.status >= 300) return explainOtherServer(info, response)
  return isWholeAnswer(response) ? explainOtherContent(info, response, expected) : explainPartial(info, response)
}

const explainPartial = ({ calendar: { label } }: RequestInfo, { status }: Response): Explanation => ({
  kind: 'unreachable',
  message: phrase('{calendar} answered {status} instead of 200', { calendar: label, status }),
  hint: phrase('try again later; if it happens again, ask whoever runs the site, or the proxy in front of it'),
})

/**
 * Whether a write may have been carried out although its answer is not a success: a gateway answered, the site failed without an error of
 * the API, or the answer to an accepted write cannot be read.
 */
function doneAfter(response: Response, apiError: ApiError | undefined): { done?: 'unknown' | 'late' } {
  const { status } = response
  if (status < 300) return apiError ? {} : { done: 'late' }
  if (status === 502) return { done: 'unknown' }
  if (apiError?.code === criticalError) return { done: 'late' }
  const isAnswer = status < 500 || (status !== 504 && apiError !== undefined) || hasRetryAfter(response)
  return isAnswer ? {} : { done: 'late' }
}

const hasRetryAfter = ({ status, headers }: Response) => status === 503 && headers['retry-after'] !== undefined

/** WordPress's error code for a crash, which can happen after the record was written. */
const criticalError = 'internal_server_error'

/** Error codes for invalid values that production sends with status 500. */
const refusedWith500 = new Set(['empty_content', 'empty_term_name', 'duplicate_term_slug'])

function explainApiError(info: RequestInfo, response: Response, error: ApiError): Explanation {
  const { calendar } = info
  const { status } = response
  if (isTransient(status) && !refusedWith500.has(error.code))
    return {
      kind: 'unreachable',
      message: answeredError(calendar.label, response, error),
      hint: needsAPerson(response, error) ? phrase('fix that first, then run the command again') : tryAgain(response),
    }
  if (status === 401) return response.withCredentials ? denied(info, error.message) : anonymous(info, error.message)
  const unavailable = explainUnavailable(info, status, error)
  if (unavailable) return unavailable
  if (status === 403 && info.request.method === 'GET') return denied(info, error.message)
  const unknown = unknownLink(info, error)
  if (unknown) return unknown
  return {
    kind: 'refused',
    message: calendar.baseUrl
      ? phrase('refused by {calendar}: {reason}', { calendar: calendar.label, reason: reasonOf(error) })
      : phrase('refused: {reason}', { reason: reasonOf(error) }),
    hint: hintFor(info, error),
  }
}

/** The failure for a filter that names records which do not exist: sites only say that the parameter is invalid. */
function unknownLink({ resource, request, calendar }: RequestInfo, { code, data }: ApiError): Explanation | undefined {
  if (code !== 'rest_invalid_param' || request.method !== 'GET' || !resource || !isObject(data.params)) return undefined
  const [name = '', ...others] = Object.keys(data.params)
  const linked = resource.fields[name]?.of
  const keys = [...new URLSearchParams(request.query)].flatMap(([key, value]) =>
    key.replace(/\[\d*\]$/, '') === name ? value.split(',') : [],
  )
  if (!linked || others.length > 0 || keys.length === 0) return undefined
  const place = placeOf(calendar)
  return {
    kind: 'missing',
    message:
      keys.length === 1
        ? phrase('no {record} {place}', { record: namedRecord(linked, keyText(keys[0] ?? '')), place })
        : phrase('not all of these {records} exist {place}: {ids}', {
            records: recordsNoun(linked),
            place,
            ids: keys.join(', '),
          }),
    hint: listAllHint(resourceNamed(linked), calendar),
  }
}

/** What a status without an error of the API means: a proxy, a firewall or another server has answered. */
function explainOtherServer(info: RequestInfo, response: Response): Explanation {
  const { status } = response
  const message = answeredOther(info.calendar.label, response)
  if (isTransient(status)) return { kind: 'unreachable', message, hint: tryAgain(response) }
  return status === 401 ? denied(info, `${status}`) : { kind: 'settings', message, hint: findTheApi() }
}

function explainOtherContent({ calendar, request }: RequestInfo, response: Response, expected: string): Explanation {
  const content = parseBody(response) === undefined ? contentOf(response) : phrase('other JSON')
  const message =
    request.method === 'GET'
      ? phrase('expected {expected} from {calendar}, got {content}', { expected, calendar: calendar.label, content })
      : phrase('{calendar} answered {status} with {content} instead of {expected}', {
          calendar: calendar.label,
          status: response.status,
          content,
          expected,
        })
  return { kind: 'settings', message, hint: findTheApi() }
}

/** The failure of a write that was accepted, but whose answer has no record. */
const openWrite = (explanation: Explanation): Explanation => ({
  ...explanation,
  kind: 'unreachable',
  hint: phrase('check whether it succeeded before you try again'),
})

const isTransient = (status: number): boolean => status >= 500 || status === 408 || status === 429

/** Whether calctl's own service says in its answer that somebody has to do something first, so that waiting does not help. */
const needsAPerson = ({ status, headers }: Response, { code }: ApiError): boolean =>
  (status === 503 || status === 507) && code.startsWith('calctl_') && headers['retry-after'] === undefined

/** The explanation for a write without credentials. */
const anonymous = (info: RequestInfo, message: string): Explanation => ({
  ...denied(info, phrase('{message}; no user name and password were given', { message: plainSentence(message) })),
  hint: phrase('store them with: {command}; or set CALCTL_USER and CALCTL_PASSWORD', {
    command: `calctl login ${info.calendar.baseUrl ?? 'ADDRESS'}`,
  }),
})

const denied = ({ calendar }: RequestInfo, message: string): Explanation => ({
  kind: 'denied',
  message: phrase('access denied by {calendar}: {message}', { calendar: calendar.label, message }),
  hint: credentialsHint(calendar),
})

function reasonOf({ message, data: { params } }: ApiError): string {
  if (Array.isArray(params)) return phrase('missing: {names}', { names: params.join(', ') })
  if (!isObject(params)) return message
  return Object.entries(params)
    .map(([name, text]) => `${name}: ${plainSentence(String(text))}`)
    .join('; ')
}

function hintFor({ resource, request, calendar }: RequestInfo, { code, data }: ApiError): string | undefined {
  if (code === 'term_exists' && data.term_id !== undefined)
    return phrase('it already exists, with the ID {id}: use it, or choose another name', { id: String(data.term_id) })
  if (code === 'rest_forbidden') return credentialsHint(calendar)
  if (code === 'read_only')
    return phrase('check that you may write to the file and its folder, and that it is not served with --read-only')
  if (code !== 'rest_invalid_param' || !resource || !isObject(data.params)) return undefined
  const [linked] = Object.keys(data.params).map(name => resource.fields[name]?.of)
  if (linked) return listAllHint(resourceNamed(linked), calendar)
  const verb = { GET: 'list', POST: 'create' }[request.method] ?? 'update'
  return phrase('see the expected values with: {command}', { command: `calctl ${resource.name} ${verb} --help` })
}

const urlOf = ({ calendar, request }: RequestInfo): string => hidePassword(addressOf(calendar.baseUrl ?? '', request))
