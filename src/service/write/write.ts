import type { Field, Fields, Kind } from '../../contract/field.ts'
import { msWall } from '../../time/dates.ts'
import type { ParameterValues, RequestContext } from '../request-context.ts'

/** Kinds whose values are stored as they are. */
const plain = new Set<Kind>(['text', 'boolean', 'url', 'email', 'cost'])

/** The given values of plain fields, ready to be laid over a row; what is cleared becomes what a new record holds. */
export const plainValues = <R extends object>(fields: Fields, values: ParameterValues, blank: R): Partial<R> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = fields[name]
      const isStored = field && value !== undefined && plain.has(field.kind) && name in blank
      return isStored ? [[name, stored(field, value ?? blank[name as keyof R])]] : []
    }),
  ) as Partial<R>

/** Names are stored without the space around them. */
const stored = (field: Field, value: unknown): unknown =>
  field.nonEmpty && typeof value === 'string' ? value.trim() : value

/** The moment of the request, in UTC. */
export const utcNow = ({ now }: Pick<RequestContext, 'now'>): string => msWall(now.getTime())
