import type { App } from '../../app.ts'
import type { Change } from '../../client/resolve-change.ts'
import type { Resource } from '../../contract/resource.ts'
import { applyPlan, type PlanOptions } from './apply-plan.ts'
import type { ChangeOptions } from './change-options.ts'
import { buildContext, keepRows, planFiles } from './plan-from-files.ts'
import { readRefs } from './refs.ts'

/** The options of the verbs that can write many records. */
export interface ManyOptions extends PlanOptions {
  readonly bySlug?: true
  readonly from?: string
}

/** Applies the same change to each record named on stdin. */
export async function changeMany(
  app: App,
  resource: Resource,
  texts: readonly string[],
  change: Change,
  options: ManyOptions & ChangeOptions,
): Promise<void> {
  const refs = await readRefs(app, resource, texts, options.bySlug)
  const { planChange } = await import('../../plan/build/from-refs.ts')
  await applyPlan(
    app,
    await planChange(await buildContext(app, options), resource, refs, change, options.createMissing),
    options,
  )
}

/** Trashes or deletes each record named on stdin. */
export async function removeMany(
  app: App,
  resource: Resource,
  texts: readonly string[],
  options: ManyOptions,
): Promise<void> {
  const refs = await readRefs(app, resource, texts, options.bySlug)
  const { planRemoval } = await import('../../plan/build/from-refs.ts')
  await applyPlan(app, await planRemoval(await buildContext(app), resource, refs), options)
}

/** Restores each record named on stdin. */
export async function restoreMany(
  app: App,
  resource: Resource,
  texts: readonly string[],
  options: ManyOptions & { readonly status?: string },
): Promise<void> {
  const refs = await readRefs(app, resource, texts, options.bySlug)
  const { planRestoration } = await import('../../plan/build/from-refs.ts')
  await applyPlan(app, await planRestoration(await buildContext(app), resource, refs, options.status), options)
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
