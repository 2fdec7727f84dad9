/**
 * A plan: everything that a command is going to write, as plain data, before anything is sent. `making/` makes plans from files, from lists
 * of records and from recurrence rules; `match/` finds the record of the site for a record of a file. A plan can be printed
 * (`step-lines.ts`), split over machines (`shard.ts`) and saved (`plan-file.ts`). `run/` executes it, and `undo/` makes the plan that reverts
 * a run.
 */

import type { CalendarName, Client, Ref, Values } from '../../client/client.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import type { Answer } from '../../contract/resource.ts'
import type { ReadonlyList } from './spool.ts'

/** Events, venues and organizers are trashed and restored; categories and tags are deleted permanently. */
export const stepActions = ['create', 'update', 'trash', 'delete', 'restore'] as const

export type Action = (typeof stepActions)[number]

/** Stands for the ID of a record that another step creates; `$ref` is the key of that step. */
export interface StepReference {
  readonly $ref: string
}

/** What every step has. The names of these properties are those in files of saved plans and journals. */
interface AnyStep {
  /** Unique in the plan, and the same each time the plan is built: `events 12`, `venues ca teatre-principal`. */
  readonly key: string
  readonly resource: ResourceName
  /** Set only if it differs from the language of the plan. */
  readonly lang_code?: Language
  /** The fields that change, as they are sent; with a `StepReference` in place of an ID that is not known yet. */
  readonly values: Values
  /** The place of the record in a file: `row 5`. */
  readonly at?: string
  /** What sources said of the record, for their memory. */
  readonly words?: readonly SourceWord[]
}

/** What a source says of one of its events, as far as a step takes it. */
export interface SourceWord {
  readonly source: string
  readonly key: string
  /** The key that the source had for it before, if it has a new one. */
  readonly was?: string
  /** By field. */
  readonly said: Values
  /** When it said so, by field, as ISO dates. */
  readonly when: Readonly<Record<string, string>>
}

export interface CreateStep extends AnyStep {
  readonly action: 'create'
  readonly id?: undefined
  readonly before?: undefined
  /** The fields by which no existing record was found. Absent if the record is created even if it exists already. */
  readonly match?: readonly string[]
  /** The other records with the same name, as they were, if there are any. */
  readonly existing?: readonly Answer[]
  /** The record in another language of which this is the translation. */
  readonly copyOf?: { readonly id: number; readonly lang_code: Language }
  /**
   * Set if several parts of a split plan need the record. The part with `here` creates it; the others look for it first, and create it only
   * if it does not appear.
   */
  readonly shared?: 'here' | 'elsewhere'
}

/** A write to an existing record. */
interface RecordStep extends AnyStep {
  readonly id: number
  /** The record as it was when the plan was built. */
  readonly before: Answer
  /** Hash of the stored record, if it was read. */
  readonly revision?: string
}

export interface UpdateStep extends RecordStep {
  readonly action: 'update'
  /** Whether the record is in the trash and stays there. */
  readonly trashed?: true
  /** In an undo: the fields whose links the site took when it removed their record, and takes again in a redo. */
  readonly givesBack?: readonly string[]
  /** Whether the record becomes private and has a password, which the site then drops; absent if nobody knows. */
  readonly dropsPassword?: boolean
}

/** An update with `--patch`, which is sent without reading the record. */
export interface PatchStep extends AnyStep {
  readonly action: 'update'
  readonly ref: Ref
  readonly id?: number
  readonly before?: undefined
}

interface Removal extends RecordStep {
  /**
   * The ID of the record that replaces this one, if this one is a duplicate. It is only removed if nothing links to it any more, which is
   * checked just before.
   */
  readonly into?: number
  /** The fields, as requested, that tell whether somebody has created the record again. */
  readonly identity?: Values
}

export type RemovalStep = Removal & ({ readonly action: 'trash' } | { readonly action: 'delete' })

export interface RestoreStep extends RecordStep {
  readonly action: 'restore'
  /** In the redo of a create: the identity in the removal that undid it. */
  readonly identity?: Values
  /** As in an update. */
  readonly dropsPassword?: boolean
}

/** A step on a record that was read. */
export type StepOnRecord = UpdateStep | RemovalStep | RestoreStep

/** One write. */
export type Step = CreateStep | PatchStep | StepOnRecord

/** A record of a file for which there is no step, and why. */
export interface Invalid {
  /** The place of the record: `row 5`. */
  readonly at: string
  readonly message: string
  readonly hint?: string
  readonly resource?: ResourceName
  /** Whether the other records are applied anyway, as other calendar programs do with a feed. */
  readonly stopsOnlyItself?: true
  /** Whether the record is left out because writing it would overwrite somebody else's change; the other steps are applied. */
  readonly isConflict?: true
  /** The cells as they were read, by column. */
  readonly source?: Readonly<Record<string, unknown>>
}

/** What is wrong, and what to do about it, in one text. */
export const withHint = ({ message, hint }: Pick<Invalid, 'message' | 'hint'>): string =>
  hint ? `${message} (${hint})` : message

/** One of several parts of a plan; parts are counted from 1. */
export interface Shard {
  readonly part: number
  readonly of: number
}

