import type { events } from '../contract/events.ts'
import type { Fields, Kind } from '../contract/field.ts'
import type { Status } from '../contract/posts.ts'
import type { ParameterValues } from './request-context.ts'

/** What a value is once it is checked, by kind. A link is an id, or what the linked record shall be made of. */
interface CheckedValue extends Record<Kind, unknown> {
  text: string
  integer: number
  number: number
  boolean: boolean
  choice: string
  choices: string[]
  dateTime: string
  timeZone: string
  url: string
  email: string
  image: number | string
  cost: string
  ids: number[]
  terms: (number | string)[]
  posts: (number | ParameterValues)[]
}

/** The checked values of a resource's fields; null clears. */
export type ValuesOf<F extends Fields> = {
  readonly [N in keyof F]?: N extends 'status' ? Status | null : CheckedValue[F[N]['kind']] | null
}

/** The checked values of an event's fields. */
export type EventValues = ValuesOf<typeof events.fields>
