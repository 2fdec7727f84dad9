import type { TextsByLanguage } from '../../../care/translations/change-in-languages.ts'
import type { ValuesToWrite } from '../../../changes/plan/making/from-refs.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import type { Change } from '../../../client/resolve-change.ts'
import type { Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { applyPlan } from './apply-plan.ts'
import type { ChangeOptions } from './change-options.ts'
import type { CriteriaOptions } from './criteria-options.ts'
import type { LinesInLanguages, TranslationOptions } from './language-options.ts'
import { readRef } from './options.ts'
import { buildContext, keepRows, planFiles } from './plan-from-files.ts'
import type { PlanOptions } from './plan-options.ts'
import { areOnStdin, type RefChoice, readRefs, type SelectedRefs, selectRefs } from './refs.ts'

/** The options of verbs that can write many records. */
export interface ManyOptions extends PlanOptions, CriteriaOptions, TranslationOptions {
  readonly bySlug?: true
  readonly from?: string
}

/** The records that stdin or arguments name, or that options select. */
async function refsOf(app: App, { selecting, texts, options }: RefChoice<ManyOptions>): Promise<SelectedRefs> {
  const { resource } = selecting
  if (areOnStdin(texts)) return { lines: await readRefs(app, resource, texts, options.bySlug) }
  if (texts.length === 0) return selectRefs(app, selecting, { ...options })
  return { lines: texts.map(text => ({ ref: readRef(resource, text, options.bySlug) })) }
}

/** Texts for single languages, and whether anything else changes. */
interface TextChanges {
  readonly texts?: TextsByLanguage
  readonly changesNamed?: boolean
  /** Whether the user has already confirmed it. */
  readonly isConfirmed?: boolean
}

/** The records, with the translations that are to be written, too, and notices to print first. */
async function linesOf(
  app: App,
  choice: RefChoice<ManyOptions>,
  { texts: byLanguage = new Map(), changesNamed = true }: TextChanges = {},
): Promise<LinesInLanguages & Pick<SelectedRefs, 'days'>> {
  const { selecting, options } = choice
  const { lines, days } = await refsOf(app, choice)
  const client = await app.client({ toPlan: true })
  const { resource, trashed = false } = selecting
  const { linesInLanguages } = await import('./language-options.ts')
  const found = await linesInLanguages(client, { resource, lines, trashed, texts: byLanguage, changesNamed }, options)
  return { ...found, days }
}

/** Records to write, the days by which they were selected, and whether the user has confirmed the plan. */
interface ChosenLines extends LinesInLanguages, Pick<SelectedRefs, 'days'> {
  readonly isConfirmed?: boolean | undefined
}

/** Applies a plan for these records, with notes about selected events that began before the days, and about translations. */
async function applyTo(
  app: App,
  built: Plan,
  { days, notes, isInLanguages, isConfirmed = false }: ChosenLines,
  options: PlanOptions,
): Promise<void> {
  const plan = isInLanguages ? withNotes(built, notes) : withNotes(built, await leftTranslations(app, built))
  if (!days) return applyPlan(app, plan, options, { isConfirmed })
  const { withEarlierStarts } = await import('../../../changes/plan/making/notes.ts')
  return applyPlan(app, withEarlierStarts(plan, days), options, { isConfirmed })
}

const withNotes = (plan: Plan, notes: readonly string[]): Plan =>
  notes.length > 0 ? { ...plan, notes: [...(plan.notes ?? []), ...notes] } : plan

/** Notes about the translations that a plan leaves as they are. */
async function leftTranslations(app: App, plan: Plan): Promise<string[]> {
  const client = await app.client({ toPlan: true })
  if (client.languages().all.length < 2 || app.globals.quiet) return []
  const { leftByPlan } = await import('./translations.ts')
  return leftByPlan(app, client, plan)
}

/** Applies the same change to each record that stdin names or criteria select. */
export async function changeMany(
  app: App,
  choice: RefChoice<ManyOptions & ChangeOptions>,
  change: Change,
  textChanges?: TextChanges,
): Promise<void> {
  const { selecting, options } = choice
  const records = await linesOf(app, choice, textChanges)
  const { planChange } = await import('../../../changes/plan/making/from-refs.ts')
  const { createMissing } = options
  const changes = records.changeIn ? await records.changeIn(change) : change
  const context = await buildContext(app, options)
  const plan = await planChange(context, { resource: selecting.resource, lines: records.lines }, changes, createMissing)
  await applyTo(app, plan, { ...records, isConfirmed: textChanges?.isConfirmed }, options)
}

/** Gives each record that stdin names or criteria select its own values. */
export async function updateEach(
  app: App,
  choice: RefChoice<ManyOptions>,
  fields: readonly string[],
  valuesOf: ValuesToWrite,
): Promise<void> {
  const { selecting, options } = choice
  const records = await linesOf(app, choice)
  const { planUpdates } = await import('../../../changes/plan/making/from-refs.ts')
  const named = { resource: selecting.resource, lines: records.lines }
  await applyTo(app, await planUpdates(await buildContext(app), named, fields, valuesOf), records, options)
}

/** Trashes or deletes each record that stdin names or criteria select. */
export async function removeMany(app: App, choice: RefChoice<ManyOptions>): Promise<void> {
  const { selecting, options } = choice
  const records = await linesOf(app, choice)
  const { planRemoval } = await import('../../../changes/plan/making/from-refs.ts')
  await applyTo(app, await planRemoval(await buildContext(app), selecting.resource, records.lines), records, options)
}

/** Restores each record that stdin names or criteria select. */
export async function restoreMany(
  app: App,
  choice: RefChoice<ManyOptions & { readonly status?: string }>,
): Promise<void> {
  const { selecting, options } = choice
  const records = await linesOf(app, choice)
  const { planRestoration } = await import('../../../changes/plan/making/from-refs.ts')
  const plan = await planRestoration(await buildContext(app), selecting.resource, records.lines, options.status)
  await applyTo(app, plan, records, options)
}

/** Creates or updates all records of a file. */
export async function writeFrom(
  app: App,
  resource: Resource,
  { file, only }: { readonly file: string; readonly only: 'create' | 'update' },
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
