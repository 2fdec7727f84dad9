import { Failure, type FailureKind } from '../../../base/failure.ts'
import type { PlanOptions, Policy } from '../../../changes/carry-out/front.ts'
import type { NamedLines, RefLine } from '../../../changes/plan/making/from-refs.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import type { Change } from '../../../client/change.ts'
import type { Client, Ref, Values } from '../../../client/client.ts'
import { equal } from '../../../contract/kinds/kind-values.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { recordNoun } from '../../../contract/resource-words.ts'
import type { App } from '../../app.ts'
import type { LinesInLanguages, LinesToTranslate } from './all-languages.ts'
import { applyPlan } from './apply-plan.ts'
import { buildContext, type CareOptions } from './build-context.ts'
import type { ChangeOptions } from './change-options.ts'
import type { CriteriaOptions } from './criteria-options.ts'
import type { TranslationOptions } from './language-options.ts'
import { areMany, namedRefs, type RefChoice, readRefs, type SeriesOptions, seriesOption } from './refs.ts'
import { type SelectedRefs, selectRefs } from './select-refs.ts'

/** The options of verbs that can write many records. */
export interface ManyOptions extends PlanOptions, CriteriaOptions, SeriesOptions, TranslationOptions {
  readonly from?: string
}

/** How records that were named one by one are read. */
interface Reading {
  /** What unlocks them. */
  readonly access?: Values
  /** Reads one record, where that is not the usual request. */
  read?(client: Client, ref: Ref): Promise<Answer>
}

/** The records that a command line names or selects, and what else is known about them. */
export interface ChosenLines extends LinesInLanguages, NamedLines, Omit<SelectedRefs, 'lines'> {}

/** The client with which a plan is made; without a terminal, a protected profile is refused before anything is read. */
export const clientFor = (app: App, { dryRun, save }: PlanOptions): Promise<Client> =>
  dryRun || save !== undefined ? app.client({ toPlan: true }) : app.writer({ confirmed: 'later' })

/** Reads the records that arguments or stdin name, or that options select, with the translations that are to be written, too. */
export async function chosenLines(
  app: App,
  choice: RefChoice<ManyOptions>,
  reading: Reading = {},
  { texts: byLanguage = new Map(), changesNamed = true }: Pick<LinesToTranslate, 'texts' | 'changesNamed'> = {},
): Promise<ChosenLines> {
  const { selecting, texts, options } = choice
  const { resource, trashed = false } = selecting
  const areChosen = areMany(selecting, texts, { ...options })
  const client = await clientFor(app, options)
  if (!areChosen && !options.allLanguages && byLanguage.size === 0) {
    const lines = await namedLines(app, client, choice, reading)
    return { resource, lines, isNamed: true, notes: [] }
  }
  const { lines, ...others } = await refsOf(app, choice, areChosen)
  const { linesInLanguages } = await import('./all-languages.ts')
  const found = await linesInLanguages(client, { resource, lines, trashed, texts: byLanguage, changesNamed }, options)
  return { resource, ...found, ...others }
}

async function refsOf(app: App, { selecting, texts, options }: RefChoice<ManyOptions>, areChosen: boolean) {
  const { resource } = selecting
  if (seriesOption(options) !== undefined) {
    const { event, events } = await (await import('./series-refs.ts')).eventsOfSeries(app, texts, options)
    return { lines: events.map(({ id }) => ({ ref: { id } })), seriesOf: event }
  }
  if (areChosen && !texts.includes('-')) return selectRefs(app, selecting, { ...options }, texts)
  return { lines: await readRefs(app, resource, texts, options.bySlug) }
}

/** Reads records that were named one by one. A failure concerns only its record, if there are several. */
async function namedLines(
  app: App,
  client: Client,
  { selecting: { resource, trashed = false }, texts, options }: RefChoice<ManyOptions>,
  { access = {}, read }: Reading,
): Promise<RefLine[]> {
  const refs = await namedRefs({ app, client, resource, trashed }, texts, options.bySlug)
  const reader = read ? (ref: Ref) => read(client, ref) : await createRefsReader(client, resource, refs, access)
  const lines: RefLine[] = []
  for (const [index, ref] of refs.entries())
    try {
      lines.push({ ref, record: await reader(ref) })
    } catch (error) {
      if (!(error instanceof Failure) || refs.length === 1) throw error
      lines.push({ ref, place: texts[index] ?? '', failure: nameFailure(resource, ref, error) })
    }
  return lines
}

/** A plan for records that were chosen, and how it is carried out. */
interface ChosenPlan {
  readonly plan: Plan
  readonly chosen: ChosenLines
  readonly options: PlanOptions
  readonly policy?: Policy
}

