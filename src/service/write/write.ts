import type { Field, Fields, Kind } from '../../contract/field.ts'
import type { Context, Values } from '../context.ts'
import type { Writing } from '../store/store.ts'

/** What a write works with: `time` converts between zones, and is loaded before the write begins. */
export interface Write {
  readonly context: Context
  readonly writing: Writing
  readonly time: Pick<typeof import('../../time/zone.ts'), 'toUtc' | 'fromUtc'>
}

/** Kinds whose values are stored as they are. */
const plain = new Set<Kind>(['text', 'boolean', 'url', 'email', 'cost'])

const isPlain = ([name, field]: [string, Field], blank: object) => plain.has(field.kind) && name in blank

/** The given values of plain fields, ready to be laid over a row; what is cleared becomes what a new record holds. */
export const plainValues = <R extends object>(fields: Fields, values: Values, blank: R): Partial<R> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, field]) => values[name] !== undefined && isPlain([name, field], blank))
      .map(([name, field]) => [name, stored(field, values[name] ?? blank[name as keyof R])]),
  ) as Partial<R>

/** Names are stored without the space around them. */
const stored = (field: Field, value: unknown): unknown =>
  field.filled && typeof value === 'string' ? value.trim() : value
