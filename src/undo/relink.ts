import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Answer } from '../contract/resource.ts'
import { linkedIds, type Referrers } from '../plan/back-references.ts'
import type { Step, StepReference } from '../plan/plan.ts'
import { recordFingerprint, trimRecord } from '../plan/record-state.ts'
import { readCurrentRecords, recordKey, type SiteReader } from '../plan/site-reader.ts'
import { batches } from '../plan/spool.ts'

/** A term that was deleted, the key of the step that makes it anew, and who lost it. */
export interface Lost {
  readonly step: Pick<Step, 'resource' | 'language'>
  readonly anew: string
  readonly users: Referrers
}

/** What a record gets back: terms by the field they stood in, or a parent. */
interface Gain extends Pick<Step, 'resource' | 'language'> {
  readonly id: number
  readonly anew: Map<string, StepReference[]>
}

/** What records get back, by `recordKey`. */
export type Gains = Map<string, Gain>

/** What those get back who lost a term. */
export function gainsOf(lost: readonly Lost[]): Gains {
  const gains: Gains = new Map()
  for (const { step, anew, users } of lost) {
    const { language } = step
    const add = (resource: 'events' | 'categories', id: number, field: string) => {
      const key = recordKey(resource, id)
      const gain = gains.get(key) ?? { resource, id, ...(language && { language }), anew: new Map() }
      gain.anew.set(field, [...(gain.anew.get(field) ?? []), { $ref: anew }])
      gains.set(key, gain)
    }
    for (const id of users.events ?? []) add('events', id, step.resource)
    for (const id of users.categories ?? []) add('categories', id, 'parent')
  }
  return gains
}

/** The same step, which gives the record back what it lost too, unless that is taken back otherwise already. */
export function withGains(step: Step, gains: Gains, live: ReadonlyMap<string, Answer>): Step {
  const key = step.id === undefined ? undefined : recordKey(step.resource, step.id)
  const gain = key && gains.get(key)
  if (!gain) return step
  gains.delete(key)
  const record = live.get(key)
  return record && step.action === 'update' ? { ...step, values: { ...gained(record, gain), ...step.values } } : step
}

/** The fields of a record with what it gets back. */
const gained = (record: Answer, { anew }: Gain): Values =>
  Object.fromEntries(
    Array.from(anew, ([field, terms]) => [
      field,
      field === 'parent' ? terms[0] : [...linkedIds(record, field), ...terms],
    ]),
  )

/** The steps that give records back what they lost, of which there is no other step. */
export async function* givenBack(reader: SiteReader, gains: Gains): AsyncGenerator<Step> {
  for (const some of batches(gains.values())) {
    const live = await readCurrentRecords(reader, some)
    for (const gain of some) {
      const { resource, id, language } = gain
      const key = recordKey(resource, id)
      const record = live.get(key)
      if (!record) continue
      const of = resourceNamed(resource)
      yield {
        key: `undo ${key}`,
        action: 'update',
        resource,
        id,
        ...(language && { language }),
        before: trimRecord(of, record),
        fingerprint: recordFingerprint(of, record),
        values: gained(record, gain),
      }
    }
  }
}