/** Carries out a plan for these records, with notes about translations. */
export async function carryOutFor(app: App, { plan: built, chosen, options, policy = {} }: ChosenPlan): Promise<void> {
  const { notes, isInLanguages } = chosen
  const plan = withNotes(built, isInLanguages ? notes : await leftTranslations(app, built))
  await applyPlan(app, plan, options, { ...policy, named: chosen.isNamed ? itemsOf(plan, chosen) : undefined })
}

/** The named records in their order: those that the plan writes by the keys of their steps. */
function itemsOf(plan: Plan, { resource, lines }: NamedLines): NonNullable<Policy['named']> {
  const keys = new Set(Array.from(plan.steps, ({ key }) => key))
  const isInvalid = (ref: Ref) => plan.invalid.some(one => equal(one.ref, ref))
  const items = lines.flatMap(({ ref, record }) => {
    if (isInvalid(ref)) return []
    const key = `${resource.name} ${record?.id ?? ('id' in ref ? ref.id : ref.slug)}`
    return keys.has(key) ? key : (record ?? [])
  })
  return { resource, items }
}

const withNotes = (plan: Plan, notes: readonly string[]): Plan =>
  notes.length > 0 ? { ...plan, notes: [...(plan.notes ?? []), ...notes] } : plan

/** Notes about the translations that a plan leaves as they are. */
async function leftTranslations(app: App, plan: Plan): Promise<string[]> {
  const client = await app.client({ toPlan: true })
  if (client.languages().all.length < 2 || app.globals.quiet) return []
  const { leftByPlan } = await import('./left-translations.ts')
  return leftByPlan(app, client, plan)
}

/** The plan that applies the same change to each record. */
export async function changePlan(
  app: App,
  chosen: ChosenLines,
  change: Change,
  options: CareOptions & Pick<ChangeOptions, 'createMissing'>,
): Promise<Plan> {
  const { planChange } = await import('../../../changes/plan/making/from-refs.ts')
  const changes = chosen.changeIn ? await chosen.changeIn(change) : change
  const context = await buildContext(app, options, chosen.isNamed)
  const plan = await planChange(context, chosen, changes, options.createMissing)
  return withNotes(plan, (await chosen.notesOn?.(change)) ?? [])
}

/** Creates or updates all records of a file. */
export async function writeFrom(
  app: App,
  resource: Resource,
  { file, only, options }: { file: string; only: 'create' | 'update'; options: ManyOptions & ChangeOptions },
): Promise<void> {
  const { createMissing, allowSimilar } = options
  const read = { resource: resource.name, only, createMissing, allowSimilar }
  const { planFiles } = await import('./plan-from-files.ts')
  await applyPlan(app, await planFiles(app, [file], read), options)
}

const ofTheSite = new Set<FailureKind>(['unreachable', 'denied', 'settings'])

/** The failure to read one of several records, with the name of the record if the message is only about the site. */
function nameFailure({ name }: Resource, ref: Ref, failure: Failure): Failure {
  const { kind, message, details } = failure
  // After a write that may have been carried out, the message already names the record.
  if (!ofTheSite.has(kind) || details.done !== undefined) return failure
  return new Failure(kind, `${recordNoun(name)} ${'id' in ref ? ref.id : ref.slug}: ${message}`, details)
}

/** Up to this many records are read one by one. */
const maxSingleReads = 3

/**
 * Reads records that are to be changed or removed, with IDs a page at a time. The returned function gives one of them. With `access`, it reads those alone of which lists show only the title, and all records of a
 * resource whose lists cannot be filtered by ID.
 */
async function createRefsReader(client: Client, resource: Resource, refs: readonly Ref[], access: Values) {
  const known = await readPages(client, resource, refs)
  return async (ref: Ref): Promise<Answer> =>
    ('id' in ref ? known.get(ref.id) : undefined) ?? client.get(resource, ref, access)
}

async function readPages(client: Client, resource: Resource, refs: readonly Ref[]): Promise<Map<number, Answer>> {
  const ids = refs.flatMap(ref => ('id' in ref ? ref.id : []))
  if (ids.length <= maxSingleReads || !('include' in resource.filters)) return new Map()
  const { isBlanked } = await import('../../../client/adapters/secret-values.ts')
  const { SiteReader } = await import('../../../changes/plan/site-reader.ts')
  const reader = new SiteReader(client)
  const read = await reader.readByIds({ resource }, ids)
  return new Map([...read].filter(([, record]) => !isBlanked(resource, record)))
}
