/**
 * One merge of three sides: a record as it was (`base`), the values that somebody wants it to have (`mine`), and the record as it is
 * now (`theirs`). Updates and their drift, the check before a step, retries and lost writes, undo, resume, feeds that are applied
 * again and translations that come back are policies over it: they say what the base is, and what becomes of conflicts and of what
 * cannot be compared.
 */
import type { Field } from './field.ts'
import { hiddenSecret } from './field.ts'
import { asksForNone, equal } from './kinds/kind-values.ts'
import { isStoredAs } from './kinds/text-kinds.ts'
import { type Comparison, changeOf, floats, isEmptyIn, shownValue, storedValue } from './record.ts'
import { type Answer, type Resource, shownFields, withAffectedFields } from './resource.ts'

type Values = Readonly<Record<string, unknown>>

/** How a field of the record as it is now compares with the base. */
export type Base = (name: string, field: Field, theirs: Answer) => Comparison

interface Sides {
  /** Nothing has changed since if it is absent. */
  readonly base?: Base
  readonly mine: Values
  readonly theirs: Answer
  /** Whether every character counts, as in a file; otherwise what the site makes of a value is that value. */
  readonly isExact?: boolean
}

interface Merge {
  /** The values of `mine` that the record does not have yet. */
  readonly write: Values
  /** The fields of `mine` that the record already has. */
  readonly already: readonly string[]
  /** The fields of `mine` whose current values are unknown. */
  readonly unknown: readonly string[]
  /** The fields that someone else changed. */
  readonly changed: readonly string[]
  /** Those that `mine` would overwrite, or that have a meaning only together with it. */
  readonly conflicts: readonly string[]
}

/** A base that compares with an earlier answer. Links to `ignored` records, by `recordKey`, do not count. */
export const baseFrom =
  (before: Answer, ignored?: ReadonlySet<string>): Base =>
  (name, field, theirs) =>
    changeOf(name, field, [before, theirs], ignored)

export function merge(resource: Resource, { base, mine, theirs, isExact = false }: Sides): Merge {
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

/** Whether a record has all of these values, as far as a site shows it. */
export function hasAll(resource: Resource, mine: Values, theirs: Answer): boolean {
  const { write, unknown } = merge(resource, { mine, theirs })
  return Object.keys(write).length === 0 && unknown.length === 0
}

/**
 * Of these values, what an update has to send. Whether a password is another one cannot be told where it is not shown: on its own it
 * is no reason to write.
 */
export function changedValues(resource: Resource, before: Answer, mine: Values): Values {
  const { write, unknown } = merge(resource, { mine, theirs: before, isExact: true })
  const isReason = unknown.some(name => !resource.fields[name]?.secret)
  if (Object.keys(write).length === 0 && !isReason) return {}
  return Object.fromEntries(Object.entries(mine).filter(([name]) => name in write || unknown.includes(name)))
}

/** Whether a field is one of those that are written, or is changed with one, or changes one. */
const isTouched = (resource: Resource, name: string, written: readonly string[]): boolean =>
  written.some(other => saidTogether(resource, other).includes(name)) ||
  withAffectedFields(resource, name).some(other => written.includes(other))

/** The fields that say together when an event is. */
const schedule = ['start_date', 'end_date', 'timezone', 'all_day']

const saidTogether = (resource: Resource, name: string): readonly string[] =>
  schedule.includes(name) ? [...schedule, ...withAffectedFields(resource, name)] : withAffectedFields(resource, name)

const isUnknown = (name: string, field: Field, record: Answer): boolean =>
  storedValue(name, record) === undefined && shownValue(name, field, record) === undefined

/** Whether a record has the value that was sent for a field, allowing for how a site stores and renders it. */
export function isApplied(name: string, field: Field, sent: unknown, record: Answer): boolean {
  if (floats(field, record)) return true
  const stored = storedValue(name, record)
  if (stored !== undefined) return isStoredAs(sent, stored)
  if (equal(sent, record[name])) return true
  if (asksForNone(sent) && !field.kind.isMadeIfNone) return isEmptyIn(name, field, record)
  return field.kind.isShown(sent, { name, field, answer: record })
}

/** Whether a record has exactly this value. */
function isExactly(name: string, field: Field, value: unknown, record: Answer): boolean {
  const { kind, secret } = field
  const stored = storedValue(name, record)
  if (secret) return stored === value || (value === hiddenSecret && Boolean(stored))
  const shown = { name, field, answer: record }
  if (stored !== undefined) return isStoredAs(value, stored) || kind.isMeantBy?.(value, stored, shown) === true
  if (asksForNone(value) || !kind.isExactly) return isApplied(name, field, value, record)
  return kind.isExactly(value, shown)
}
