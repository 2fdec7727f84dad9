import type { events } from '../contract/events.ts'
import type { Fields, Kind } from '../contract/field.ts'
import type { Status } from '../contract/posts.ts'

/** The checked values of a resource's fields; null clears. */
export type ValuesOf<F extends Fields> = {
  readonly [N in keyof F]?: CheckedValue<N, F[N]['kind']> | null
}

/** What a value is once it is checked. A link is an id, or what the linked record shall be made of. */
type CheckedValue<Name, K> = Name extends 'status' ? Status : K extends Kind<infer Checked> ? Checked : unknown

/** The checked values of an event's fields. */
export type EventValues = ValuesOf<typeof events.fields>
