import { Failure, type FailureKind } from '../../../base/failure.ts'
import { lookupTable } from '../../../base/memoize.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import { isObject } from '../../../base/text/json.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { isLanguage } from '../../../contract/languages.ts'
import type { Resource } from '../../../contract/resource.ts'
import { aRecord, languageName, namedRecord, recordsNoun } from '../../../contract/resource-words.ts'
import { isSlug } from '../../../contract/slug.ts'
import { placeOf } from '../../calendar.ts'
import type { Calendar, Ref } from '../../client.ts'
import type { ApiError } from '../api-error.ts'
import type { Explanation, RequestInfo } from '../response.ts'

/** A request about one record. */
type RecordRequest = RequestInfo & { readonly resource: Resource; readonly ref: Ref }

/** Whether an error code says that a record is in the trash. */
export const isTrashCode = (code: string | undefined): boolean => /-(is-in-trash|no-longer-available)$/.test(code ?? '')

/** Whether an error code says that a record needs its password. */
export const isPasswordCode = (code = ''): boolean => code.endsWith('-password-protected')

/** Explains that a record does not exist, is in the trash, or is not visible, however a service reports it. */
export function explainUnavailable(info: RequestInfo, status: number, error: ApiError): Explanation | undefined {
  const { code, message } = error
  if (!isRecordRequest(info))
    return status === 404
      ? {
          kind: 'missing',
          message: phrase('not found {place}: {message}', { place: placeOf(info.calendar), message }),
        }
      : undefined
  return unusable(info, status, code) ?? (isMissing(info, status, error) ? missing(info, error) : undefined)
}

/** Explains why a record that exists cannot be used. */
function unusable(info: RecordRequest, status: number, code: string): Explanation | undefined {
  const { calendar, resource } = info
  const [record, place] = [nameOf(info), placeOf(calendar)]
  if (isTrashCode(code)) {
    const command = `calctl ${resource.name} restore ${keyOf(info)}${calendar.flags ?? ''}`
    return {
      kind: status === 410 ? 'missing' : 'refused',
      message: inTrashText(record, calendar),
      hint: phrase('restore it with: {command}', { command }),
    }
  }
  if (code.endsWith('-not-accessible'))
    return {
      kind: 'refused',
      message: phrase('you are not allowed to see {record} {place}: it is a draft, private, or in the trash', {
        record,
        place,
      }),
      hint: credentialsHint(calendar),
    }
  if (isPasswordCode(code))
    return {
      kind: 'refused',
      message: phrase('{record} {place} needs its password', { record, place }),
      hint: phrase('if you know it, add: --password …'),
    }
  if (!/^rest-invalid-\w+-id$/.test(code)) return undefined
  return {
    kind: 'missing',
    message: phrase('ID {id} is not {record} {place}', { id: keyOf(info), record: aRecord(resource.name), place }),
    hint: listAllHint(resource, calendar),
  }
}

const isRecordRequest = (info: RequestInfo): info is RecordRequest =>
  info.resource !== undefined && info.ref !== undefined

/** The options that make a list show everything, if it shows less by default. */
const showEverything: Readonly<Record<string, string>> = lookupTable({
  events: ' --all-dates',
  categories: ' --no-hide-empty',
  tags: ' --no-hide-empty',
})

/** The command that lists every record of a resource. */
export const listAllCommand = ({ name }: Resource, { flags = '' }: Calendar): string =>
  `calctl ${name} list${showEverything[name] ?? ''}${flags}`

/** The hint for a record that does not exist. */
export const listAllHint = (resource: Resource, calendar: Calendar): string =>
  phrase('list {records} with: {command}', {
    records: recordsNoun(resource.name),
    command: listAllCommand(resource, calendar),
  })

/** The hint for a request that was denied. */
export const credentialsHint = ({ flags = '' }: Calendar): string =>
  phrase('see which credentials are used with: {command}', { command: `calctl profiles show${flags}` })

/** Whether a record does not exist: services answer with a code, with a status, or with 400 and the parameter that named the record. */
function isMissing({ ref }: RecordRequest, status: number, { code, data }: ApiError): boolean {
  if (code.endsWith('-not-found') || status === 404 || status === 410) return true
  if (code !== 'rest_invalid_param' || !isObject(data.params)) return false
  const names = Object.keys(data.params)
  return names.length === 1 && names[0] === ('id' in ref ? 'id' : 'slug')
}

