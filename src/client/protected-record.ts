import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { type Calendar, placeOf } from './calendar.ts'
import { credentialsHint } from './http/problems/unavailable.ts'

/**
 * Whether an answer shows nothing of a record but its title and dates, because the record has a password: The Events Calendar
 * answers its flags with null then, its texts with nothing, and its links with empty lists.
 */
export const isBlanked = ({ fields }: Resource, record: Answer): boolean =>
  Object.values(fields).some(({ queryOnly }) => queryOnly) && record.all_day === null && record.featured === null

/** The failure of a write to a record of which the site shows only its title and dates. */
export const blankedFailure = ({ singular }: Resource, { id }: Answer, calendar: Calendar): Failure =>
  new Failure('refused', `${singular} ${id} is password-protected, and its fields are not shown ${placeOf(calendar)}`, {
    hint: `use the credentials of an editor, or update it alone with: --password …; ${credentialsHint(calendar)}`,
  })
