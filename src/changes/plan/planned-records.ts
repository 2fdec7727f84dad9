import { isObject } from '../../base/text/json.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Answer } from '../../contract/resource.ts'
import { changesRecord, type KnownName, wordingOf } from './describe.ts'
import type { Plan, Step } from './plan.ts'
import { describeStep } from './step-lines.ts'
import { effectOf, isRemoval } from './steps.ts'

/** What a step of a plan does to a record: the record before and after it, and the difference in a sentence. */
export interface PlannedChange {
  readonly kind: 'new' | 'changed' | 'moved' | 'removed' | 'restored' | 'same'
  readonly resource: ResourceName
  /** Null for a new record. */
  readonly id: number | null
  readonly title: string
  readonly sentence: string
  /** Null for a new record, and for one that was not read. */
  readonly before: Answer | null
  /** Null for a record that is removed. Links are records with a name. */
  readonly after: Readonly<Record<string, unknown>> | null
}

/** The changes of a plan, in the order of its steps. */
export function previewChanges(plan: Plan, known: KnownName): PlannedChange[] {
  const wording = { ...wordingOf(plan, known), isWhole: true }
  const names = new Map<string, string>()
  for (const { key, resource, values } of plan.steps)
    names.set(key, String(values[resourceNamed(resource).title] ?? ''))
  const nameOf = (of: ResourceName, id: unknown) =>
    isObject(id) ? names.get(String(id.$ref)) : known(of, Number(id)) || undefined
  return Array.from(plan.steps, step => {
    const { resource, values } = step
    const before = step.before ? withoutSecrets(resource, step.before) : null
    const after = isRemoval(step) ? null : { ...before, ...withoutSecrets(resource, linkedValues(step, nameOf)) }
    const { title } = resourceNamed(resource)
    return {
      kind: kindOf(step),
      resource,
      id: step.id ?? null,
      title: String(values[title] ?? before?.[title] ?? ''),
      sentence: describeStep(step, wording),
      before,
      after,
    }
  })
}

/** A record without passwords, neither those that a step sets nor those that were read. */
function withoutSecrets<T extends Readonly<Record<string, unknown>>>(resource: ResourceName, record: T): T {
  const { fields } = resourceNamed(resource)
  const isSecret = (name: string) => name === 'raw' || fields[name]?.secret || fields[name]?.queryOnly
  const shown = Object.entries(record).filter(([name]) => !isSecret(name))
  return Object.fromEntries(shown) as T
}

function kindOf(step: Step): PlannedChange['kind'] {
  if (step.action === 'create') return 'new'
  if (isRemoval(step)) return 'removed'
  if (effectOf(step) === 'restore') return 'restored'
  if (!changesRecord(step)) return 'same'
  const { before, values } = step
  const isOther = (name: string) => values[name] !== undefined && values[name] !== before?.[name]
  return ['start_date', 'end_date', 'timezone', 'all_day'].some(isOther) ? 'moved' : 'changed'
}

/** The values of a step, with links embedded as answers have them. */
function linkedValues(
  { resource, values, before }: Step,
  nameOf: (of: ResourceName, id: unknown) => string | undefined,
): Readonly<Record<string, unknown>> {
  const { fields } = resourceNamed(resource)
  const embedded = (of: ResourceName, name: string) => (link: unknown) => {
    const linked = [before?.[name]].flat().find(one => isObject(one) && one.id === link)
    const title = nameOf(of, link) ?? (isObject(link) ? '' : `${link}`)
    return linked ?? { id: isObject(link) ? 0 : link, [resourceNamed(of).title]: title }
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { of } = fields[name] ?? {}
      if (!of) return [name, value]
      return [name, Array.isArray(value) ? value.map(embedded(of, name)) : embedded(of, name)(value)]
    }),
  )
}
