import { Failure, type FailureKind, missing, refused } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { placeOf } from '../../../client/calendar.ts'
import type { Client, Ref } from '../../../client/client.ts'
import type { ListScope } from '../../../client/find/whole-lists.ts'
import { listAllHint } from '../../../client/http/problems/unavailable.ts'
import type { Resource } from '../../../contract/resource.ts'
import { namedRecord, recordNoun } from '../../../contract/resource-words.ts'
import type { FileRecord, Mistake } from '../../../files/records/file-record.ts'
import { withHint } from '../overview.ts'
import type { Invalid } from '../plan.ts'

/** A record of a file with all that is wrong with it: values that its fields cannot take, and why no step can be made of the others. */
export function invalidRecord(record: FileRecord, failures: readonly Failure[] = []): Invalid {
  const found = [
    ...record.mistakes.map(mistake => ({ message: mistakeText(mistake), hint: hintFor(mistake) })),
    ...failures.map(({ message, details }) => ({ message, hint: details.hint })),
  ]
  const faults = [...new Map(found.map(fault => [fault.message, fault])).values()]
  const { hint } = faults.at(-1) ?? {}
  return {
    at: record.place,
    message: faults.map(fault => (fault.hint === hint ? fault.message : withHint(fault))).join('; '),
    ...(hint !== undefined && { hint }),
    ...(faults.length > 1 && { faults }),
    resource: record.resource,
    ...(record.stopsOnlyItself && { stopsOnlyItself: true }),
  }
}

/**
 * The failure that concerns one record; throws any other error. That a site is down, or shows nothing to this user, says nothing about a
 * record.
 */
export function failureOfRecord(error: unknown): Failure {
  if (error instanceof Failure && recordFailures.has(error.kind) && error.details.code !== 'rest_no_route') return error
  throw error
}

const recordFailures = new Set<FailureKind>(['usage', 'missing', 'refused', 'conflict'])

/** A line with an ID or slug for which no step can be built. */
export const invalidRef = ({ name }: Resource, ref: Ref, place: string, { message, details }: Failure): Invalid => ({
  at: place,
  message,
  ...(details.hint && { hint: details.hint }),
  resource: name,
  ref,
})

const mistakeText = ({ column, expected, value, message }: Mistake): string =>
  message ??
  `${column && `${column}: `}${phrase('expected {expected}, got "{value}"', { expected, value: String(value) })}`

const hintFor = ({ suggestion, example, advice }: Mistake): string | undefined =>
  suggestion
    ? phrase('did you mean {suggestion}?', { suggestion })
    : (advice ?? (example && phrase('for example: {example}', { example })))

/** Why a record cannot be found: requests it once more, because the site itself says that best. */
export async function missingRecord(
  client: Client,
  { resource, ref, language, trashed }: ListScope & { readonly ref: Ref | undefined },
): Promise<Failure> {
  const { name } = resource
  if (ref && (!trashed || resource.keys.includes('slug')))
    try {
      const { id } = await client.get(resource, ref, language ? { lang_code: language } : {})
      if (trashed)
        return refused(
          phrase('{record} is not in the trash of {calendar}', {
            record: namedRecord(name, id),
            calendar: client.calendar.label,
          }),
          phrase('see it with: {command}', { command: `calctl ${name} get ${id}${client.calendar.flags ?? ''}` }),
        )
    } catch (error) {
      return failureOfRecord(error)
    }
  return missing(
    phrase('no such {record} {place}', { record: recordNoun(name), place: placeOf(client.calendar) }),
    listAllHint(resource, client.calendar),
  )
}