function missing(info: RecordRequest, error: ApiError): Explanation {
  const { calendar } = info
  const language = error.data.lang_code
  if (isLanguage(language))
    return {
      kind: 'missing',
      message: phrase('no {record} {place} in this language; it is in {language}', {
        record: nameOf(info),
        place: placeOf(calendar),
        language: languageName(language),
      }),
      hint: phrase('add: {options}', { options: `--lang ${language}` }),
      language,
    }
  return {
    kind: 'missing',
    message: phrase('no {record} {place}', { record: nameOf(info), place: placeOf(calendar) }),
    hint: missingHint(info),
  }
}

/** The next step for a record that does not exist. People type titles in place of slugs, and the trash changes slugs. */
function missingHint({ resource, ref, calendar }: RecordRequest): string {
  const { flags = '' } = calendar
  if ('slug' in ref && !isSlug(ref.slug))
    return phrase('expected an ID or a slug; find it with: {command}', {
      command: `${listAllCommand(resource, calendar)} --search ${shellWord(ref.slug)}`,
    })
  const hint = listAllHint(resource, calendar)
  if (!('slug' in ref) || !resource.trashable) return hint
  const trash = phrase('in the trash: {command}', { command: `calctl ${resource.name} list --status trash${flags}` })
  // A site does not list hidden events, and drafts have no slugs.
  const canMiss = calendar.baseUrl !== undefined && 'hide_from_listings' in resource.fields
  return [hint, trash, ...(canMiss ? [phrase('drafts and hidden events may be found by their ID only')] : [])].join(
    '; ',
  )
}

/** The sentence that a record, such as `event 12`, is in the trash. */
export const inTrashText = (record: string, { label }: Calendar): string =>
  phrase('{record} is in the trash of {calendar}', { record, calendar: label })

/** An ID or slug as it is; a name in quotation marks. */
export const keyText = (key: string): string => (/\s/.test(key) ? JSON.stringify(key) : key)

const keyOf = ({ ref }: RecordRequest): string => String('id' in ref ? ref.id : ref.slug)

const nameOf = (info: RecordRequest): string => namedRecord(info.resource.name, keyText(keyOf(info)))

/**
 * Problems between calctl and a site: only this folder knows the signatures of hosts, firewalls, security plugins and failing servers.
 * Input: an error of a connection (`connection-problems.ts`) or an answer (`answer-problems.ts`). Output: a `Problem`, whose sentences
 * failures of commands and `doctor` share. None of it is loaded before something fails.
 */

/** What an answer can show to be in the way, and the kind of failure that it is. */
const kinds = {
  'only-https': 'settings',
  'redirect-loop': 'settings',
  'not-the-api': 'settings',
  'login-page': 'settings',
  challenge: 'unreachable',
  blocked: 'denied',
  'front-password': 'denied',
  'closed-api': 'denied',
  'no-namespace': 'missing',
  'user-not-seen': 'denied',
  'wrong-password': 'denied',
  'passwords-off': 'denied',
  'no-right': 'refused',
  maintenance: 'unreachable',
  unavailable: 'unreachable',
  'too-many-requests': 'unreachable',
  'fatal-error': 'unreachable',
  'empty-answer': 'settings',
} as const satisfies Readonly<Record<string, FailureKind>>

type AnswerCode = keyof typeof kinds

/** For programs. */
export type ProblemCode =
  | AnswerCode
  | 'unknown-host'
  | 'connection-refused'
  | 'connection-lost'
  | 'no-network-route'
  | 'timeout'
  | 'certificate-name'
  | 'certificate-expired'
  | 'certificate-issuer'
  | 'tls'
  | 'no-https'
  | 'redirected'
  | 'php-messages'
  | 'clock'

/** What is in the way, what to do about it, and whether waiting helps. */
export interface Problem {
  readonly code: ProblemCode
  readonly kind: FailureKind
  /** A sentence that says what is wrong. */
  readonly message: string
  /** What to do, or whom to ask for what. */
  readonly hint: string
  /** Whether it may go away by itself, so that a run waits for that; false if trying again is certain not to help. */
  readonly passes?: boolean
  /** Whether something in front of the site answered, so that the request never reached the site. */
  readonly isInFront?: boolean
}

/** A problem that an answer shows. */
export const answerShows = (
  code: AnswerCode,
  message: string,
  hint: string,
  more?: Pick<Problem, 'passes' | 'isInFront'>,
): Problem => ({ code, kind: kinds[code], message, hint, ...more })

/** A problem as the failure of a command. */
export const problemFailure = ({ code, kind, message, hint, passes }: Problem): Failure =>
  new Failure(kind, message, { hint, problem: code, ...(passes !== undefined && { passes }) })
