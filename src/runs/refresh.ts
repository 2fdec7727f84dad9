import type { Client, Values } from '../client/client.ts'
import { differences, wasApplied } from '../client/compare.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Answer } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { effectOf, type Plan, resolveReferences, type Step } from '../plan/plan.ts'
import { recordFingerprint, trimRecord, valuesAfterStep } from '../plan/record-state.ts'
import { createSiteReader, type RecordLocation, readCurrentRecords, recordKey } from '../plan/site-reader.ts'
import { batches, createSpool } from '../plan/spool.ts'
import { listOf } from '../text/words.ts'
import { type StepResult, stepLabel } from './result.ts'

/** A plan whose records have just been read again, and the results of steps that follow from that. */
export interface RefreshedPlan {
  readonly plan: Plan
  readonly knownResults: Map<string, StepResult>
}

/** The results of earlier sessions of a plan. */
interface PreviousSession {
  /** The record of a step that is done is not read. */
  isDone(step: Step): boolean
  wasSent(step: Step): boolean
  /** The ID of the record that a step created, if it is known. */
  idOf(key: string): number | undefined
}

const noSession: PreviousSession = { isDone: () => false, wasSent: () => false, idOf: () => undefined }

/**
 * Reads the records of a plan again, by pages. A step whose record has changed since the plan was made is a conflict; a step that
 * was sent before and whose record is as the step wants it is done.
 */
export async function refreshPlan(client: Client, plan: Plan, session = noSession): Promise<RefreshedPlan> {
  const knownResults = new Map<string, StepResult>()
  const steps = createSpool<Step>()
  const reader = createSiteReader(client)
  for (const batch of batches(plan.steps)) {
    const records = await readCurrentRecords(reader, batch.filter(step => !session.isDone(step)).flatMap(locationOf))
    for (const step of batch) {
      const { before, id } = step
      const current = id === undefined ? undefined : records.get(recordKey(step.resource, id))
      const isRead = before !== undefined && id !== undefined && !session.isDone(step)
      const values = resolveReferences(step.values, session.idOf) as Values
      const result = isRead && knownResult(client, { ...step, before, id, values }, current, session.wasSent(step))
      if (result) knownResults.set(step.key, result)
      steps.add(
        isRead && !result && current ? { ...step, before: trimRecord(resourceNamed(step.resource), current) } : step,
      )
    }
  }
  return { plan: { ...plan, steps }, knownResults }
}

/** The result of a step that follows from its current record; undefined if the step must be sent. */
function knownResult(
  client: Client,
  step: Step & Required<Pick<Step, 'before' | 'id'>>,
  current: Answer | undefined,
  wasSent: boolean,
): StepResult | undefined {
  if (wasSent && isApplied(step, current))
    return { state: 'done', id: step.id, ...(current && { after: valuesAfterStep(step, current) }) }
  if (current && isUnchanged(step, current)) return undefined
  return { state: 'failed', failure: changedFailure(client, step, step.before, current) }
}

/** Where the record of a step is expected: in the trash for a restore. */
const locationOf = ({ resource, id, language, action }: Step): RecordLocation[] =>
  id === undefined ? [] : [{ resource, id, language, trashed: action === 'restore' }]

function isUnchanged({ resource, before, fingerprint }: Step, current: Answer): boolean {
  const of = resourceNamed(resource)
  return (fingerprint ?? (before && recordFingerprint(of, before))) === recordFingerprint(of, current)
}

/**
 * Whether a record is already in the state that a step would produce. A step that moves its record is applied if the
 * record is no longer where it was.
 */
function isApplied(step: Step, current: Answer | undefined): boolean {
  const movesRecord = effectOf(step) !== 'update'
  if (!current || movesRecord) return !current && movesRecord
  const { fields } = resourceNamed(step.resource)
  return Object.entries(step.values).every(([name, value]) => {
    const field = fields[name]
    return !field || field.queryOnly || wasApplied(name, field, value, current)
  })
}

function changedFailure({ calendar }: Client, step: Step, before: Answer, current: Answer | undefined): Failure {
  if (!current)
    return new Failure(
      'conflict',
      `${stepLabel(step)} was trashed, restored or deleted at ${calendar.label} since the plan was made`,
      {
        hint: planAgain,
      },
    )
  const changed = differences(resourceNamed(step.resource), before, current)
  return new Failure(
    'conflict',
    `${stepLabel(step)} has changed since the plan was made: ${listOf(Object.keys(changed))}`,
    {
      hint: planAgain,
      drift: changed,
    },
  )
}

const planAgain = 'make a new plan with: calctl diff --save; or run the command again'
