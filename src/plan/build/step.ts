import type { Values } from '../../client/client.ts'
import { type ChangeContext, resolveChange, resolveCreation } from '../../client/resolve-change.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { emptyValue } from '../../contract/kinds.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { Language } from '../../contract/words.ts'
import { Failure } from '../../failure.ts'
import type { FileRecord } from '../../files/records/file-record.ts'
import { changedValues, withoutUnchangedEnds } from '../diff.ts'
import type { Step } from '../plan.ts'
import { recordFingerprint } from '../record-state.ts'

/** A record of a file, and the one at the site that it is about. */
export interface MatchedRecord {
  readonly record: FileRecord
  /** Where it is not the language of the plan. */
  readonly language?: Language
  readonly key: string
  readonly before?: Answer
}

/** The step that makes a record as the file has it; undefined where it is so already. */
export async function stepForRecord(located: MatchedRecord, around: ChangeContext): Promise<Step | undefined> {
  const { record, before } = located
  const resource = resourceNamed(record.resource)
  const about = { ...located, resource }
  if (record.action === 'trash') return before && removalStep(about, before)
  if (!before) return createStep(about, record, around)
  const asked = { ...withoutUnchangedEnds(before, record.values), ...emptyValues(resource, record.cleared) }
  const values = changedValues(resource, before, await resolveChange(resource, before, { values: asked }, around))
  if (record.action === 'restore') return restoreStep(about, before, values)
  return Object.keys(values).length === 0 ? undefined : updateStep(about, before, values)
}

/** The record that a step is about. */
export interface StepTarget {
  readonly resource: Resource
  /** Where it is not the language of the plan. */
  readonly language?: Language | undefined
  readonly key: string
  readonly record?: Pick<FileRecord, 'place'>
}

const head = ({ resource, language, key, record }: StepTarget): Pick<Step, 'key' | 'resource' | 'language' | 'at'> => ({
  key,
  resource: resource.name,
  ...(language && { language }),
  ...(record && { at: record.place }),
})

const known = (of: StepTarget, before: Answer) => ({
  ...head(of),
  id: before.id,
  before,
  fingerprint: recordFingerprint(of.resource, before),
})

/** Changes a record. */
export const updateStep = (of: StepTarget, before: Answer, values: Values): Step => ({
  action: 'update',
  ...known(of, before),
  values,
})

/** Takes a record away: to the trash where there is one. */
export const removalStep = (of: StepTarget, before: Answer): Step => ({
  action: of.resource.trashable ? 'trash' : 'delete',
  ...known(of, before),
  values: {},
})

/** Brings a record back from the trash, as a draft unless a status is given. */
export const restoreStep = (of: StepTarget, before: Answer, { status, ...values }: Values): Step => ({
  action: 'restore',
  ...known(of, before),
  values: { ...values, status: status === undefined || status === 'trash' ? 'draft' : status },
})

async function createStep(about: StepTarget, record: FileRecord, around: ChangeContext): Promise<Step> {
  const { resource } = about
  const missing = resource.required.filter(name => record.values[name] === undefined)
  if (missing.length > 0)
    throw new Failure('usage', `a new ${resource.singular} needs ${missing.join(' and ')}`, {
      hint: 'fill it in, or say which record is meant by its id or slug',
    })
  const values = Object.fromEntries(Object.entries(record.values).filter(([name]) => !resource.fields[name]?.queryOnly))
  return { action: 'create', ...head(about), values: await resolveCreation(resource, values, around) }
}

const emptyValues = ({ fields }: Resource, names: readonly string[]): Values =>
  Object.fromEntries(
    names.flatMap(name => {
      const field = fields[name]
      return field ? [[name, emptyValue(field)]] : []
    }),
  )
