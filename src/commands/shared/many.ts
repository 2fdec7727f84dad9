import type { App } from '../../app.ts'
import type { Values } from '../../client/client.ts'
import type { Change } from '../../client/resolve-change.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Plan } from '../../plan/plan.ts'
import { type CarryOptions, carryOut } from './apply-plan.ts'
import type { ChangeOptions } from './change-options.ts'
import { making, planFiles } from './plan-from-files.ts'
import { readRefs } from './refs.ts'

/** What the verbs take that can be given many records. */
export interface ManyOptions extends CarryOptions {
  readonly bySlug?: true
  readonly from?: string
}

/** The same change to each record that stdin names. */
export async function changeMany(
  app: App,
  resource: Resource,
  texts: readonly string[],
  change: Change,
  options: ManyOptions & ChangeOptions,
): Promise<void> {
  const refs = await readRefs(app, resource, texts, options.bySlug)
  const { planChange } = await import('../../plan/build/from-refs.ts')
  await carryOut(app, await planChange(await making(app), resource, refs, change, options.createMissing), options)
}

/** Takes away each record that stdin names. */
export async function removeMany(
  app: App,
  resource: Resource,
  texts: readonly string[],
  options: ManyOptions,
): Promise<void> {
  const refs = await readRefs(app, resource, texts, options.bySlug)
  const { planRemoval } = await import('../../plan/build/from-refs.ts')
  await carryOut(app, await planRemoval(await making(app), resource, refs), options)
}

/** Brings back each record that stdin names. */
export async function restoreMany(
  app: App,
  resource: Resource,
  texts: readonly string[],
  options: ManyOptions & { readonly status?: string },
): Promise<void> {
  const refs = await readRefs(app, resource, texts, options.bySlug)
  const { planRestoration } = await import('../../plan/build/from-refs.ts')
  await carryOut(app, await planRestoration(await making(app), resource, refs, options.status), options)
}

/** Creates all records of a file, or updates them. */
export async function writeFrom(
  app: App,
  resource: Resource,
  file: string,
  only: 'create' | 'update',
  options: ManyOptions & ChangeOptions,
): Promise<void> {
  const { createMissing } = options
  const read = { resource: resource.name, only, ...(createMissing && { createMissing }) }
  await carryOut(app, await planFiles(app, [file], read), options)
}

/** Creates an event as often as a rule says. */
export async function createSeries(
  app: App,
  values: Values,
  options: ManyOptions &
    ChangeOptions & { readonly repeat: string; readonly repeatUntil?: string; readonly except?: readonly string[] },
): Promise<void> {
  const { planSeries } = await import('../../plan/build/from-rule.ts')
  const { repeat: rule, repeatUntil: until, except, createMissing } = options
  const plan: Plan = await planSeries(await making(app), values, { rule, until, except }, createMissing)
  await carryOut(app, plan, options)
}
