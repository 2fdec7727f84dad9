import { isObject, type Resource } from '../contract/resource.ts'
import { isLanguage } from '../contract/words.ts'
import type { Ref } from './client.ts'
import type { ApiError, Explanation, RequestInfo } from './response.ts'

/** A question about one record. */
type OfRecord = RequestInfo & { readonly resource: Resource; readonly ref: Ref }

/** Whether an error code says that a record is in the trash. */
export const isTrashCode = (code: string | undefined): boolean => /-(is-in-trash|no-longer-available)$/.test(code ?? '')

/** Says of a record that it is not there, in the trash, or not to be seen, in every form in which services say so. */
export function explainUnavailable(asked: RequestInfo, status: number, refused: ApiError): Explanation | undefined {
  const { code, message } = refused
  if (!isOfRecord(asked))
    return status === 404 ? { kind: 'missing', message: `not found at ${asked.calendar.label}: ${message}` } : undefined
  if (isTrashCode(code)) return inTrash(asked, status)
  if (code.endsWith('-not-accessible')) return hidden(asked)
  if (code.endsWith('-password-protected')) return locked(asked)
  if (/^rest-invalid-\w+-id$/.test(code)) return otherKind(asked)
  return isMissing(asked, status, refused) ? missing(asked, refused) : undefined
}

const isOfRecord = (asked: RequestInfo): asked is OfRecord => asked.resource !== undefined && asked.ref !== undefined

/** What makes a list show all there is, where it shows less by itself. */
const everything: Readonly<Record<string, string>> = {
  events: ' --all-dates',
  categories: ' --no-hide-empty',
  tags: ' --no-hide-empty',
}

/** The command that lists all there is of a resource. */
export const listAllCommand = ({ name }: Resource): string => `calctl ${name} list${everything[name] ?? ''}`

/** Services say by code, by status, or by 400 naming what addressed the record. */
function isMissing({ ref }: OfRecord, status: number, { code, data }: ApiError): boolean {
  if (code.endsWith('-not-found') || status === 404 || status === 410) return true
  if (code !== 'rest_invalid_param' || !isObject(data.params)) return false
  const names = Object.keys(data.params)
  return names.length === 1 && names[0] === ('id' in ref ? 'id' : 'slug')
}

function missing(asked: OfRecord, refused: ApiError): Explanation {
  const { resource, calendar } = asked
  const elsewhere = refused.data.lang_code
  if (isLanguage(elsewhere))
    return {
      kind: 'missing',
      message: `no ${nameOf(asked)} at ${calendar.label} in this language; it is in ${elsewhere}`,
      hint: `add: --lang ${elsewhere}`,
      language: elsewhere,
    }
  return {
    kind: 'missing',
    message: `no ${nameOf(asked)} at ${calendar.label}`,
    hint: `list what is there with: ${listAllCommand(resource)}`,
  }
}

const inTrash = (asked: OfRecord, status: number): Explanation => ({
  kind: status === 410 ? 'missing' : 'refused',
  message: `${nameOf(asked)} is in the trash of ${asked.calendar.label}`,
  hint: `bring it back with: calctl ${asked.resource.name} restore ${keyOf(asked)}`,
})

const hidden = (asked: OfRecord): Explanation => ({
  kind: 'refused',
  message: `${nameOf(asked)} at ${asked.calendar.label} is not yours to see: a draft, private, or in the trash`,
  hint: 'see which credentials are used with: calctl profiles show',
})

const locked = (asked: OfRecord): Explanation => ({
  kind: 'refused',
  message: `${nameOf(asked)} at ${asked.calendar.label} needs its password`,
  hint: 'if you know it, add: --password …',
})

const otherKind = (asked: OfRecord): Explanation => ({
  kind: 'missing',
  message: `${keyOf(asked)} is the ID of something else at ${asked.calendar.label}, not of ${article(asked)}`,
  hint: `list what is there with: ${listAllCommand(asked.resource)}`,
})

const article = ({ resource: { singular } }: OfRecord): string =>
  `${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular}`

const keyOf = ({ ref }: OfRecord): string => String('id' in ref ? ref.id : ref.slug)

const nameOf = (asked: OfRecord): string => `${asked.resource.singular} ${keyOf(asked)}`
