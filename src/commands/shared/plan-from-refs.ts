import type { App } from '../../app.ts'
import type { Change } from '../../client/resolve-change.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Plan } from '../../plan/plan.ts'
import { applyPlan, type PlanOptions } from './apply-plan.ts'
import type { ChangeOptions } from './change-options.ts'
import type { CriteriaOptions } from './criteria-options.ts'
import { buildContext, keepRows, planFiles } from './plan-from-files.ts'
import { areOnStdin, readRefs } from './refs.ts'
import { type SelectedRefs, type Selecting, selectRefs } from './selected-refs.ts'

/** The options of the verbs that can write many records. */
export interface ManyOptions extends PlanOptions, CriteriaOptions {
  readonly bySlug?: true
  readonly from?: string
}

/** The records that are named on stdin, or that the options select. */
const refsOf = async (
  app: App,
  selecting: Selecting,
  texts: readonly string[],
  options: ManyOptions,
): Promise<SelectedRefs> =>
  areOnStdin(texts)
    ? { lines: await readRefs(app, selecting.resource, texts, options.bySlug) }
    : selectRefs(app, selecting, { ...options })

/** Applies a plan for these records, with a note of what days select besides the events that begin on them. */
async function applyTo(app: App, plan: Plan, { days }: SelectedRefs, options: PlanOptions): Promise<void> {
  if (!days) return applyPlan(app, plan, options)
  const { withEarlierStarts } = await import('../../plan/build/earlier-starts.ts')
  return applyPlan(app, withEarlierStarts(plan, days), options)
}

/** Applies the same change to each record that is named on stdin or selected. */
export async function changeMany(
  app: App,
  selecting: Selecting,
  texts: readonly string[],
  change: Change,
  options: ManyOptions & ChangeOptions,
): Promise<void> {
  const refs = await refsOf(app, selecting, texts, options)
  const { planChange } = await import('../../plan/build/from-refs.ts')
  const context = await buildContext(app, options)
  const plan = await planChange(context, selecting.resource, refs.lines, change, options.createMissing)
  await applyTo(app, plan, refs, options)
}

/** Trashes or deletes each record that is named on stdin or selected. */
export async function removeMany(
  app: App,
  selecting: Selecting,
  texts: readonly string[],
  options: ManyOptions,
): Promise<void> {
  const refs = await refsOf(app, selecting, texts, options)
  const { planRemoval } = await import('../../plan/build/from-refs.ts')
  await applyTo(app, await planRemoval(await buildContext(app), selecting.resource, refs.lines), refs, options)
}

/** Restores each record that is named on stdin or selected. */
export async function restoreMany(
  app: App,
  selecting: Selecting,
  texts: readonly string[],
  options: ManyOptions & { readonly status?: string },
): Promise<void> {
  const refs = await refsOf(app, selecting, texts, options)
  const { planRestoration } = await import('../../plan/build/from-refs.ts')
  const plan = await planRestoration(await buildContext(app), selecting.resource, refs.lines, options.status)
  await applyTo(app, plan, refs, options)
}

/** Creates or updates all records of a file. */
export async function writeFrom(
  app: App,
  resource: Resource,
  file: string,
  only: 'create' | 'update',
  options: ManyOptions & ChangeOptions,
): Promise<void> {
  const { createMissing, allowSimilar } = options
  const read = {
    resource: resource.name,
    only,
    ...(createMissing && { createMissing }),
    ...(allowSimilar && { allowSimilar }),
  }
  const kept = await keepRows(options)
  await applyPlan(app, await planFiles(app, [file], { ...read, ...kept }), { ...options, ...kept })
}
