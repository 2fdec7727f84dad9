import type { Values } from '../client/client.ts'
import type { CalendarName } from '../client/origin.ts'
import type { ResourceName } from '../contract/field.ts'
import type { Answer } from '../contract/resource.ts'
import type { Language } from '../contract/words.ts'
import type { ReadonlyList } from './spool.ts'

/** What a step does. Events, venues and organizers are trashed and restored; categories and tags are deleted for good. */
export const stepActions = ['create', 'update', 'trash', 'delete', 'restore'] as const

export type Action = (typeof stepActions)[number]

/** Stands among a step's values for the ID of the record that another step makes. */
export interface StepReference {
  readonly $ref: string
}

/** One write. */
export interface Step {
  /** What tells it from the others, the same whenever the plan is made: `events 12`, `venues ca teatre-principal`. */
  readonly key: string
  readonly action: Action
  readonly resource: ResourceName
  /** Of the record; a create has none. */
  readonly id?: number
  /** Where it is not the language of the plan. */
  readonly language?: Language
  /** The record as it was; a create has none. */
  readonly before?: Answer
  /** The fields that change, as they are sent; a `Reference` in place of an ID that is not known yet. */
  readonly values: Values
  /** Of `before`. */
  readonly fingerprint?: string
  /** Where it stands in a file: `row 5`. */
  readonly at?: string
  /** Whether other parts of the plan need the record too: it is made once, by the part that it belongs to if that one is at it. */
  readonly shared?: 'here' | 'elsewhere'
}

/** What a file asks for that cannot be done. */
export interface Invalid {
  /** Where it stands: `row 5`. */
  readonly at: string
  readonly message: string
  readonly hint?: string
  readonly resource?: ResourceName
  /** What stood there, by column. */
  readonly source?: Readonly<Record<string, unknown>>
}

/** One of several parts of a plan, from 1. */
export interface Shard {
  readonly part: number
  readonly of: number
}

/** Many writes as one value: can be shown, saved, confirmed, run, resumed and undone. Plain data. */
export interface Plan {
  readonly calctl: 1
  /** Of a plan that was kept in a file: tells the runs that carried it out. */
  readonly id?: string
  /** Where it is only one of several parts. */
  readonly part?: Shard
  /** The calendar that its IDs belong to. */
  readonly calendar: CalendarName
  readonly language?: Language
  /** When, as an ISO date. */
  readonly made: string
  readonly steps: ReadonlyList<Step>
  /** How many records are as they should be already. */
  readonly same: number
  /** How many events are new only because none has their title and dates; not known of a part. */
  readonly anew?: number
  readonly invalid: readonly Invalid[]
  /** How many records there are of what is trashed or deleted from, by resource, where that was read. */
  readonly among?: Readonly<Partial<Record<ResourceName, number>>>
  /** What it cannot do, or what cannot be undone; one sentence each, shown before it is run. */
  readonly notes?: readonly string[]
}

/** What a step comes to: an update that moves a record to the trash takes it away, whoever wrote the plan. */
export const effectOf = ({ action, values }: Pick<Step, 'action' | 'values'>): Action =>
  action === 'update' && values.status === 'trash' ? 'trash' : action

/** Whether a step takes a record away. */
export const isRemoval = (step: Pick<Step, 'action' | 'values'>): boolean =>
  effectOf(step) === 'trash' || effectOf(step) === 'delete'

/** The steps of a resource that a plan has, by what they come to. */
type Tally = Readonly<Partial<Record<ResourceName, Readonly<Record<Action, number>>>>>

const countCache = new WeakMap<ReadonlyList<Step>, Tally>()

/** Counted once: there may be many. */
function countByResource({ steps }: Pick<Plan, 'steps'>): Tally {
  const known = countCache.get(steps)
  if (known) return known
  const tally: Partial<Record<ResourceName, Record<Action, number>>> = {}
  for (const step of steps) {
    const found = tally[step.resource] ?? { create: 0, update: 0, trash: 0, delete: 0, restore: 0 }
    found[effectOf(step)] += 1
    tally[step.resource] = found
  }
  countCache.set(steps, tally)
  return tally
}

/** How many steps of a resource come to this. */
export const countSteps = (plan: Pick<Plan, 'steps'>, resource: ResourceName, action: Action): number =>
  countByResource(plan)[resource]?.[action] ?? 0

/** How many records of a resource are taken away. */
export const countRemovals = (plan: Pick<Plan, 'steps'>, resource: ResourceName): number =>
  countSteps(plan, resource, 'trash') + countSteps(plan, resource, 'delete')

/** How many steps of each action a plan has. */
export function countActions(plan: Pick<Plan, 'steps'>): Record<Action, number> {
  const found = { create: 0, update: 0, trash: 0, delete: 0, restore: 0 }
  for (const tally of Object.values(countByResource(plan)))
    for (const action of stepActions) found[action] += tally[action]
  return found
}

/** What stands before an action where it is shown. */
export const actionSigns: Readonly<Record<Action, string>> = {
  create: '+',
  update: '~',
  trash: '-',
  delete: '-',
  restore: '^',
}

/** `+ create 12  ~ update 31  - trash 2  = same 104  ! invalid 1` */
export function planSummary(plan: Plan): string {
  const found = countActions(plan)
  const done = stepActions
    .filter(action => found[action] > 0 || action === 'create' || action === 'update' || action === 'trash')
    .map(action => `${actionSigns[action]} ${action} ${found[action]}`)
  return [...done, `= same ${plan.same}`, `! invalid ${plan.invalid.length}`].join('  ')
}

/** The keys of the steps whose records a value refers to. */
export function referencedKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencedKeys)
  if (typeof value !== 'object' || value === null) return []
  return isReference(value) ? [value.$ref] : Object.values(value).flatMap(referencedKeys)
}

/** The keys of the steps that must be applied before this one. */
export const dependenciesOf = (step: Step): string[] => [...new Set(referencedKeys(step.values))]

/** The same value with IDs in place of references. */
export function resolveReferences(value: unknown, idOf: (key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map(one => resolveReferences(one, idOf))
  if (typeof value !== 'object' || value === null) return value
  if (isReference(value)) return idOf(value.$ref)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolveReferences(one, idOf)]))
}

const isReference = (value: object): value is StepReference => '$ref' in value && typeof value.$ref === 'string'
