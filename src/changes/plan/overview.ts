import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { Action, Invalid, Plan, Step } from './plan.ts'
import type { ReadonlyList } from './spool.ts'
import { addReferencedKeys, effectOf } from './steps.ts'

/** What must be known about all steps before the first one is shown. */
export interface StepOverview {
  readonly counts: Partial<Record<ResourceName, Record<Action, number>>>
  readonly languages: Set<Language | undefined>
  /** The keys of the steps to which others refer. */
  readonly referenced: Set<string>
  /** How many new events end on a day. */
  readonly newEvents: Map<string, number>
  /** Whether any of them has its record as it was. */
  haveRecords: boolean
}

export const createOverview = (): StepOverview => ({
  counts: {},
  languages: new Set(),
  referenced: new Set(),
  newEvents: new Map(),
  haveRecords: false,
})

export function addToOverview(overview: StepOverview, step: Step): void {
  const { counts, languages, referenced, newEvents } = overview
  const ofResource = counts[step.resource] ?? { create: 0, update: 0, trash: 0, delete: 0, restore: 0 }
  ofResource[effectOf(step)] += 1
  counts[step.resource] = ofResource
  languages.add(step.lang_code)
  addReferencedKeys(step.values, referenced)
  if (step.before) overview.haveRecords = true
  if (step.action !== 'create' || step.resource !== 'events') return
  const day = String(step.values.end_date ?? step.values.start_date ?? '').slice(0, 10)
  newEvents.set(day, (newEvents.get(day) ?? 0) + 1)
}

/**
 * A plan can have thousands of steps on disk: they are read once for its overview, or not at all if that was known when the plan was built.
 */
const overviews = new WeakMap<ReadonlyList<Step>, StepOverview>()

export function rememberOverview(steps: ReadonlyList<Step>, overview: StepOverview): void {
  overviews.set(steps, overview)
}

export function overviewOf({ steps }: Pick<Plan, 'steps'>): StepOverview {
  const known = overviews.get(steps)
  if (known) return known
  const overview = createOverview()
  for (const step of steps) addToOverview(overview, step)
  overviews.set(steps, overview)
  return overview
}

/** The number of steps of a resource with this effect. */
export const countSteps = (plan: Pick<Plan, 'steps'>, resource: ResourceName, action: Action): number =>
  overviewOf(plan).counts[resource]?.[action] ?? 0

/** The number of records of a resource that are trashed or deleted. */
export const countRemovals = (plan: Pick<Plan, 'steps'>, resource: ResourceName): number =>
  countSteps(plan, resource, 'trash') + countSteps(plan, resource, 'delete')

/** What is wrong, and what to do about it, in one text. */
export const withHint = ({ message, hint }: Pick<Invalid, 'message' | 'hint'>): string =>
  hint ? `${message} (${hint})` : message

/** The invalid records because of which nothing is applied, unless they are skipped. */
export const blockingRecords = ({ invalid }: Pick<Plan, 'invalid'>): readonly Invalid[] =>
  invalid.filter(({ stopsOnlyItself, isConflict }) => stopsOnlyItself !== true && isConflict !== true)

/** The records that stay as somebody else has changed them. */
export const conflictsIn = ({ invalid }: Pick<Plan, 'invalid'>): readonly Invalid[] =>
  invalid.filter(({ isConflict }) => isConflict === true)

/** The same plan, in which every invalid record keeps the plan from being applied. */
export const withBlockingRecords = (plan: Plan): Plan => ({
  ...plan,
  invalid: plan.invalid.map(({ stopsOnlyItself, ...record }) => record),
})
