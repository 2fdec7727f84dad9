/**
 * A plan: everything that a command is going to write, as plain data, before anything is sent. `making/` makes plans from files, from lists
 * of records and from recurrence rules; `match/` finds the record of the site for a record of a file. A plan can be printed
 * (`step-lines.ts`), and saved (`plan-file.ts`). `run/` executes it, and `undo/` makes the plan that reverts
 * a run.
 */

import type { CalendarName, Ref, Values } from '../../client/client.ts'
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

/** An update that is sent without reading the record; only plans and journals of earlier versions have some. */
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
  /** Each of several reasons, all of which are in the message. */
  readonly faults?: readonly { readonly message: string; readonly hint: string | undefined }[]
  readonly resource?: ResourceName
  /** Whether the other records are applied anyway, as other calendar programs do with a feed. */
  readonly stopsOnlyItself?: true
  /** Whether the record is left out because writing it would overwrite somebody else's change; the other steps are applied. */
  readonly isConflict?: true
  /** The record that was named, if it was not in a file. */
  readonly ref?: Ref
}

/** Many writes as one value. The names of these properties are those in files of saved plans and journals. */
export interface Plan {
  readonly calctl: 1
  /** Set when a plan is saved; the journals of runs that apply it have the same ID. */
  readonly id?: string
  /** The calendar to which its IDs belong. */
  readonly calendar: CalendarName
  readonly lang_code?: Language
  /** When it was built, as an ISO date. */
  readonly made: string
  /** The names of the files that it was built from, without folders. */
  readonly files?: readonly string[]
  /** The run that it undoes. */
  readonly undoes?: string
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
