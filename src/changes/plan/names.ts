import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { fieldLabel, namedRecord } from '../../contract/resource-words.ts'
import type { Step } from './plan.ts'

/** The names of steps and fields in sentences about changes. */

/** A step in a sentence: `event 12`, `event 91 (es)`, `venue "Sala Gran" (row 5)`. */
export function stepLabel(step: Step): string {
  const { title } = resourceNamed(step.resource)
  const idOrTitle = step.id ?? JSON.stringify(step.values[title] ?? step.key)
  const detail = step.at ?? step.lang_code
  return `${namedRecord(step.resource, idOrTitle)}${detail ? ` (${detail})` : ''}`
}

/** The name of a field in sentences: `start date`, `publication date`. */
export const fieldName = (name: string, resource: ResourceName): string =>
  fieldLabel(fieldNames[name] ?? name.replaceAll('_', ' '), resourceNamed(resource).fields[name])

const fieldNames: Readonly<Record<string, string>> = {
  date: 'publication date',
  date_utc: 'publication date in UTC',
}

/** Fields in a sentence: `title and start date`. */
export const fieldList = (names: readonly string[], resource: ResourceName): string =>
  listOf(names.map(name => fieldName(name, resource)))

/** `description of event 12` */
export const fieldOfRecord = (field: string, resource: ResourceName, key: string | number): string =>
  phrase('{field} of {record}', { field: fieldName(field, resource), record: namedRecord(resource, key) })