/** Many writes as one value. The names of these properties are those in files of saved plans and journals. */
export interface Plan {
  readonly calctl: 1
  /** Set when a plan is saved; the journals of runs that apply it have the same ID. */
  readonly id?: string
  /** Set if this is only one of several parts. */
  readonly part?: Shard
  /** The calendar to which its IDs belong. */
  readonly calendar: CalendarName
  readonly lang_code?: Language
  /** When it was built, as an ISO date. */
  readonly made: string
  /** The names of the files that it was built from, without folders. */
  readonly files?: readonly string[]
  /** The memory of the sources that it was built from. */
  readonly memory?: string
  readonly steps: ReadonlyList<Step>
  /** The number of records that are already as they should be. */
  readonly same: number
  /**
   * The number of events that are new because no existing one has their title and dates. Absent for a part, and if no event had to be
   * matched.
   */
  readonly anew?: number
  readonly invalid: readonly Invalid[]
  /** The sizes of the lists from which records are removed, by resource, where they were read. */
  readonly among?: Readonly<Partial<Record<ResourceName, number>>>
  /** Warnings to show before the plan is applied, one sentence each. */
  readonly notes?: readonly string[]
}

/** A plan for a client's calendar and language. */
export const createPlan = (
  { client, now }: { readonly client: Pick<Client, 'calendar' | 'language'>; readonly now: Date },
  parts: Pick<Plan, 'steps' | 'same' | 'anew' | 'invalid' | 'among' | 'notes' | 'files'>,
): Plan => ({
  calctl: 1,
  calendar: { id: client.calendar.id, label: client.calendar.label },
  ...(client.language && { lang_code: client.language }),
  made: now.toISOString(),
  ...parts,
})

/** What a step does to its record: an update to the status `trash` is a removal, whatever made the plan. */
export const effectOf = ({ action, values }: Pick<Step, 'action' | 'values'>): Action =>
  action === 'update' && values.status === 'trash' ? 'trash' : action

/** Whether a step trashes or deletes its record. */
export const isRemoval = (step: Pick<Step, 'action' | 'values'>): boolean =>
  effectOf(step) === 'trash' || effectOf(step) === 'delete'

/** Whether the record of a step was read when the plan was built. */
export const isOnRecord = (step: Step): step is StepOnRecord => step.before !== undefined

/** Whether a step is an update that is sent without reading the record. */
export const isPatch = (step: Step): step is PatchStep => 'ref' in step

/** Whether several parts of a split plan create the record of a step. */
export const isShared = (step: Step): boolean => step.action === 'create' && step.shared !== undefined

/** The ID of the record that replaces the one that a step removes, if that is a duplicate. */
export const survivorOf = (step: Step): number | undefined =>
  step.action === 'trash' || step.action === 'delete' ? step.into : undefined

/** Whether a step writes to a record in the trash: a restore, or an update of a record that stays there. */
export const isOnTrashed = (step: Step): boolean =>
  step.action === 'restore' || (step.action === 'update' && step.before !== undefined && step.trashed === true)

/** The fields, as requested, that tell whether somebody has created the record of a step again. */
export const identityOf = (step: Step): Values | undefined =>
  step.action === 'create' || step.action === 'update' ? undefined : step.identity

/** Whether a step must not be sent if somebody else has created its record: a create, or a restore in a redo of one. */
export const isOnlyIfNew = (step: Step): step is CreateStep | RestoreStep =>
  step.action === 'create' ? step.match !== undefined : step.action === 'restore' && step.identity !== undefined

/** What must be known about all steps before the first one is shown. */
export interface StepOverview {
  readonly counts: Partial<Record<ResourceName, Record<Action, number>>>
  readonly languages: Set<Language | undefined>
  /** The keys of the steps to which others refer. */
  readonly referenced: Set<string>
  /** Whether any of them has its record as it was. */
  haveRecords: boolean
}

export const createOverview = (): StepOverview => ({
  counts: {},
  languages: new Set(),
  referenced: new Set(),
  haveRecords: false,
})

export function addToOverview(overview: StepOverview, step: Step): void {
  const { counts, languages, referenced } = overview
  const ofResource = counts[step.resource] ?? { create: 0, update: 0, trash: 0, delete: 0, restore: 0 }
  ofResource[effectOf(step)] += 1
  counts[step.resource] = ofResource
  languages.add(step.lang_code)
  addReferencedKeys(step.values, referenced)
  if (step.before) overview.haveRecords = true
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

/** Adds the keys of the steps to which a value refers. */
function addReferencedKeys(value: unknown, keys: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if (isReference(value)) keys.add(value.$ref)
  else for (const name in value) addReferencedKeys((value as Values)[name], keys)
}

/** The keys of the steps that must be applied before this one. */
export function dependenciesOf(step: Step): string[] {
  const keys = new Set<string>()
  addReferencedKeys(step.values, keys)
  return [...keys]
}

/** The value with IDs instead of references. */
export function resolveReferences(value: unknown, idOf: (key: string) => unknown): unknown {
  if (Array.isArray(value)) return withoutRepeats(value.map(item => resolveReferences(item, idOf)))
  if (typeof value !== 'object' || value === null) return value
  if (isReference(value)) return idOf(value.$ref)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolveReferences(item, idOf)]))
}

/** Links without repeats: a record may be linked by its ID, and by a reference that resolves to it. */
const withoutRepeats = (items: readonly unknown[]): unknown[] =>
  items.filter((item, index) => typeof item !== 'number' || items.indexOf(item) === index)

const isReference = (value: object): value is StepReference => '$ref' in value && typeof value.$ref === 'string'

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
