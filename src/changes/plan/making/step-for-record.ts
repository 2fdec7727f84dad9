import { usage } from '../../../base/failure.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { ChangeContext } from '../../../client/change.ts'
import type { Values } from '../../../client/client.ts'
import { resolveChange, resolveCreation } from '../../../client/resolve-change.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { type Answer, missingFields, type Resource } from '../../../contract/resource.ts'
import { recordNoun } from '../../../contract/resource-words.ts'
import { changedValues } from '../../../contract/three-way-merge.ts'
import type { FileRecord } from '../../../files/records/file-record.ts'
import type { CreateStep, Step } from '../plan.ts'
import type { MatchedRecord } from './matched-records.ts'
import { headOfStep, removalStep, restoreStep, type StepTarget, updateStep } from './step.ts'

/** The step that makes a record equal to the one in a file; undefined if they are equal already. */
export async function stepForRecord(matched: MatchedRecord, context: ChangeContext): Promise<Step | undefined> {
  const { record, before } = matched
  const resource = resourceNamed(record.resource)
  const target = { ...matched, resource }
  if (record.action === 'trash') return before && removalStep(target, before)
  if (!before) return createStep(target, matched, context)
  const asked = { values: wantedValues(resource, record, before) }
  const values = changedValues(resource, before, await resolveChange(resource, before, asked, context))
  if (record.action === 'restore') return restoreStep(target, before, values)
  return Object.keys(values).length === 0 ? undefined : updateStep(target, before, values)
}

/** What a record of a file asks of the existing record for which it stands, or of a new one. */
export function wantedValues(resource: Resource, record: FileRecord, before: Answer | undefined): Values {
  if (before) return { ...withoutUnchangedEnds(before, record.values), ...emptyValues(resource, record.cleared) }
  const given = { ...record.values, ...record.valuesIfNew }
  return Object.fromEntries(Object.entries(given).filter(([name]) => !resource.fields[name]?.queryOnly))
}

/**
 * Values without a start and end that the event has already. A wall time that occurs twice when clocks are set back would be refused as
 * ambiguous, which is not necessary if it stays.
 */
function withoutUnchangedEnds(before: Answer, values: Values): Values {
  if (values.timezone !== undefined && values.timezone !== before.timezone) return values
  const isUnchangedEnd = (name: string, value: unknown) =>
    (name === 'start_date' || name === 'end_date') && value === before[name]
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isUnchangedEnd(name, value)))
}

/** How sentences name a required field. */
function neededField(name: string): string {
  if (name === 'title') return phrase('a title')
  if (name === 'start_date') return phrase('a start date')
  return name === 'end_date' ? phrase('an end date') : phrase('a name')
}

/** Refuses a new record without the fields that it needs. */
export function checkRequired(resource: Resource, values: Values, { fieldLabel = name => name }: ChangeContext): void {
  const missing = missingFields(resource, values)
  if (missing.length === 0) return
  const record = recordNoun(resource.name)
  throw usage(
    phrase('a new {record} needs {fields}', { record, fields: listOf(missing.map(neededField)) }),
    phrase('add {fields}, or the id or slug of an existing {record}', {
      fields: listOf(missing.map(fieldLabel)),
      record,
    }),
  )
}

async function createStep(
  target: StepTarget,
  { record, identity }: MatchedRecord,
  context: ChangeContext,
): Promise<CreateStep> {
  const { resource } = target
  checkRequired(resource, { ...record.values, ...record.valuesIfNew }, context)
  return {
    action: 'create',
    ...headOfStep(target),
    ...(identity && { match: identity }),
    ...(record.copyOf && { copyOf: record.copyOf }),
    values: await resolveCreation(resource, wantedValues(resource, record, undefined), context),
  }
}

const emptyValues = ({ fields }: Resource, names: readonly string[]): Values =>
  Object.fromEntries(
    names.flatMap(name => {
      const field = fields[name]
      return field ? [[name, field.kind.empty]] : []
    }),
  )
