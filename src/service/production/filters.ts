import type { Field } from '../../contract/field.ts'
import type { Filter } from '../../contract/filter.ts'
import { readDate } from '../../time/dates.ts'
import { check as checkDocumented } from '../check.ts'
import type { Scope, Verdict } from '../manner.ts'
import { readPhpDate, siteNow } from './dates.ts'
import { invalidParameter, noTickets } from './refusals.ts'

const invalid: Verdict = { problem: invalidParameter }

/** The parameters of lists that The Events Calendar takes. */
export function acceptsFilter(scope: Scope, field: Field | Filter, value: unknown, name: string): Verdict {
  switch (name) {
    case 'strict_dates':
      return value === '' ? invalid : { value: isTrue(value) }
    case 'ticketed':
      return { problem: noTickets }
    case 'order':
      return { value: String(value).toLowerCase() === 'asc' ? 'asc' : 'desc' }
    case 'orderby':
      return { value: field.choices?.includes(String(value)) ? value : 'name' }
    case 'geoloc':
      return withoutEffect(acceptsOther(scope, field, value, name))
    case 'tags':
      return firstOf(acceptsOther(scope, field, value, name))
    case 'geoloc_lat':
    case 'geoloc_lng':
      return { value: undefined }
    case 'status':
      return acceptsStatus(scope, field, value, name)
    default:
      return field.kind === 'dateTime' ? acceptsDate(scope, value) : acceptsOther(scope, field, value, name)
  }
}

/** Places on a map are for an extension to look for. */
const withoutEffect = (verdict: Verdict): Verdict => ('value' in verdict ? { value: undefined } : verdict)

/** Of several tags only the first is looked for. */
const firstOf = (verdict: Verdict): Verdict =>
  'value' in verdict ? { value: [verdict.value].flat().slice(0, 1) } : verdict

/** What PHP and The Events Calendar take for true. */
export const isTrue = (value: unknown): boolean => /^(1|true|yes|on)$/i.test(String(value))

/** The public asks for what is published only. */
function acceptsStatus(scope: Scope, field: Field, value: unknown, name: string): Verdict {
  const checked = checkDocumented(scope, field, value, name)
  const isAllowed =
    'value' in checked && (scope.caller === 'editor' || [checked.value].flat().every(is => is === 'publish'))
  return isAllowed ? checked : invalid
}

/** Dates with an offset keep it: under `strict_dates` it counts. */
function acceptsDate(scope: Scope, value: unknown): Verdict {
  if (typeof value !== 'string') return invalid
  if (readDate(value)) return { value }
  const wall = readPhpDate(value, siteNow(scope))
  return wall === undefined ? invalid : { value: wall }
}

function acceptsOther(scope: Scope, field: Field, value: unknown, name: string): Verdict {
  const checked = checkDocumented(scope, field, value, name)
  if ('value' in checked) return checked
  return field.kind === 'boolean' && name !== 'has_events' && name !== 'only_with_upcoming'
    ? { problem: `${name} is not of type boolean.` }
    : invalid
}
