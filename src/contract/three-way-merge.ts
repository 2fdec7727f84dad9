/**
 * The merge of three sides: a record as it was (`base`), the wanted values (`mine`), and the record as it is now (`theirs`).
 * Updates and their drift, the check before a step, retries and lost writes, undo, resume, repeated feeds and returned translations
 * are policies over it: each chooses the base, and decides what becomes of conflicts and unknown values.
 */
import { type Field, hiddenSecret } from './field.ts'
import { asksForNone, equal, isStoredAs } from './kinds/kind-values.ts'
import { changeOf, floats, isEmptyIn, type RecordComparison, shownValue, storedValue } from './record.ts'
import { type Answer, type Resource, shownFields, withAffectedFields } from './resource.ts'

type Values = Readonly<Record<string, unknown>>

/** Compares a field of the current record with the base. */
export type Base = (name: string, field: Field, theirs: Answer) => RecordComparison

interface Sides {
  /** Absent if nothing can have changed. */
  readonly base?: Base
  readonly mine: Values
  readonly theirs: Answer
  /** Whether every character counts, as in a file; otherwise a site's rendering of a value equals that value. */
  readonly isExact?: boolean
}

interface Merge {
  /** The values of `mine` that the record does not have yet. */
  readonly write: Values
  /** The fields of `mine` that the record already has. */
  readonly already: readonly string[]
  /** The fields of `mine` whose current values are unknown. */
  readonly unknown: readonly string[]
  readonly changed: readonly string[]
  /** Changed fields that `mine` would overwrite, or that belong together with one that it writes. */
  readonly conflicts: readonly string[]
}

/** A base that compares with an earlier answer. Links to `ignored` records, by `recordKey`, do not count. */
export const baseFrom =
  (before: Answer, ignored?: ReadonlySet<string>): Base =>
  (name, field, theirs) =>
    changeOf(name, field, [before, theirs], ignored)

export function threeWayMerge(resource: Resource, { base, mine, theirs, isExact = false }: Sides): Merge {
  const write: Record<string, unknown> = {}
  const already: string[] = []
  const unknown: string[] = []
  for (const [name, value] of Object.entries(mine)) {
    const field = resource.fields[name]
    if (!field || field.queryOnly || value === undefined) continue
    if (isUnknown(name, field, theirs)) unknown.push(name)
    else if ((isExact ? isExactly : isApplied)(name, field, value, theirs)) already.push(name)
    else write[name] = value
  }
  const isChanged = ([name, field]: [string, Field]) => base?.(name, field, theirs) === 'changed'
  const changed = shownFields(resource)
    .filter(isChanged)
    .map(([name]) => name)
  const overwritten = [...Object.keys(write), ...unknown]
  const conflicts = changed.filter(name => !already.includes(name) && isTouched(resource, name, overwritten))
  return { write, already, unknown, changed, conflicts }
}

/** Whether a record has all of these values, as far as the site shows them. */
export function hasAll(resource: Resource, mine: Values, theirs: Answer): boolean {
  const { write, unknown } = threeWayMerge(resource, { mine, theirs })
  return Object.keys(write).length === 0 && unknown.length === 0
}

/**
 * The values that an update must send. Where a password is not shown, a change of it cannot be detected: alone it is no reason to
 * write.
 */
export function changedValues(resource: Resource, before: Answer, mine: Values): Values {
  const { write, unknown } = threeWayMerge(resource, { mine, theirs: before, isExact: true })
  const isReason = unknown.some(name => !resource.fields[name]?.secret)
  if (Object.keys(write).length === 0 && !isReason) return {}
  // The dates of an all-day event compare as days, so one that gets or loses its hours is sent with all of them.
  const isSent = (name: string) =>
    name in write || unknown.includes(name) || ('all_day' in write && schedule.includes(name))
  return Object.fromEntries(Object.entries(mine).filter(([name]) => isSent(name)))
}

/** The same for values that somebody asked for: the date of a draft is sent although it floats, because that makes it stay. */
export function askedValues(resource: Resource, before: Answer, mine: Values, asked: Values): Values {
  const changed = changedValues(resource, before, mine)
  const isFixed = (name: string) => {
    const field = resource.fields[name]
    return name in asked && field !== undefined && floats(field, before)
  }
  return Object.fromEntries(Object.entries(mine).filter(([name]) => name in changed || isFixed(name)))
}

/** Whether a field is written, affects a written one, or is affected by one. */
const isTouched = (resource: Resource, name: string, written: readonly string[]): boolean =>
  written.some(other => saidTogether(resource, other).includes(name)) ||
  withAffectedFields(resource, name).some(other => written.includes(other))

/** The fields that together define when an event takes place. */
const schedule = ['start_date', 'end_date', 'timezone', 'all_day']

const saidTogether = (resource: Resource, name: string): readonly string[] =>
  schedule.includes(name) ? [...schedule, ...withAffectedFields(resource, name)] : withAffectedFields(resource, name)

const isUnknown = (name: string, field: Field, record: Answer): boolean =>
  storedValue(name, record) === undefined && shownValue(name, field, record) === undefined

/** Whether a record has the sent value of a field, allowing for how a site stores and renders it. */
export function isApplied(name: string, field: Field, sent: unknown, record: Answer): boolean {
  if (floats(field, record)) return true
  const stored = storedValue(name, record)
  if (stored !== undefined) return isStoredAs(sent, stored)
  if (equal(sent, record[name])) return true
  if (asksForNone(sent) && !field.kind.isMadeIfNone) return isEmptyIn(name, field, record)
  return field.kind.isShown(sent, { name, field, answer: record })
}

function isExactly(name: string, field: Field, value: unknown, record: Answer): boolean {
  const { kind, secret } = field
  const stored = storedValue(name, record)
  if (secret) return stored === value || (value === hiddenSecret && Boolean(stored))
  const shown = { name, field, answer: record }
  if (stored !== undefined) return isStoredAs(value, stored) || kind.isMeantBy?.(value, stored, shown) === true
  if (asksForNone(value) || !kind.isExactly) return isApplied(name, field, value, record)
  return kind.isExactly(value, shown)
}
